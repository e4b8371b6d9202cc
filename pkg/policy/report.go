package policy

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/policy/manifest"
)

// maxTold bounds the lists in messages.
const maxTold = 8

// Report says what was selected, at the element of a policy that decided. name is that
// of the selection, about is where it is asked for, and severity is that of one that
// selects nothing.
func (s *Selection) Report(name string, about *diag.Origin, field string, severity diag.Severity) diag.Finding {
	title := name + ": "
	if name == selectionName(s.Interface.Ref) {
		title = "" // the message names the Interface
	}
	var f diag.Finding
	switch s.Outcome {
	case Selected:
		f = diag.Say("%s%s is selected for %s, by oneOf[%d] of the rule for %s (%s)%s", title, s.Implementation.Ref, s.Interface.Ref, s.OneOf, s.Rule.Interface, s.from(), s.others()).Of(RuleSelected)
	case Denied:
		f = diag.Say("%sthe rule for %s (%s) denies all Implementations of %s: its oneOf is empty", title, s.Rule.Interface, s.from(), s.Interface.Ref).
			Do("add an element to oneOf, or remove what needs the Interface").Of(RuleDenied)
	case WithoutRule:
		f = diag.Say("%sno policy in use has a rule for %s, so no Implementation is allowed", title, s.Interface.Ref).
			Do("add a rule for it, or for " + manifest.AnyInterface).Of(RuleNoRule)
	case Unsatisfied:
		f = s.unsatisfied(title).Of(RuleUnsatisfied)
	}
	f = f.In(about, field, diag.Position{})
	f.Tags = map[string]string{"selection": name, "interface": s.Interface.Ref.String(), "outcome": string(s.Outcome)}
	if s.Rule != nil {
		o := s.origins()[0]
		f = f.About(o.Policy.Resource, o.Field)
		if s.Outcome != Selected {
			f.Key += ".oneOf"
		}
		f.Tags["from"] = strings.Join(scopes(s.origins()), ",")
	}
	if s.Outcome == Selected {
		f.Tags["implementation"] = s.Implementation.Ref.String()
	} else {
		f.Severity = severity
	}
	if s.Outcome == Unsatisfied {
		var codes []string
		for code := range s.codes() {
			codes = append(codes, string(code))
		}
		slices.Sort(codes)
		f.Tags["reasons"] = strings.Join(codes, ",")
	}
	return f
}

// from names the scopes of the policies that decided.
func (s *Selection) from() string { return "from " + strings.Join(scopes(s.origins()), ", ") }

// others lists the alternatives.
func (s *Selection) others() string {
	var refs []string
	for _, i := range s.Alternatives {
		refs = append(refs, i.Ref.String())
	}
	if len(refs) == 0 {
		return ""
	}
	return ". Alternatives: " + strings.Join(shorten(refs), ", ")
}

// codes are the codes of all reasons.
func (s *Selection) codes() map[ReasonCode]bool {
	all := map[ReasonCode]bool{}
	for _, r := range s.Rejected {
		for _, reason := range r.Reasons {
			all[reason.Code] = true
		}
	}
	return all
}

// unsatisfied says why each candidate was rejected.
func (s *Selection) unsatisfied(title string) diag.Finding {
	var told []string
	for _, r := range s.Rejected {
		var reasons []string
		for _, reason := range r.Reasons {
			reasons = append(reasons, reason.String()+s.otherRevisions(reason))
		}
		text := r.Implementation.Ref.String() + " " + strings.Join(reasons, ", and ")
		if r.OneOf >= 0 {
			text = fmt.Sprintf("oneOf[%d]: %s", r.OneOf, text)
		}
		told = append(told, text)
	}
	if len(told) == 0 {
		return diag.Say("%sno Implementation in the package implements %s", title, s.Interface.Ref).Do(checkSelectors)
	}
	f := diag.Say("%sno Implementation of %s satisfies the rule for %s (%s). %s", title, s.Interface.Ref, s.Rule.Interface, s.from(), strings.Join(shorten(told), "; "))
	has := s.codes()
	switch {
	case has[AliasNotInjected]:
		return f.Do("for an alias, name a TypeInstance of its Type in inject.requiredTypeInstances")
	case has[RequirementUnavailable] || has[OneOfNone] || has[NoneOfAnyOf]:
		return f.Do("add the missing TypeInstance, or name its Type in assumeTypeRefs")
	}
	return f.Do("change the constraints, or add an Implementation that satisfies them")
}

// otherRevisions says in which other revisions a Type is available that a reason is
// about.
func (s *Selection) otherRevisions(reason Reason) string {
	if reason.Code != RequirementUnavailable && reason.Code != OneOfNone && reason.Code != NoneOfAnyOf {
		return ""
	}
	known := map[string]bool{}
	for ref := range s.index.available {
		if strings.Contains(reason.Detail+",", ref.Path+":") {
			known[ref.String()] = true
		}
	}
	if len(known) == 0 {
		return ""
	}
	return " (available: " + strings.Join(slices.Sorted(maps.Keys(known)), ", ") + ")"
}

// shorten cuts a list that is too long for a message.
func shorten(all []string) []string {
	if more := len(all) - maxTold; more > 0 {
		return append(slices.Clone(all[:maxTold]), fmt.Sprintf("and %d more", more))
	}
	return all
}
