package function

import (
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
)

// What only follows from a fault is at its path, above or below it, or at the path
// that a misspelt field should have.
func TestFaultsHide(t *testing.T) {
	a, b := diag.Resource{Kind: "A", Name: "a"}, diag.Resource{Kind: "B", Name: "b"}
	Evaluate(demo(&stub{process: func(r *Run) {
		r.Report(
			diag.Got("text", "a list").About(a, "spec.pools[1].size").Of(rule.InputInvalid),
			diag.Unknown("field", "machinPools", []string{"machinePools"}).About(b, "spec.machinPools").Of(rule.InputInvalid),
			diag.Say("of another rule").About(a, "spec.other").Of(diag.Rule{ID: "demo/error", Severity: diag.Error}),
		)
		faults := r.Faults()
		for _, tc := range []struct {
			resource diag.Resource
			path     string
			want     bool
		}{
			{a, "spec.pools[1].size", true},
			{a, "spec.pools[1].size.deeper", true},
			{a, "spec.pools[1]", true},
			{a, "spec", true},
			{a, "spec.pools[0]", false},
			{a, "spec.pools[1].sizes", false},
			{a, "spec.other", false},
			{b, "spec.machinePools", true},
			{b, "spec.machinePools[0].name", true},
			{b, "spec.pools", false},
			{diag.Resource{}, "spec", false},
		} {
			if got := faults.IsHidden(tc.resource, tc.path); got != tc.want {
				t.Errorf("%s %s: got %v", tc.resource, tc.path, got)
			}
		}
	}}), readList(t, listStart+oneItem))
}
