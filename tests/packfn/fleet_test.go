package packfn

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/packfn/packfntest"
)

const (
	exampleSet      = "examples/expand-variant-set-fleet"
	exampleUpstream = "examples/inject-config-fleet"
)

// exampleFleet previews the fleet of the examples.
func exampleFleet(t *testing.T, exit int, args ...string) outcome {
	t.Helper()
	return packfn(t, root, append([]string{"fleet", "--set", exampleSet, "--upstream", "blueprints/platform@v3=" + exampleUpstream}, args...)...).want(t, exit)
}

// readFleet reads a preview as JSON.
func readFleet(t *testing.T, o outcome) packfntest.Fleet {
	t.Helper()
	var file packfntest.Fleet
	if err := json.Unmarshal([]byte(o.stdout), &file); err != nil {
		t.Fatalf("%v\n%s%s", err, o.stdout, o.stderr)
	}
	return file
}

// errors and warnings of a package in a preview, by severity, rule and message.
func problems(file packfntest.Fleet, p packfntest.FleetPackage) []string {
	var all []string
	for _, at := range p.Findings {
		if f := file.Findings[at].Finding; f.Severity != "info" {
			message, _, _ := strings.Cut(f.Message, " (after ")
			all = append(all, fmt.Sprintf("%s: %s [%s]", f.Severity, message, f.Rule))
		}
	}
	slices.Sort(all)
	return all
}

// byPorch makes the package of a cluster with the functions and kpt, one by one: a copy
// of the upstream, changed by inject-config and rendered. It returns errors and warnings.
func byPorch(t *testing.T, kpt, pkg string, variant map[string]any, objects []any) (failed bool, found []string) {
	t.Helper()
	config, err := yaml.Marshal(map[string]any{
		"apiVersion": "fn.kpt.dev/v1alpha1", "kind": "InjectConfig", "metadata": map[string]any{"name": "preview"},
		"spec": map[string]any{"packageVariant": variant, "objects": objects},
	})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "inject.yaml")
	write(t, file, string(config))
	for _, args := range [][]string{{"eval", pkg, "--exec", "inject-config", "--fn-config", file}, {"render", pkg, "--allow-exec"}} {
		results := t.TempDir()
		cmd := exec.Command(kpt, append(append([]string{"fn"}, args...), "--results-dir", results)...)
		cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(program)+string(os.PathListSeparator)+os.Getenv("PATH"))
		output, err := cmd.CombinedOutput()
		if err != nil && cmd.ProcessState.ExitCode() != 1 {
			t.Fatalf("%v: %s", err, output)
		}
		var list struct {
			Items []struct {
				Results []struct{ Message, Severity string }
			}
		}
		if text, err := os.ReadFile(filepath.Join(results, "results.yaml")); err == nil {
			if err := yaml.Unmarshal(text, &list); err != nil {
				t.Fatal(err)
			}
		}
		for _, item := range list.Items {
			for _, r := range item.Results {
				if r.Severity != "info" {
					found = append(found, r.Severity+": "+r.Message)
				}
			}
		}
		if failed = err != nil; failed {
			break
		}
	}
	slices.Sort(found)
	return failed, found
}

// What fleet says of each cluster, and the package that it makes, is what the functions
// and kpt make one by one.
func TestFleetLikeKpt(t *testing.T) {
	found, err := kpts()
	if err != nil {
		t.Fatal(err)
	}
	kpt := found.clients[0].Path
	out := filepath.Join(t.TempDir(), "out")
	file := readFleet(t, exampleFleet(t, 1, "--like", "kpt", "--format", "json", "--to", out))

	dir := t.TempDir()
	management := filepath.Join(dir, "management")
	if err := os.CopyFS(management, os.DirFS(filepath.Join(root, exampleSet))); err != nil {
		t.Fatal(err)
	}
	kptRender(t, found.clients[0], management)
	variants, err := filepath.Glob(filepath.Join(management, "packagevariants", "*.yaml"))
	if err != nil || len(variants) != len(file.Packages) || len(variants) != 10 {
		t.Fatalf("%d variants, %d packages: %v", len(variants), len(file.Packages), err)
	}
	clusters, err := os.ReadFile(filepath.Join(management, "clusters.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	objects := documents(t, "clusters.yaml", string(clusters))
	var refused []string
	for i, p := range file.Packages {
		text, err := os.ReadFile(variants[i])
		if err != nil {
			t.Fatal(err)
		}
		variant := documents(t, variants[i], string(text))[0].(map[string]any)
		if name := variant["metadata"].(map[string]any)["name"]; name != p.Variant {
			t.Fatalf("the variant %v, want %s", name, p.Variant)
		}
		pkg := filepath.Join(dir, p.Repo, p.Package)
		if err := os.CopyFS(pkg, os.DirFS(filepath.Join(root, exampleUpstream))); err != nil {
			t.Fatal(err)
		}
		failed, want := byPorch(t, kpt, pkg, variant, objects)
		if diff := cmp.Diff(want, problems(file, p)); diff != "" {
			t.Errorf("%s (-kpt +packfn):\n%s", p.Repo, diff)
		}
		if failed != (p.Outcome != packfntest.Deployable) {
			t.Errorf("%s: %s, kpt failed %v", p.Repo, p.Outcome, failed)
		}
		if failed {
			refused = append(refused, p.Repo)
			continue // kpt leaves the package as it was
		}
		wanted, got := tree(t, pkg), tree(t, filepath.Join(out, p.Repo, p.Package))
		for name := range wanted {
			if diff := cmp.Diff(documents(t, name, wanted[name]), documents(t, name, got[name])); diff != "" {
				t.Errorf("%s/%s (-kpt +packfn):\n%s", p.Repo, name, diff)
			}
		}
		if len(wanted) != len(got) {
			t.Errorf("%s: %d files, want %d", p.Repo, len(got), len(wanted))
		}
	}
	if diff := cmp.Diff([]string{"ap-south-1", "eu-central-3"}, refused); diff != "" {
		t.Errorf("refused (-want +got):\n%s", diff)
	}
}

// A fleet of n clusters, as in the examples. The i-th cluster is the i-th of the examples
// again, under another name.
func makeFleet(t *testing.T, dir string, n int) {
	t.Helper()
	source := filepath.Join(root, exampleSet)
	for _, name := range []string{"set.yaml", "upstream.yaml"} {
		text, err := os.ReadFile(filepath.Join(source, name))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, name), string(text))
	}
	for _, name := range []string{"repositories.yaml", "clusters.yaml"} {
		text, err := os.ReadFile(filepath.Join(source, name))
		if err != nil {
			t.Fatal(err)
		}
		all := strings.Split(string(text), "---\n")
		var made []string
		for i := range n {
			one := all[i%len(all)]
			_, rest, _ := strings.Cut(one, "name: ")
			cluster, _, _ := strings.Cut(rest, "\n")
			made = append(made, strings.ReplaceAll(one, "name: "+cluster+"\n", fmt.Sprintf("name: %s-x%03d\n", cluster, i)))
		}
		write(t, filepath.Join(dir, name), strings.Join(made, "---\n"))
	}
}

// The bytes do not depend on the number of cores. Above some clusters each package is
// offered only the objects that it names; that changes nothing.
func TestFleetCores(t *testing.T) {
	dir := t.TempDir()
	makeFleet(t, dir, 100)
	// A cluster whose object has a misspelt name gets a hint.
	text, err := os.ReadFile(filepath.Join(dir, "clusters.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "clusters.yaml"), strings.Replace(string(text), "  name: us-east-1-x000\n", "  name: us-east-1-x00O\n", 1))
	var first [2]string
	for i, cores := range []string{"1", "7"} {
		for j, format := range []string{"json", "table"} {
			got := packfn(t, root, "fleet", "--set", dir, "--upstream", exampleUpstream, "--format", format, "--cores", cores).want(t, 1)
			if i == 0 {
				first[j] = got.stdout
			} else if got.stdout != first[j] {
				t.Errorf("%s with %s cores (-1 core):\n%s", format, cores, cmp.Diff(first[j], got.stdout))
			}
		}
	}
	if !strings.Contains(first[1], `did you mean "us-east-1-x00O"`) {
		t.Error("the misspelt name has no hint")
	}
	if want := "10 of 100 clusters (ap-south-1-x007, "; !strings.Contains(first[1], want) {
		t.Errorf("no %q in\n%s", want, first[1])
	}
}

// The schema that is published for the format json accepts it.
func TestFleetSchema(t *testing.T) {
	text := exampleFleet(t, 1, "--format", "json").stdout
	checkSchema(t, "fleet.json", text, strings.Replace(text, `"outcome": "refused"`, `"outcome": "bad"`, 1))
}
