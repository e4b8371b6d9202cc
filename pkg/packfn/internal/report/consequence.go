package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
)

// A function says which findings only follow from a mistake (pkg/function/consequence.go). Here that
// becomes what a report leaves out, when the severity of each finding is known.

// Tie notes at each finding that follows from a mistake which mistake that is: of the same run, or the
// fault of another run that makes the facts unknown which the finding misses. Call it with all findings of
// these runs, once they are placed, and before anything removes one of them.
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

// identity is what a mistake has in common that several functions report, or that several sets of files have.
func (f *Finding) identity() string {
	return strings.Join([]string{f.Rule, f.File, fmt.Sprint(f.Line, f.Column), f.Resource.String(), f.Field, f.Key}, "\x00")
}

// All returns the findings with the consequences among them, in order.
func (r *Report) All() []Finding {
	all := slices.Concat(r.Findings, r.Consequences)
	slices.SortStableFunc(all, compare)
	return all
}

// split makes Consequences of the findings that follow from an error of the report, and Findings of all
// others: what follows from a warning, or from what an option leaves out, is reported.
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
