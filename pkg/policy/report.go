package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/function"
)

// maxTold bounds the lists in messages.
const maxTold = 8

// Report says what a selection came to, at the element of a policy that decided.
// name is that of the selection, about is where it is asked for, and severity is
// that of one that selects nothing.
func (s *Selection) Report(name string, about function.Finding, severity function.Severity) function.Finding {
	f := about
	title := name + ": "
	if name == selectionName(s.Interface.Ref) {
		title = "" // the message names the Interface
	}
	f.Tags = map[string]string{"selection": name, "interface": s.Interface.Ref.String(), "outcome": string(s.Outcome)}
	if s.Outcome != Selected {
		f.Severity = severity
	}
	if s.Rule != nil {
		o := s.Rule.Origins[0]
		f.Resource, f.Field = o.Policy.Resource, o.Field+".oneOf"
		f.Tags["from"] = strings.Join(scopes(s.Rule.Origins), ",")
	}
	switch s.Outcome {
	case Selected:
		o := s.Element().Origins[0]
		f.Rule, f.Severity, f.Resource, f.Field = RuleSelected, "", o.Policy.Resource, o.Field
		f.Tags["from"] = strings.Join(scopes(s.Element().Origins), ",")
		f.Tags["implementation"] = s.Implementation.Ref.String()
		f.Message = fmt.Sprintf("%s%s is implemented by %s, by the rule for %s (oneOf[%d], from %s)%s",
			title, s.Interface.Ref, s.Implementation.Ref, s.Rule.Interface, s.OneOf, strings.Join(scopes(s.Element().Origins), ", "), s.others())
	case Denied:
		f.Rule = RuleDenied
		f.Message = fmt.Sprintf("%sall Implementations of %s are denied by the rule for %s (from %s), whose oneOf is empty; list what is allowed there, or remove what needs the Interface",
			title, s.Interface.Ref, s.Rule.Interface, strings.Join(scopes(s.Rule.Origins), ", "))
	case WithoutRule:
		f.Rule = RuleNoRule
		f.Message = fmt.Sprintf("%sno policy that is used has a rule for %s, and without one nothing is allowed; add a rule for it, or one for %s with an empty element; if there are policies in the package, a selector of the function may hide them",
			title, s.Interface.Ref, anyInterface)
	case Unsatisfied:
		f.Rule = RuleUnsatisfied
		f.Message = fmt.Sprintf("%sno Implementation of %s satisfies the rule for %s (from %s): %s",
			title, s.Interface.Ref, s.Rule.Interface, strings.Join(scopes(s.Rule.Origins), ", "), s.why())
	}
	return f
}

// others lists the alternatives.
func (s *Selection) others() string {
	var refs []string
	for _, i := range s.Alternatives {
		refs = append(refs, i.Ref.String())
	}
	if len(refs) == 0 {
		return ""
	}
	return "; it would also be " + strings.Join(shorten(refs, "more"), ", ")
}

// why says of each candidate what speaks against it.
func (s *Selection) why() string {
	var told []string
	for _, r := range s.Rejected {
		var reasons []string
		for _, reason := range r.Reasons {
			reasons = append(reasons, reason.String())
		}
		text := r.Implementation.Ref.String() + " " + strings.Join(reasons, " and ")
		if r.OneOf >= 0 {
			text += fmt.Sprintf(" (oneOf[%d])", r.OneOf)
		}
		told = append(told, text)
	}
	if len(told) == 0 {
		return "no Implementation in the list implements it; " + mayHide
	}
	hint := "; mend the constraints, or add an Implementation that satisfies them"
	has := map[ReasonCode]bool{}
	for _, r := range s.Rejected {
		for _, reason := range r.Reasons {
			has[reason.Code] = true
		}
	}
	switch {
	case has[AliasNotInjected]:
		hint = "; for an alias, name a TypeInstance of its Type in inject.requiredTypeInstances"
	case has[RequirementUnavailable] || has[OneOfNone] || has[NoneOfAnyOf]:
		hint = "; add the TypeInstances that exist, or name their Types in assumeTypeRefs"
	}
	return strings.Join(shorten(told, "more; the ImplementationSelection has them all"), "; ") + hint
}

// shorten cuts a list that is too long for a message.
func shorten(all []string, rest string) []string {
	if more := len(all) - maxTold; more > 0 {
		return append(slices.Clone(all[:maxTold]), fmt.Sprintf("%d %s", more, rest))
	}
	return all
}
