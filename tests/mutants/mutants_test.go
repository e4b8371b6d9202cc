package main

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const (
	module = "module example.com/m\n\ngo 1.25\n"
	code   = `package limit

// In reports whether n is in the limit.
func In(n, most int) bool {
	if n < 0 {
		return false
	}
	return n <= most
}

func Sum(all []int) (sum int) {
	for _, n := range all {
		sum += n
	}
	return sum - 0*len(all)
}
`
	tests = `package limit

import "testing"

func TestIn(t *testing.T) {
	if !In(1, 2) || In(3, 2) || In(-1, 2) || Sum([]int{1, 2}) != 3 {
		t.Fatal()
	}
}
`
)

// What no test notices is found: the two bounds that TestIn does not try, and the sum's useless part.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for name, content := range map[string]string{"go.mod": module, "limit/limit.go": code, "limit/limit_test.go": tests, ".gitignore": ".cache\n"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("git", "init", "-q", ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	o := options{tests: "./...", budget: time.Minute, jobs: 2, work: ".cache/mutants", out: "first.json", packages: []string{"./limit"}}
	if err := run(o); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"survived 15:15: * to / in 0*len(all)",
		"survived 15:9: - to + in sum - 0*len(all)",
		"survived 5:5: < to <= in n < 0",
		"survived 8:9: <= to < in n <= most",
	}
	if diff := cmp.Diff(want, outcomes(t, "first.json")); diff != "" {
		t.Error(diff)
	}

	o.again, o.out = "first.json", "second.json"
	better := strings.Replace(tests, "!In(1, 2)", "!In(0, 2) || !In(2, 2)", 1)
	if err := os.WriteFile("limit/limit_test.go", []byte(better), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := run(o); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want[:2], outcomes(t, "second.json")); diff != "" {
		t.Error("after a better test:", diff)
	}
}

// outcomes are the changes in a file of results that were not killed.
func outcomes(t *testing.T, name string) (all []string) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var m mutant
		if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
			t.Fatal(err)
		}
		if m.Outcome != killed {
			all = append(all, strings.Replace(m.Outcome+" "+m.String(), m.File+":", "", 1))
		}
	}
	slices.Sort(all)
	return all
}

// A script is a test of its own.
func TestScripts(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "testdata/script"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.txtar", "b.txtar", "README.md"} {
		if err := os.WriteFile(filepath.Join(dir, "testdata/script", name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	b := &testBinary{dir: dir}
	var got []string
	for _, name := range []string{"TestA", "TestScript"} {
		for _, script := range b.scripts(name) {
			got = append(got, test{name: name, script: script}.pattern())
		}
	}
	if diff := cmp.Diff([]string{"^TestA$", "^TestScript$/^a$", "^TestScript$/^b$"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
