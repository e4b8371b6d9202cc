package variant

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/values"
)

// valid is a PackageVariant without a mistake, to which cases add.
const valid = `apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: pv}
spec:
  upstream: {repo: r, package: p}
  downstream: {repo: d, package: q}
`

func parse(t testing.TB, text string) *values.Document {
	t.Helper()
	d, err := values.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func readValid(t testing.TB, spec string) *PackageVariant {
	t.Helper()
	v, problems := Read(parse(t, valid+spec).Root(), "")
	if len(problems) > 0 {
		t.Fatalf("%v", problems)
	}
	return v
}

func TestValidation(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       []string
	}{
		{"complete", valid, nil},
		{"with all there is", valid + `  adoptionPolicy: adoptExisting
  deletionPolicy: orphan
  labels: {a: b}
  annotations: {c: d}
  packageContext: {data: {k: v}, removeKeys: [l]}
  pipeline: {mutators: [{image: i, name: n}], validators: [{exec: e, anything: {x: 1}}]}
  injectors: [{group: "", version: v1, kind: ConfigMap, name: n, point: p}]
  futureField: 1
status: {}
`, nil},
		{"revision as a number", strings.Replace(valid, "package: p", "package: p, revision: 3", 1), nil},
		{"nothing", "{}", []string{"apiVersion: is required", "kind: is required", "metadata: is required: want a mapping with name", "spec: is required: want a mapping with upstream and downstream"}},
		{"not a mapping", "[]", []string{"got a list, want a PackageVariant with metadata and spec"}},
		{"another version", strings.Replace(valid, "v1alpha1", "v1alpha2", 1), []string{`apiVersion: got "config.porch.kpt.dev/v1alpha2", want config.porch.kpt.dev/v1alpha1 (did you mean "config.porch.kpt.dev/v1alpha1"?)`}},
		{"another kind", strings.Replace(valid, "kind: PackageVariant", "kind: PackageVariantSet", 1), []string{`kind: got "PackageVariantSet", want PackageVariant (did you mean "PackageVariant"?)`}},
		{"no name", strings.Replace(valid, "{name: pv}", "{namespace: 5}", 1), []string{"metadata.name: is required", "metadata.namespace: got a number, want text: put it in quotes"}},
		{"upstream and downstream", strings.NewReplacer("{repo: r, package: p}", "{}", "{repo: d, package: q}", `{repo: "", package: [x]}`).Replace(valid), []string{
			"spec.upstream.repo: is required", "spec.upstream.package: is required", "spec.downstream.repo: is empty; fill it", "spec.downstream.package: got a list, want text",
		}},
		{"upstream of another type", strings.Replace(valid, "{repo: r, package: p}", "text", 1), []string{"spec.upstream: got text, want a mapping with repo and package"}},
		{"policies", valid + "  adoptionPolicy: adoptall\n  deletionPolicy: Delete\n", []string{
			`spec.adoptionPolicy: got "adoptall", want adoptNone or adoptExisting`, `spec.deletionPolicy: got "Delete", want delete or orphan (did you mean "delete"?)`,
		}},
		{"labels", valid + "  labels: {a: 1}\n  annotations: [x]\n", []string{"spec.labels.a: got a number, want text: put it in quotes", "spec.annotations: got a list, want a mapping of texts"}},
		{"reserved keys", valid + "  packageContext: {data: {name: a, package-path: b, c: d}, removeKeys: [x, name, package-path]}\n", []string{
			`spec.packageContext.data.name: the key "name" is reserved: kpt and Porch set name and package-path; remove it`,
			`spec.packageContext.data.package-path: the key "package-path" is reserved: kpt and Porch set name and package-path; remove it`,
			`spec.packageContext.removeKeys[1]: the key "name" is reserved: kpt and Porch set name and package-path; remove it`,
			`spec.packageContext.removeKeys[2]: the key "package-path" is reserved: kpt and Porch set name and package-path; remove it`,
		}},
		{"context of other types", valid + "  packageContext: {data: {a: true, b: null}, removeKeys: x}\n", []string{
			"spec.packageContext.data.a: got a boolean, want text: put it in quotes", `spec.packageContext.data.b: got nothing, want text: write "" for an empty one`, "spec.packageContext.removeKeys: got text, want a list of keys",
		}},
		{"functions", valid + "  pipeline: {mutators: [{image: i, name: a.b}, {name: n}, {image: i, exec: e}, x], validators: {}}\n", []string{
			`spec.pipeline.mutators[0].name: got "a.b", want a name without dots: they separate the parts of the name that the function gets in the Kptfile`,
			"spec.pipeline.mutators[1]: the function has neither image nor exec; add one of them",
			"spec.pipeline.mutators[2].exec: the function has image and exec; remove one of them",
			"spec.pipeline.mutators[3]: got text, want a function with image or exec",
			"spec.pipeline.validators: got a mapping, want a list of functions",
		}},
		{"injectors", valid + "  injectors: [{name: a}, {kind: K}, {name: \"\"}, {name: b, kind: 5, version: \"\", group: a/v1}, x, null]\n", []string{
			"spec.injectors[1].name: is required", "spec.injectors[2].name: is empty; fill it", "spec.injectors[3].kind: got a number, want text: put it in quotes",
			"spec.injectors[3].version: is empty, so the injector fits nothing; fill it, or remove it to leave it open",
			`spec.injectors[3].group: got "a/v1", want a group without a version, which has a field of its own`,
			"spec.injectors[4]: got text, want an injector with a name", "spec.injectors[5]: got nothing: fill the entry or remove it",
		}},
		{"a single injector", valid + "  injectors: {name: a}\n", []string{"warning: spec.injectors: got a single mapping, which is read as a list of one; write a dash in front, since Porch takes a list only"}},
		{"a typo", valid + "  injecters: []\n", []string{
			`warning: spec.injecters: unknown field, which has no effect; known are upstream, downstream, adoptionPolicy, deletionPolicy, labels, annotations, packageContext, pipeline, injectors (did you mean "injectors"?)`,
		}},
		{"a key twice", valid + "  labels: {a: b}\n  labels: {a: c}\n", []string{"spec.labels: the key stands twice; remove one, so that it is certain which one counts"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, problems := Read(parse(t, tc.text).Root(), "")
			var got []string
			for _, p := range problems {
				text := p.String()
				if p.Warning {
					text = "warning: " + text
				}
				got = append(got, text)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestReadEmbedded(t *testing.T) {
	n := parse(t, "metadata: {name: pv, namespace: ns}\nspec: {upstream: {repo: r, package: p}, downstream: {repo: d}, injectors: [{}]}").Root()
	v, problems := ReadEmbedded(n, "spec.packageVariant")
	var got []string
	for _, p := range problems {
		got = append(got, p.String())
	}
	want := []string{"spec.packageVariant.spec.downstream.package: is required", "spec.packageVariant.spec.injectors[0].name: is required"}
	if diff := cmp.Diff(want, got); diff != "" || v.Name != "pv" || v.Namespace != "ns" {
		t.Errorf("%s/%s -want +got:\n%s", v.Namespace, v.Name, diff)
	}
	_, problems = ReadEmbedded(parse(t, "kind: Pod\n"+strings.SplitN(valid, "\n", 3)[2]).Root(), "x")
	if len(problems) != 1 || problems[0].Path != "x.kind" {
		t.Errorf("another kind: %v", problems)
	}
}

// Rules and positions are what clients and other packages go by.
func TestProblemDetails(t *testing.T) {
	_, problems := Read(parse(t, valid+"  packageContext:\n    data:\n      name: x\n  injectors: {name: a}\n").Root(), "")
	want := []Problem{
		{Rule: RuleReservedKey, Path: "spec.packageContext.data.name", Position: values.Position{Line: 9, Column: 13}},
		{Rule: RuleAlias, Warning: true, Path: "spec.injectors", Position: values.Position{Line: 10, Column: 14}},
	}
	for i := range problems {
		problems[i].Message = ""
	}
	if diff := cmp.Diff(want, problems); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if !Failed(problems) || Failed(problems[1:]) {
		t.Error("warnings are no failures, errors are")
	}
}
