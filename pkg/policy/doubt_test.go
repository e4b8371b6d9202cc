package policy

import (
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
)

// What an error leaves unknown: everything, a resource, or the body of one rule.
func TestPlaceOf(t *testing.T) {
	for _, tc := range []struct {
		kind, path string
		want       string // the part, "whole" for the resource, "everything"
	}{
		{"Policy", "spec.interface.rules[3].oneOf[0].inject", "spec.interface.rules[3]"},
		{"Policy", "spec.interface.rules[3].interface.path", "whole"},
		{"Policy", "spec.interface.rules[3]", "whole"},
		{"Policy", "spec.interface.default.inject", "whole"},
		{"Policy", "spec.typeInstance.rules[12].backend.id", "spec.typeInstance.rules[12]"},
		{"Policy", "spec.typeInstance.rules[12].typeRef.path", "whole"},
		{"Policy", "spec.scope", "everything"},
		{"Policy", "spec", "everything"},
		{"Policy", "", "everything"},
		{"Policy", "apiVersion", "everything"},
		{"Implementation", "spec.requires.cap.type.allOf[0].name", "whole"},
		{"Implementation", "spec.implements[0].path", "everything"},
		{"Implementation", "spec.implements", "everything"},
		{"Implementation", "spec.revision", "everything"},
		{"Interface", "spec.output.typeInstances", "whole"},
		{"Type", "spec.jsonSchema", "whole"},
		{"TypeInstance", "spec.typeRef.path", "everything"},
		{"SelectImplementations", "spec.references[2].workflowPolicies[0]", "spec.references[2]"},
		{"SelectImplementations", "spec.policyOrder", "everything"},
		{"Polcy", "kind", "everything"},
	} {
		r := diag.Resource{Kind: tc.kind, Name: "x"}
		want := Place{r, tc.want}
		switch tc.want {
		case "whole":
			want.Part = ""
		case "everything":
			want = everything
		}
		f := diag.Say("x").About(r, tc.path).Of(rule.PolicyInvalid)
		if got := placeOf(&f); got != want {
			t.Errorf("%s %s: got %+v, want %+v", tc.kind, tc.path, got, want)
		}
	}
	f := diag.Unknown("field", "other", []string{"interface"}).About(diag.Resource{Kind: "Policy"}, "spec.other")
	if got := placeOf(&f); got == everything {
		t.Error("an unknown field leaves everything unknown")
	}
	// A misspelt field is in the place of the field that was meant.
	f = diag.Unknown("field", "oneof", []string{"oneOf"}).About(diag.Resource{Kind: "Policy"}, "spec.interface.rules[0].oneof")
	if got := placeOf(&f).Part; got != "spec.interface.rules[0]" {
		t.Errorf("got %q", got)
	}
}

// Only errors leave doubts, whatever the user makes of their severity.
func TestDoubts(t *testing.T) {
	one, other := diag.Resource{Kind: "Interface", Name: "a"}, diag.Resource{Kind: "Interface", Name: "b"}
	d := Doubts{}
	d.Note(diag.Say("x").About(one, "spec.a").Of(rule.PolicyUnused), diag.Say("x").About(other, "spec.a").Of(rule.PolicyInvalid))
	if d.Touch([]Place{{Resource: one}}) || !d.Touch([]Place{{Resource: one}, {Resource: other}}) {
		t.Errorf("got %v", d)
	}
	if d[everything] = true; !d.Touch(nil) {
		t.Error("everything is not in doubt")
	}
}
