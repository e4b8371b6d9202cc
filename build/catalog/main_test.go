package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/functions/suite"
)

// The folder has the layout of the catalog: this test restates the rules of scripts/verify-docs.py at its commit 76fe3817,
// which needs Python and mdrip.
func TestCatalog(t *testing.T) {
	out := t.TempDir()
	if err := write("../..", out); err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, f := range suite.All() {
		own := testFunction(t, out, f.Name)
		for _, example := range own {
			testExample(t, filepath.Join(out, exampleFolder, example), f.Name, example)
		}
		listed = append(listed, own...)
	}
	slices.Sort(listed)
	entries, err := os.ReadDir(filepath.Join(out, exampleFolder))
	if err != nil {
		t.Fatal(err)
	}
	var written []string
	for _, entry := range entries {
		written = append(written, entry.Name())
	}
	if !slices.Equal(written, listed) {
		t.Errorf("the examples are %v, and metadata.yaml lists %v", written, listed)
	}
	// Both run another function, too, and one of them with kpt fn eval.
	if slices.Contains(written, "resolve-macros-pipeline") || !slices.Contains(written, "inject-config-fleet") {
		t.Errorf("the examples are %v; want those that run one function", written)
	}
	testTexts(t, out)
}

// testFunction checks the folder of a function, and returns the names of its examples.
func testFunction(t *testing.T, out, name string) (own []string) {
	t.Helper()
	dir := filepath.Join(out, functionFolder, name)
	var m map[string]any
	if err := yaml.Unmarshal(text(t, dir, "metadata.yaml"), &m); err != nil {
		t.Fatal(err)
	}
	var missing []string
	for _, field := range []string{"image", "description", "tags", "sourceURL", "examplePackageURLs", "emails", "license"} {
		if m[field] == nil {
			missing = append(missing, field)
		}
	}
	if len(missing) > 0 {
		t.Fatalf("%s: metadata.yaml has no %v", name, missing)
	}
	const tree = "https://github.com/kptdev/krm-functions-catalog/tree/master/contrib/"
	if m["image"] != "gcr.io/kpt-fn-contrib/"+name || m["sourceURL"] != tree+"functions/go/"+name || !slices.Contains(m["emails"].([]any), any("kpt-team@google.com")) || m["hidden"] != false {
		t.Errorf("%s: metadata.yaml is %v", name, m)
	}
	for _, url := range m["examplePackageURLs"].([]any) {
		example, ok := strings.CutPrefix(url.(string), tree+"examples/")
		if !ok || !strings.HasPrefix(example, name+"-") {
			t.Errorf("%s: metadata.yaml lists the example %s", name, url)
			continue
		}
		own = append(own, example)
	}
	readme := string(text(t, dir, "README.md"))
	for _, part := range []string{"# " + name + "\n", "\n<!--mdtogo:Short-->\n", "\n<!--mdtogo:Long-->\n", "\n<!--mdtogo-->\n"} {
		if !strings.Contains(readme, part) {
			t.Errorf("%s: README.md has no %q, which make generate of the catalog reads", name, part)
		}
	}
	if _, err := parser.ParseFile(token.NewFileSet(), "main.go", text(t, dir, "main.go"), 0); err != nil {
		t.Error(err)
	}
	want := "module github.com/kptdev/krm-functions-catalog/contrib/functions/go/" + name + "\n\ngo 1."
	if got := string(text(t, dir, "go.mod")); !strings.HasPrefix(got, want) || !strings.HasSuffix(got, "\n\nrequire github.com/krm-packs/functions "+strings.TrimSpace(string(text(t, "../../build", "VERSION")))+"\n") {
		t.Errorf("%s: go.mod is %s", name, got)
	}
	return own
}

func testExample(t *testing.T, dir, name, example string) {
	t.Helper()
	title, _, _ := strings.Cut(string(text(t, dir, "README.md")), "\n")
	words := strings.ReplaceAll(strings.TrimPrefix(example, name), "-", " ")
	if !strings.HasPrefix(title, "# ") || !strings.Contains(title, name) || !strings.Contains(strings.ToLower(title), words) {
		t.Errorf("%s: the title of README.md is %q; want one with %q and %q", example, title, name, words)
	}
	config, _ := os.ReadFile(filepath.Join(dir, ".expected", "config.yaml"))
	if strings.Contains(string(config), "testType: eval") {
		if want := "image: gcr.io/kpt-fn-contrib/" + name + ":unstable"; !strings.Contains(string(config), want) {
			t.Errorf("%s: .expected/config.yaml has no %q:\n%s", example, want, config)
		}
		return
	}
	var kptfile struct {
		Pipeline map[string][]map[string]any
	}
	if err := yaml.Unmarshal(text(t, dir, "Kptfile"), &kptfile); err != nil {
		t.Fatal(err)
	}
	steps := 0
	for _, list := range kptfile.Pipeline {
		for _, step := range list {
			steps++
			if want := "gcr.io/kpt-fn-contrib/" + name + ":unstable"; step["image"] != want {
				t.Errorf("%s: a step of the Kptfile is %v; want the image %s", example, step, want)
			}
		}
	}
	if steps == 0 {
		t.Errorf("%s: the Kptfile has no pipeline", example)
	}
}

// testTexts checks that no file names a program or an image of this repository, that links lead to files, and that
// commands are allowed.
func testTexts(t *testing.T, out string) {
	t.Helper()
	wrong := regexp.MustCompile(`ghcr\.io/krm-packs|kpt fn run|kpt cfg|kpt pkg cat`)
	ofProgram := regexp.MustCompile(`(?m)^\s*-? *exec: [a-z]`) // documents describe both forms
	err := filepath.WalkDir(out, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(out, file)
		if err != nil {
			return err
		}
		content, err := os.ReadFile(file)
		if found := wrong.Find(content); found != nil {
			t.Errorf("%s has %q", name, found)
		}
		if filepath.Ext(file) != ".md" {
			if found := ofProgram.Find(content); found != nil {
				t.Errorf("%s has %q", name, found)
			}
			return err
		}
		for _, found := range link.FindAllSubmatch(content, -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(file), string(found[1]))); err != nil {
				t.Errorf("%s links to %s, which is not there", name, found[1])
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A folder with files stays as it is.
func TestNotEmpty(t *testing.T) {
	out := t.TempDir()
	if err := os.WriteFile(filepath.Join(out, "mine"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := write("../..", out); err == nil || !strings.Contains(err.Error(), "must be absent or empty") {
		t.Errorf("got %v", err)
	}
}

// text returns the text of a file.
func text(t *testing.T, dir, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}
