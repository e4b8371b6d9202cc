package variant

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
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
	v, findings := Read(parse(t, valid+spec).Root(), "")
	if len(findings) > 0 {
		t.Fatalf("%v", functiontest.Facts(findings))
	}
	return v
}

// facts are those of the findings about a PackageVariant.
func facts(t *testing.T, text string) []string {
	t.Helper()
	_, findings := Read(parse(t, text).Root(), "")
	diag.Sort(findings)
	if strings.HasPrefix(text, "apiVersion: "+GroupVersion) {
		functiontest.Run(t, Function(), text, kptfile)
	}
	return functiontest.Facts(findings)
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
  pipeline: {mutators: [{image: i, name: n}], validators: [{exec: e}]}
  injectors: [{group: "", version: v1, kind: ConfigMap, name: n, point: p}]
  futureField: 1
status: {}
`, nil},
		{"an unknown field of a function", valid + "  pipeline: {mutators: [{exec: e, configmap: {a: b}}]}\n", []string{
			`error variant/invalid spec.pipeline.mutators[0].configmap unknown="field \"configmap\"" want="image, exec, configPath, configMap, name, tag, selectors or exclude" near=configMap`,
		}},
		{"revision as a number", strings.Replace(valid, "package: p", "package: p, revision: 3", 1), nil},
		{"nothing", "{}", []string{
			"error variant/invalid apiVersion missing=",
			"error variant/invalid kind missing=",
			"error variant/invalid metadata missing=",
			"error variant/invalid spec missing=",
		}},
		{"not a map", "[]", []string{
			`error variant/invalid got="a list" want="a map"`,
		}},
		{"another version", strings.Replace(valid, "v1alpha1", "v1alpha2", 1), []string{
			`error variant/invalid apiVersion got="\"config.porch.kpt.dev/v1alpha2\"" want=config.porch.kpt.dev/v1alpha1 near=config.porch.kpt.dev/v1alpha1`,
		}},
		{"another kind", strings.Replace(valid, "kind: PackageVariant", "kind: PackageVariantSet", 1), []string{
			`error variant/invalid kind got="\"PackageVariantSet\"" want=PackageVariant near=PackageVariant`,
		}},
		{"no name", strings.Replace(valid, "{name: pv}", "{namespace: 5}", 1), []string{
			"error variant/invalid metadata.name missing=",
			`error variant/invalid metadata.namespace got="a number" want="a string"`,
		}},
		{"upstream and downstream", strings.NewReplacer("{repo: r, package: p}", "{}", "{repo: d, package: q}", `{repo: "", package: [x]}`).Replace(valid), []string{
			`error variant/invalid spec.downstream.package got="a list" want="a string"`,
			"error variant/invalid spec.downstream.repo missing=empty",
			"error variant/invalid spec.upstream.package missing=",
			"error variant/invalid spec.upstream.repo missing=",
		}},
		{"upstream of another type", strings.Replace(valid, "{repo: r, package: p}", "text", 1), []string{
			`error variant/invalid spec.upstream got="a string" want="a map"`,
		}},
		{"policies", valid + "  adoptionPolicy: adoptall\n  deletionPolicy: Delete\n", []string{
			`error variant/invalid spec.adoptionPolicy got="\"adoptall\"" want="adoptNone or adoptExisting"`,
			`error variant/invalid spec.deletionPolicy got="\"Delete\"" want="delete or orphan" near=delete`,
		}},
		{"labels", valid + "  labels: {a: 1}\n  annotations: [x]\n", []string{
			`error variant/invalid spec.annotations got="a list" want="a map"`,
			`error variant/invalid spec.labels.a got="a number" want="a string"`,
		}},
		{"reserved keys", valid + "  packageContext: {data: {name: a, package-path: b, c: d}, removeKeys: [x, name, package-path]}\n", []string{
			"error context/reserved-key spec.packageContext.data.name",
			"error context/reserved-key spec.packageContext.data.package-path",
			"error context/reserved-key spec.packageContext.removeKeys[1]",
			"error context/reserved-key spec.packageContext.removeKeys[2]",
		}},
		{"keys that a ConfigMap cannot have", valid + "  packageContext: {data: {my key: a, a/b: b, .., a.B_c-1: d, \"\": e}, removeKeys: [my key]}\n", []string{
			`error variant/invalid spec.packageContext.data. got="\"\"" want="a key of a ConfigMap (letters, digits, '-', '_' and '.')"`,
			`error variant/invalid spec.packageContext.data... got=null want="a string"`,
			`error variant/invalid spec.packageContext.data.a/b got="\"a/b\"" want="a key of a ConfigMap (letters, digits, '-', '_' and '.')"`,
			`error variant/invalid spec.packageContext.data.my key got="\"my key\"" want="a key of a ConfigMap (letters, digits, '-', '_' and '.')"`,
		}},
		{"context without data", valid + "  packageContext: {region: us-east, removekeys: [a]}\n", []string{
			`error variant/invalid spec.packageContext.region unknown="field \"region\"" want="data or removeKeys"`,
			`error variant/invalid spec.packageContext.removekeys unknown="field \"removekeys\"" want="data or removeKeys" near=removeKeys`,
		}},
		{"an injector with another field", valid + "  injectors: [{apiVersion: net.example.com/v1, kind: Route, name: r}]\n", []string{
			`error variant/invalid spec.injectors[0].apiVersion unknown="field \"apiVersion\"" want="group, version, kind, name or point" near=version`,
		}},
		{"context of other types", valid + "  packageContext: {data: {a: true, b: null}, removeKeys: x}\n", []string{
			`error variant/invalid spec.packageContext.data.a got="a boolean" want="a string"`,
			"error variant/invalid spec.packageContext.data.b got=null want=\"a string\"",
			`error variant/invalid spec.packageContext.removeKeys got="a string" want="a list"`,
		}},
		{"functions", valid + "  pipeline: {mutators: [{image: i, name: a.b}, {name: n}, {image: i, exec: e}, x], validators: {}}\n", []string{
			`error variant/invalid spec.pipeline.mutators[0].name got="\"a.b\"" want="a name without dots (they separate the parts of the name in the Kptfile)" near=a-b now=a.b propose=a-b`,
			`error variant/invalid spec.pipeline.mutators[1]`,
			`error variant/invalid spec.pipeline.mutators[2]`,
			`error variant/invalid spec.pipeline.mutators[3] got="a string" want="a map"`,
			`error variant/invalid spec.pipeline.validators got="a map" want="a list"`,
		}},
		{"injectors", valid + "  injectors: [{name: a}, {kind: K}, {name: \"\"}, {name: b, kind: 5, version: \"\", group: a/v1}, x, null]\n", []string{
			"error variant/invalid spec.injectors[1].name missing=",
			"error variant/invalid spec.injectors[2].name missing=",
			`error variant/invalid spec.injectors[3].group got="\"a/v1\"" want="a group"`,
			`error variant/invalid spec.injectors[3].kind got="a number" want="a string"`,
			"error variant/invalid spec.injectors[3].version",
			`error variant/invalid spec.injectors[4] got="a string" want="a map"`,
			`error variant/invalid spec.injectors[5] got=null want="a map"`,
		}},
		{"a single injector", valid + "  injectors: {name: a}\n", []string{
			"warning variant-set/alias spec.injectors",
		}},
		{"a typo", valid + "  injecters: []\n", []string{
			`error variant/invalid spec.injecters unknown="field \"injecters\"" want="injectors, packageContext, annotations, labels, downstream and 4 more" near=injectors`,
		}},
		{"a key twice", valid + "  labels: {a: b}\n  labels: {a: c}\n", []string{
			"error variant/invalid spec.labels duplicate-of=7:3",
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := facts(t, tc.text)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestReadEmbedded(t *testing.T) {
	n := parse(t, "metadata: {name: pv, namespace: ns}\nspec: {upstream: {repo: r, package: p}, downstream: {repo: d}, injectors: [{}]}").Root()
	v, findings := Read(n, "spec.packageVariant")
	want := []string{
		"error variant/invalid spec.packageVariant.spec.downstream.package missing=",
		"error variant/invalid spec.packageVariant.spec.injectors[0].name missing=",
	}
	if diff := cmp.Diff(want, functiontest.Facts(findings)); diff != "" || v.Name != "pv" || v.Namespace != "ns" {
		t.Errorf("%s/%s -want +got:\n%s", v.Namespace, v.Name, diff)
	}
	_, findings = Read(parse(t, "kind: Pod\n"+strings.SplitN(valid, "\n", 3)[2]).Root(), "x")
	if len(findings) != 1 || findings[0].Path() != "x.kind" {
		t.Errorf("another kind: %v", findings)
	}
}

// A caller that has typed objects gets the same findings.
func TestValidateTyped(t *testing.T) {
	v := &PackageVariant{Spec: Spec{
		Upstream: Upstream{Repo: "r"}, Downstream: Downstream{Package: "p"}, AdoptionPolicy: "x", DeletionPolicy: "Delete",
		PackageContext: PackageContext{Data: Texts{"name": "n"}, RemoveKeys: []string{"", "package-path"}},
		Pipeline:       Pipeline{Mutators: []PipelineFunction{{Image: "i", Exec: "e"}}, Validators: []PipelineFunction{{Name: "a.b"}}},
		Injectors:      []Injector{{Version: new("")}},
	}}
	want := []string{
		"error variant/invalid metadata.name missing=",
		`error variant/invalid spec.adoptionPolicy got="\"x\"" want="adoptNone or adoptExisting"`,
		`error variant/invalid spec.deletionPolicy got="\"Delete\"" want="delete or orphan" near=delete`,
		"error variant/invalid spec.downstream.repo missing=",
		"error variant/invalid spec.injectors[0].name missing=",
		"error variant/invalid spec.injectors[0].version",
		"error context/reserved-key spec.packageContext.data.name",
		"error variant/invalid spec.packageContext.removeKeys[0] missing=",
		"error context/reserved-key spec.packageContext.removeKeys[1]",
		`error variant/invalid spec.pipeline.mutators[0]`,
		`error variant/invalid spec.pipeline.validators[0]`,
		`error variant/invalid spec.pipeline.validators[0].name got="\"a.b\"" want="a name without dots (they separate the parts of the name in the Kptfile)" near=a-b now=a.b propose=a-b`,
		"error variant/invalid spec.upstream.package missing=",
	}
	if diff := cmp.Diff(want, functiontest.Facts(v.validate())); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Rules and severities are what clients and other packages go by.
func TestHasError(t *testing.T) {
	_, findings := Read(parse(t, valid+"  packageContext:\n    data:\n      name: x\n  injectors: {name: a}\n").Root(), "")
	want := []string{"warning variant-set/alias spec.injectors", "error context/reserved-key spec.packageContext.data.name"}
	if diff := cmp.Diff(want, functiontest.Facts(findings)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if !HasError(findings) || HasError(findings[:1]) {
		t.Error("a warning is an error, or an error is none")
	}
}

// A key of a ConfigMap has at most 253 characters.
func TestLongKey(t *testing.T) {
	for length, isRight := range map[int]bool{1: true, 252: true, 253: true, 254: false} {
		if fault := KeyFault(strings.Repeat("k", length)); (fault == nil) != isRight {
			t.Errorf("%d characters: got %v", length, fault)
		}
	}
}

// Only a key that is right without its blanks is proposed.
func TestProposedKey(t *testing.T) {
	for key, want := range map[string]string{"a b": `write "a-b"`, " a  b c": `write "a-b-c"`, "a/b": "", "a /b": "", "..": ""} {
		if fault := KeyFault(key); fault == nil || fault.Action != want {
			t.Errorf("%q: got %v, want the action %q", key, fault, want)
		}
	}
}
