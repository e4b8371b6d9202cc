package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
)

// A function marks findings that are only consequences of a mistake
// (pkg/function/consequence.go). This file removes these consequences from a report, once the
// severity of each finding is known.

// Tie sets Cause of each finding that is the consequence of a mistake. The mistake is in the same
// run, or it is a fault in another run that hides the facts which the finding reports as missing.
// Call it with all findings of these runs, after they are located, and before any finding is
// removed.
func Tie(all []Finding) {
	mistakes, faults := map[*diag.Cause]string{}, map[string]string{}
	for i := range all {
		f := &all[i]
		if f.Reported == nil {
			continue
		}
		if f.Reported.Cause != nil {
			mistakes[f.Reported.Cause] = f.identity()
		}
		if f.Reported.Rule.Cause {
			faults[f.Reported.Without] = f.identity()
		}
	}
	delete(faults, "")
	for i := range all {
		f := &all[i]
		if f.Reported == nil {
			continue
		}
		if f.Cause = mistakes[f.Reported.Follows]; f.Cause == "" && !f.Reported.Rule.Cause {
			f.Cause = faults[f.Reported.Without]
		}
	}
}

// identity returns a string that is equal if several functions, or checks of several sets of
// files, report the same mistake.
func (f *Finding) identity() string {
	return strings.Join([]string{f.Rule, f.File, fmt.Sprint(f.Line, f.Column), f.Resource.String(), f.Field, f.Key}, "\x00")
}

// All returns the findings with the consequences among them, in order.
func (r *Report) All() []Finding {
	all := slices.Concat(r.Findings, r.Consequences)
	slices.SortStableFunc(all, compare)
	return all
}

// split moves findings that follow from an error of the report to Consequences, and all others to
// Findings. A consequence of a warning, or of a finding that an option leaves out, stays in
// Findings.
func (r *Report) split() {
	all := r.All()
	mistakes := map[string]string{} // fingerprints by identity
	for i := range all {
		if f := &all[i]; f.Severity == diag.Error {
			mistakes[f.identity()] = f.Fingerprint
		}
	}
	r.Findings, r.Consequences = nil, nil
	for _, f := range all {
		if f.ConsequenceOf = mistakes[f.Cause]; f.ConsequenceOf == "" {
			r.Findings = append(r.Findings, f)
		} else {
			r.Consequences = append(r.Consequences, f)
		}
	}
}

// Without leaves out the findings of an earlier report, by their fingerprints. What follows from one of
// these, and is not in that report itself, is reported.
func (r *Report) Without(known map[string]bool) {
	isKnown := func(f Finding) bool { return known[f.Fingerprint] }
	r.Findings, r.Consequences = slices.DeleteFunc(r.Findings, isKnown), slices.DeleteFunc(r.Consequences, isKnown)
	r.split()
}
