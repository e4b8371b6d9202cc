package packfn

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// listing are the files of the project that init function changes, or that a new function needs.
var listing = []string{"go.mod", "ARCHITECTURE.md", "docs/README.md", "functions/suite/suite.go", "functions/suite/waiting_test.go", "tests/messages.txt", "tests/packfn/testdata/rules.txtar"}

// clone copies the part of the project that init function needs.
func clone(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range listing {
		write(t, filepath.Join(dir, name), string(readRoot(t, name)))
	}
	return dir
}

// filesOf returns the texts of the files in a folder.
func filesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			var text []byte
			text, err = os.ReadFile(filepath.Join(dir, name))
			files[name] = string(text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// A new function compiles with the project, its tests pass, and its program finds in its examples what they show.
func TestInitFunction(t *testing.T) {
	dir := clone(t)
	packfn(t, filepath.Join(dir, "docs"), "init", "function", "check-pack-dates").want(t, 0)
	overlay := map[string]string{}
	for name := range filesOf(t, dir) {
		if strings.HasSuffix(name, ".go") {
			overlay[filepath.Join(root, name)] = filepath.Join(dir, name)
		}
	}
	text, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		t.Fatal(err)
	}
	replaced := filepath.Join(t.TempDir(), "overlay.json")
	write(t, replaced, string(text))
	run := func(dir string, env []string, name string, args ...string) int {
		command := exec.Command(name, args...)
		command.Dir, command.Env = dir, append(os.Environ(), env...)
		output, err := command.CombinedOutput()
		if exit := command.ProcessState.ExitCode(); exit >= 0 {
			t.Logf("%s %s: exit code %d\n%s", name, strings.Join(args, " "), exit, output)
			return exit
		}
		t.Fatal(err)
		return 0
	}
	bin := t.TempDir()
	program, tests, suite := filepath.Join(bin, "check-pack-dates"), filepath.Join(bin, "tests"), filepath.Join(bin, "suite")
	for _, args := range [][]string{
		{"build", "-overlay", replaced, "-o", program, "./functions/check-pack-dates"},
		{"test", "-overlay", replaced, "-vet=off", "-c", "-o", tests, "./pkg/packdates"},
		{"test", "-overlay", replaced, "-vet=off", "-c", "-o", suite, "./functions/suite"},
	} {
		if run(root, nil, "go", args...) != 0 {
			t.Fatalf("go %s fails", args[0])
		}
	}
	feature := filepath.Join(dir, "pkg/packdates")
	for _, update := range []string{"1", ""} { // it writes the messages, and compares them
		if run(feature, []string{"UPDATE=" + update}, tests) != 0 {
			t.Errorf("the tests fail, with UPDATE=%s", update)
		}
	}
	if run(filepath.Join(root, "functions/suite"), nil, suite, "-test.run", "TestWaitsIsComplete|TestWaiting/check-pack-dates") != 0 {
		t.Error("the suite does not take the function")
	}
	for example, want := range map[string]int{"simple": 0, "failing": 1} {
		if got := run(filepath.Join(dir, "examples/check-pack-dates-"+example), nil, program, "vault.yaml"); got != want {
			t.Errorf("%s: exit code %d", example, got)
		}
	}
	if packfn(t, dir, "check", "examples").exit == 2 {
		t.Error("the examples cannot be checked")
	}
}

// A name that Go or Kubernetes does not take, or that is taken, writes nothing. Neither does a folder that is no
// clone, or a clone of another time.
func TestInitFunctionFails(t *testing.T) {
	for name, want := range map[string]string{
		"Check": "is not a name of a function", "check_labels": "is not a name", "check--labels": "is not a name", "-": "is not a name", "": "is not a name", "2check": "is not a name",
		"check-" + strings.Repeat("a", 60): "at most 63", "check-type": `cannot be named "type"`, "check-2x": `cannot be named "2x"`, "run-main": `cannot be named "main"`, "check-pack-age": `cannot be named "package"`,
		"check": "has the command check already", "check-resources": "has the command check-resources already", "find-suite": "", "load-values": "pkg/values exists already",
		"check-init": `cannot be named "init"`, "check-string": `cannot be named "string"`, "check-internal": `cannot be named "internal"`,
		"check-fmt": "something else in pkg/fmt/example_test.go", "check-os": "something else in functions/check-os/main.go", "check-functions": "something else in functions/check-functions/main.go",
		"check-version": "something else in pkg/version/example_test.go", "check-vault": "something else in pkg/vault/example_test.go", "expand-set": "something else in functions/suite/suite.go",
		"check-doc": "two of its files would be pkg/doc/doc.go", "check-krm": "two of its files would be pkg/krm/krm.go",
		"of": "pkg/rule/rule.go has the name Of", "version-version": "would have the name VersionVersion", "find-preset": "apply-preset has the rule preset/waiting",
	} {
		dir := clone(t)
		write(t, filepath.Join(dir, "pkg/values/doc.go"), "package values\n")
		write(t, filepath.Join(dir, "pkg/rule/rule.go"), string(readRoot(t, "pkg/rule/rule.go")))
		before := filesOf(t, dir)
		got := packfn(t, dir, "init", "function", "--", name)
		if want == "" {
			got.want(t, 0)
			continue
		}
		if got.want(t, 2); !strings.Contains(got.stderr, want) || !maps.Equal(before, filesOf(t, dir)) {
			t.Errorf("%q: got %s", name, got.stderr)
		}
	}
	packfn(t, t.TempDir(), "init", "function", "check-labels").want(t, 2)
	for _, name := range listing[1:5] {
		dir := clone(t)
		write(t, filepath.Join(dir, name), "package suite\n")
		before := filesOf(t, dir)
		if got := packfn(t, dir, "init", "function", "check-labels").want(t, 2); !strings.Contains(got.stderr, name+" has no text") || !maps.Equal(before, filesOf(t, dir)) {
			t.Errorf("%s: got %s", name, got.stderr)
		}
	}
	dir := clone(t)
	packfn(t, dir, "init", "function", "check-labels").want(t, 0)
	if got := packfn(t, dir, "init", "function", "check-labels").want(t, 2); !strings.Contains(got.stderr, " exists already") {
		t.Errorf("twice: got %s", got.stderr)
	}
	for _, file := range []string{"examples/check-labels-simple/README.md", "examples/check-labels-failing/own.yaml", "docs/check-labels.md", "pkg/rule/labels.go", "build/schemas/complete/checklabels.yaml"} {
		dir := clone(t)
		write(t, filepath.Join(dir, file), "mine\n")
		before := filesOf(t, dir)
		if got := packfn(t, dir, "init", "function", "check-labels").want(t, 2); !strings.Contains(got.stderr, " exists already") || !maps.Equal(before, filesOf(t, dir)) {
			t.Errorf("%s: got %s", file, got.stderr)
		}
	}
	blocked := clone(t)
	write(t, filepath.Join(blocked, "examples"), "a file")
	before := filesOf(t, blocked)
	packfn(t, blocked, "init", "function", "check-labels").want(t, 2)
	if !maps.Equal(before, filesOf(t, blocked)) {
		t.Error("a folder that cannot be made: something was written")
	}
}
