package packfn

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/packfn/packfntest"
)

// imageExamples writes the examples with images.
func imageExamples(t *testing.T) (dir, tag string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "examples")
	cmd := exec.Command("go", "run", "./build/imageexamples", "-o", dir)
	cmd.Dir = root
	if output, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	return dir, strings.TrimSpace(string(readRoot(t, "build/VERSION")))
}

// The examples with images are those with programs: kpt reads them, no program is left,
// and packfn, which runs both forms in its process, renders both to the same.
func TestImageExamples(t *testing.T) {
	images, tag := imageExamples(t)
	program := regexp.MustCompile(`\bexec: ([a-z-]+)\n`)
	kustomize := regexp.MustCompile(`\bexec:\n(\s+)path: ([a-z-]+)\n`)
	examples, err := filepath.Glob(filepath.Join(root, "examples", "*", "Kptfile"))
	if err != nil || len(examples) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	for _, kptfile := range examples {
		source := filepath.Dir(kptfile)
		name := filepath.Base(source)
		t.Run(name, func(t *testing.T) {
			withExec := filepath.Join(t.TempDir(), name)
			if err := os.CopyFS(withExec, os.DirFS(source)); err != nil {
				t.Fatal(err)
			}
			withImage := filepath.Join(images, name)
			text, err := os.ReadFile(filepath.Join(withImage, "Kptfile"))
			if err != nil {
				t.Fatal(err)
			}
			parsed, err := packfntest.ParseKptfile(text)
			if err != nil {
				t.Fatal(err)
			}
			for _, step := range append(parsed.Mutators, parsed.Validators...) {
				if step.Exec != "" || !strings.HasPrefix(step.Image, "ghcr.io/krm-packs/") || !strings.HasSuffix(step.Image, ":"+tag) {
					t.Errorf("a step is %+v", step)
				}
			}
			// The packages are not in the repository, which is the root for paths in reports.
			want := packfn(t, withExec, "render", "--format", "json", ".")
			got := packfn(t, withImage, "render", "--format", "json", ".")
			if got.exit != want.exit || got.exit == 2 {
				t.Errorf("exit code %d, and %d with programs\n%s", got.exit, want.exit, got.stderr)
			}
			// What kpt does not read has its own tests.
			content := func(dir string) map[string]string {
				files := tree(t, dir)
				maps.DeleteFunc(files, func(file, _ string) bool {
					return strings.HasPrefix(file, ".expected/") || file == "README.md" || file == "kustomization.yaml"
				})
				return files
			}
			files := content(withExec)
			for file, text := range files {
				text = program.ReplaceAllString(text, "image: ghcr.io/krm-packs/$1:"+tag+"\n")
				files[file] = kustomize.ReplaceAllString(text, "container:\n${1}image: ghcr.io/krm-packs/$2:"+tag+"\n")
			}
			rendered := content(withImage)
			if diff := cmp.Diff(files, rendered); diff != "" {
				t.Errorf("(-programs +images):\n%s", diff)
			}
			for file, text := range rendered {
				if strings.Contains(text, "exec:") {
					t.Errorf("%s names a program", file)
				}
			}
		})
	}
}
