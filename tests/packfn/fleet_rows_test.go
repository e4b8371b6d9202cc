package packfn

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
)

// equalFleet writes a fleet of clusters that are equal but for their names, and for what
// edit makes of some.
func equalFleet(t *testing.T, dir string, n int, edit func(i int, cluster string) string) {
	t.Helper()
	source := filepath.Join(root, exampleSet)
	first := func(name string) string {
		text, err := os.ReadFile(filepath.Join(source, name))
		if err != nil {
			t.Fatal(err)
		}
		one, _, _ := strings.Cut(string(text), "---\n")
		return one
	}
	write(t, filepath.Join(dir, "set.yaml"), first("set.yaml"))
	upstream, err := os.ReadFile(filepath.Join(source, "upstream.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "upstream.yaml"), string(upstream))
	repository, cluster := first("repositories.yaml"), first("clusters.yaml")
	var repositories, clusters []string
	for i := range n {
		name := fmt.Sprintf("name: c-%04d\n", i)
		repositories = append(repositories, strings.ReplaceAll(repository, "name: us-east-1\n", name))
		clusters = append(clusters, edit(i, strings.ReplaceAll(cluster, "name: us-east-1\n", name)))
	}
	write(t, filepath.Join(dir, "repositories.yaml"), strings.Join(repositories, "---\n"))
	write(t, filepath.Join(dir, "clusters.yaml"), strings.Join(clusters, "---\n"))
}

// Of 200 clusters, those with the same change are one entry, and so are those with the
// same finding; the three that differ are shown. The bytes do not depend on the number of
// cores.
func TestFleetGroups(t *testing.T) {
	dir := t.TempDir()
	upstream := filepath.Join(dir, "platform")
	if err := os.CopyFS(upstream, os.DirFS(filepath.Join(root, exampleUpstream))); err != nil {
		t.Fatal(err)
	}
	// Three clusters are too small.
	small := func(i int, cluster string) string {
		if i == 10 || i == 100 || i == 199 {
			return strings.Replace(cluster, "size: 3", "size: 1", 1)
		}
		return cluster
	}
	equalFleet(t, filepath.Join(dir, "set"), 200, small)
	run := func(args ...string) outcome {
		t.Helper()
		return packfn(t, dir, append([]string{"fleet", "--set", "set", "--upstream", "platform"}, args...)...).want(t, 1)
	}
	run("--to", "before")

	// All get another value, and three something else besides.
	certManager := filepath.Join(upstream, "cert-manager.yaml")
	text, err := os.ReadFile(certManager)
	if err != nil {
		t.Fatal(err)
	}
	write(t, certManager, strings.Replace(string(text), "replicaCount: 2", "replicaCount: 3", 1))
	others := map[int][2]string{7: {"version: 1.31.4", "version: 1.30.9"}, 8: {"DOMAIN: us.example.com", "DOMAIN: eu.example.com"}, 150: {"size: 3", "size: 4"}}
	equalFleet(t, filepath.Join(dir, "set"), 200, func(i int, cluster string) string {
		if change, ok := others[i]; ok {
			return strings.Replace(cluster, change[0], change[1], 1)
		}
		return small(i, cluster)
	})
	table := run("--against", "before", "--show-values").stdout
	for want, count := range map[string]int{
		"the same change in 197 of 200 clusters: c-0000/platform, ": 1, " and 194 more\n": 1,
		"a change in 1 of 200 clusters: c-0007/platform\n": 1, "version: 1.30.9\n": 1,
		"a change in 1 of 200 clusters: c-0008/platform\n": 1, "DOMAIN: eu.example.com\n": 1,
		"a change in 1 of 200 clusters: c-0150/platform\n": 1, "+      size: 4\n": 1,
		"+    replicaCount: 3\n": 4, "no change in": 0, "3 of 200 clusters (c-0010, c-0100, c-0199)\n": 1,
		"200 clusters: 197 can be deployed, 3 refused, 0 failed": 1,
	} {
		if n := strings.Count(table, want); n != count {
			t.Errorf("%q is there %d times, want %d", want, n, count)
		}
	}
	if t.Failed() {
		_, changes, _ := strings.Cut(table, "c-0199  ")
		t.Logf("%.6000s", changes)
	}

	var first string
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, cores := range []int{1, 8} {
		runtime.GOMAXPROCS(cores)
		got := run("--against", "before", "--format", "json")
		if first == "" {
			first = got.stdout
			file := readFleet(t, got)
			var sizes, errors []int
			for _, group := range file.Changes.Groups {
				sizes = append(sizes, len(group.Packages))
			}
			for _, f := range file.Findings {
				if f.Finding.Severity == diag.Error {
					errors = append(errors, len(f.Packages))
				}
			}
			if diff := cmp.Diff([]int{197, 1, 1, 1}, sizes); diff != "" {
				t.Errorf("the packages of the changes (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff([]int{3}, errors); diff != "" {
				t.Errorf("the packages of the errors (-want +got):\n%s", diff)
			}
		}
		if got.stdout != first {
			t.Errorf("%d cores give other bytes than 1", cores)
		}
	}
}
