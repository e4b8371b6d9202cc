package set

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function/functiontest"
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
		{configured("sets: [exmple, example]"), []string{`spec.sets[0]: no PackageVariantSet is named "exmple" (did you mean "example"?); if it is in the package, a selector of the function may hide it [config/invalid]`}},
		{configured("sets: [other/example]"), []string{`spec.sets[0]: no PackageVariantSet is named "other/example"; if it is in the package, a selector of the function may hide it [config/invalid]`}},
		{configured("maxTargets: 0"), []string{"spec.maxTargets: got 0, want a number from 1 on, or no maxTargets for no limit [config/invalid]"}},
		{configured("maxTargets: -1"), []string{"spec.maxTargets: got -1, want a number from 1 on, or no maxTargets for no limit [config/invalid]"}},
		{configured("maxTargets: many"), []string{"spec.maxTargets: got text, want a whole number [config/invalid]"}},
		{configured("outputPath: a.yaml"), []string{`spec.outputPath: got "a.yaml", want a path with {name}, such as packagevariants/{name}.yaml: each variant has a file [config/invalid]`}},
		{configured("outputPath: '{repo}/{name}.yaml'"), []string{`spec.outputPath: got "{repo}/{name}.yaml", which has the field {repo}; the only one is {name} [config/invalid]`}},
		{configured("outputPath: '../{name}.yaml'"), []string{`spec.outputPath: got "../{name}.yaml", which leads out of the package; want a path within it [config/invalid]`}},
		{configured("outputPath: 'a/../../{name}.yaml'"), []string{`spec.outputPath: got "a/../../{name}.yaml", which leads out of the package; want a path within it [config/invalid]`}},
		{configured("outputPath: '/a/{name}.yaml'"), []string{`spec.outputPath: got "/a/{name}.yaml", want a path from the root of the package, with slashes [config/invalid]`}},
		{configured(`outputPath: 'a\{name}.yaml'`), []string{`spec.outputPath: got "a\\{name}.yaml", want a path from the root of the package, with slashes [config/invalid]`}},
		{configured("outputPath: './a/{name}.yaml'"), []string{`spec.outputPath: got "./a/{name}.yaml", want "a/{name}.yaml" [config/invalid]`}},
		{configured("outputPath: 'a/{name}.json'"), []string{`spec.outputPath: got "a/{name}.json", want a file that ends in .yaml: others are not read as resources [config/invalid]`}},
		{configured("prun: false"), []string{`spec.prun: unknown field; known are severity, sets, outputPath, prune, maxTargets, writeStatus (did you mean "prune"?) [config/invalid]`}},
		{"{apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {maxTargets: '5', prune: 'true', severity: variant-set/unverified=off}}", nil},
		{"{apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {maxTargets: '0', sets: a}}", []string{
			"data.maxTargets: got 0, want a number from 1 on, or no maxTargets for no limit [config/invalid]",
			"data.sets: unknown option; a ConfigMap takes severity, prune or maxTargets [config/invalid]",
		}},
		{"{apiVersion: config.porch.kpt.dev/v1alpha1, kind: PackageVariantSet, metadata: {name: c}, spec: {}}", []string{
			`apiVersion: got "config.porch.kpt.dev/v1alpha1", want config.porch.kpt.dev/v1alpha2 for the kind PackageVariantSet [config/invalid]`,
		}},
	} {
		got, results := evaluate(t, functiontest.List(tc.config, one))
		var errors []string
		for _, r := range results {
			if r, ok := strings.CutPrefix(r, "error: "); ok {
				errors = append(errors, strings.TrimPrefix(strings.TrimPrefix(r, "ExpandVariantSet c: "), "ConfigMap c: "))
			}
		}
		if diff := cmp.Diff(tc.want, errors); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tc.config, diff)
		}
		if (got == one) != (tc.want != nil) {
			t.Errorf("%s: written, or not:\n%s", tc.config, got)
		}
	}
}

func TestMaxTargets(t *testing.T) {
	two := strings.Replace(one, "    - name: a\n", "    - name: a\n    - name: b\n", 1)
	if got, results := evaluate(t, functiontest.List(configured("maxTargets: 2"), two)); got == two {
		t.Errorf("got %v", results)
	}
	got, results := evaluate(t, functiontest.List(configured("maxTargets: 1"), two))
	want := "error: spec.targets: the targets make 2 variants, more than maxTargets (1) of the configuration allows; narrow the targets or raise maxTargets [variant-set/invalid]"
	if got != two || len(results) != 2 || results[1] != want {
		t.Errorf("got %v", results)
	}
}

// A set that is the configuration is the one that is expanded.
func TestSetAsConfig(t *testing.T) {
	inFlow := `{apiVersion: config.porch.kpt.dev/v1alpha2, kind: PackageVariantSet, metadata: {name: given, namespace: default, annotations: {internal.config.kubernetes.io/path: sets/given.yaml}}, spec: {upstream: {repo: example-repo, package: foo, revision: v1}, targets: [{repositories: [{name: b}]}]}}`
	given := "apiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariantSet\nmetadata:\n  name: given\n  namespace: default\n"
	input := one + "---\n" + given
	got, results := evaluate(t, functiontest.List(inFlow, input))
	want := input + "---\n" + strings.ReplaceAll(strings.ReplaceAll(variantText("given-b-foo", "", spec+"  downstream:\n    repo: b\n    package: foo\n"), "default/example", "default/given"), "packagevariants/", "sets/packagevariants/")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%v -want +got:\n%s", results, diff)
	}
	if summary(results) != "1 new" {
		t.Errorf("got %v", results)
	}
	// As of kustomize's generators: nothing in the list.
	got, _ = evaluate(t, "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nfunctionConfig: "+inFlow+"\nitems: []\n")
	if pairs(t, got)[0] != "b foo" {
		t.Errorf("got %s", got)
	}
	// Its faults are told as those of any set.
	_, results = evaluate(t, functiontest.List(strings.Replace(inFlow, "repositories", "repos", 1), ""))
	if joined := strings.Join(results, "\n"); !strings.Contains(joined, "error: spec.targets[0]: needs exactly one of") || !strings.Contains(joined, `warning: spec.targets[0].repos: unknown field`) {
		t.Errorf("got %s", joined)
	}
}

func TestNothingToDo(t *testing.T) {
	const other = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n"
	got, results := evaluate(t, functiontest.List("", other))
	want := "info: there is no PackageVariantSet (config.porch.kpt.dev/v1alpha2) to expand; if the package has one, a selector of the function may hide it [nothing-to-do]"
	if got != other || len(results) != 1 || results[0] != want {
		t.Errorf("got %v\n%s", results, got)
	}
}

func TestOtherVersions(t *testing.T) {
	old := strings.Replace(one, "v1alpha2", "v1alpha1", 1)
	input := strings.Replace(one, "name: example", "name: right", 1) + "---\n" + old
	got, results := evaluate(t, functiontest.List("", input))
	want := "error: apiVersion: got config.porch.kpt.dev/v1alpha1, want config.porch.kpt.dev/v1alpha2: other versions of PackageVariantSet have other fields, and v1alpha1 has no templates; write the set for v1alpha2 [variant-set/invalid]"
	if got != input || !strings.Contains(strings.Join(results, "\n"), want) {
		t.Errorf("got %v\n%s", results, got)
	}
	if _, results := evaluate(t, functiontest.List(configured("sets: [right]"), input)); summary(results) != "1 new" {
		t.Errorf("a set that nobody asked for: %v", results)
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
		got, results := evaluate(t, functiontest.List(tc.config, input))
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
	if again, results := evaluate(t, functiontest.List("", set+"---\n"+variants)); again != set+"---\n"+variants || summary(results) != "1 as before" {
		t.Errorf("a second run: %v\n%s", results, again)
	}
}

// Sets of one name in two packages keep to their own variants.
func TestSetsOfPackages(t *testing.T) {
	at := func(pkg, repo string) string {
		return strings.Replace(strings.Replace(one, "  name: example\n", "  name: example\n  annotations:\n    internal.config.kubernetes.io/package-path: "+pkg+"\n", 1), "name: a\n", "name: "+repo+"\n", 1)
	}
	input := at("/p", "a") + "---\n" + at("/p/q", "b")
	first, results := evaluate(t, functiontest.List("", input))
	if again, more := evaluate(t, functiontest.List("", first)); again != first || strings.Contains(strings.Join(more, "\n"), "error") || pairs(t, strings.TrimPrefix(first, input+"---\n"))[1] != "b foo" {
		t.Errorf("%v %v\n%s", results, more, cmp.Diff(first, again))
	}
}

// Malformed resources are told, and the rest is looked at.
func TestMalformedItems(t *testing.T) {
	broken := func(apiVersion, kind, name string) string {
		return fmt.Sprintf("---\napiVersion: %s\nkind: %s\nmetadata:\n  name: %s\n  annotations:\n    packs.kpt.dev/variant-set: default/example\nspec:\n    a: b\n   c: d\n", apiVersion, kind, name)
	}
	input := one + broken(VariantAPIVersion, VariantKind, "v") + broken(PackageRevisionVersion, PackageRevisionKind, "p") + broken(APIVersion, Kind, "s") + "---\napiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\nmetadata:\n  namespace: x\n"
	got, results := evaluate(t, functiontest.List("", input))
	if got != input {
		t.Errorf("changed:\n%s", cmp.Diff(input, got))
	}
	joined := strings.Join(results, "\n")
	for _, want := range []string{
		"error: PackageVariant v: PackageVariant v: can not be read: ", "error: PackageRevision p: PackageRevision p: can not be read: ",
		"error: PackageVariantSet s: can not be read: ", "a Repository without a name: set metadata.name",
	} {
		if !strings.Contains(joined, want) {
			t.Errorf("no %q in\n%s", want, joined)
		}
	}
}
