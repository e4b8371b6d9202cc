package variant

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/internal/cases"
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

// A case is a PackageVariant, which is at a place of another resource, or by itself. The outcome is what is read and found.
func TestRead(t *testing.T) {
	cases.Table(t, "read", func(t *testing.T, c *cases.Case) string {
		v, findings := Read(parse(t, c.Text("variant.yaml")).Root(), strings.TrimSpace(c.Text("place")))
		diag.Sort(findings)
		var b strings.Builder
		for i, facts := range functiontest.Facts(findings) {
			fmt.Fprintf(&b, "%s: %s\n", facts, findings[i].Message())
		}
		if v != nil && v.Name != "" {
			fmt.Fprintf(&b, "%s in namespace %s", v.Name, v.Namespace)
		}
		if hasError := slices.ContainsFunc(findings, func(f diag.Finding) bool { return f.Level() == diag.Error }); HasError(findings) != hasError {
			t.Errorf("it is %v that there is an error", !hasError)
		}
		return b.String()
	})
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
