package set

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func configured(spec string) string {
	return "{apiVersion: fn.kpt.dev/v1alpha1, kind: ExpandVariantSet, metadata: {name: c}, spec: {" + spec + "}}"
}

func TestConfig(t *testing.T) {
	for _, tc := range []struct {
		config string
		want   []string // errors
	}{
		{"", nil},
		{configured(""), nil},
		{configured("sets: [example], maxTargets: 1, prune: true, outputPath: 'a/{name}.yaml', writeStatus: false"), nil},
		{configured("sets: [default/example]"), nil},
		{configured("sets: [exmple, example]"), []string{`error config/invalid ExpandVariantSet/c spec.sets[0] no="PackageVariantSet named \"exmple\"" want=example near=example`}},
		{configured("sets: [other/example]"), []string{`error config/invalid ExpandVariantSet/c spec.sets[0] no="PackageVariantSet named \"other/example\"" want=example`}},
		{configured("maxTargets: 0"), []string{`error config/invalid ExpandVariantSet/c spec.maxTargets got=0 want="a number from 1 on"`}},
		{configured("maxTargets: -1"), []string{`error config/invalid ExpandVariantSet/c spec.maxTargets got=-1 want="a number from 1 on"`}},
		{configured("maxTargets: many"), []string{`error config/invalid ExpandVariantSet/c spec.maxTargets got="a string" want="an integer"`}},
		{configured("outputPath: a.yaml"), []string{`error config/invalid ExpandVariantSet/c spec.outputPath got="\"a.yaml\"" want="a path with {name}, such as packagevariants/{name}.yaml"`}},
		{configured("outputPath: '{repo}/{name}.yaml'"), []string{`error config/invalid ExpandVariantSet/c spec.outputPath unknown="placeholder \"{repo}\""`}},
		{configured("outputPath: '../{name}.yaml'"), []string{`error config/invalid ExpandVariantSet/c spec.outputPath got="\"../{name}.yaml\"" want="a path in the package"`}},
		{configured("outputPath: 'a/../../{name}.yaml'"), []string{`error config/invalid ExpandVariantSet/c spec.outputPath got="\"a/../../{name}.yaml\"" want="a path in the package"`}},
		{configured("outputPath: '/a/{name}.yaml'"), []string{`error config/invalid ExpandVariantSet/c spec.outputPath got="\"/a/{name}.yaml\"" want="a path from the root of the package with slashes"`}},
		{configured(`outputPath: 'a\{name}.yaml'`), []string{`error config/invalid ExpandVariantSet/c spec.outputPath got="\"a\\\\{name}.yaml\"" want="a path from the root of the package with slashes"`}},
		{configured("outputPath: './a/{name}.yaml'"), []string{`error config/invalid ExpandVariantSet/c spec.outputPath got="\"./a/{name}.yaml\"" want="\"a/{name}.yaml\"" near=a/{name}.yaml now=./a/{name}.yaml propose=a/{name}.yaml`}},
		{configured("outputPath: 'a/{name}.json'"), []string{`error config/invalid ExpandVariantSet/c spec.outputPath got="\"a/{name}.json\"" want="a file that ends in .yaml (clients read such files as resources)"`}},
		{configured("prun: false"), []string{`error config/invalid ExpandVariantSet/c spec.prun unknown="field \"prun\"" want="severity, sets, outputPath, prune, maxTargets or writeStatus" near=prune`}},
		{"{apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {maxTargets: '5', prune: 'true', severity: variant-set/unverified=off}}", nil},
		{"{apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {maxTargets: '0', sets: a}}", []string{
			`error config/invalid ConfigMap/c data.maxTargets got=0 want="a number from 1 on"`,
			`error config/invalid ConfigMap/c data.sets`,
		}},
		{"{apiVersion: config.porch.kpt.dev/v1alpha1, kind: PackageVariantSet, metadata: {name: c}, spec: {}}", []string{
			`error config/invalid PackageVariantSet/c apiVersion got="\"config.porch.kpt.dev/v1alpha1\"" want="config.porch.kpt.dev/v1alpha2 for the kind PackageVariantSet"`,
		}},
	} {
		got, facts := run(t, tc.config, one)
		facts = errorsOf(facts)
		if diff := cmp.Diff(tc.want, facts, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tc.config, diff)
		}
		if (got == one) != (tc.want != nil) {
			t.Errorf("%s: written, or not:\n%s", tc.config, got)
		}
	}
}

func TestMaxTargets(t *testing.T) {
	two := strings.Replace(one, "    - name: a\n", "    - name: a\n    - name: b\n", 1)
	if got, facts := run(t, configured("maxTargets: 2"), two); got == two {
		t.Errorf("got %v", facts)
	}
	got, facts := run(t, configured("maxTargets: 1"), two)
	want := []string{`error variant-set/invalid PackageVariantSet/default/example spec.targets got="2 variants" want="at most 1 (maxTargets)"`}
	if diff := cmp.Diff(want, errorsOf(facts)); diff != "" || got != two {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A set that is the configuration is the one that is expanded.
func TestSetAsConfig(t *testing.T) {
	inFlow := `{apiVersion: config.porch.kpt.dev/v1alpha2, kind: PackageVariantSet, metadata: {name: given, namespace: default, annotations: {internal.config.kubernetes.io/path: sets/given.yaml}}, spec: {upstream: {repo: example-repo, package: foo, revision: 1}, targets: [{repositories: [{name: b}]}]}}`
	given := "apiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariantSet\nmetadata:\n  name: given\n  namespace: default\n"
	input := one + "---\n" + given
	got, results := run(t, inFlow, input)
	want := input + "---\n" + strings.ReplaceAll(strings.ReplaceAll(variantText("given-b-foo", "", spec+"  downstream:\n    repo: b\n    package: foo\n"), "default/example", "default/given"), "packagevariants/", "sets/packagevariants/")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%v -want +got:\n%s", results, diff)
	}
	// As a generator of kustomize: the package has nothing else.
	got, _ = evaluate(t, "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nfunctionConfig: "+inFlow+"\nitems: []\n")
	if pairs(t, got)[0] != "b foo" {
		t.Errorf("got %s", got)
	}
	// Its findings are those of any set.
	_, facts := run(t, strings.Replace(inFlow, "repositories", "repos", 1), "")
	wantFaults := []string{
		`error variant-set/invalid PackageVariantSet/default/given sets/given.yaml#0 spec.targets[0]`,
		`warning variant-set/invalid PackageVariantSet/default/given sets/given.yaml#0 spec.targets[0].repos unknown="field \"repos\"" want="repositories, repositorySelector, objectSelector, packageNames or template"`,
	}
	if diff := cmp.Diff(wantFaults, facts[1:3]); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestNothingToDo(t *testing.T) {
	const other = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n"
	got, facts := run(t, "", other)
	if got != other || len(facts) != 1 || facts[0] != "info nothing-to-do" {
		t.Errorf("got %v\n%s", facts, got)
	}
}

// Newer PackageRevisions have their revision in the status.
func TestVersionsOfPackageRevisions(t *testing.T) {
	set := strings.Replace(one, "labels: {org: hr}", `labelExprs: [{key: env, valueExpr: "upstream.labels['env']"}]`, 1)
	revision := "---\napiVersion: porch.kpt.dev/v1alpha2\nkind: PackageRevision\nmetadata:\n  name: r\n  namespace: default\n  labels: {env: prod}\nspec: {packageName: foo, repository: example-repo, workspaceName: w}\nstatus: {revision: 1}\n"
	input := set + strings.Replace(fleet, "name: cluster-01", "name: a", 1)[strings.Index(fleet, "---\napiVersion: config"):] + revision
	got, facts := run(t, "", input)
	if diff := cmp.Diff([]string{expanded(1)}, facts); diff != "" || !strings.Contains(got, "    env: prod\n") {
		t.Errorf("-want +got:\n%s\n%s", diff, got)
	}
}

// A kind that is almost one that the function reads would be ignored.
func TestMisspeltKinds(t *testing.T) {
	input := strings.Replace(one, "kind: PackageVariantSet", "kind: PackageVariantSets", 1) + "---\n" +
		"apiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repositories\nmetadata:\n  name: a\n---\napiVersion: porch.kpt.de/v1alpha1\nkind: PackageRevision\nmetadata:\n  name: r\n" +
		"---\napiVersion: example.com/v1\nkind: PackageVariantSets\nmetadata:\n  name: other\n"
	got, facts := run(t, "", input)
	want := []string{
		`error input/invalid Repositories/a kind unknown="kind \"Repositories\"" want=Repository near=Repository`,
		`error input/invalid PackageVariantSets/default/example kind unknown="kind \"PackageVariantSets\"" want=PackageVariantSet near=PackageVariantSet`,
		`error input/invalid PackageRevision/r apiVersion unknown="group \"porch.kpt.de\"" want=porch.kpt.dev near=porch.kpt.dev`,
	}
	slices.Sort(want)
	slices.Sort(facts)
	if diff := cmp.Diff(want, facts); diff != "" || got != input {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestOtherVersions(t *testing.T) {
	old := strings.Replace(one, "v1alpha2", "v1alpha1", 1)
	input := strings.Replace(one, "name: example", "name: right", 1) + "---\n" + old
	got, facts := run(t, "", input)
	want := []string{`error variant-set/invalid PackageVariantSet/default/example apiVersion got="\"config.porch.kpt.dev/v1alpha1\"" want=config.porch.kpt.dev/v1alpha2`}
	if diff := cmp.Diff(want, errorsOf(facts)); diff != "" || got != input {
		t.Errorf("-want +got:\n%s\n%s", diff, got)
	}
	if got, facts := run(t, configured("sets: [right]"), input); changes(input, got) != "1 new" {
		t.Errorf("a set that was not asked for: %v", facts)
	}
}

// Where variants go.
func TestPaths(t *testing.T) {
	at := func(annotations string) string {
		return strings.Replace(one, "  name: example\n", "  name: example\n  annotations:\n"+annotations, 1)
	}
	const path = "    internal.config.kubernetes.io/path: "
	for _, tc := range []struct{ name, config, set, others, want string }{
		{"no path", "", one, "", path + "packagevariants/example-a-foo.yaml\n"},
		{"the root", "", at(path + "set.yaml\n"), "", path + "packagevariants/example-a-foo.yaml\n"},
		{"a folder", "", at(path + "'a/b/set.yaml'\n"), "", path + "a/b/packagevariants/example-a-foo.yaml\n"},
		{"older annotation", "", at("    config.kubernetes.io/path: 'a/set.yaml'\n"), "", path + "a/packagevariants/example-a-foo.yaml\n"},
		{"climbs", "", at(path + "../a/set.yaml\n"), "", path + "packagevariants/example-a-foo.yaml\n"},
		{"absolute", "", at(path + "/a/set.yaml\n"), "", path + "packagevariants/example-a-foo.yaml\n"},
		{"configured", configured("outputPath: 'out/{name}/{name}.yml'"), at(path + "a/set.yaml\n"), "", path + "out/example-a-foo/example-a-foo.yml\n"},
		{"subpackage", "", at(path + "a/set.yaml\n    internal.config.kubernetes.io/package-path: /x/sub\n    config.k8s.io/id: '3'\n    internal.config.kubernetes.io/index: '2'\n    mine: x\n"), "", path + "a/packagevariants/example-a-foo.yaml\n    internal.config.kubernetes.io/package-path: /x/sub\n"},
		{"a file that is there", "", one, "---\napiVersion: v1\nkind: A\nmetadata:\n  name: x\n  annotations:\n" + path + "packagevariants/example-a-foo.yaml\n    internal.config.kubernetes.io/index: '1'\n", path + "packagevariants/example-a-foo.yaml\n    internal.config.kubernetes.io/index: \"2\"\n"},
		{"a file of another package", "", one, "---\napiVersion: v1\nkind: A\nmetadata:\n  name: x\n  annotations:\n" + path + "packagevariants/example-a-foo.yaml\n    internal.config.kubernetes.io/package-path: /x\n", path + "packagevariants/example-a-foo.yaml\n"},
	} {
		input := tc.set + tc.others
		got, results := run(t, tc.config, input)
		rest, ok := strings.CutPrefix(got, input+"---\n")
		want := strings.Replace(variantText("example-a-foo", "", oneSpec), path+"packagevariants/example-a-foo.yaml\n", tc.want, 1)
		if diff := cmp.Diff(want, rest); diff != "" || !ok {
			t.Errorf("%s: %v -want +got:\n%s", tc.name, results, diff)
		}
	}
}

// A set without a namespace makes variants without one.
func TestNoNamespace(t *testing.T) {
	set := strings.Replace(one, "  namespace: default\n", "", 1)
	variants, results := added(t, set+strings.Replace(fleet, "name: cluster-01", "name: a", 1))
	want := strings.ReplaceAll(strings.Replace(variantText("example-a-foo", "", oneSpec), "  namespace: default\n", "", 1), "default/example", "example")
	if diff := cmp.Diff(want, variants); diff != "" || len(results) != 1 {
		t.Errorf("%v -want +got:\n%s", results, diff)
	}
	if again, results := run(t, "", set+"---\n"+variants); again != set+"---\n"+variants {
		t.Errorf("a second run: %v\n%s", results, again)
	}
}

// Sets of one name in two packages keep to their own variants.
func TestSetsOfPackages(t *testing.T) {
	at := func(pkg, repo string) string {
		return strings.Replace(strings.Replace(one, "  name: example\n", "  name: example\n  annotations:\n    internal.config.kubernetes.io/package-path: "+pkg+"\n", 1), "name: a\n", "name: "+repo+"\n", 1)
	}
	input := at("/p", "a") + "---\n" + at("/p/q", "b")
	first, results := run(t, "", input)
	if again, more := run(t, "", first); again != first || strings.Contains(strings.Join(more, "\n"), "error") || pairs(t, strings.TrimPrefix(first, input+"---\n"))[1] != "b foo" {
		t.Errorf("%v %v\n%s", results, more, cmp.Diff(first, again))
	}
}

// Malformed resources are reported, and the rest is read.
func TestMalformedItems(t *testing.T) {
	broken := func(apiVersion, kind, name string) string {
		return fmt.Sprintf("---\napiVersion: %s\nkind: %s\nmetadata:\n  name: %s\n  annotations:\n    packs.kpt.dev/variant-set: default/example\nspec:\n    a: b\n   c: d\n", apiVersion, kind, name)
	}
	input := one + broken(VariantAPIVersion, VariantKind, "v") + broken(PackageRevisionVersion, PackageRevisionKind, "p") + broken(APIVersion, Kind, "s") + "---\napiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\nmetadata:\n  namespace: x\n"
	got, facts := run(t, "", input)
	if got != input {
		t.Errorf("changed:\n%s", cmp.Diff(input, got))
	}
	want := []string{
		"error input/invalid PackageVariant/v", "error input/invalid PackageRevision/p", "error input/invalid PackageVariantSet/s",
		"error input/invalid Repository/x/ metadata.name missing=",
	}
	slices.Sort(want)
	if facts = errorsOf(facts); !cmp.Equal(want, slices.Sorted(slices.Values(facts))) {
		t.Errorf("got %q", facts)
	}
}
