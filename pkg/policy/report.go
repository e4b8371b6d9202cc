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

// unsatisfied says for each element why no candidate satisfies it.
func (s *Selection) unsatisfied(title string) diag.Finding {
	var candidates, paths, others, told []string
	byElement := map[int][]Rejection{}
	for _, r := range s.Rejected {
		ref := r.Implementation.Ref
		if r.OneOf < 0 {
			others = append(others, ref.String()+" "+why(r.Reasons))
			continue
		}
		byElement[r.OneOf] = append(byElement[r.OneOf], r)
		if !slices.Contains(candidates, ref.String()) {
			candidates, paths = append(candidates, ref.String()), append(paths, ref.Path)
		}
	}
	if len(candidates) == 0 {
		f := diag.Say("%sno Implementation in the package implements %s", title, s.Interface.Ref).Do(checkSelectors)
		if len(others) > 0 {
			f.Found += ": " + strings.Join(shorten(others), "; ")
			f.Action = "ask for a revision that is implemented, or add an Implementation"
		}
		return f
	}
	isPathUnknown := false
	for n, e := range s.Rule.Elements {
		rejected := slices.DeleteFunc(byElement[n], func(r Rejection) bool {
			return slices.ContainsFunc(r.Reasons, func(reason Reason) bool { return reason.Code == PathMismatch })
		})
		if len(rejected) == 0 {
			isPathUnknown = true
			text := fmt.Sprintf("oneOf[%d]: no candidate has the path %s", n, e.Constraints.Path)
			if near := nearestPath(e.Constraints.Path, paths); near != "" {
				text += fmt.Sprintf(" (did you mean %q?)", near)
			}
			told = append(told, text)
		}
		for _, r := range rejected {
			told = append(told, fmt.Sprintf("oneOf[%d]: %s %s", n, r.Implementation.Ref, why(r.Reasons)+s.otherRevisions(r.Reasons)))
		}
	}
	f := diag.Say("%sno Implementation of %s satisfies the rule for %s (%s). %s", title, s.Interface.Ref, s.Rule.Interface, s.from(), strings.Join(shorten(told), "; "))
	if isPathUnknown {
		f.Found += ". Candidates: " + strings.Join(shorten(candidates), ", ")
	}
	has := s.codes()
	switch {
	case isPathUnknown:
		return f.Do("name a candidate in the path")
	case has[AliasNotInjected]:
		return f.Do("for an alias, name a TypeInstance of its Type in inject.requiredTypeInstances")
	case has[RequirementUnavailable] || has[OneOfNone] || has[NoneOfAnyOf]:
		return f.Do("add the missing TypeInstance, or name its Type in assumeTypeRefs")
	}
	return f.Do("change the constraints, or add an Implementation that satisfies them")
}

// why says all reasons of an Implementation, each code once.
func why(reasons []Reason) string {
	isAliased := slices.ContainsFunc(reasons, func(r Reason) bool { return r.Code == AliasNotInjected })
	var told []string
	for len(reasons) > 0 {
		code, n := reasons[0].Code, 0
		var details []string
		for ; n < len(reasons) && reasons[n].Code == code; n++ {
			details = append(details, reasons[n].words())
		}
		reasons = reasons[n:]
		if isAliased && (code == NoneOfAnyOf || code == OneOfNone) {
			continue // it follows from the alias
		}
		told = append(told, sentences[code]+diag.AllOf(details))
	}
	return strings.Join(told, ", and ")
}

// otherRevisions says in which other revisions the Types are available that reasons
// are about.
func (s *Selection) otherRevisions(reasons []Reason) string {
	known := map[string]bool{}
	for _, reason := range reasons {
		if reason.Code != RequirementUnavailable && reason.Code != OneOfNone && reason.Code != NoneOfAnyOf {
			continue
		}
		for _, missing := range reason.types() {
			path, _, _ := strings.Cut(missing, ":")
			for ref := range s.index.available {
				if ref.Path == path && ref.String() != missing {
					known[ref.String()] = true
				}
			}
		}
	}
	if len(known) == 0 {
		return ""
	}
	return " (the package has " + diag.AllOf(slices.Sorted(maps.Keys(known))) + ")"
}

// shorten cuts a list that is too long for a message.
func shorten(all []string) []string {
	if more := len(all) - maxTold; more > 0 {
		return append(slices.Clone(all[:maxTold]), fmt.Sprintf("and %d more", more))
	}
	return all
}
