package report

import (
	"fmt"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
)

// A finding that follows from a mistake is left out while the mistake is an error of the report. If it misses facts
// that another run could not read, too, its own run decides.
func TestConsequences(t *testing.T) {
	const facts = "ClusterContext"
	about := func(name string, r diag.Rule) diag.Finding {
		return diag.Say("wrong").About(diag.Resource{APIVersion: "v1", Kind: "ConfigMap", Name: name}, "data").Of(r)
	}
	mistake, follows := about("mistake", rule.ResourcesInvalid), about("follows", rule.ResourcesNoPool)
	mistake.Cause = &diag.Cause{}
	follows.Follows = mistake.Cause
	fault, lacks, both := about("fault", rule.InputInvalid), about("lacks", rule.ResourcesNoPool), follows
	fault.Without, lacks.Without, both.Without = facts, facts, facts
	as := func(f diag.Finding, s diag.Severity) diag.Finding { f.Severity = s; return f }
	for name, tc := range map[string]struct {
		found []diag.Finding
		of    map[int]int // the mistake of each consequence
	}{
		"a mistake that is an error":             {[]diag.Finding{mistake, follows}, map[int]int{1: 0}},
		"a mistake that is a warning":            {[]diag.Finding{as(mistake, diag.Warning), follows}, nil},
		"facts that another run could not read":  {[]diag.Finding{fault, lacks}, map[int]int{1: 0}},
		"facts that it read with a warning":      {[]diag.Finding{as(fault, diag.Warning), lacks}, nil},
		"two faults of the same facts":           {[]diag.Finding{fault, fault}, nil},
		"a mistake, and facts of another run":    {[]diag.Finding{mistake, fault, both}, map[int]int{2: 0}},
		"nothing is missed where there are none": {[]diag.Finding{about("fault", rule.InputInvalid), about("lacks", rule.ResourcesNoPool)}, nil},
	} {
		var r Report
		for i := range tc.found {
			f := Of(fmt.Sprint("run ", i), &tc.found[i])
			f.Line = i + 1
			r.Findings = append(r.Findings, f)
		}
		Tie(r.Findings)
		r.Finish()
		at := map[string]int{} // lines by fingerprint
		for _, f := range r.Findings {
			at[f.Fingerprint] = f.Line - 1
		}
		if len(r.Consequences) != len(tc.of) || len(r.Findings)+len(tc.of) != len(tc.found) {
			t.Errorf("%s: %d consequences and %d other findings", name, len(r.Consequences), len(r.Findings))
		}
		for _, f := range r.Consequences {
			if got, ok := at[f.ConsequenceOf]; !ok || got != tc.of[f.Line-1] {
				t.Errorf("%s: finding %d is a consequence of finding %d", name, f.Line-1, got)
			}
		}
	}
}
