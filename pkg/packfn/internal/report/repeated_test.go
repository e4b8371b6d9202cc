package report

import (
	"errors"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
)

// A mistake that several functions report at a place is told once. Two mistakes at one place, as in a text
// whose lines are not known, are both told.
func TestRepeated(t *testing.T) {
	origin := &diag.Origin{Resource: diag.Resource{APIVersion: "v1", Kind: "ConfigMap", Name: "web"}, Field: "data[pack.json]", Embedded: true}
	broken := diag.Unreadable(errors.New("no end")).From(origin).Of(rule.InputInvalid)
	lacks := func(noun, name string, r diag.Rule) diag.Finding {
		return diag.NotFound(noun, name, nil).In(origin, "a", diag.Position{}).Of(r)
	}
	twice := diag.Duplicate(diag.Position{Line: 1}, diag.Position{Line: 2}).In(origin, "a", diag.Position{Line: 2})
	ambiguous := diag.Say("quotes").In(origin, "a", diag.Position{Line: 2}).Of(rule.InputAmbiguousScalar)
	unfilled := diag.Say("not replaced").In(origin, "a", diag.Position{Line: 2}).Of(rule.InputPlaceholder)
	wrong := diag.Got("1", "2").In(origin, "a", diag.Position{Line: 2}).Of(rule.ValuesFormat)
	for name, tc := range map[string]struct {
		one, two diag.Finding
		told     int
	}{
		"a text that none of them can read":       {broken, broken, 1},
		"a key that is given twice":               {twice.Of(rule.InputInvalid), twice.Of(rule.ValuesDuplicateKey), 1},
		"a name that nothing has":                 {lacks("pack", "vault", rule.InputInvalid), lacks("pack", "vault", rule.ConfigInvalid), 1},
		"a value that an API server reads":        {ambiguous, ambiguous, 1},
		"a fact that is a placeholder":            {unfilled, unfilled, 1},
		"two names at one place":                  {lacks("pack", "vault", rule.InputInvalid), lacks("pack", "consul", rule.ConfigInvalid), 2},
		"a key and a name at one place":           {twice.Of(rule.InputInvalid), lacks("pack", "vault", rule.ConfigInvalid), 2},
		"what is wrong with a value, by two":      {wrong, wrong, 2},
		"a text that cannot be read, and a value": {broken, wrong, 2},
	} {
		if got := WithoutRepeated([]Finding{Of("one", &tc.one), Of("two", &tc.two)}); len(got) != tc.told {
			t.Errorf("%s: %d are told, want %d", name, len(got), tc.told)
		}
	}
}
