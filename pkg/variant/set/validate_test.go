package set

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/values"
)

// read reads a set of which the spec is given.
func read(t testing.TB, spec string) *Set {
	t.Helper()
	d, err := values.Parse("metadata:\n  name: example\nspec:\n  " + strings.ReplaceAll(strings.TrimSpace(spec), "\n", "\n  ") + "\n")
	if err != nil {
		t.Fatalf("%v\n%s", err, spec)
	}
	return Read(d.Root())
}

// told are faults, a line each: the rule, the path and the message.
func told(all []Fault) []string {
	var lines []string
	for _, f := range all {
		mark := ""
		if !f.fails() {
			mark = "(warning) "
		}
		lines = append(lines, mark+string(f.Rule)+" "+f.String())
	}
	return lines
}

const upstream = "upstream: {repo: example-repo, package: foo, revision: v1}\n"

// withTarget is a spec with one target.
func withTarget(target string) string { return upstream + "targets:\n- " + target }

// withTemplate is a spec with one template.
func withTemplate(template string) string {
	return withTarget("repositories: [{name: a}]\n  template: " + template)
}

func TestValidate(t *testing.T) {
	const invalid = "variant-set/invalid "
	for _, tc := range []struct {
		name, spec string
		want       []string
	}{
		{"right", withTarget("repositories: [{name: a}]"), nil},
		{"nothing", "{}", []string{
			"spec.upstream: is required: give repo, package, and revision or workspaceName",
			"spec.targets: is required: give at least one target with repositories, repositorySelector or objectSelector",
		}},
		{"empty upstream", "upstream: {}\ntargets: [{repositories: [{name: a}]}]", []string{
			"spec.upstream.repo: is required", "spec.upstream.package: is required", "spec.upstream: needs a revision or a workspaceName",
		}},
		{"workspace", "upstream: {repo: a, package: b, workspaceName: c}\ntargets: [{repositories: [{name: a}]}]", nil},
		{"numeric revision", "upstream: {repo: a, package: b, revision: 3}\ntargets: [{repositories: [{name: a}]}]", nil},
		{"revision that YAML changes", "upstream: {repo: a, package: b, revision: 1.30}\ntargets: [{repositories: [{name: a}]}]", []string{
			"spec.upstream.revision: got a number, want text: put it in quotes",
		}},
		{"no targets", upstream + "targets: []", []string{"spec.targets: is required: give at least one target with repositories, repositorySelector or objectSelector"}},
		{"no criterion", withTarget("template: {}"), []string{"spec.targets[0]: needs exactly one of repositories, repositorySelector and objectSelector, and has none"}},
		{"two criteria", withTarget("repositories: [{name: a}]\n  repositorySelector: {}"), []string{"spec.targets[0]: needs exactly one of repositories, repositorySelector and objectSelector, and has repositories and repositorySelector"}},
		{"three criteria", withTarget("repositories: [{name: a}]\n  repositorySelector: {}\n  objectSelector: {apiVersion: v1, kind: A}"), []string{"spec.targets[0]: needs exactly one of repositories, repositorySelector and objectSelector, and has repositories and repositorySelector and objectSelector"}},
		{"an empty selector selects", withTarget("repositorySelector: {}"), nil},
		{"empty lists", withTarget("repositories: []\n- repositories: [{name: a, packageNames: []}]\n- repositorySelector: {}\n  packageNames: []"), []string{
			"spec.targets[0].repositories: is empty: name a repository, or remove the list",
			"spec.targets[1].repositories[0].packageNames: is empty: name a package, or remove the list",
			"spec.targets[2].packageNames: is empty: name a package, or remove the list",
		}},
		{"empty names", withTarget("repositories: [{packageNames: ['', b]}, {name: ''}]\n- repositorySelector: {}\n  packageNames: [a, '']"), []string{
			"spec.targets[0].repositories[0].name: is required",
			"spec.targets[0].repositories[0].packageNames[0]: is empty: name a package",
			"spec.targets[0].repositories[1].name: is required",
			"spec.targets[1].packageNames[1]: is empty: name a package",
		}},
		{"packageNames beside repositories", withTarget("repositories: [{name: a}]\n  packageNames: [b]"), []string{
			"spec.targets[0].packageNames: is for selectors; beside repositories each of these has packageNames of its own",
		}},
		{"object selector", withTarget("objectSelector: {matchLabels: {a: b}}"), []string{
			"spec.targets[0].objectSelector.apiVersion: is required", "spec.targets[0].objectSelector.kind: is required",
		}},
		{"selectors", withTarget("repositorySelector: {matchLabels: {'a b': c, d: 'e f'}, matchExpressions: [{key: a, operator: in, values: [b]}, {operator: Exists}, {key: a, operator: In}, {key: a, operator: Exists, values: [b]}]}"), []string{
			`spec.targets[0].repositorySelector.matchLabels.a b: the API server refuses "a b" as the key of a label; want ` + qualified,
			`spec.targets[0].repositorySelector.matchLabels.d: the API server refuses "e f" as the value of a label; want nothing, or a text of ` + labelName,
			`spec.targets[0].repositorySelector.matchExpressions[0].operator: got "in", want In, NotIn, Exists or DoesNotExist (did you mean "In"?)`,
			"spec.targets[0].repositorySelector.matchExpressions[1].key: is required",
			"spec.targets[0].repositorySelector.matchExpressions[2].values: is required for the operator In",
			"spec.targets[0].repositorySelector.matchExpressions[3].values: the operator Exists takes no values",
		}},
		{"an object selector's labels", withTarget("objectSelector: {apiVersion: v1, kind: A, matchExpressions: [{key: a, operator: In, values: [b, -]}]}"), []string{
			`spec.targets[0].objectSelector.matchExpressions[0]: the API server refuses "-" as the value of a label; want nothing, or a text of ` + labelName,
		}},
		{"paths", "upstream: {repo: a/b, package: ../b, revision: v1}\ntargets:\n- repositories: [{name: ../a, packageNames: [/b, c/../d, d//e, ./f, ., 'g\\h', ' i', ok/path]}, {name: ..}, {name: 'a\\b'}, {name: \"a\\tb\"}, {name: Team_A:b}]\n- repositorySelector: {}\n  packageNames: [a/..]\n  template: {downstream: {repo: ., package: a/}}", []string{
			`spec.upstream.repo: got "a/b", want the name of a Repository, without slashes, line breaks and blanks around it`,
			`spec.upstream.package: got "../b", which climbs; want a path within the repository, without ..`,
			`spec.targets[0].repositories[0].name: got "../a", want the name of a Repository, without slashes, line breaks and blanks around it`,
			`spec.targets[0].repositories[0].packageNames[0]: got "/b", want a path from the root of the repository, with slashes, without line breaks and blanks around it`,
			`spec.targets[0].repositories[0].packageNames[1]: got "c/../d", which climbs; want a path within the repository, without ..`,
			`spec.targets[0].repositories[0].packageNames[2]: got "d//e", want "d/e"`,
			`spec.targets[0].repositories[0].packageNames[3]: got "./f", want "f"`,
			`spec.targets[0].repositories[0].packageNames[4]: got ".", want the name of a package`,
			`spec.targets[0].repositories[0].packageNames[5]: got "g\\h", want a path from the root of the repository, with slashes, without line breaks and blanks around it`,
			`spec.targets[0].repositories[0].packageNames[6]: got " i", want a path from the root of the repository, with slashes, without line breaks and blanks around it`,
			`spec.targets[0].repositories[1].name: got "..", want the name of a Repository, without slashes, line breaks and blanks around it`,
			`spec.targets[0].repositories[2].name: got "a\\b", want the name of a Repository, without slashes, line breaks and blanks around it`,
			`spec.targets[0].repositories[3].name: got "a\tb", want the name of a Repository, without slashes, line breaks and blanks around it`,
			`spec.targets[1].packageNames[0]: got "a/..", which climbs; want a path within the repository, without ..`,
			`spec.targets[1].template.downstream.repo: got ".", want the name of a Repository, without slashes, line breaks and blanks around it`,
			`spec.targets[1].template.downstream.package: got "a/", want "a"`,
		}},
		{"policies", withTemplate("{adoptionPolicy: adoptExistng, deletionPolicy: ''}"), []string{
			`spec.targets[0].template.adoptionPolicy: got "adoptExistng", want adoptNone or adoptExisting (did you mean "adoptExisting"?)`,
			`spec.targets[0].template.deletionPolicy: got "", want delete or orphan`,
		}},
		{"all policies", withTemplate("{adoptionPolicy: adoptExisting, deletionPolicy: orphan}\n- repositories: [{name: b}]\n  template: {adoptionPolicy: adoptNone, deletionPolicy: delete}"), nil},
		{"downstream", withTemplate("{downstream: {repo: a, repoExpr: \"'a'\", package: b, packageExpr: \"'b'\"}}"), []string{
			"spec.targets[0].template.downstream: has both repo and repoExpr; give at most one",
			"spec.targets[0].template.downstream: has both package and packageExpr; give at most one",
		}},
		{"empty downstream", withTemplate("{downstream: {repo: '', package: ''}}"), []string{
			"spec.targets[0].template.downstream.repo: is empty: fill it or remove it",
			"spec.targets[0].template.downstream.package: is empty: fill it or remove it",
		}},
		{"pairs", withTemplate(`{labelExprs: [{}, {key: a, keyExpr: "'a'", value: b, valueExpr: "'b'"}], annotationExprs: [{key: a}], packageContext: {dataExprs: [{value: a}]}}`), []string{
			"spec.targets[0].template.labelExprs[0]: needs key or keyExpr",
			"spec.targets[0].template.labelExprs[0]: needs value or valueExpr",
			"spec.targets[0].template.labelExprs[1]: has both key and keyExpr; give exactly one",
			"spec.targets[0].template.labelExprs[1]: has both value and valueExpr; give exactly one",
			"spec.targets[0].template.annotationExprs[0]: needs value or valueExpr",
			"spec.targets[0].template.packageContext.dataExprs[0]: needs key or keyExpr",
		}},
		{"injectors", withTemplate(`{injectors: [{kind: A}, {name: a, nameExpr: "'a'"}, {name: ''}, {name: a, group: a/v1, version: '', kind: '', point: ''}, {name: a, group: ''}]}`), []string{
			"spec.targets[0].template.injectors[0]: needs name or nameExpr",
			"spec.targets[0].template.injectors[1]: has both name and nameExpr; give exactly one",
			"spec.targets[0].template.injectors[2].name: is empty: fill it or remove it",
			"spec.targets[0].template.injectors[3].version: is empty: fill it or remove it",
			"spec.targets[0].template.injectors[3].kind: is empty: fill it or remove it",
			"spec.targets[0].template.injectors[3].point: is empty: fill it or remove it",
			`spec.targets[0].template.injectors[3].group: got "a/v1", want a group without a version, which has a field of its own`,
		}},
		{"functions", withTemplate(`{pipeline: {mutators: [{name: a.b}, {image: a, exec: b}, {image: a, configPath: b, configMap: {c: d}}, {image: a, configPath: b, configMapExprs: [{key: c, value: d}]}, {image: ''}], validators: [{exec: '', configMapExprs: [{key: a}]}]}}`), []string{
			"spec.targets[0].template.pipeline.validators[0].exec: is empty: fill it or remove it",
			"spec.targets[0].template.pipeline.validators[0].configMapExprs[0]: needs value or valueExpr",
			"spec.targets[0].template.pipeline.mutators[0]: needs image or exec",
			`spec.targets[0].template.pipeline.mutators[0].name: got "a.b", want a name without dots, by which functions of PackageVariants are told apart (such as "a-b")`,
			"spec.targets[0].template.pipeline.mutators[1]: has both image and exec; give exactly one",
			"spec.targets[0].template.pipeline.mutators[2]: has a configPath and a configMap; a function takes one of them",
			"spec.targets[0].template.pipeline.mutators[3]: has a configPath and a configMap; a function takes one of them",
			"spec.targets[0].template.pipeline.mutators[4].image: is empty: fill it or remove it",
		}},
		{"reserved keys", withTemplate(`{packageContext: {data: {name: a, package-path: b, c: d}, removeKeys: [name, '', e], dataExprs: [{key: package-path, value: a}, {key: '', value: a}]}}`), []string{
			`spec.targets[0].template.packageContext.data.name: the key "name" of the package context is reserved: kpt and Porch set it`,
			`spec.targets[0].template.packageContext.data.package-path: the key "package-path" of the package context is reserved: kpt and Porch set it`,
			`spec.targets[0].template.packageContext.removeKeys[0]: the key "name" of the package context is reserved: kpt and Porch set it`,
			"spec.targets[0].template.packageContext.removeKeys[1]: is empty: name a key",
			`spec.targets[0].template.packageContext.dataExprs[0].key: the key "package-path" of the package context is reserved: kpt and Porch set it`,
			"spec.targets[0].template.packageContext.dataExprs[1].key: is empty: fill it or remove it",
		}},
		{"wrong types", "upstream: foo\ntargets: {repositories: []}", []string{
			"spec.upstream: got text, want a mapping with repo, package, revision, workspaceName", "spec.targets: got a mapping, want a list of targets",
		}},
		{"more wrong types", withTarget("repositories: a\n- repositories: [a, null]\n- repositorySelector: [a]\n- objectSelector: {apiVersion: 1, kind: true, matchLabels: {a: 1, b: null}}\n  packageNames: [1]\n  template: a\n- repositories: [{name: a}]\n  template: {labels: [a], pipeline: {mutators: {image: a}}}"), []string{
			"spec.targets[0].repositories: got text, want a list of repositories",
			"spec.targets[1].repositories[0]: got text, want a mapping with name, packageNames",
			"spec.targets[1].repositories[1]: got nothing: fill the entry or remove it",
			"spec.targets[2].repositorySelector: got a list, want a mapping with matchLabels, matchExpressions",
			"spec.targets[3].packageNames[0]: got a number, want text: put it in quotes",
			"spec.targets[3].objectSelector.matchLabels.a: got a number, want text: put it in quotes",
			`spec.targets[3].objectSelector.matchLabels.b: got nothing, want text: write "" for an empty one`,
			"spec.targets[3].objectSelector.apiVersion: got a number, want text: put it in quotes",
			"spec.targets[3].objectSelector.kind: got a boolean, want text: put it in quotes",
			"spec.targets[3].template: got text, want a mapping with " + strings.Join(templateFields, ", "),
			"spec.targets[4].template.labels: got a list, want a mapping of texts",
			"spec.targets[4].template.pipeline.mutators: got a mapping, want a list of functions",
		}},
		{"beside what can not be read", "upstream: {repo: a, package: 1}\ntargets:\n- null\n- repositories: [null, {name: ''}]\n  repositorySelector: {matchLabels: {a: 1}, matchExpressions: [3, {key: b}]}\n  template: {packageContext: {removeKeys: [1, name], removeKeyExprs: [null]}, labelExprs: [{value: 1}, {value: b}]}", []string{
			"spec.upstream.package: got a number, want text: put it in quotes",
			"spec.targets[0]: got nothing: fill the entry or remove it",
			"spec.targets[1].repositories[0]: got nothing: fill the entry or remove it",
			"spec.targets[1].repositorySelector.matchLabels.a: got a number, want text: put it in quotes",
			"spec.targets[1].repositorySelector.matchExpressions[0]: got a number, want a mapping with key, operator, values",
			"spec.targets[1].template.labelExprs[0].value: got a number, want text: put it in quotes",
			"spec.targets[1].template.packageContext.removeKeys[0]: got a number, want text: put it in quotes",
			"spec.targets[1].template.packageContext.removeKeyExprs[0]: got nothing: fill the entry or remove it",
			"spec.targets[1]: needs exactly one of repositories, repositorySelector and objectSelector, and has repositories and repositorySelector",
			"spec.targets[1].repositories[1].name: is required",
			`spec.targets[1].repositorySelector.matchExpressions[1].operator: got "", want In, NotIn, Exists or DoesNotExist`,
			"spec.targets[1].template.labelExprs[1]: needs key or keyExpr",
			`spec.targets[1].template.packageContext.removeKeys[1]: the key "name" of the package context is reserved: kpt and Porch set it`,
		}},
		{"twice", withTemplate("{labels: {a: b, a: c}, pipeline: {mutators: [{image: a, selectors: [{kind: A, kind: B}]}]}, adoptionPolicy: adoptNone, adoptionPolicy: adoptNone}"), []string{
			"spec.targets[0].template.labels.a: the key stands twice; remove one, so that it is certain which one counts",
			"spec.targets[0].template.pipeline.mutators[0].selectors[0].kind: the key stands twice; remove one, so that it is certain which one counts",
			"spec.targets[0].template.adoptionPolicy: the key stands twice; remove one, so that it is certain which one counts",
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			expander, faults := New(read(t, tc.spec), NewEnvironment())
			var want []string
			for _, line := range tc.want {
				want = append(want, invalid+line)
			}
			if diff := cmp.Diff(want, told(faults)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if (expander != nil) != (tc.want == nil) {
				t.Errorf("an expander: %v", expander != nil)
			}
		})
	}
}

// Fields that nobody knows are no errors, since newer versions have more; a
// typo is told all the same.
func TestUnknownFields(t *testing.T) {
	_, faults := New(read(t, "future: x\n"+withTemplate("{labelExpr: [], downstream: {pkg: x}}")), NewEnvironment())
	want := []string{
		"(warning) variant-set/invalid spec.future: unknown field, which has no effect; known are upstream, targets",
		`(warning) variant-set/invalid spec.targets[0].template.labelExpr: unknown field, which has no effect; known are downstream, adoptionPolicy, deletionPolicy, labels, labelExprs, annotations, annotationExprs, packageContext, injectors, injectorExprs, pipeline (did you mean "labelExprs"?)`,
		"(warning) variant-set/invalid spec.targets[0].template.downstream.pkg: unknown field, which has no effect; known are repo, repoExpr, package, packageExpr",
	}
	if diff := cmp.Diff(want, told(faults)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Without a field that is misspelt a selector would match everything.
func TestUnknownFieldsOfSelectors(t *testing.T) {
	for _, tc := range []struct{ target, want string }{
		{"repositorySelector: {matchlabels: {a: b}}", `repositorySelector.matchlabels: unknown field, which has no effect; known are matchLabels, matchExpressions (did you mean "matchLabels"?)`},
		{"objectSelector: {apiVersion: v1, kind: A, namespace: x}", "objectSelector.namespace: unknown field, which has no effect; known are apiVersion, kind, name, matchLabels, matchExpressions"},
		{"repositorySelector: {matchExpressions: [{key: a, operator: Exists, value: [b]}]}", `repositorySelector.matchExpressions[0].value: unknown field, which has no effect; known are key, operator, values (did you mean "values"?)`},
	} {
		expander, faults := New(read(t, withTarget(tc.target)), NewEnvironment())
		if diff := cmp.Diff([]string{"variant-set/invalid spec.targets[0]." + tc.want}, told(faults)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tc.target, diff)
		}
		if expander != nil {
			t.Errorf("%s: it is expanded", tc.target)
		}
	}
}

func TestAliases(t *testing.T) {
	e, faults := New(read(t, withTemplate(`{labelExprs: {key: a, valueExpr: "'b'"}, injectors: {name: c}, injectorExprs: [{nameExpr: "'d'"}], packageContext: {dataExprs: {key: e, value: f}}}`)), NewEnvironment())
	want := []string{
		"(warning) variant-set/alias spec.targets[0].template.labelExprs: got a single mapping, which is read as a list of one; write a dash in front, since Porch takes a list only",
		"(warning) variant-set/alias spec.targets[0].template.packageContext.dataExprs: got a single mapping, which is read as a list of one; write a dash in front, since Porch takes a list only",
		"(warning) variant-set/alias spec.targets[0].template.injectors: got a single mapping, which is read as a list of one; write a dash in front, since Porch takes a list only",
		"(warning) variant-set/alias spec.targets[0].template.injectorExprs: is read as injectors, which is the name in the API: write injectors",
	}
	if diff := cmp.Diff(want, told(faults)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	x, _ := e.Expand(&Inventory{}, 0)
	v := x.Variants[0]
	if got := []Entry{v.Labels[0], v.Data[0], {v.Injectors[0].Name, v.Injectors[1].Name}}; cmp.Diff([]Entry{{"a", "b"}, {"e", "f"}, {"c", "d"}}, got) != "" {
		t.Errorf("got %v", got)
	}
	// Faults in it are told where it stands.
	_, faults = New(read(t, withTemplate(`{injectors: [{name: c}], injectorExprs: [{nameExpr: "1"}, {}]}`)), NewEnvironment())
	want = []string{
		"(warning) variant-set/alias spec.targets[0].template.injectorExprs: is read as injectors, which is the name in the API: write injectors",
		"variant-set/invalid spec.targets[0].template.injectorExprs[1]: needs name or nameExpr",
		"variant-set/expression spec.targets[0].template.injectorExprs[0].nameExpr: the expression yields int, want string: nothing is converted by itself, write string(…)",
	}
	if diff := cmp.Diff(want, told(faults)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A file may say the same thing once, by YAML's own means.
func TestAnchorsAndMergeKeys(t *testing.T) {
	s := read(t, withTarget("repositories: &r [{name: a}]\n  template: &t {labels: &l {a: b}}\n- repositories: *r\n  template:\n    <<: *t\n    annotations: {<<: [*l], c: d}\n    packageContext: {data: {<<: *l, a: e}}"))
	if _, faults := New(s, NewEnvironment()); len(faults) > 0 {
		t.Error(told(faults))
	}
	second := s.Targets[1].Template
	if diff := cmp.Diff([]map[string]string{{"a": "b"}, {"a": "b", "c": "d"}, {"a": "e"}}, []map[string]string{second.Labels, second.Annotations, second.PackageContext.Data}); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestSpecThatIsNone(t *testing.T) {
	d, err := values.Parse("metadata: {name: a}\nspec: [a]\n")
	if err != nil {
		t.Fatal(err)
	}
	_, faults := New(Read(d.Root()), NewEnvironment())
	if diff := cmp.Diff([]string{"variant-set/invalid spec: got a list, want a mapping with upstream, targets"}, told(faults)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
