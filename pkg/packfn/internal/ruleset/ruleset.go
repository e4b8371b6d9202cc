// Package ruleset knows which rules packfn reports, and sets which of their findings are reported and with which severity.
package ruleset

import (
	"fmt"
	"maps"
	"slices"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/rule"
)

// Rules say which findings are reported, and with which severity.
type Rules struct {
	// Only lists the ids of the rules to report; an empty list means all rules. Inputs that
	// cannot be read are always reported.
	Only []string
	// Severity overrides the severity of rules.
	Severity map[string]diag.Severity
	// Configured is the severity of rules that are not in Severity.
	Configured map[string]diag.Severity
}

// rules returns the ids of the rules that can be reported, including the rules of mutators, which
// may not run.
func rules() []string {
	return rule.IDs(func(r rule.Rule) bool {
		if r.By == "" {
			return r.ID != rule.Accepted.ID && r.ID != rule.NothingToDo.ID
		}
		return !r.IsBy("packfn upgrade")
	})
}

// Validate returns an error for a rule or a severity that does not exist.
func (o *Rules) Validate() error {
	known := rules()
	for _, id := range o.Only {
		if !slices.Contains(known, id) {
			f := diag.Unknown("rule", id, known)
			return fmt.Errorf("--only: %s", f.Message())
		}
	}
	for _, id := range slices.Sorted(maps.Keys(o.Severity)) {
		f := SeverityFault(id, o.Severity[id])
		if f == nil && !slices.Contains(known, id) {
			f = new(diag.Unknown("rule", id, known))
		}
		if f != nil {
			return fmt.Errorf("--severity %s: %s", id, f.Message())
		}
	}
	return nil
}

// SetSeverity sets the severity of a finding that the user chose for its rule.
func (o *Rules) SetSeverity(f *report.Finding) {
	for _, severities := range []map[string]diag.Severity{o.Configured, o.Severity} {
		if severity, ok := severities[f.Rule]; ok {
			f.Severity = severity
		}
	}
}

// SeverityFault returns a finding that explains why the severity of a rule cannot be set, or nil
// if it can.
func SeverityFault(id string, severity diag.Severity) *diag.Finding {
	known := append(rules(), rule.IDs(func(r rule.Rule) bool { return r.IsBy("packfn upgrade") })...)
	switch {
	case rule.Of(id).Fixed:
		return new(diag.Say("the severity of %s cannot be changed", id))
	case !slices.Contains(known, id):
		return new(diag.Unknown("rule", id, known))
	case !slices.Contains(diag.Severities, string(severity)):
		return new(diag.GotName(string(severity), diag.Severities))
	}
	return nil
}
