package packfn

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/packfn/packfntest"
)

// Beside the placeholders of what is printed for public packs, the checks find nothing about the
// cluster: a value that the user must set, another pack.
func TestInitCluster(t *testing.T) {
	corpus := os.Getenv("PACK_CORPUS")
	if corpus == "" {
		t.Skip("PACK_CORPUS is not set")
	}
	dirs, err := filepath.Glob(filepath.Join(corpus, "packs", "*"))
	if err != nil || len(dirs) < 20 {
		t.Fatal(len(dirs), err)
	}
	folder := t.TempDir()
	tried, passed, before := 0, 0, map[string]int{}
	left := map[string]int{}
	for i, dir := range dirs {
		if i%3 != 0 && os.Getenv("TEST_ALL") == "" {
			continue
		}
		name := filepath.Base(dir)
		run := func(args ...string) (string, int) {
			got := packfn(t, folder, args...)
			return got.stdout, got.exit
		}
		if _, exit := run("import", dir, "--to", name, "--exec"); exit != 0 {
			continue // the corpus has packs that cannot be read
		}
		errorsOf := func() (all []packfntest.Finding) {
			text, _ := run("check", name, "--format", "json")
			var file struct{ Findings []packfntest.Finding }
			if err := json.Unmarshal([]byte(text), &file); err != nil {
				t.Fatal(name, err)
			}
			return slices.DeleteFunc(file.Findings, func(f packfntest.Finding) bool { return f.Severity != "error" })
		}
		for _, f := range errorsOf() {
			before[f.Rule]++
		}
		text, exit := run("init", "cluster", name)
		if exit != 0 {
			t.Fatalf("%s: exit code %d", name, exit)
		}
		if err := os.WriteFile(filepath.Join(folder, name, "cluster.yaml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		tried++
		found := errorsOf()
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
				t.Errorf("%s: %s:%d: %s\n%s", name, f.File, f.Line, f.Message, text)
			}
		}
	}
	if tried < 20 || left["input/placeholder"] == 0 {
		t.Errorf("%d packs were tried, errors: %v", tried, left)
	}
	t.Logf("%d packs: %d pass the checks with the printed ClusterContext\nerrors before: %v\nerrors with it: %v", tried, passed, before, left)
}
