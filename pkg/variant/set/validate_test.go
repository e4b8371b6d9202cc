package set

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
	"github.com/krm-packs/functions/pkg/variant"
)

// read reads a set with a spec.
func read(t testing.TB, spec string) *Set {
	t.Helper()
	d, err := values.Parse("metadata:\n  name: example\nspec:\n  " + strings.ReplaceAll(strings.TrimSpace(spec), "\n", "\n  ") + "\n")
	if err != nil {
		t.Fatalf("%v\n%s", err, spec)
	}
	return Read(d.Root())
}

// isUnpinned reports whether a finding says that the revision of a set does not pin its
// upstream. Most sets of the tests have a revision alone, and leave it out; see
// TestUnpinned.
func isUnpinned(f diag.Finding) bool {
	return f.Rule == rule.VariantSetNotInPorch && f.Path() == "spec.upstream.revision" && f.Kind == diag.Statement
}

// TestUnpinned: Porch uses the workspaceName of an upstream, and not its revision.
func TestUnpinned(t *testing.T) {
	for upstream, want := range map[string]int{
		"revision: 3": 1, "revision: '3'": 1, "revision: v3": 1, // text, too
		"revision: 3, workspaceName: v3": 0, "workspaceName: v3": 0, "revision: 3, workspaceName: ''": 1,
	} {
		spec := "upstream: {repo: example-repo, package: foo, " + upstream + "}\ntargets: [{repositories: [{name: a}]}]"
		_, findings := New(read(t, spec), NewEnvironment())
		got := 0
		for _, f := range findings {
			if isUnpinned(f) && f.Level() == diag.Warning {
				got++
			}
		}
		if got != want {
			t.Errorf("%s: %v", upstream, functiontest.Facts(findings))
		}
	}
}

// facts are those of findings, in the order of their paths.
func facts(findings []diag.Finding) []string {
	findings = slices.DeleteFunc(slices.Clone(findings), isUnpinned)
	diag.Sort(findings)
	return functiontest.Facts(findings)
}

// note puts the messages about a spec into the golden list.
func note(t testing.TB, spec string) {
	t.Helper()
	functiontest.Run(t, Function(), "", setHead+"spec:\n  "+strings.ReplaceAll(strings.TrimSpace(spec), "\n", "\n  ")+"\n"+fleet)
}

const upstream = "upstream: {repo: example-repo, package: foo, revision: 1}\n"

// withTarget is a spec with one target.
func withTarget(target string) string { return upstream + "targets:\n- " + target }

// withTemplate is a spec with one template.
func withTemplate(template string) string {
	return withTarget("repositories: [{name: a}]\n  template: " + template)
}

func TestValidate(t *testing.T) {
	for _, tc := range []struct {
		name, spec string
		want       []string
	}{
		{"right", withTarget("repositories: [{name: a}]"), nil},
		{"nothing", "{}", []string{
			"error variant-set/invalid spec.targets missing=",
			"error variant-set/invalid spec.upstream missing=",
		}},
		{"empty upstream", "upstream: {}\ntargets: [{repositories: [{name: a}]}]", []string{
			`error variant-set/invalid spec.upstream`,
			"error variant-set/invalid spec.upstream.package missing=",
			"error variant-set/invalid spec.upstream.repo missing=",
		}},
		{"upstream without a repository", "upstream: {package: b}\ntargets: [{repositories: [{name: a}]}]", []string{
			`error variant-set/invalid spec.upstream`,
			"error variant-set/invalid spec.upstream.repo missing=",
		}},
		{"workspace", "upstream: {repo: a, package: b, workspaceName: c}\ntargets: [{repositories: [{name: a}]}]", nil},
		{"revision 0 is none", "upstream: {repo: a, package: b, revision: 0}\ntargets: [{repositories: [{name: a}]}]", []string{
			`error variant-set/invalid spec.upstream`,
		}},
		{"numeric revision", "upstream: {repo: a, package: b, revision: 3}\ntargets: [{repositories: [{name: a}]}]", nil},
		{"revision that YAML changes", "upstream: {repo: a, package: b, revision: 1.30}\ntargets: [{repositories: [{name: a}]}]", []string{
			`error variant-set/invalid spec.upstream.revision got="a number" want="a string"`,
		}},
		{"no targets", upstream + "targets: []", []string{
			"error variant-set/invalid spec.targets missing=",
		}},
		{"no criterion", withTarget("template: {}"), []string{
			`error variant-set/invalid spec.targets[0]`,
		}},
		{"two criteria", withTarget("repositories: [{name: a}]\n  repositorySelector: {}"), []string{
			`error variant-set/invalid spec.targets[0]`,
		}},
		{"three criteria", withTarget("repositories: [{name: a}]\n  repositorySelector: {}\n  objectSelector: {apiVersion: v1, kind: A}"), []string{
			`error variant-set/invalid spec.targets[0]`,
		}},
		{"an empty selector selects", withTarget("repositorySelector: {}"), nil},
		{"empty lists", withTarget("repositories: []\n- repositories: [{name: a, packageNames: []}]\n- repositorySelector: {}\n  packageNames: []"), []string{
			`error variant-set/invalid spec.targets[0].repositories got="an empty list" want="a repository"`,
			`error variant-set/invalid spec.targets[1].repositories[0].packageNames got="an empty list" want="a package"`,
			`error variant-set/invalid spec.targets[2].packageNames got="an empty list" want="a package"`,
		}},
		{"empty names", withTarget("repositories: [{packageNames: ['', b]}, {name: ''}]\n- repositorySelector: {}\n  packageNames: [a, '']"), []string{
			"error variant-set/invalid spec.targets[0].repositories[0].name missing=",
			"error variant-set/invalid spec.targets[0].repositories[0].packageNames[0] missing=",
			"error variant-set/invalid spec.targets[0].repositories[1].name missing=",
			"warning variant-set/not-in-porch spec.targets[1].packageNames",
			"error variant-set/invalid spec.targets[1].packageNames[1] missing=",
		}},
		{"packageNames beside repositories", withTarget("repositories: [{name: a}]\n  packageNames: [b]"), []string{
			"error variant-set/invalid spec.targets[0].packageNames",
		}},
		{"fields that Porch ignores", withTarget("repositorySelector: {}\n  packageNames: [a]\n- objectSelector: {apiVersion: v1, kind: Team, name: a}\n- repositories: [{name: a, packageNames: [b]}]"), []string{
			"warning variant-set/not-in-porch spec.targets[0].packageNames",
			"warning variant-set/not-in-porch spec.targets[1].objectSelector.name",
		}},
		{"object selector", withTarget("objectSelector: {matchLabels: {a: b}}"), []string{
			"error variant-set/invalid spec.targets[0].objectSelector.apiVersion missing=",
			"error variant-set/invalid spec.targets[0].objectSelector.kind missing=",
		}},
		{"selectors", withTarget("repositorySelector: {matchLabels: {'a b': c, d: 'e f'}, matchExpressions: [{key: a, operator: in, values: [b]}, {operator: Exists}, {key: a, operator: In}, {key: a, operator: Exists, values: [b]}]}"), []string{
			`error variant-set/invalid spec.targets[0].repositorySelector.matchExpressions[0].operator got="\"in\"" want="In, NotIn, Exists or DoesNotExist" near=In`,
			"error variant-set/invalid spec.targets[0].repositorySelector.matchExpressions[1].key missing=",
			"error variant-set/invalid spec.targets[0].repositorySelector.matchExpressions[2].values missing=",
			"error variant-set/invalid spec.targets[0].repositorySelector.matchExpressions[3].values",
			`error variant-set/invalid spec.targets[0].repositorySelector.matchLabels.a b got="\"a b\"" want="the key of a label (up to 63 letters, digits, '-', '_' and '.', with a letter or digit at both ends, with or without a prefix such as example.com/)"`,
			`error variant-set/invalid spec.targets[0].repositorySelector.matchLabels.d got="\"e f\"" want="the value of a label (empty, or up to 63 letters, digits, '-', '_' and '.', with a letter or digit at both ends)"`,
		}},
		{"an object selector's labels", withTarget("objectSelector: {apiVersion: v1, kind: A, matchExpressions: [{key: a, operator: In, values: [b, -]}]}"), []string{
			`error variant-set/invalid spec.targets[0].objectSelector.matchExpressions[0].values[1] got="\"-\"" want="the value of a label (empty, or up to 63 letters, digits, '-', '_' and '.', with a letter or digit at both ends)"`,
		}},
		{"paths", "upstream: {repo: a/b, package: ../b, revision: 1}\ntargets:\n- repositories: [{name: ../a, packageNames: [/b, c/../d, d//e, ./f, ., 'g\\h', ' i', ok/path]}, {name: ..}, {name: 'a\\b'}, {name: \"a\\tb\"}, {name: Team_A:b}]\n- repositorySelector: {}\n  packageNames: [a/..]\n  template: {downstream: {repo: ., package: a/}}", []string{
			`error variant-set/invalid spec.targets[0].repositories[0].name got="\"../a\"" want="the name of a Repository without slashes, line breaks or surrounding whitespace"`,
			`error variant-set/invalid spec.targets[0].repositories[0].packageNames[0] got="\"/b\"" want="a path from the root of the repository with slashes and without line breaks or surrounding whitespace"`,
			`error variant-set/invalid spec.targets[0].repositories[0].packageNames[1] got="\"c/../d\"" want="a path in the repository without .."`,
			`error variant-set/invalid spec.targets[0].repositories[0].packageNames[2] got="\"d//e\"" want="\"d/e\"" near=d/e now=d//e propose=d/e`,
			`error variant-set/invalid spec.targets[0].repositories[0].packageNames[3] got="\"./f\"" want="\"f\"" near=f now=./f propose=f`,
			`error variant-set/invalid spec.targets[0].repositories[0].packageNames[4] got="\".\"" want="the name of a package"`,
			`error variant-set/invalid spec.targets[0].repositories[0].packageNames[5] got="\"g\\\\h\"" want="a path from the root of the repository with slashes and without line breaks or surrounding whitespace"`,
			`error variant-set/invalid spec.targets[0].repositories[0].packageNames[6] got="\" i\"" want="a path from the root of the repository with slashes and without line breaks or surrounding whitespace"`,
			`error variant-set/invalid spec.targets[0].repositories[1].name got="\"..\"" want="the name of a Repository without slashes, line breaks or surrounding whitespace"`,
			`error variant-set/invalid spec.targets[0].repositories[2].name got="\"a\\\\b\"" want="the name of a Repository without slashes, line breaks or surrounding whitespace"`,
			`error variant-set/invalid spec.targets[0].repositories[3].name got="\"a\\tb\"" want="the name of a Repository without slashes, line breaks or surrounding whitespace"`,
			"warning variant-set/not-in-porch spec.targets[1].packageNames",
			`error variant-set/invalid spec.targets[1].packageNames[0] got="\"a/..\"" want="a path in the repository without .."`,
			`error variant-set/invalid spec.targets[1].template.downstream.package got="\"a/\"" want="\"a\"" near=a now=a/ propose=a`,
			`error variant-set/invalid spec.targets[1].template.downstream.repo got="\".\"" want="the name of a Repository without slashes, line breaks or surrounding whitespace"`,
			`error variant-set/invalid spec.upstream.package got="\"../b\"" want="a path in the repository without .."`,
			`error variant-set/invalid spec.upstream.repo got="\"a/b\"" want="the name of a Repository without slashes, line breaks or surrounding whitespace"`,
		}},
		{"policies", withTemplate("{adoptionPolicy: adoptExistng, deletionPolicy: ''}"), []string{
			`error variant-set/invalid spec.targets[0].template.adoptionPolicy got="\"adoptExistng\"" want="adoptNone or adoptExisting" near=adoptExisting`,
			`error variant-set/invalid spec.targets[0].template.deletionPolicy got="\"\"" want="delete or orphan"`,
		}},
		{"all policies", withTemplate("{adoptionPolicy: adoptExisting, deletionPolicy: orphan}\n- repositories: [{name: b}]\n  template: {adoptionPolicy: adoptNone, deletionPolicy: delete}"), nil},
		{"downstream", withTemplate("{downstream: {repo: a, repoExpr: \"'a'\", package: b, packageExpr: \"'b'\"}}"), []string{
			`error variant-set/invalid spec.targets[0].template.downstream`,
			`error variant-set/invalid spec.targets[0].template.downstream`,
		}},
		{"empty downstream", withTemplate("{downstream: {repo: '', package: ''}}"), []string{
			"error variant-set/invalid spec.targets[0].template.downstream.package missing=empty",
			"error variant-set/invalid spec.targets[0].template.downstream.repo missing=empty",
		}},
		{"pairs", withTemplate(`{labelExprs: [{}, {key: a, keyExpr: "'a'", value: b, valueExpr: "'b'"}], annotationExprs: [{key: a}], packageContext: {dataExprs: [{value: a}]}}`), []string{
			`error variant-set/invalid spec.targets[0].template.annotationExprs[0]`,
			`error variant-set/invalid spec.targets[0].template.labelExprs[0]`,
			`error variant-set/invalid spec.targets[0].template.labelExprs[0]`,
			`error variant-set/invalid spec.targets[0].template.labelExprs[1]`,
			`error variant-set/invalid spec.targets[0].template.labelExprs[1]`,
			`error variant-set/invalid spec.targets[0].template.packageContext.dataExprs[0]`,
		}},
		{"injectors", withTemplate(`{injectors: [{kind: A}, {name: a, nameExpr: "'a'"}, {name: ''}, {name: a, group: a/v1, version: '', kind: '', point: ''}, {name: a, group: ''}]}`), []string{
			`error variant-set/invalid spec.targets[0].template.injectors[0]`,
			`error variant-set/invalid spec.targets[0].template.injectors[1]`,
			`error variant-set/invalid spec.targets[0].template.injectors[2]`,
			`error variant-set/invalid spec.targets[0].template.injectors[3].group got="\"a/v1\"" want="a group"`,
			"error variant-set/invalid spec.targets[0].template.injectors[3].kind",
			"error variant-set/invalid spec.targets[0].template.injectors[3].point",
			"error variant-set/invalid spec.targets[0].template.injectors[3].version",
		}},
		{"functions", withTemplate(`{pipeline: {mutators: [{name: a.b}, {image: a, exec: b}, {image: a, configPath: b, configMap: {c: d}}, {image: a, configPath: b, configMapExprs: [{key: c, value: d}]}, {image: ''}], validators: [{exec: '', configMapExprs: [{key: a}]}]}}`), []string{
			`error variant-set/invalid spec.targets[0].template.pipeline.mutators[0]`,
			`error variant-set/invalid spec.targets[0].template.pipeline.mutators[0].name got="\"a.b\"" want="a name without dots (they separate the parts of the name in the Kptfile)" near=a-b now=a.b propose=a-b`,
			`error variant-set/invalid spec.targets[0].template.pipeline.mutators[1]`,
			`error variant-set/invalid spec.targets[0].template.pipeline.mutators[2]`,
			`error variant-set/invalid spec.targets[0].template.pipeline.mutators[3]`,
			`error variant-set/invalid spec.targets[0].template.pipeline.mutators[4]`,
			`error variant-set/invalid spec.targets[0].template.pipeline.validators[0]`,
			`error variant-set/invalid spec.targets[0].template.pipeline.validators[0].configMapExprs[0]`,
		}},
		{"reserved keys", withTemplate(`{packageContext: {data: {name: a, package-path: b, c: d}, removeKeys: [name, '', e], dataExprs: [{key: package-path, value: a}, {key: '', value: a}]}}`), []string{
			"error variant-set/invalid spec.targets[0].template.packageContext.data.name",
			"error variant-set/invalid spec.targets[0].template.packageContext.data.package-path",
			"error variant-set/invalid spec.targets[0].template.packageContext.dataExprs[0].key",
			"error variant-set/invalid spec.targets[0].template.packageContext.dataExprs[1].key missing=empty",
			"error variant-set/invalid spec.targets[0].template.packageContext.removeKeys[0]",
			"error variant-set/invalid spec.targets[0].template.packageContext.removeKeys[1] missing=",
		}},
		{"keys that a ConfigMap cannot have", withTemplate(`{packageContext: {data: {my key: a}, removeKeys: [my key], dataExprs: [{key: a/b, value: a}]}}`), []string{
			`error variant-set/invalid spec.targets[0].template.packageContext.data.my key got="\"my key\"" want="a key of a ConfigMap (letters, digits, '-', '_' and '.')"`,
			`error variant-set/invalid spec.targets[0].template.packageContext.dataExprs[0].key got="\"a/b\"" want="a key of a ConfigMap (letters, digits, '-', '_' and '.')"`,
		}},
		{"wrong types", "upstream: foo\ntargets: {repositories: []}", []string{
			`error variant-set/invalid spec.targets got="a map" want="a list"`,
			`error variant-set/invalid spec.upstream got="a string" want="a map"`,
		}},
		{"more wrong types", withTarget("repositories: a\n- repositories: [a, null]\n- repositorySelector: [a]\n- objectSelector: {apiVersion: 1, kind: true, matchLabels: {a: 1, b: null}}\n  packageNames: [1]\n  template: a\n- repositories: [{name: a}]\n  template: {labels: [a], pipeline: {mutators: {image: a}}}"), []string{
			`error variant-set/invalid spec.targets[0].repositories got="a string" want="a list"`,
			`error variant-set/invalid spec.targets[1].repositories[0] got="a string" want="a map"`,
			`error variant-set/invalid spec.targets[1].repositories[1] got=null want="a map"`,
			`error variant-set/invalid spec.targets[2].repositorySelector got="a list" want="a map"`,
			`error variant-set/invalid spec.targets[3].objectSelector.apiVersion got="a number" want="a string"`,
			`error variant-set/invalid spec.targets[3].objectSelector.kind got="a boolean" want="a string"`,
			`error variant-set/invalid spec.targets[3].objectSelector.matchLabels.a got="a number" want="a string"`,
			"error variant-set/invalid spec.targets[3].objectSelector.matchLabels.b got=null want=\"a string\"",
			"warning variant-set/not-in-porch spec.targets[3].packageNames",
			`error variant-set/invalid spec.targets[3].packageNames[0] got="a number" want="a string"`,
			`error variant-set/invalid spec.targets[3].template got="a string" want="a map"`,
			`error variant-set/invalid spec.targets[4].template.labels got="a list" want="a map"`,
			`error variant-set/invalid spec.targets[4].template.pipeline.mutators got="a map" want="a list"`,
		}},
		{"beside what cannot be read", "upstream: {repo: a, package: 1}\ntargets:\n- null\n- repositories: [null, {name: ''}]\n  repositorySelector: {matchLabels: {a: 1}, matchExpressions: [3, {key: b}]}\n  template: {packageContext: {removeKeys: [1, name], removeKeyExprs: [null]}, labelExprs: [{value: 1}, {value: b}]}", []string{
			`error variant-set/invalid spec.targets[0] got=null want="a map"`,
			`error variant-set/invalid spec.targets[1]`,
			`error variant-set/invalid spec.targets[1].repositories[0] got=null want="a map"`,
			"error variant-set/invalid spec.targets[1].repositories[1].name missing=",
			`error variant-set/invalid spec.targets[1].repositorySelector.matchExpressions[0] got="a number" want="a map"`,
			`error variant-set/invalid spec.targets[1].repositorySelector.matchExpressions[1].operator missing= want="In, NotIn, Exists or DoesNotExist"`,
			`error variant-set/invalid spec.targets[1].repositorySelector.matchLabels.a got="a number" want="a string"`,
			`error variant-set/invalid spec.targets[1].template.labelExprs[0].value got="a number" want="a string"`,
			`error variant-set/invalid spec.targets[1].template.labelExprs[1]`,
			`error variant-set/invalid spec.targets[1].template.packageContext.removeKeyExprs[0] got=null want="a string"`,
			`error variant-set/invalid spec.targets[1].template.packageContext.removeKeys[0] got="a number" want="a string"`,
			"error variant-set/invalid spec.targets[1].template.packageContext.removeKeys[1]",
			`error variant-set/invalid spec.upstream.package got="a number" want="a string"`,
		}},
		{"twice", withTemplate("{labels: {a: b, a: c}, pipeline: {mutators: [{image: a, selectors: [{kind: A, kind: B}]}]}, adoptionPolicy: adoptNone, adoptionPolicy: adoptNone}"), []string{
			"error variant-set/invalid spec.targets[0].template.adoptionPolicy duplicate-of=7:107",
			"error variant-set/invalid spec.targets[0].template.labels.a duplicate-of=7:25",
			"error variant-set/invalid spec.targets[0].template.pipeline.mutators[0].selectors[0].kind duplicate-of=7:84",
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			note(t, tc.spec)
			_, findings := New(read(t, tc.spec), NewEnvironment())
			got := facts(findings)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// Unknown fields are warnings, since newer versions have more. In a selector and in a
// function they are errors: a selector would match everything, and kpt refuses the Kptfile.
func TestUnknownFields(t *testing.T) {
	for _, tc := range []struct {
		name, spec string
		want       []string
	}{
		{"future", "future: x\n" + withTemplate("{labelExpr: [], downstream: {pkg: x}}"), []string{
			`warning variant-set/invalid spec.future unknown="field \"future\"" want="upstream or targets"`,
			`warning variant-set/invalid spec.targets[0].template.downstream.pkg unknown="field \"pkg\"" want="repo, repoExpr, package or packageExpr"`,
			`error variant-set/invalid spec.targets[0].template.labelExpr unknown="field \"labelExpr\"" want="labelExprs, labels, injectorExprs, annotationExprs, pipeline and 6 more" near=labelExprs`,
		}},
		{"matchLabels", withTarget("repositorySelector: {matchlabels: {a: b}}"), []string{
			`error variant-set/invalid spec.targets[0].repositorySelector.matchlabels unknown="field \"matchlabels\"" want="matchLabels or matchExpressions" near=matchLabels`,
		}},
		{"namespace", withTarget("objectSelector: {apiVersion: v1, kind: A, namespace: x}"), []string{
			`error variant-set/invalid spec.targets[0].objectSelector.namespace unknown="field \"namespace\"" want="apiVersion, kind, name, matchLabels or matchExpressions"`,
		}},
		{"values", withTarget("repositorySelector: {matchExpressions: [{key: a, operator: Exists, value: [b]}]}"), []string{
			`error variant-set/invalid spec.targets[0].repositorySelector.matchExpressions[0].value unknown="field \"value\"" want="key, operator or values" near=values`,
		}},
		{"context", withTemplate("{packageContext: {region: a}}"), []string{
			`error variant-set/invalid spec.targets[0].template.packageContext.region unknown="field \"region\"" want="data, dataExprs, removeKeys or removeKeyExprs"`,
		}},
		{"injector", withTemplate("{injectors: [{apiVersion: v1, name: a}]}"), []string{
			`error variant-set/invalid spec.targets[0].template.injectors[0].apiVersion unknown="field \"apiVersion\"" want="group, version, kind, name, point or nameExpr" near=version`,
		}},
		{"function", withTemplate("{pipeline: {mutators: [{image: a, configmap: {b: c}}, {image: a, selectors: [{kinds: b}]}]}}"), []string{
			`error variant-set/invalid spec.targets[0].template.pipeline.mutators[0].configmap unknown="field \"configmap\"" want="configMap, configPath, configMapExprs, image, name and 4 more" near=configMap`,
			`error variant-set/invalid spec.targets[0].template.pipeline.mutators[1].selectors[0].kinds unknown="field \"kinds\"" want="apiVersion, kind, name, namespace, labels or annotations" near=kind`,
		}},
	} {
		note(t, tc.spec)
		_, findings := New(read(t, tc.spec), NewEnvironment())
		got := facts(findings)
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tc.name, diff)
		}
	}
}

func TestAliases(t *testing.T) {
	const spec = `{labelExprs: {key: a, valueExpr: "'b'"}, injectors: {name: c}, injectorExprs: [{nameExpr: "'d'"}], packageContext: {dataExprs: {key: e, value: f}}}`
	note(t, withTemplate(spec))
	e, findings := New(read(t, withTemplate(spec)), NewEnvironment())
	const at = "warning variant-set/alias spec.targets[0].template."
	want := []string{at + "injectorExprs", at + "injectors", at + "labelExprs", at + "packageContext.dataExprs"}
	if diff := cmp.Diff(want, facts(findings)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	x, _ := e.Expand(&Inventory{}, 0)
	got := x.Variants[0].Spec
	if got.Labels["a"] != "b" || got.PackageContext.Data["e"] != "f" || len(got.Injectors) != 2 || got.Injectors[0].Name != "c" || got.Injectors[1].Name != "d" {
		t.Errorf("got %+v", got)
	}
	// Findings in it have the path of the alias.
	_, findings = New(read(t, withTemplate(`{injectors: [{name: c}], injectorExprs: [{nameExpr: "1"}, {}]}`)), NewEnvironment())
	want = []string{
		"warning variant-set/alias spec.targets[0].template.injectorExprs",
		"error variant-set/expression spec.targets[0].template.injectorExprs[0].nameExpr got=int want=string",
		`error variant-set/invalid spec.targets[0].template.injectorExprs[1]`,
	}
	if diff := cmp.Diff(want, facts(findings)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A file may say the same thing once, by YAML's own means.
func TestAnchorsAndMergeKeys(t *testing.T) {
	s := read(t, withTarget("repositories: &r [{name: a}]\n  template: &t {labels: &l {a: b}}\n- repositories: *r\n  template:\n    <<: *t\n    annotations: {<<: [*l], c: d}\n    packageContext: {data: {<<: *l, a: e}}"))
	if _, findings := New(s, NewEnvironment()); len(facts(findings)) > 0 {
		t.Error(facts(findings))
	}
	second := s.Targets[1].Template
	if diff := cmp.Diff([]variant.Texts{{"a": "b"}, {"a": "b", "c": "d"}, {"a": "e"}}, []variant.Texts{second.Labels, second.Annotations, second.PackageContext.Data}); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestSpecOfAnotherType(t *testing.T) {
	d, err := values.Parse("metadata: {name: a}\nspec: [a]\n")
	if err != nil {
		t.Fatal(err)
	}
	_, findings := New(Read(d.Root()), NewEnvironment())
	if diff := cmp.Diff([]string{`error variant-set/invalid spec got="a list" want="a map"`}, facts(findings)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A set of typed objects gets the same findings.
func TestValidateTyped(t *testing.T) {
	s := &Set{Targets: []Target{{
		RepositorySelector: &LabelSelector{MatchExpressions: []LabelRequirement{{Key: "a", Operator: "in"}}},
		Template:           &Template{Pipeline: &PipelineTemplate{Mutators: []FunctionTemplate{{}}}},
	}}}
	_, findings := New(s, NewEnvironment())
	want := []string{
		"error variant-set/invalid metadata.name missing=",
		`error variant-set/invalid spec.targets[0].repositorySelector.matchExpressions[0].operator got="\"in\"" want="In, NotIn, Exists or DoesNotExist" near=In`,
		`error variant-set/invalid spec.targets[0].template.pipeline.mutators[0]`,
		`error variant-set/invalid spec.upstream`,
		"error variant-set/invalid spec.upstream.package missing=",
		"error variant-set/invalid spec.upstream.repo missing=",
	}
	if diff := cmp.Diff(want, facts(findings)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
