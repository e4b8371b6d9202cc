package packfn

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/packfn/packfntest"
)

// Beside the placeholders of what is printed for public packs, the checks find nothing about the
// cluster: a value that the user must set, another pack.
func TestInitCluster(t *testing.T) {
	folder := t.TempDir()
	tried, passed, before := 0, 0, map[string]int{}
	left := map[string]int{}
	for _, name := range publicPackages(t, folder, 3) {
		for _, f := range errorsOf(t, folder, name) {
			before[f.Rule]++
		}
		file := filepath.Join(name, "cluster.yaml")
		if got := packfn(t, folder, "init", "cluster", name, "--output", file); got.exit != 0 {
			t.Fatalf("%s: exit code %d: %s", name, got.exit, got.stderr)
		}
		tried++
		found := errorsOf(t, folder, name)
		if len(found) == 0 {
			passed++
		}
		for _, f := range found {
			left[f.Rule]++
			if f.Rule == "input/placeholder" && strings.HasSuffix(f.File, "cluster.yaml") {
				continue
			}
			isOfCluster := strings.HasPrefix(f.Rule, "resources/") || strings.HasPrefix(f.Rule, "macro/") || f.Rule == "values/chart-version" || strings.HasSuffix(f.File, "cluster.yaml")
			if isOfCluster || strings.Contains(f.Message, `"kubernetes"`) {
				t.Errorf("%s: %s:%d: %s", name, f.File, f.Line, f.Message)
			}
		}
	}
	if tried < 20 || left["input/placeholder"] == 0 {
		t.Errorf("%d packs were tried, errors: %v", tried, left)
	}
	t.Logf("%d packs: %d pass the checks with the printed ClusterContext\nerrors before: %v\nerrors with it: %v", tried, passed, before, left)
}

// publicPackages imports one of so many public packs, each into a package of its own, and returns the names of the packages.
func publicPackages(t *testing.T, folder string, of int) (names []string) {
	t.Helper()
	dirs := functiontest.Corpus(t, "packs/*")
	for i, dir := range dirs {
		if i%of != 0 && os.Getenv("TEST_ALL") == "" {
			continue
		}
		name := filepath.Base(dir)
		if packfn(t, folder, "import", dir, "--to", name, "--exec").exit == 0 { // the corpus has packs that cannot be read
			names = append(names, name)
		}
	}
	return names
}

// errorsOf returns the errors that the checks find in a package.
func errorsOf(t *testing.T, folder, name string) []packfntest.Finding {
	t.Helper()
	var file struct{ Findings []packfntest.Finding }
	if err := json.Unmarshal([]byte(packfn(t, folder, "check", name, "--format", "json").stdout), &file); err != nil {
		t.Fatal(name, err)
	}
	return slices.DeleteFunc(file.Findings, func(f packfntest.Finding) bool { return f.Severity != "error" })
}

// The PackValues that is printed for a public pack changes nothing but the values that the pack requires,
// also if no value is a comment anymore.
func TestInitOverride(t *testing.T) {
	folder := t.TempDir()
	tried, set := 0, 0
	for _, name := range publicPackages(t, folder, 9) {
		packs := strings.Fields(packfn(t, folder, "list", "packs", name).stdout)
		if len(packs) < 7 {
			t.Fatal(name, packs)
		}
		pack, path := packs[6], filepath.Join(folder, name, "o.yaml")
		got := packfn(t, folder, "init", "override", pack, name, "--all", "--output", path)
		if got.exit != 0 {
			if !strings.Contains(got.stderr, "has no values") {
				t.Errorf("%s: %s", name, got.stderr)
			}
			continue
		}
		tried++
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		ofPack := map[string]bool{}
		for _, f := range errorsOf(t, folder, name) {
			ofPack[f.Rule] = ofPack[f.Rule] || !strings.HasSuffix(f.File, "o.yaml")
		}
		check := func(what string) {
			for _, f := range errorsOf(t, folder, name) {
				if strings.HasSuffix(f.File, "o.yaml") && !ofPack[f.Rule] && !strings.Contains(strings.Split(string(text), "\n")[f.Line-1], "CHANGE_ME") {
					t.Errorf("%s: %s: line %d: %s", name, what, f.Line, f.Message)
				}
			}
		}
		check("as it is printed")
		if got.stderr != "" { // the comments of placeholders begin like other values
			continue
		}
		text = regexp.MustCompile("(?m)^    # ?").ReplaceAll(text, []byte("    "))
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		check("without comments")
		set += strings.Count(string(text), "\n")
	}
	if tried < 10 || set < 500 {
		t.Errorf("%d packs were tried, with %d lines", tried, set)
	}
}
