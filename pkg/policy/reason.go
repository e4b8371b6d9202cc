package policy

import (
	"cmp"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/policy/manifest"
)

// ReasonCode is the reason why an Implementation was not selected.
type ReasonCode string

// The reasons.
const (
	// NotImplementing: it implements another revision of the Interface.
	NotImplementing ReasonCode = "NotImplementing"
	// PathMismatch: the constraint names another path.
	PathMismatch ReasonCode = "PathMismatch"
	// AttributeMissing: it lacks an attribute of the constraint.
	AttributeMissing ReasonCode = "AttributeMissing"
	// AttributeRevisionMismatch: it has the attribute in another revision.
	AttributeRevisionMismatch ReasonCode = "AttributeRevisionMismatch"
	// RequiresMissing: it does not require a Type of the constraint.
	RequiresMissing ReasonCode = "RequiresMissing"
	// RequiresRevisionMismatch: it requires the Type in another revision.
	RequiresRevisionMismatch ReasonCode = "RequiresRevisionMismatch"
	// RequirementUnavailable: there is no TypeInstance of a Type that it requires.
	RequirementUnavailable ReasonCode = "RequirementUnavailable"
	// NoneOfAnyOf: none of its anyOf is satisfied.
	NoneOfAnyOf ReasonCode = "NoneOfAnyOf"
	// OneOfNone: none of its oneOf is satisfied.
	OneOfNone ReasonCode = "OneOfNone"
	// OneOfMultiple: more than one of its oneOf is satisfied.
	OneOfMultiple ReasonCode = "OneOfMultiple"
	// AliasNotInjected: no policy injects a TypeInstance for an alias.
	AliasNotInjected ReasonCode = "AliasNotInjected"
	// RuleDenies: the rule denies all.
	RuleDenies ReasonCode = "RuleDenies"
	// NoRule: there is no rule, so nothing is allowed.
	NoRule ReasonCode = "NoRule"
)

// Reason is one reason why an Implementation was not selected.
type Reason struct {
	// Code is the kind of reason.
	Code ReasonCode `json:"code"`
	// Detail is what it is about: a path, a Type, an alias.
	Detail string `json:"detail"`
}

// sentences are the texts of the reasons, to follow the name of an Implementation.
var sentences = map[ReasonCode]string{
	NotImplementing:           "implements ",
	PathMismatch:              "does not have the path ",
	AttributeMissing:          "does not have the attribute ",
	AttributeRevisionMismatch: "does not have the attribute ",
	RequiresMissing:           "does not require ",
	RequiresRevisionMismatch:  "does not require ",
	RequirementUnavailable:    "requires a TypeInstance of ",
	NoneOfAnyOf:               "requires a TypeInstance of ",
	OneOfNone:                 "requires a TypeInstance of ",
	OneOfMultiple:             "accepts TypeInstances of only one of ",
	AliasNotInjected:          "requires an injected TypeInstance for the alias ",
	RuleDenies:                "is denied by the rule for ",
	NoRule:                    "is not allowed by any rule",
}

func (r Reason) String() string { return sentences[r.Code] + r.words() }

// types are the Types that the reason is about, if it is about requirements.
func (r Reason) types() []string {
	detail := r.Detail
	if _, types, ok := strings.Cut(detail, ": "); ok { // after the prefix
		detail = types
	}
	return strings.Split(detail, ", ")
}

// words are the detail in a sentence.
func (r Reason) words() string {
	switch r.Code {
	case NoneOfAnyOf, OneOfNone:
		return diag.OneOf(r.types())
	case OneOfMultiple:
		return diag.AllOf(r.types())
	}
	return r.Detail
}

// check returns all reasons why an Implementation does not satisfy an element that
// injects instances. There are none if it does.
func (x *Index) check(e *MergedElement, instances []Instance, i *manifest.Implementation, on *manifest.Interface) []Reason {
	reasons := mismatches(e.Constraints, i)
	isInjected := bind(i, instances).has
	reasons = append(reasons, x.unsatisfied(i, isInjected)...)
	for _, o := range outputs(on, i) { // whose backend must be there
		alias := i.Backends[o.name]
		if alias == "" {
			continue
		}
		at := slices.IndexFunc(i.Requirements, func(r manifest.Requirement) bool { return r.Alias == alias })
		switch {
		case at < 0:
			reasons = append(reasons, Reason{AliasNotInjected, alias})
		case isInjected(at):
		case !x.available[i.Requirements[at].TypeRef]:
			reasons = append(reasons, Reason{RequirementUnavailable, i.Requirements[at].TypeRef.String()})
		default:
			reasons = append(reasons, Reason{AliasNotInjected, i.Requirements[at].String()})
		}
	}
	return tidy(reasons)
}

// unsatisfied returns the reasons why the requirements of an Implementation do not hold. isInjected
// reports whether a TypeInstance is injected for the alias of an item.
func (x *Index) unsatisfied(i *manifest.Implementation, isInjected func(item int) bool) []Reason {
	var reasons []Reason
	for _, g := range i.Groups {
		var satisfied, waiting []int
		for n := g.From; n < g.To; n++ {
			item := i.Requirements[n]
			switch {
			case !x.available[item.TypeRef]:
				if g.Operator == manifest.AllOf {
					reasons = append(reasons, Reason{RequirementUnavailable, item.TypeRef.String()})
				}
			case item.Alias != "" && !isInjected(n):
				waiting = append(waiting, n)
			default:
				satisfied = append(satisfied, n)
			}
		}
		switch {
		case g.Operator == manifest.AnyOf && len(satisfied) == 0:
			reasons = append(reasons, Reason{NoneOfAnyOf, typesBelow(g.Prefix, i.Requirements[g.From:g.To])})
		case g.Operator == manifest.OneOf && len(satisfied) == 0:
			reasons = append(reasons, Reason{OneOfNone, typesBelow(g.Prefix, i.Requirements[g.From:g.To])})
		case g.Operator == manifest.OneOf && len(satisfied) > 1:
			var items []manifest.Requirement
			for _, n := range satisfied {
				items = append(items, i.Requirements[n])
			}
			reasons = append(reasons, Reason{OneOfMultiple, typesBelow(g.Prefix, items)})
			continue
		}
		if g.Operator == manifest.AllOf || len(satisfied) == 0 {
			for _, n := range waiting { // where the alias decides
				reasons = append(reasons, Reason{AliasNotInjected, i.Requirements[n].String()})
			}
		}
	}
	return reasons
}

// typesBelow returns the detail of a reason about requirements: `PREFIX: TYPE, TYPE`.
func typesBelow(prefix string, items []manifest.Requirement) string {
	var types []string
	for _, item := range items {
		types = append(types, item.TypeRef.String())
	}
	return prefix + ": " + strings.Join(types, ", ")
}

// tidy sorts reasons, each once.
func tidy(reasons []Reason) []Reason {
	slices.SortFunc(reasons, func(a, b Reason) int {
		return cmp.Or(cmp.Compare(a.Code, b.Code), cmp.Compare(a.Detail, b.Detail))
	})
	return slices.Compact(reasons)
}

// mismatches returns which constraints an Implementation does not satisfy.
func mismatches(c manifest.Constraints, i *manifest.Implementation) []Reason {
	var reasons []Reason
	if c.Path != "" && c.Path != i.Path {
		reasons = append(reasons, Reason{PathMismatch, c.Path})
	}
	for _, a := range c.Attributes {
		has, ok := i.Attributes[a.Path]
		switch {
		case !ok:
			reasons = append(reasons, Reason{AttributeMissing, a.Path})
		case a.Revision != "" && a.Revision != has.Revision:
			reasons = append(reasons, Reason{AttributeRevisionMismatch, a.String()})
		}
	}
	for _, t := range c.Requires {
		items := i.OfPath(t.Path)
		switch {
		case len(items) == 0:
			reasons = append(reasons, Reason{RequiresMissing, t.Path})
		case t.Revision != "" && !slices.ContainsFunc(items, func(n int) bool { return i.Requirements[n].TypeRef.Revision == t.Revision }):
			reasons = append(reasons, Reason{RequiresRevisionMismatch, t.String()})
		}
	}
	return reasons
}
