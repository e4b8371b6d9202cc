package config

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const head = `apiVersion: packs.kpt.dev/v1alpha1
kind: PackfnConfig
`

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// The nearest file counts as a whole, up to the root and not above it.
func TestFind(t *testing.T) {
	dir := t.TempDir()
	root := filepath.Join(dir, "repo")
	write(t, filepath.Join(dir, Name), head+"exclude: [above]\n")
	write(t, filepath.Join(root, "a", Name), head+"sources: [packs]\n")
	write(t, filepath.Join(root, "a/b/c/x.yaml"), "")
	write(t, filepath.Join(root, "a/b", Name), head+"exclude: [b]\n")
	for from, want := range map[string]string{"": "", "a": "packs", "a/b": "b", "a/b/c": "b"} {
		file, err := Find(filepath.Join(root, from), root)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(slices.Concat(file.Sources, file.Exclude), ","); got != want || (file.Path == "") != (want == "") {
			t.Errorf("%q: got %q of %q", from, got, file.Path)
		}
	}
}

// A file that the user has not named is not read through a link out of the root.
func TestLink(t *testing.T) {
	dir := t.TempDir()
	root := filepath.Join(dir, "root")
	write(t, filepath.Join(dir, "outside.yaml"), head)
	write(t, filepath.Join(root, "inside.yaml"), head+"exclude: [a]\n")
	write(t, filepath.Join(root, "p/x"), "")
	if err := os.Symlink("../inside.yaml", filepath.Join(root, "p", Name)); err != nil {
		t.Fatal(err)
	}
	if file, err := Find(filepath.Join(root, "p"), root); err != nil || len(file.Exclude) != 1 {
		t.Errorf("inside: got %+v, %v", file, err)
	}
	if err := os.Symlink("../outside.yaml", filepath.Join(root, Name)); err != nil {
		t.Fatal(err)
	}
	if _, err := Find(root, root); err == nil || !strings.Contains(err.Error(), "symbolic link out of") {
		t.Errorf("outside: got %v", err)
	}
	if _, err := Read(filepath.Join(root, Name), root); err != nil {
		t.Errorf("named: got %v", err)
	}
}

// Paths are relative to the file.
func TestPaths(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a", Name)
	write(t, name, head+`sources: [packs/, /abs, oci://example.com/x]
catalogs: [catalog/, ../b.json]
fleet: {set: [clusters, ../more], upstream: {r/p: up}}
`)
	t.Chdir(dir)
	file, err := Read(name, dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ got, want []string }{
		{file.Shown(), []string{"a/packs", "/abs", "oci://example.com/x"}},
		{file.OfCatalogs(), []string{"a/catalog", "b.json"}},
		{file.Sets(), []string{"a/clusters", "more"}},
		{file.Upstreams(), []string{"r/p=a/up"}},
	} {
		if !slices.Equal(tc.got, tc.want) {
			t.Errorf("got %q, want %q", tc.got, tc.want)
		}
	}
	write(t, filepath.Join(dir, "one.yaml"), head+"fleet: {set: one}\n")
	if one, err := Read("one.yaml", dir); err != nil || !slices.Equal(one.Sets(), []string{"one"}) {
		t.Errorf("one path: got %+v, %v", one, err)
	}
	if flag := (&File{PackfnConfig: PackfnConfig{Sources: []string{"packs"}}}).Shown(); !slices.Equal(flag, []string{"packs"}) {
		t.Errorf("without a file: got %q", flag)
	}
	write(t, filepath.Join(dir, "a/scopes.yaml"), head+"checks: {scopes: {p/a.yaml: ACTION}}\n")
	if scopes, err := Read("a/scopes.yaml", dir); err != nil {
		t.Error(err)
	} else if of, err := scopes.Scopes(); err != nil || of.Of("a/p/a.yaml") != "ACTION" || of.Of("p/a.yaml") != "GLOBAL" {
		t.Errorf("scopes: got %+v, %v", of, err)
	}
	if file.Line("fleet.set") != 5 || file.Line("checks.asWritten") != 0 {
		t.Errorf("lines %d and %d", file.Line("fleet.set"), file.Line("checks.asWritten"))
	}
}

// All faults of a file are told, each once with its line.
func TestFaults(t *testing.T) {
	for text, want := range map[string][]string{
		"":               {"packfn.yaml: is empty, but must be a PackfnConfig"},
		"a: [":           {"packfn.yaml: "},
		"- a\n":          {":1: PackfnConfig: must be a map, got a list"},
		"kind: Config\n": {":1: apiVersion: apiVersion is required", `:1: kind: must be "PackfnConfig", got "Config"`},
		head + `metadata: {name: a}
source: [a]
sources: ['', 'oci://', 'oci://user:hunter2@host/a']
exclude: [a, 3, '/', 'a[b']
`: {
			`:3: metadata: unknown field`, `:4: source: unknown field "source"`, ":5: sources[0]: must be ", ":5: sources[1]: oci://", ":5: sources[2]: oci://•••@host/a: a reference cannot name a user or a password",
			":6: exclude[1]: must be a string, got a number", `:6: exclude[2]: the pattern "/"`, `:6: exclude[3]: the pattern "a[b"`},
		head + "severity: {values/formt: error, values/format: bad, input/invalid: off}\n": {
			"severity[input/invalid]: the severity of input/invalid cannot be changed", `severity[values/format]: must be "error", "warning", "info" or "off", got "bad"`, `severity[values/formt]: unknown rule "values/formt"`},
		head + `checks: {asWriten: true, template: maybe}
fleet: {set: [a, 1, ''], upstream: {a/b: '', c/d: [x]}}
`: {
			`checks.asWriten: unknown field "asWriten"`, "checks.template: must be true or false, got a string",
			":4: fleet.set[1]: must be a string, got a number", ":4: fleet.set[2]: must be ", ":4: fleet.upstream.c/d: must be a string, got a list", ":4: fleet.upstream[a/b]: must be "},
		head + `severity: {values/format: bad}
more: 1
`: {":3: severity[values/format]: ", ":4: more: "},
		head + "fleet: {set: 3}\n":                                   {":3: fleet.set: must be a string, got a number"},
		head + "checks: {scopes: {a.yaml: ACTON, b.yaml: GLOBAL}}\n": {`:3: checks.scopes[a.yaml]: must be "GLOBAL", "ACTION" or "WORKFLOW", got "ACTON"`},
		head + "exclude: ['\xff']":                                   {"not UTF-8"},
	} {
		dir := t.TempDir()
		name := filepath.Join(dir, Name)
		write(t, name, text)
		_, err := Read(name, dir)
		if err == nil {
			t.Errorf("%q: no error", text)
			continue
		}
		if got := strings.Split(err.Error(), "\n"); len(got) != len(want) {
			t.Errorf("%q: %d faults, want %d: %v", text, len(got), len(want), err)
		}
		for _, words := range want {
			if !strings.Contains(err.Error(), words) {
				t.Errorf("%q: no fault says %q: %v", text, words, err)
			}
		}
		if lines := regexp.MustCompile(`yaml:\d:`).FindAllString(err.Error(), -1); !slices.IsSorted(lines) {
			t.Errorf("%q: not in the order of lines: %v", text, err)
		}
	}
}

// kpt reads a file in a package as a resource, unless .krmignore hides it.
func TestInPackage(t *testing.T) {
	for _, tc := range []struct{ kptfile, name, ignore, want string }{
		{"p/Kptfile", "p/packfn.yaml", "", "add the line packfn.yaml to "},
		{"p/Kptfile", "p/x/packfn.yaml", "", "add the line x/packfn.yaml to "},
		{"p/Kptfile", "p/x/packfn.yaml", "other\n", "add the line"},
		{"p/Kptfile", "p/x/packfn.yaml", "packfn.yaml\n", ""},
		{"p/Kptfile", "p/x/packfn.yaml", "x/\n", ""},
		{"p/Kptfile", "p/x/packfn.yaml", "/\n", "kpt cannot read the pattern"},
		{"p/Kptfile", "packfn.yaml", "", ""},
		{"../Kptfile", "packfn.yaml", "", ""}, // above the root
	} {
		root := filepath.Join(t.TempDir(), "root")
		write(t, filepath.Join(root, tc.kptfile), "")
		write(t, filepath.Join(root, "p/.krmignore"), tc.ignore)
		write(t, filepath.Join(root, tc.name), head)
		_, err := Read(filepath.Join(root, tc.name), root)
		if tc.want == "" && err != nil || tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)) {
			t.Errorf("%+v: got %v", tc, err)
		}
	}
}

// Patterns have the syntax of .gitignore, and are relative to the folder of the file.
func TestExcluded(t *testing.T) {
	dir := t.TempDir()
	for _, tc := range []struct {
		patterns, yes, no string
	}{
		{".github/**", ".github/workflows/a.yaml .github/workflows/", "a.yaml x/.github2/a"},
		{"charts/", "charts/ a/charts/ charts/a.yaml", "charts"},
		{"/charts/**", "charts/a.yaml", "x/charts/a.yaml"},
		{"a/b", "a/b a/b/c", "x/a/b b"},
		{"**/generated/*.yaml", "generated/a.yaml x/y/generated/a.yaml", "generated/a.json"},
		{"*.json !keep.json", "a.json x/a.json", "keep.json x/keep.json a.yaml"},
		{"# a/** x/b**.yaml", "x/b.yaml x/bcd.yaml", "a/x.yaml b.yaml"},
	} {
		patterns := strings.Fields(tc.patterns)
		if strings.HasPrefix(tc.patterns, "#") {
			patterns = []string{"# a/**", "", "x/b**.yaml"}
		}
		excluded, err := Excluded(dir, patterns)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []struct {
			names string
			is    bool
		}{{tc.yes, true}, {tc.no, false}} {
			for _, name := range strings.Fields(want.names) {
				if got := excluded(filepath.Join(dir, name), strings.HasSuffix(name, "/")); got != want.is {
					t.Errorf("%q, %s: got %v", tc.patterns, name, got)
				}
			}
		}
		if excluded(dir, true) || excluded(filepath.Dir(dir), true) {
			t.Errorf("%q excludes the folder itself", tc.patterns)
		}
	}
	if _, err := Excluded(dir, []string{"a", "/"}); err == nil {
		t.Error("a pattern without a name: no error")
	}
	if excluded, err := Excluded(dir, []string{"# none"}); excluded != nil || err != nil {
		t.Errorf("got a matcher without patterns, %v", err)
	}
}

// Near misses of the name packfn.yaml are recognized. Other names are not: pack.yaml is a resource.
func TestIsAlmost(t *testing.T) {
	for name, want := range map[string]bool{
		"packfn.yml": true, "Packfn.yaml": true, "packfn.YAML": true, ".packfn.yaml": true, "pakcfn.yaml": true, "packfm.ymal": true,
		"packfn.yaml": false, "pack.yaml": false, "packs.yaml": false, "packfn.yaml~": false, "packfn.yaml.orig": false, "packfn.json": false, "packfn": false, "packfn-config.yaml": false,
	} {
		if got := isAlmost(name); got != want {
			t.Errorf("%s: got %v", name, got)
		}
	}
}
