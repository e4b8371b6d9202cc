package policy

import (
	"cmp"
	"slices"

	"github.com/krm-packs/functions/pkg/function"
)

// Outcome is what a selection comes to.
type Outcome string

// The outcomes.
const (
	// Selected: an Implementation was selected.
	Selected Outcome = "Selected"
	// Denied: the rule for the Interface denies all Implementations.
	Denied Outcome = "Denied"
	// WithoutRule: no rule is for the Interface, so that nothing is allowed.
	WithoutRule Outcome = "NoRule"
	// Unsatisfied: no Implementation satisfies any element of the rule.
	Unsatisfied Outcome = "Unsatisfied"
)

// Selection is what the policies say of one Interface.
type Selection struct {
	Interface *Interface
	Outcome   Outcome
	// Rule is the rule that was found, nil when there is none.
	Rule *MergedRule
	// OneOf is the index of the element that was chosen, -1 when none was.
	OneOf int
	// Implementation is what was selected, nil when nothing was.
	Implementation *Implementation
	// Alternatives are the others that satisfy the element, the preferred first.
	Alternatives []*Implementation
	Inject       Injection
	Backends     []Backend
	// Rejected are the Implementations of any revision of the Interface that were
	// not selected, with all reasons, for each element that was tried.
	Rejected []Rejection
	// Findings are what is wrong with what would be injected, or that there is too
	// much to try.
	Findings []function.Finding
	// Undetermined says that the selection depends on something that was not
	// understood, so that it may be another one.
	Undetermined bool
}

// Rejection is why an Implementation does not satisfy an element.
type Rejection struct {
	Implementation *Implementation
	// OneOf is the index of the element, -1 when no element was tried.
	OneOf   int
	Reasons []Reason
}

// Element returns the element that was chosen, nil when none was.
func (s *Selection) Element() *MergedElement {
	if s.OneOf < 0 {
		return nil
	}
	return s.Rule.Elements[s.OneOf]
}

// Select selects an Implementation for an Interface: the first element of its
// rule that some Implementation satisfies counts, and of those that satisfy it
// the first by path, revision from the highest, and name.
func (x *Index) Select(m *Merged, on *Interface) *Selection {
	s := &Selection{Interface: on, OneOf: -1, Rule: m.Rule(on.Ref), Undetermined: m.broken || on.faulty}
	var candidates []*Implementation
	for _, i := range x.implementing[on.Path] {
		if i.implements[on.Ref] {
			candidates = append(candidates, i)
			s.Undetermined = s.Undetermined || i.faulty
			continue
		}
		var reasons []Reason
		for _, ref := range i.Implements {
			if ref.Path == on.Path {
				reasons = append(reasons, Reason{NotImplementing, ref.String()})
			}
		}
		s.Rejected = append(s.Rejected, Rejection{i, -1, tidy(reasons)})
	}
	switch {
	case s.Rule == nil:
		s.refuse(WithoutRule, candidates, Reason{NoRule, ""})
	case len(s.Rule.Elements) == 0:
		s.refuse(Denied, candidates, Reason{RuleDenies, s.Rule.Interface.String()})
	default:
		s.Outcome = Unsatisfied
		for n, e := range s.Rule.Elements {
			if len(s.Rejected)+len(candidates) > maxRejected {
				s.tooMany(len(candidates))
				break
			}
			if survivors := x.try(m, s, n, e, candidates); len(survivors) > 0 {
				s.Outcome, s.OneOf = Selected, n
				s.Implementation, s.Alternatives = survivors[0], survivors[1:]
				break
			}
		}
	}
	if s.Rule != nil {
		s.Undetermined = s.Undetermined || s.Rule.faulty
	}
	if s.Outcome == Selected {
		e := s.Element()
		var more []function.Finding
		s.Inject, s.Findings = x.injection(m, e, s.Implementation)
		s.Backends, more = x.backends(m, s.Rule, e, s.Implementation, on)
		s.Findings = append(s.Findings, more...)
		s.Undetermined = s.Undetermined || s.unknownInstance()
	}
	s.Undetermined = s.Undetermined || len(s.Findings) > 0
	slices.SortStableFunc(s.Rejected, func(a, b Rejection) int {
		return cmp.Or(cmp.Compare(a.Implementation.text, b.Implementation.text), cmp.Compare(a.OneOf, b.OneOf))
	})
	return s
}

// maxRejected bounds the rejections of a selection: there is one for each
// candidate and each element that was tried, and all are written.
const maxRejected = 100_000

// tooMany gives up.
func (s *Selection) tooMany(candidates int) {
	o := s.Rule.Origins[0]
	s.Findings = append(s.Findings, invalid(o.Policy.Resource, o.Field+".oneOf", "%d elements for %d Implementations of %s are too many: none was selected within %d trials; want fewer elements",
		len(s.Rule.Elements), candidates, s.Interface.Ref, maxRejected))
}

// refuse rejects all candidates for one reason.
func (s *Selection) refuse(outcome Outcome, candidates []*Implementation, reason Reason) {
	s.Outcome = outcome
	for _, i := range candidates {
		s.Rejected = append(s.Rejected, Rejection{i, -1, []Reason{reason}})
	}
}

// try returns the candidates that satisfy an element.
func (x *Index) try(m *Merged, s *Selection, n int, e *MergedElement, candidates []*Implementation) []*Implementation {
	instances := m.required(e)
	for _, i := range instances {
		// With the right id other candidates might survive.
		s.Undetermined = s.Undetermined || i.TypeRef == (Ref{})
	}
	var survivors []*Implementation
	for _, i := range candidates {
		if reasons := x.judge(e, instances, i, s.Interface); len(reasons) > 0 {
			s.Rejected = append(s.Rejected, Rejection{i, n, reasons})
			continue
		}
		survivors = append(survivors, i)
	}
	return survivors
}

// unknownInstance reports whether the selected Implementation is given a
// TypeInstance that is not there, or stores an output in none.
func (s *Selection) unknownInstance() bool {
	for _, t := range s.Element().Additional {
		if t.TypeRef == (Ref{}) {
			return true
		}
	}
	for _, b := range s.Backends {
		if b.ID != "" && !b.known {
			return true
		}
	}
	return false
}
