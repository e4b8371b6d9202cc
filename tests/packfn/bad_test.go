package packfn

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/packfntest"
	"github.com/krm-packs/functions/pkg/rule"
)

// Input that no command can use is a clear error of the file, exit 2, and nothing is
// written: not the report either.
func TestBadInput(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "half/values.yaml"), "a: 1\n")
	write(t, filepath.Join(dir, "half/schema.yaml"), "a: {}\n")
	write(t, filepath.Join(dir, "binary/a.yaml"), "a: \xff\n")
	write(t, filepath.Join(dir, "large/a.yaml"), strings.Repeat("# 3456789\n", 32<<20/10+1))
	write(t, filepath.Join(dir, "kptfile/Kptfile"), kptfileText+"info: []\n")
	write(t, filepath.Join(dir, "kptfile/a.yaml"), packResource("a: 1\n"))
	write(t, filepath.Join(dir, "results.yaml"), `apiVersion: kpt.dev/v7
kind: FunctionResultList
`)
	write(t, filepath.Join(dir, "packs/a/pack.json"), `{"name": "a"`)
	write(t, filepath.Join(dir, "dangling/x.txt"), "")
	write(t, filepath.Join(dir, "texts/notes.txt"), "a note\n")
	write(t, filepath.Join(dir, "comments/a.yaml"), `# a comment
---
`)
	write(t, filepath.Join(dir, "ignored/a.yaml"), packResource("a: 1\n"))
	write(t, filepath.Join(dir, "ignored/.krmignore"), "*.yaml\n")
	if err := os.Symlink("absent", filepath.Join(dir, "dangling/a.yaml")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "folder.yaml"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "misnamed/packs.json"), `{"name": "a", "version": "1.0.0"}`)
	write(t, filepath.Join(dir, "misnamed/values.yaml"), "a: 1\n")
	before := tree(t, dir)
	for _, tc := range []struct {
		path  string
		words []string
	}{
		{"absent", []string{"absent: no such file"}},
		{"bynary", []string{"bynary: no such file or directory (did you mean \"binary\"?)"}},
		{"misnamed", []string{"misnamed holds half a pack: it has values.yaml, but no pack.json; rename packs.json"}},
		{"binary", []string{"binary/a.yaml is not UTF-8: byte 4 is 0xff"}},
		{"binary/a.yaml", []string{"binary/a.yaml is not UTF-8: byte 4 is 0xff"}},
		{"large", []string{"large/a.yaml has 33554440 bytes", "at most 33554432"}},
		{"dangling", []string{"dangling/a.yaml: it is a symbolic link to nothing"}},
		{"texts", []string{"texts: no resource and no pack is here. Give a package"}},
		{"comments", []string{"comments: no resource and no pack is here. Give a package"}},
		{"comments/a.yaml", []string{"comments/a.yaml: no resource and no pack is here. Give a package"}},
		{"ignored", []string{"ignored: no resource and no pack is here. Give a package"}},
	} {
		for _, args := range [][]string{{"check", "-o", "out.json", "--format", "json"}, {"fix"}, {"list", "packs"}, {"why", "a", "b"}} {
			got := packfn(t, dir, append(args, tc.path)...).want(t, 2, tc.words...)
			if got.stdout != "" || !strings.HasPrefix(got.stderr, "packfn: ") || strings.Count(got.stderr, "\n") != 1 {
				t.Errorf("%v %s printed %q and %q", args, tc.path, got.stdout, got.stderr)
			}
		}
	}
	packfn(t, dir, "export", "kptfile", "--to", "out").want(t, 2, "kptfile/Kptfile: line 5: kpt rejects the Kptfile")
	for _, empty := range []string{"texts", "comments"} {
		packfn(t, dir, "render", empty).want(t, 2, empty+" is not a package: it has no Kptfile")
		packfn(t, dir, "export", empty, "--to", "out").want(t, 2, empty+" has no packs")
		packfn(t, dir, "import", empty, "--to", "out").want(t, 2, empty+" holds no pack")
	}
	packfn(t, dir, "import", "half", "--to", "out").want(t, 2, "half holds half a pack")
	packfn(t, dir, "report", "results.yaml", "-o", "out.txt").want(t, 2, `results.yaml: FunctionResultList of the unknown version "kpt.dev/v7"`)
	if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
		t.Errorf("something was written:\n%s", diff[:min(len(diff), 2000)])
	}
	// A report that cannot be written is an error, too.
	packfn(t, dir, "check", testPack("cni-1.2.0"), "-o", "folder.yaml").want(t, 2, "folder.yaml is not a regular file")
	packfn(t, dir, "check", testPack("cni-1.2.0"), "-o", "results.yaml/x").want(t, 2, "results.yaml")
}

// An interrupt at any time of a command that writes leaves all files as they were, or all
// changed, and no other files.
func TestInterruptedWrite(t *testing.T) {
	const packs = 40
	eachPack := func(write func(name string)) {
		for i := range packs {
			write(fmt.Sprintf("p%d", i))
		}
	}
	packDir := func(t *testing.T, dir, version string) {
		eachPack(func(name string) {
			write(t, filepath.Join(dir, name, "pack.json"), fmt.Sprintf(`{"name": %q, "version": %q}`, name, version))
			write(t, filepath.Join(dir, name, "values.yaml"), "a: 1\n")
		})
	}
	resources := func(t *testing.T, dir, values string) {
		eachPack(func(name string) {
			write(t, filepath.Join(dir, name+".yaml"), fmt.Sprintf(`apiVersion: v1
kind: ConfigMap
metadata:
  name: %[1]s
data:
  pack.json: |
    {"name": %[1]q, "version": "1"}
  values.yaml: |
    %[2]s`, name, values))
		})
	}
	upgrade := []string{"upgrade", "p", "--write"}
	eachPack(func(name string) { upgrade = append(upgrade, filepath.Join("new", name)) })
	for name, tc := range map[string]struct {
		prepare func(t *testing.T, dir string)
		args    []string
	}{
		"import": {func(t *testing.T, dir string) { packDir(t, filepath.Join(dir, "new"), "1") }, []string{"import", "new", "--to", "p"}},
		"export": {func(t *testing.T, dir string) { resources(t, filepath.Join(dir, "p"), "a: 1\n") }, []string{"export", "p", "--to", "out"}},
		"fix": {func(t *testing.T, dir string) {
			resources(t, filepath.Join(dir, "p"), "a: 1\n")
			eachPack(func(name string) {
				write(t, filepath.Join(dir, "p", name+"-values.yaml"), `apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata:
  name: `+name+`-mine
spec:
  packref:
    name: `+name+`
  values: {a: 2}
`)
			})
		}, []string{"fix", "p"}},
		"render": {func(t *testing.T, dir string) {
			write(t, filepath.Join(dir, "p/Kptfile"), kptfileText+`pipeline:
  mutators:
  - exec: resolve-macros
`)
			write(t, filepath.Join(dir, "p/cluster.yaml"), `apiVersion: packs.kpt.dev/v1alpha1
kind: ClusterContext
metadata:
  name: c
spec:
  variables: {A: x}
`)
			resources(t, filepath.Join(dir, "p"), "a: '{{ .spectro.var.A }}'\n")
		}, []string{"render", "p"}},
		"upgrade": {func(t *testing.T, dir string) {
			resources(t, filepath.Join(dir, "p"), "a: 1\n")
			packDir(t, filepath.Join(dir, "new"), "2")
		}, upgrade},
		"fleet": {func(t *testing.T, dir string) {
			equalFleet(t, filepath.Join(dir, "set"), packs, func(_ int, cluster string) string { return cluster })
			if err := os.CopyFS(filepath.Join(dir, "platform"), os.DirFS(filepath.Join(root, exampleUpstream))); err != nil {
				t.Fatal(err)
			}
		}, []string{"fleet", "--set", "set", "--upstream", "platform", "--to", "out"}},
	} {
		t.Run(name, func(t *testing.T) {
			source := t.TempDir()
			tc.prepare(t, source)
			// start runs the command on a copy.
			start := func() (*exec.Cmd, *bytes.Buffer, string) {
				t.Helper()
				dir := filepath.Join(t.TempDir(), "copy")
				if err := os.CopyFS(dir, os.DirFS(source)); err != nil {
					t.Fatal(err)
				}
				cmd := exec.Command(program, tc.args...)
				stderr := &bytes.Buffer{}
				cmd.Dir, cmd.Stderr = dir, stderr
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				return cmd, stderr, dir
			}
			cmd, stderr, dir := start()
			cmd.Wait()
			before, after := tree(t, source), tree(t, dir)
			changed := 0
			for path, text := range after {
				if before[path] != text {
					changed++
				}
			}
			if changed < packs*3/4 || cmd.ProcessState.ExitCode() != 0 {
				t.Fatalf("exit code %d, %d files changed\n%s", cmd.ProcessState.ExitCode(), changed, stderr)
			}
			for _, when := range []struct {
				name string
				// reached looks at the files while the command runs.
				reached func(files map[string]bool) bool
			}{
				{"at once", func(map[string]bool) bool { return true }},
				{"at the first file", func(files map[string]bool) bool { return staged(files) > 0 }},
				{"in the middle", func(files map[string]bool) bool { return staged(files) > packs/2 }},
				{"at the end", func(files map[string]bool) bool { return staged(files) >= changed }},
			} {
				cmd, stderr, dir := start()
				ended := make(chan struct{})
				go func() { cmd.Wait(); close(ended) }()
				for isRunning := true; isRunning && !when.reached(names(dir)); {
					select {
					case <-ended:
						isRunning = false
					default:
					}
				}
				cmd.Process.Signal(os.Interrupt)
				<-ended
				// The command may have gone on or ended before the signal came: both outcomes
				// are right at each time.
				switch got, code := tree(t, dir), cmd.ProcessState.ExitCode(); {
				case cmp.Equal(before, got) && code != 0:
					t.Logf("%s: not written", when.name)
					// -1: the signal came before the program took signals.
					if code != -1 && (code != 2 || !strings.Contains(stderr.String(), "interrupted")) {
						t.Errorf("interrupted %s: exit code %d\n%s", when.name, code, stderr)
					}
				case cmp.Equal(after, got):
					t.Logf("%s: written", when.name)
				default:
					t.Errorf("interrupted %s: exit code %d, %d files; %d before, %d after\n%s", when.name, code, len(got), len(before), len(after), stderr)
				}
			}
		})
	}
}

// names are the files and folders below a folder, which a command changes.
func names(dir string) map[string]bool {
	all := map[string]bool{}
	_ = filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		all[path] = true
		return nil // what goes away meanwhile is not an error
	})
	return all
}

// staged counts the files that are not yet renamed, alone or in a folder that is not.
func staged(files map[string]bool) (count int) {
	for path := range files {
		if strings.Contains(path, packfntest.Suffix) {
			count++
		}
	}
	return count
}

// selectors is the advice to look at those of a pipeline.
var selectors = regexp.MustCompile("[.] If [a-zA-Z ]+, check the function's selectors")

// Over all packs at hand, check reports what the four functions report one by one about
// the resource of each.
func TestCheckPacksEqualsFunctions(t *testing.T) {
	dirs := packs(t)
	total := 0
	for _, dir := range dirs {
		p, err := packfntest.ReadPack(dir)
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, f := range suite.All() {
			if !f.Checks {
				continue
			}
			for _, found := range function.Evaluate(f, &list.List{Items: []*list.Item{p.Item()}}).Findings {
				if found.Rule != rule.NothingToDo {
					// A pack directory has no selectors.
					message := withoutLines(selectors.ReplaceAllString(found.Message(), ""))
					want = append(want, found.Rule.ID+"\n"+found.Path()+"\n"+message)
				}
			}
		}
		r, err := packfntest.Check([]string{dir}, packfntest.CheckOptions{Functions: suite.All(), Root: root})
		if err != nil {
			t.Errorf("%s: %v", dir, err)
			continue
		}
		var got []string
		for _, f := range r.Findings {
			if f.Function != "check-charts" && f.Function != "check-packs" {
				got = append(got, f.Rule+"\n"+f.Field+"\n"+withoutLines(f.Message))
			}
			if f.File == "" || f.Line == 0 {
				t.Errorf("%s: no place: %+v", dir, f)
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		total += len(got)
		if diff := cmp.Diff(slices.Compact(want), slices.Compact(got)); diff != "" {
			t.Errorf("%s: (-functions +check):\n%s", dir, diff)
		}
	}
	if total < len(dirs)/4 {
		t.Errorf("only %d findings in %d packs", total, len(dirs))
	}
}
