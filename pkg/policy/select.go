package policy

import (
	"cmp"
	"slices"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/policy/manifest"
	"github.com/krm-packs/functions/pkg/rule"
)

// Outcome is the result of a selection.
type Outcome string

// The outcomes.
const (
	// Selected: an Implementation was selected.
	Selected Outcome = "Selected"
	// Denied: the rule for the Interface denies all Implementations.
	Denied Outcome = "Denied"
	// WithoutRule: no rule is for the Interface, so nothing is allowed.
	WithoutRule Outcome = "NoRule"
	// Unsatisfied: no Implementation satisfies any element of the rule.
	Unsatisfied Outcome = "Unsatisfied"
)

// Selection is the result of the policies for one Interface.
type Selection struct {
	// Interface is the Interface.
	Interface *manifest.Interface
	// Outcome tells whether an Implementation was selected, or why none was.
	Outcome Outcome
	// Rule is the rule that was found, or nil if there is none.
	Rule *MergedRule
	// OneOf is the index of the element that was chosen, or -1 if none was.
	OneOf int
	// Implementation is the selected Implementation, or nil if none was selected.
	Implementation *manifest.Implementation
	// Alternatives are the others that satisfy the element, the preferred first.
	Alternatives []*manifest.Implementation
	// Inject is what is injected into the Implementation.
	Inject Injection
	// Backends are the storages of the outputs.
	Backends []Backend
	// Rejected are the Implementations of any revision of the Interface that were
	// not selected, with all reasons, for each element that was tried.
	Rejected []Rejection
	// Findings are faults in what would be injected, or that there is too much to try.
	// With any, the selection is not to be used.
	Findings []diag.Finding
	// Rests are the places that the selection depends on. It may be wrong if one is in
	// doubt: see [Doubts].
	Rests []Place

	// index has the manifests.
	index *Index
	// almost is a rule that was probably meant for the Interface, where there is none.
	almost *MergedRule
}

// Rejection contains the reasons why an Implementation does not satisfy an element.
type Rejection struct {
	// Implementation is the one that was rejected.
	Implementation *manifest.Implementation
	// OneOf is the index of the element, or -1 if no element was tried.
	OneOf int
	// Reasons are all reasons.
	Reasons []Reason
}

// element returns the element that was chosen, or nil if none was.
func (s *Selection) element() *MergedElement {
	if s.OneOf < 0 {
		return nil
	}
	return s.Rule.Elements[s.OneOf]
}

// Select selects an Implementation for an Interface: the first element of its
// rule that some Implementation satisfies is used, and of those that satisfy it
// the first by path, revision from the highest, and name.
func (x *Index) Select(m *Merged, on *manifest.Interface) *Selection {
	s := &Selection{Interface: on, OneOf: -1, Rule: m.ruleFor(on.Ref), Rests: []Place{{Resource: on.Resource}}, index: x}
	for _, p := range m.policies {
		s.restOn(p.Resource, "")
	}
	var candidates []*manifest.Implementation
	for _, i := range x.implementing[on.Path] {
		if i.IsOf(on.Ref) {
			candidates = append(candidates, i)
			s.restOn(i.Resource, "")
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
		s.almost = m.almost(on.Ref)
		s.refuse(WithoutRule, candidates, Reason{NoRule, ""})
	case len(s.Rule.Elements) == 0:
		s.refuse(Denied, candidates, Reason{RuleDenies, s.Rule.Interface.String()})
	default:
		s.try(m, candidates)
	}
	if s.Rule != nil {
		for _, o := range s.Rule.Origins {
			s.restOn(o.Policy.Resource, o.Field)
		}
	}
	if s.Outcome == Selected {
		s.inject(m)
		s.store(m)
	}
	slices.SortStableFunc(s.Rejected, func(a, b Rejection) int {
		return cmp.Or(cmp.Compare(a.Implementation.Ref.String(), b.Implementation.Ref.String()), cmp.Compare(a.OneOf, b.OneOf))
	})
	return s
}

// restOn notes a part of a resource that the selection follows from.
func (s *Selection) restOn(r diag.Resource, part string) { s.Rests = append(s.Rests, Place{r, part}) }

// maxRejected bounds the rejections of a selection: there is one for each
// candidate and each element that was tried, and all are written.
const maxRejected = 100_000

// try looks for the first element that some candidate satisfies.
func (s *Selection) try(m *Merged, candidates []*manifest.Implementation) {
	s.Outcome = Unsatisfied
	for n, e := range s.Rule.Elements {
		if len(s.Rejected)+len(candidates) > maxRejected {
			o := s.Rule.Origins[0]
			s.Findings = append(s.Findings, diag.Say("the list has %d elements, and %s has %d Implementations: after %d comparisons none is selected",
				len(s.Rule.Elements), s.Interface.Ref, len(candidates), maxRejected).Do("remove elements").About(o.Policy.Resource, o.Field+".oneOf").Of(rule.PolicyInvalid))
			return
		}
		instances := m.required(e)
		var survivors []*manifest.Implementation
		for _, i := range candidates {
			if reasons := s.index.check(e, instances, i, s.Interface); len(reasons) > 0 {
				s.Rejected = append(s.Rejected, Rejection{i, n, reasons})
				continue
			}
			survivors = append(survivors, i)
		}
		if len(survivors) > 0 {
			s.Outcome, s.OneOf = Selected, n
			s.Implementation, s.Alternatives = survivors[0], survivors[1:]
			return
		}
	}
}

// refuse rejects all candidates for one reason.
func (s *Selection) refuse(outcome Outcome, candidates []*manifest.Implementation, reason Reason) {
	s.Outcome = outcome
	for _, i := range candidates {
		s.Rejected = append(s.Rejected, Rejection{i, -1, []Reason{reason}})
	}
}
