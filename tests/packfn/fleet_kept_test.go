package packfn

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/packfn/packfntest"
	"github.com/krm-packs/functions/pkg/values"
	"github.com/krm-packs/functions/tests/e2e"
)

// likes are the ways to make the packages of a fleet. Without one it is that of Porch.
var likes = [2]string{"", "kpt"}

// What is kept changes no byte: of the example and of fleets in which lines were changed,
// doubled or lost, faults included.
func TestKeptIsEqual(t *testing.T) {
	count := uint64(20)
	if e2e.All() {
		count = 200
	}
	outcomes := map[string]int{}
	for seed := range count {
		dir := t.TempDir()
		for from, to := range map[string]string{exampleSet: "set", exampleUpstream: "upstream"} {
			if err := os.CopyFS(filepath.Join(dir, to), os.DirFS(filepath.Join(root, from))); err != nil {
				t.Fatal(err)
			}
		}
		random := rand.New(rand.NewPCG(seed, 1))
		for _, name := range []string{"set/clusters.yaml", "set/repositories.yaml", "set/set.yaml", "upstream/vault.yaml", "upstream/cert-manager.yaml", "upstream/Kptfile", "upstream/cluster.yaml"} {
			if seed > 0 {
				edit(t, filepath.Join(dir, name), func(text string) string { return mutatedLines(random, text) })
			}
		}
		checkKept(t, fmt.Sprintf("seed %d", seed), dir, likes[seed%2], outcomes)
	}
	if outcomes[string(packfntest.Deployable)] == 0 || outcomes["refused"] == 0 {
		t.Errorf("the outcomes were %v", outcomes)
	}
}

// The same of fleets of the other examples, and of packages with a public pack.
func TestKeptIsEqualOfPackages(t *testing.T) {
	kptfiles, err := filepath.Glob(filepath.Join(root, "examples/*/Kptfile"))
	if err != nil || len(kptfiles) < 30 {
		t.Fatalf("%d examples: %v", len(kptfiles), err)
	}
	packs, every := []string(nil), 3
	if e2e.All() {
		every = 1
	}
	if corpus := os.Getenv("PACK_CORPUS"); corpus != "" {
		if packs, err = filepath.Glob(filepath.Join(corpus, "packs/*/pack.json")); err != nil || len(packs) == 0 {
			t.Fatalf("%s has no packs: %v", corpus, err)
		}
	}
	outcomes := map[string]int{}
	for i, file := range slices.Concat(kptfiles, packs) {
		if i%every > 0 {
			continue
		}
		from := filepath.Dir(file)
		dir := t.TempDir()
		if i < len(kptfiles) {
			if err := os.CopyFS(filepath.Join(dir, "upstream"), os.DirFS(from)); err != nil {
				t.Fatal(err)
			}
		} else {
			write(t, filepath.Join(dir, "upstream/Kptfile"), `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: p
pipeline:
  mutators:
    - exec: resolve-macros
  validators:
    - exec: validate-pack-values
`)
			write(t, filepath.Join(dir, "upstream/cluster.yaml"), `apiVersion: packs.kpt.dev/v1alpha1
kind: ClusterContext
metadata:
  name: cluster
  annotations:
    kpt.dev/config-injection: required
spec: {}
`)
			write(t, filepath.Join(dir, "upstream/pack.yaml"), inConfigMap(t, from))
		}
		var set strings.Builder
		for n := range 4 {
			fmt.Fprintf(&set, smallCluster, n, n/2)
		}
		write(t, filepath.Join(dir, "set/fleet.yaml"), set.String())
		checkKept(t, from, dir, likes[i%2], outcomes)
	}
	if outcomes[string(packfntest.Deployable)] == 0 || outcomes["refused"] == 0 {
		t.Errorf("the outcomes were %v", outcomes)
	}
}

// smallCluster is a cluster with its package. Two clusters are equal but for their names.
const smallCluster = `apiVersion: packs.kpt.dev/v1alpha1
kind: ClusterContext
metadata:
  name: c%[1]d
spec:
  system:
    cluster:
      name: c%[1]d
    kubernetes:
      version: 1.3%[2]d.1
  variables:
    DOMAIN: example.com
  machinePools:
    - {name: workers, role: worker, size: 3, capacity: {cpu: "%[2]d", memory: 16Gi, diskSize: 60Gi}}
---
apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata:
  name: v%[1]d
spec:
  upstream: {repo: blueprints, package: p, workspaceName: main}
  downstream: {repo: c%[1]d, package: p}
  injectors:
    - {kind: ClusterContext, name: c%[1]d}
---
`

// inConfigMap returns a pack directory as a resource.
func inConfigMap(t *testing.T, dir string) string {
	t.Helper()
	data := map[string]string{}
	for _, name := range []string{"pack.json", "values.yaml", "schema.yaml", "presets.yaml"} {
		if text, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
			data[name] = string(text)
		}
	}
	text, err := yaml.Marshal(map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "pack"}, "data": data})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// checkKept compares the preview of the sets and the upstream in a folder with one that keeps nothing.
func checkKept(t *testing.T, name, dir, like string, outcomes map[string]int) {
	t.Helper()
	defer values.KeepRecent(0, 0)
	preview := func(forgets bool) string {
		values.KeepRecent(packfntest.RecentBytes, packfntest.MostRecentBytes)
		if forgets {
			values.KeepRecent(0, 0)
		}
		count := 0
		p, err := packfntest.RunFleet(context.Background(), packfntest.FleetOptions{
			Functions: suite.All(), Sets: []string{filepath.Join(dir, "set")}, Upstreams: []packfntest.Upstream{{Dir: filepath.Join(dir, "upstream")}},
			Like: like, KeepFiles: true, Forgets: forgets,
			Progress: func(done, all int) {
				if count++; done != count || done > all {
					t.Errorf("%s: %d of %d packages are done, want %d", name, done, all, count)
				}
			},
		})
		if err != nil {
			return err.Error()
		}
		var out bytes.Buffer
		if err := p.Write(&out, packfntest.FleetPrint{Format: "json"}); err != nil {
			t.Fatal(err)
		}
		for i := range p.Rows {
			outcomes[string(p.Rows[i].Outcome)]++
			for _, file := range p.Rows[i].Files {
				fmt.Fprintf(&out, "%s %s\n%s\n", p.Rows[i].Name(), file.Path, file.Text)
			}
		}
		return out.String()
	}
	if want, got := preview(true), preview(false); got != want {
		t.Errorf("%s: the preview differs from one that keeps nothing\n%s", name, cmp.Diff(want, got))
	}
}

// mutatedLines returns a text in which some lines are changed.
func mutatedLines(random *rand.Rand, text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		switch random.IntN(120) {
		case 0: // lost
			continue
		case 1: // doubled
			out.WriteString(line)
		case 2:
			line = strings.Replace(line, "1", "7", 1)
		case 3:
			line = strings.TrimSuffix(line, "\n") + " # a comment\n"
		case 4:
			line = strings.Replace(line, "e", "a", 1)
		}
		out.WriteString(line)
	}
	return out.String()
}
