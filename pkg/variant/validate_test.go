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

// What is no PackageVariant, or is one of another version. Others are cases of the function.
func TestNoPackageVariant(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       []string
	}{
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
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, findings := Read(parse(t, tc.text).Root(), "")
			diag.Sort(findings)
			if diff := cmp.Diff(tc.want, functiontest.Facts(findings)); diff != "" {
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
