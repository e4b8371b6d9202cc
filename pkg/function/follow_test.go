package function

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
)

// What only follows from a misspelt name is left out, and nothing else.
func TestMisspeltExplains(t *testing.T) {
	one := diag.Resource{APIVersion: "v1", Kind: "ConfigMap", Name: "one"}
	two := diag.Resource{APIVersion: "v1", Kind: "ConfigMap", Name: "two"}
	text := &diag.Origin{Resource: one, Field: "data[a.json]", Name: "a.json", Embedded: true}
	unknown := func(name, near string) diag.Finding {
		return diag.Unknown("field", name, []string{near}).Of(rule.InputInvalid)
	}
	field := unknown("pols", "pools").About(one, "spec.pols")
	key := unknown("nmae", "name").In(text, "a.nmae", diag.Position{Line: 1, Column: 1})
	ref := func(name string, r diag.Resource) diag.Finding {
		return diag.NotFound("pack", name, nil).About(r, "spec.ref").Of(rule.InputInvalid)
	}
	for name, tc := range map[string]struct {
		found []diag.Finding
		left  string // the indexes of those that are listed
	}{
		"missing in the place of the name":           {[]diag.Finding{field, diag.Missing("").About(one, "spec.pools").Of(demoError)}, "0"},
		"missing in its place in a text":             {[]diag.Finding{key, diag.Missing("").In(text, "a.name", diag.Position{}).Of(demoError)}, "0"},
		"empty in its place":                         {[]diag.Finding{field, diag.Missing("empty").About(one, "spec.pools").Of(demoError)}, "0 1"},
		"missing elsewhere":                          {[]diag.Finding{field, diag.Missing("").About(one, "spec.size").Of(demoError), diag.Missing("").About(two, "spec.pools").Of(demoError)}, "0 1 2"},
		"the name by another rule":                   {[]diag.Finding{diag.Unknown("field", "pols", nil).About(one, "spec.pols").Of(demoError), field}, "1"},
		"the name among others":                      {[]diag.Finding{field, unknown("pols", "polls").About(one, "spec.pols")}, "0"},
		"a name that the resource has":               {[]diag.Finding{field, ref("vault", two)}, "0"},
		"a name that no resource has":                {[]diag.Finding{field, ref("consul", two)}, "0 1"},
		"a name that only the reference has":         {[]diag.Finding{field, ref("vault", one)}, "0 1"},
		"a name that is misspelt, too":               {[]diag.Finding{field, diag.NotFound("pack", "valt", []string{"vault"}).About(two, "spec.ref").Of(rule.InputInvalid)}, "0 1"},
		"what may be there, unseen":                  {[]diag.Finding{field, diag.Say("nothing").IfUnseen(diag.ItExists).About(two, "").Of(demoError)}, "0"},
		"a rule of what is not there":                {[]diag.Finding{field, diag.Say("no pool").Of(diag.Rule{ID: rule.ResourcesNoPool.ID, Severity: diag.Error})}, "0"},
		"an ordinary finding":                        {[]diag.Finding{field, diag.Say("wrong").About(one, "spec.pools").Of(demoError)}, "0 1"},
		"what a pack misses that was read":           {[]diag.Finding{key.For("a"), diag.Say("nothing").IfUnseen(diag.ItExists).About(one, "").Of(demoError), diag.Say("nothing").IfUnseen(diag.ItExists).About(two, "").Of(demoError)}, "0 2"},
		"a reference to something that seems unused": {[]diag.Finding{diag.NotFound("type", "tpe", []string{"type"}).About(one, "spec.ref").Of(rule.InputInvalid), diag.Say("unused").Of(rule.PolicyUnused), ref("vault", two)}, "0 2"},
		"a warning, which hides nothing":             {[]diag.Finding{diag.Unknown("field", "pols", []string{"pools"}).About(one, "spec.pols").Of(demoWarning), diag.Missing("").About(one, "spec.pools").Of(demoError), ref("vault", two)}, "0 1 2"},
		"a name without a candidate":                 {[]diag.Finding{diag.Unknown("field", "xyz", []string{"pools"}).About(one, "spec.xyz").Of(rule.InputInvalid), diag.Missing("").About(one, "spec.pools").Of(demoError), ref("vault", two)}, "0 1 2"},
		"a name with two candidates":                 {[]diag.Finding{diag.Unknown("field", "pol", []string{"pool", "poll"}).About(one, "spec.pol").Of(rule.InputInvalid), ref("vault", two)}, "0 1"},
	} {
		f := demo(&stub{process: func(r *Run) { r.Report(tc.found...) }})
		f.Rules = append(f.Rules, rule.ResourcesNoPool, rule.PolicyUnused)
		outcome := Evaluate(f, readList(t, listStart+oneItem+"  spec: {pols: [vault]}\n"+twoItem))
		var left []string
		for i := range tc.found {
			for _, got := range outcome.Findings {
				if got.Path() == tc.found[i].Path() && got.Key == tc.found[i].Key && got.Rule == tc.found[i].Rule && got.Found == tc.found[i].Found && got.Resource() == tc.found[i].Resource() && got.Accepted == tc.found[i].Accepted {
					left = append(left, string(rune('0'+i)))
				}
			}
		}
		if diff := cmp.Diff(tc.left, strings.Join(left, " ")); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
	}
}

// The rest of more findings than are listed is left out with them.
func TestMisspeltExplainsTheRest(t *testing.T) {
	one := diag.Resource{APIVersion: "v1", Kind: "ConfigMap", Name: "one"}
	outcome := Evaluate(demo(&stub{process: func(r *Run) {
		r.Report(diag.Unknown("field", "pols", []string{"pools"}).About(one, "spec.pols").Of(rule.InputInvalid))
		for i := range 2 * maxAlike {
			r.Report(diag.Say("nothing %d", i).IfUnseen(diag.ItExists).About(one, "spec").Of(demoError))
		}
	}}), readList(t, listStart+oneItem))
	if len(outcome.Findings) != 1 {
		t.Errorf("got %d findings", len(outcome.Findings))
	}
}
