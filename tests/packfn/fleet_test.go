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

// A row that cannot be computed says why, and the others are computed.
func TestFleetBadRows(t *testing.T) {
	dir := t.TempDir()
	variant := func(name, upstream, downstream string) string {
		return "apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata: {name: " + name + "}\nspec:\n  upstream: " + upstream + "\n  downstream: " + downstream + "\n"
	}
	const good = "{repo: blueprints, package: platform, revision: v1}"
	foreign := filepath.Join(dir, "foreign")
	write(t, filepath.Join(foreign, "Kptfile"), kptfileHead+"pipeline:\n  mutators:\n  - image: set-namespace:v0.4\n")
	plain := filepath.Join(dir, "plain")
	write(t, filepath.Join(plain, "Kptfile"), kptfileHead)
	set := filepath.Join(dir, "sets", "variants.yaml")
	write(t, set, strings.Join([]string{
		variant("good", good, "{repo: a, package: p}"),
		variant("other", "{repo: blueprints, package: other, revision: v1}", "{repo: b, package: p}"),
		variant("foreign", "{repo: blueprints, package: foreign, revision: v1}", "{repo: c, package: p}"),
		variant("faulty", good, "{repo: d}"),
		variant("twice", good, "{repo: a, package: p}"),
		variant("climbing", good, "{repo: .., package: p}"),
		variant("injected", good+"\n  injectors: [{name: x, kind: ConfigMap}]\n  packageContext: {data: {a: b}}", "{repo: e, package: p}"),
	}, "---\n"))
	got := packfn(t, dir, "fleet", "--set", "sets", "--upstream", "blueprints/platform=plain", "--upstream", "blueprints/foreign@1=foreign", "--upstream", "blueprints/platfrom=plain", "--like", "kpt", "--format", "json")
	got.want(t, 1, "blueprints/other@v1", `did you mean "blueprints/platform"`)
	reasons := map[string]string{}
	for _, p := range readFleet(t, got).Packages {
		reasons[p.Variant] = string(p.Outcome) + " " + p.Reason
	}
	for name, want := range map[string]string{
		"good": "failed the PackageVariant twice also makes the package a/p", "other": "failed no --upstream for blueprints/other@v1", "foreign": "not rendered its pipeline names functions of other suites: set-namespace",
		"faulty": "spec.downstream.package", "twice": "good also makes the package a/p", "climbing": "spec.downstream", "injected": "refused ",
	} {
		if !strings.Contains(reasons[name], want) {
			t.Errorf("%s: got %q, want %q", name, reasons[name], want)
		}
	}
	// The same in the other forms.
	for format, words := range map[string][]string{
		"table": {"e/p       refused        error context/missing"}, "junit": {`failures="7"`, `name="PackageVariant foreign"`},
		"sarif": {"functions of other suites: set-namespace"}, "markdown": {"0 can be deployed, 1 refused, 1 not rendered, 5 failed", "context/missing"},
	} {
		out := packfn(t, dir, "fleet", "--set", "sets", "--upstream", "blueprints/platform=plain", "--upstream", "blueprints/foreign=foreign", "--like", "kpt", "--format", format).want(t, 1).stdout
		for _, word := range words {
			if !strings.Contains(out, word) {
				t.Errorf("%s: no %q in\n%s", format, word, out)
			}
		}
	}
}

// A set with errors leaves the variants of the others.
func TestFleetFaultySet(t *testing.T) {
	dir := t.TempDir()
	set := func(name, repo string) string {
		return "apiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariantSet\nmetadata: {name: " + name + "}\nspec:\n  upstream: {repo: b, package: p, revision: v1}\n  targets:\n  - repositories: [{name: " + repo + "}]\n"
	}
	write(t, filepath.Join(dir, "sets.yaml"), set("good", "east")+"---\n"+strings.Replace(set("bad", "west"), "revision: v1", "revisoin: v1", 1))
	write(t, filepath.Join(dir, "p/Kptfile"), kptfileHead)
	got := packfn(t, dir, "fleet", "--set", "sets.yaml", "--upstream", "p", "--format", "json").want(t, 1)
	file := readFleet(t, got)
	if len(file.Packages) != 1 || file.Packages[0].Repo != "east" || file.Packages[0].Outcome != packfntest.Deployable {
		t.Errorf("got %+v", file.Packages)
	}
	if len(file.Sets) == 0 || file.Sets[0].Line == 0 || !strings.HasSuffix(file.Sets[0].File, "sets.yaml") {
		t.Errorf("the findings about the sets have no line: %+v", file.Sets)
	}
}

// Where nothing can be previewed the exit code is 2, and nothing is written.
func TestFleetRefuses(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "empty/a.yaml"), "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n")
	write(t, filepath.Join(dir, "full/x"), "x")
	write(t, filepath.Join(dir, "exists/platform/a.yaml"), "")
	set := filepath.Join(root, exampleSet)
	for name, tc := range map[string]struct {
		args  []string
		words []string
	}{
		"no set":                             {[]string{"--set", "empty", "--upstream", filepath.Join(root, exampleUpstream)}, []string{"no PackageVariantSet"}},
		"no such set":                        {[]string{"--set", "absent", "--upstream", "."}, []string{"absent"}},
		"no upstream":                        {[]string{"--set", set}, []string{"upstream"}},
		"an upstream of others":              {[]string{"--set", set, "--upstream", "a/b=" + filepath.Join(root, exampleUpstream)}, []string{"blueprints/platform@", "REPO/PACKAGE"}},
		"no package":                         {[]string{"--set", set, "--upstream", "empty"}, []string{"empty", "Kptfile"}},
		"a faulty upstream":                  {[]string{"--set", set, "--upstream", "a=b"}, []string{"REPO/PACKAGE"}},
		"an unknown format":                  {[]string{"--set", set, "--upstream", filepath.Join(root, exampleUpstream), "--format", "jsn"}, []string{`Did you mean "json"`}},
		"a folder that is full":              {[]string{"--set", set, "--upstream", filepath.Join(root, exampleUpstream), "--to", "full"}, []string{"full is not empty"}},
		"a downstream that is not a folder":  {[]string{"--set", set, "--upstream", filepath.Join(root, exampleUpstream), "--downstream", "a=absent", "--to", "new"}, []string{"--downstream", "REPO=DIR"}},
		"a downstream that is not a package": {[]string{"--set", set, "--upstream", filepath.Join(root, exampleUpstream), "--downstream", "us-east-1=exists", "--to", "new"}, []string{filepath.Join("exists", "platform"), "Kptfile"}},
		"a package as the downstream":        {[]string{"--set", set, "--upstream", filepath.Join(root, exampleUpstream), "--downstream", "us-east-1=" + filepath.Join(root, exampleUpstream), "--to", "new"}, []string{"is a package", "platform"}},
		"an upgrade like kpt":                {[]string{"--set", set, "--upstream", filepath.Join(root, exampleUpstream), "--downstream", "us-east-1=empty", "--like", "kpt", "--to", "new"}, []string{"--like porch"}},
		"an unknown like":                    {[]string{"--set", set, "--upstream", filepath.Join(root, exampleUpstream), "--like", "porh", "--to", "new"}, []string{`Did you mean "porch"`}},
		"an empty path":                      {[]string{"--set", "", "--upstream", "."}, []string{"--set", "empty path"}},
		"two for the same":                   {[]string{"--set", set, "--upstream", "a/b=full", "--upstream", "a/b=empty"}, []string{"full and empty"}},
		"out in the upstream":                {[]string{"--set", set, "--upstream", ".", "--to", "new/er"}, []string{"--to", "another folder"}},
		"nothing to compare":                 {[]string{"--set", set, "--upstream", filepath.Join(root, exampleUpstream), "--against", "absent", "--to", "new"}, []string{"absent"}},
	} {
		t.Run(name, func(t *testing.T) {
			before := tree(t, dir)
			packfn(t, dir, append([]string{"fleet"}, tc.args...)...).want(t, 2, tc.words...)
			if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
				t.Errorf("files change:\n%s", diff)
			}
		})
	}
}

// Equal changes are shown once, with the clusters that they are in.
func TestFleetAgainst(t *testing.T) {
	dir := t.TempDir()
	set, upstream := filepath.Join(dir, "set"), filepath.Join(dir, "platform")
	makeFleet(t, set, 12)
	if err := os.CopyFS(upstream, os.DirFS(filepath.Join(root, exampleUpstream))); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) outcome {
		t.Helper()
		return packfn(t, dir, append([]string{"fleet", "--set", "set", "--upstream", "platform"}, args...)...).want(t, 1)
	}
	run("--to", "before")
	if got := run("--against", "before").stdout; !strings.Contains(got, "no change in 12 clusters") {
		t.Errorf("nothing has changed:\n%s", got)
	}
	vault := filepath.Join(upstream, "vault.yaml")
	text, err := os.ReadFile(vault)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.NewReplacer("replicas: 5", "replicas: 4", `name: "vault-{{`, `name: "vlt-{{`).Replace(string(text))
	write(t, vault, changed)
	write(t, filepath.Join(upstream, "README.md"), "# other\n")
	makeFleet(t, set, 11)
	got := run("--against", "before", "--to", "after").stdout
	for _, want := range []string{"the same change in 6 of 11 clusters: ", "the same change in 5 of 11 clusters: ", "but for the name of the cluster", "gone: 1 cluster: us-east-2-x011/platform", "+++ b/README.md"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "no change in") {
		t.Errorf("every cluster changes:\n%s", got)
	}
	// The comment with the macro is no value.
	if strings.Contains(got, `"vlt-`) || !strings.Contains(got, "+    name: ••• # kpt-macro: vlt-{{") || strings.Count(got, "--show-values shows them") != 1 {
		t.Errorf("values are not masked, with one hint:\n%s", got)
	}
	if got := run("--against", "before", "--show-values").stdout; !strings.Contains(got, `+    name: "vlt-`) || strings.Contains(got, "masked") {
		t.Errorf("--show-values masks values:\n%s", got)
	}
	file := readFleet(t, run("--against", "before", "--format", "json"))
	if c := file.Changes; c == nil || len(c.Groups) != 2 || len(c.Groups[0].Packages) != 6 || strings.Contains(c.Groups[0].Patch, `"vlt-`) {
		t.Errorf("got %+v", c)
	}
	if got := run("--against", "after").stdout; !strings.Contains(got, "no change in 11 clusters") {
		t.Errorf("the same again:\n%s", got)
	}
}

// The schema that is published for the format json accepts it.
func TestFleetSchema(t *testing.T) {
	text := exampleFleet(t, 1, "--format", "json").stdout
	checkSchema(t, "fleet.json", text, strings.Replace(text, `"outcome": "refused"`, `"outcome": "bad"`, 1))
}

// The page needs nothing else, and shows texts as they are.
func TestFleetPage(t *testing.T) {
	dir := t.TempDir()
	const evil = `<img src=x onerror=alert(1)>`
	write(t, filepath.Join(dir, "v.yaml"), "apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata: {name: v}\nspec:\n  upstream: {repo: a, package: p, revision: v1}\n  downstream: {repo: '"+evil+"', package: p}\n")
	write(t, filepath.Join(dir, "p/Kptfile"), kptfileHead)
	got := packfn(t, dir, "fleet", "--set", "v.yaml", "--upstream", "p", "--format", "html").want(t, 0).stdout
	if strings.Contains(got, evil) || !strings.Contains(got, "&lt;img src=x onerror=alert(1)&gt;") {
		t.Errorf("a name is not escaped:\n%s", got)
	}
	out := filepath.Join(dir, "before")
	exampleFleet(t, 1, "--to", out)
	write(t, filepath.Join(out, "us-east-1/platform/vault.yaml"), "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: vault}\ndata: {token: hidden-before}\n")
	page := exampleFleet(t, 1, "--format", "html", "--against", out).stdout
	for _, want := range []string{
		"10 clusters: 8 can be deployed, 2 refused, 0 failed", `href="#g0"`, `id="g0"`, "resources/insufficient", "5200m of 3600m", "bar over",
		"<svg", "cert-manager", "vault requires cert-manager", "us-east-1", "No change in 9 clusters.",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	for _, word := range []string{"http:", "https:", "src=", "@import", "<link", "hidden-before"} {
		if strings.Contains(page, word) {
			t.Errorf("the page has %q", word)
		}
	}
}
