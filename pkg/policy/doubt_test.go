package policy

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/cases"
	"github.com/krm-packs/functions/pkg/rule"
)

// A case has the kinds and paths of findings. The outcome is what an error there leaves unknown: everything, a resource,
// or the body of one rule.
func TestPlaceOf(t *testing.T) {
	cases.Table(t, "doubts", func(t *testing.T, c *cases.Case) string {
		var b strings.Builder
		for line := range strings.Lines(c.Text("findings")) {
			kind, path, _ := strings.Cut(strings.TrimSpace(line), " ")
			r := diag.Resource{Kind: kind, Name: "x"}
			f := diag.Say("x").About(r, path).Of(rule.PolicyInvalid)
			got, unknown := placeOf(&f), "everything"
			if got != everything {
				unknown = cmp.Or(got.Part, "the resource")
				if got.Resource != r {
					t.Errorf("%s: the place is in %v", line, got.Resource)
				}
			}
			fmt.Fprintf(&b, "%s: %s\n", strings.TrimSpace(line), unknown)
		}
		return b.String()
	})
}

// An unknown field does not leave everything unknown.
func TestPlaceOfUnknownField(t *testing.T) {
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
