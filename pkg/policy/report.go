package policy

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/policy/manifest"
	"github.com/krm-packs/functions/pkg/rule"
)

// maxShown is the number of texts that a list in a message has.
const maxShown = 8

// report describes the selected Implementation, at the deciding element of a policy. name is the
// name of the selection, about is where it is requested, and severity is used if nothing is
// selected.
func (s *Selection) report(name string, about *diag.Origin, field string, severity diag.Severity) diag.Finding {
	title := fmt.Sprintf("selection %q: ", name)
	if name == selectionName(s.Interface.Ref) {
		title = "" // the message names the Interface
	}
	var f diag.Finding
	switch s.Outcome {
	case Selected:
		f = diag.Say("%s%s is selected for %s, by oneOf[%d] of the rule for %s (%s)%s", title, s.Implementation.Ref, s.Interface.Ref, s.OneOf, s.Rule.Interface, s.from(), s.others()).Of(rule.PolicySelected)
	case Denied:
		f = diag.Say("%sthe rule for %s (%s) denies all Implementations of %s: its oneOf is empty", title, s.Rule.Interface, s.from(), s.Interface.Ref).
			Do("add an element to oneOf, or remove what needs the Interface").Of(rule.PolicyDenied)
	case WithoutRule:
		f = diag.Say("%sno policy in use has a rule for %s, so no Implementation is allowed", title, s.Interface.Ref).Of(rule.PolicyNoRule)
		if f.Action = "add a rule for it, or for " + manifest.AnyInterface; s.almost != nil {
			f.Action = fmt.Sprintf("correct the rule for %s in %s, or add a rule", s.almost.Interface, s.almost.Origins[0])
		}
	case Unsatisfied:
		f = s.unsatisfied(title).Of(rule.PolicyUnsatisfied)
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
	var refs brief
	for _, i := range s.Alternatives {
		refs.add(i.Ref.String)
	}
	if len(refs.texts) == 0 {
		return ""
	}
	return ". Alternatives: " + refs.join(", ")
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

// unsatisfied explains for each element why no candidate satisfies it.
func (s *Selection) unsatisfied(title string) diag.Finding {
	var candidates, others, rejections brief
	byElement := map[int][]Rejection{}
	for _, r := range s.Rejected {
		if r.OneOf < 0 {
			others.add(func() string { return r.Implementation.Ref.String() + " " + s.why(r) })
			continue
		}
		if byElement[r.OneOf] = append(byElement[r.OneOf], r); r.OneOf == 0 { // each candidate was compared with it
			candidates.add(r.Implementation.Ref.String)
		}
	}
	if len(byElement) == 0 {
		f := diag.Say("%sno Implementation in the package implements %s", title, s.Interface.Ref).IfUnseen(diag.ItExists)
		if len(others.texts) > 0 {
			f.Found += ": " + others.join("; ")
			f.Unseen, f.Action = "", "change the revision in the reference or the rule to one that is implemented, or add an Implementation"
		}
		return f
	}
	isPathUnknown := false
	for n, e := range s.Rule.Elements {
		rejected := slices.DeleteFunc(slices.Clone(byElement[n]), func(r Rejection) bool {
			return slices.ContainsFunc(r.Reasons, func(reason Reason) bool { return reason.Code == PathMismatch })
		})
		if len(rejected) == 0 {
			isPathUnknown = true
			rejections.add(func() string { return fmt.Sprintf("oneOf[%d]: %s", n, noCandidate(e.Constraints.Path, byElement[n])) })
		}
		for _, r := range rejected {
			rejections.add(func() string { return fmt.Sprintf("oneOf[%d]: %s %s", n, r.Implementation.Ref, s.why(r)) })
		}
	}
	f := diag.Say("%sno Implementation of %s satisfies the rule for %s (%s). %s", title, s.Interface.Ref, s.Rule.Interface, s.from(), rejections.join("; "))
	if isPathUnknown {
		f.Found += ". Candidates: " + candidates.join(", ")
	}
	has := s.codes()
	switch {
	case isPathUnknown:
		return f.Do("name a candidate in the path")
	case s.sharesType():
		return f.Do("a TypeInstance serves one alias: name another one of the Type in inject.requiredTypeInstances")
	case has[AliasNotInjected]:
		return f.Do("for an alias, name a TypeInstance of its Type in inject.requiredTypeInstances")
	case has[RequirementUnavailable] || has[OneOfNone] || has[NoneOfAnyOf]:
		return f.Do("add the missing TypeInstance, or name its Type in assumeTypeRefs")
	}
	return f.Do("change the constraints, or add an Implementation that satisfies them")
}

// noCandidate explains that no candidate has a path.
func noCandidate(path string, candidates []Rejection) string {
	var paths []string
	for _, r := range candidates {
		paths = append(paths, r.Implementation.Path)
	}
	return "no candidate has the path " + path + nearest.Ask(nearestPath(path, paths))
}

// sharesType reports whether a candidate lacks a TypeInstance for an alias whose Type
// has another alias, too.
func (s *Selection) sharesType() bool {
	for _, r := range s.Rejected {
		aliases := map[manifest.Ref]int{}
		for _, item := range r.Implementation.Requirements {
			if item.Alias != "" {
				aliases[item.TypeRef]++
			}
		}
		for _, item := range r.Implementation.Requirements {
			if aliases[item.TypeRef] > 1 && slices.Contains(r.Reasons, Reason{AliasNotInjected, item.String()}) {
				return true
			}
		}
	}
	return false
}

// why returns all reasons of a rejection, each code once.
func (s *Selection) why(r Rejection) string {
	isAliased := slices.ContainsFunc(r.Reasons, func(r Reason) bool { return r.Code == AliasNotInjected })
	var parts []string
	for reasons := r.Reasons; len(reasons) > 0; {
		code, n := reasons[0].Code, 0
		var details []string
		for ; n < len(reasons) && reasons[n].Code == code; n++ {
			details = append(details, reasons[n].words()+r.near(reasons[n])+s.otherRevisions(reasons[n]))
		}
		reasons = reasons[n:]
		if isAliased && (code == NoneOfAnyOf || code == OneOfNone) {
			continue // it follows from the alias
		}
		parts = append(parts, sentences[code]+diag.AllOf(details))
	}
	return strings.Join(parts, ", and ")
}

// near names the attribute or the Type of the Implementation that a constraint probably
// means.
func (r Rejection) near(reason Reason) string {
	var known []string
	switch reason.Code {
	case AttributeMissing:
		known = slices.Sorted(maps.Keys(r.Implementation.Attributes))
	case RequiresMissing:
		for _, item := range r.Implementation.Requirements {
			known = append(known, item.TypeRef.Path)
		}
	}
	return nearest.Ask(nearestPath(reason.Detail, known))
}

// otherRevisions names the other revisions in which the Types are available that a
// requirement is about.
func (s *Selection) otherRevisions(reason Reason) string {
	if reason.Code != RequirementUnavailable && reason.Code != OneOfNone && reason.Code != NoneOfAnyOf {
		return ""
	}
	known := map[string]bool{}
	for _, missing := range reason.types() {
		path, _, _ := strings.Cut(missing, ":")
		for ref := range s.index.available {
			if ref.Path == path && ref.String() != missing {
				known[ref.String()] = true
			}
		}
	}
	if len(known) == 0 {
		return s.nearestType(reason)
	}
	return " (available: " + diag.AllOf(slices.Sorted(maps.Keys(known))) + ")"
}

// nearestType names the available Type whose path is near one that a requirement is about.
func (s *Selection) nearestType(reason Reason) string {
	var paths []string
	for ref := range s.index.available {
		paths = append(paths, ref.Path)
	}
	slices.Sort(paths)
	for _, missing := range reason.types() {
		path, _, _ := strings.Cut(missing, ":")
		if hint := nearest.Ask(nearestPath(path, slices.Compact(paths))); hint != "" {
			return hint
		}
	}
	return ""
}

// brief is a list in a message: the first texts, and the number of the others.
type brief struct {
	// texts are the first texts, and more is the number of the others.
	texts []string
	more  int
}

// add adds a text, which is made only if it is shown.
func (b *brief) add(text func() string) {
	if len(b.texts) < maxShown {
		b.texts = append(b.texts, text())
		return
	}
	b.more++
}

// join returns the texts with a separator, and at last `and 3 more`.
func (b *brief) join(separator string) string {
	texts := b.texts
	if b.more > 0 {
		texts = append(slices.Clone(texts), fmt.Sprintf("and %d more", b.more))
	}
	return strings.Join(texts, separator)
}
