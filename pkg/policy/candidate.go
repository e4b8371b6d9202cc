package policy

import (
	"cmp"
	"slices"
)

// ReasonCode says why an Implementation was not selected.
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
	// NoRule: there is no rule, so that nothing is allowed.
	NoRule ReasonCode = "NoRule"
)

// Reason is one reason why an Implementation was not selected.
type Reason struct {
	// Code is the kind of reason.
	Code ReasonCode `json:"code"`
	// Detail is what it is about: a path, a Type, an alias.
	Detail string `json:"detail"`
}

// words say a reason for people.
var words = map[ReasonCode]string{
	NotImplementing:           "implements ",
	PathMismatch:              "does not have the path ",
	AttributeMissing:          "lacks the attribute ",
	AttributeRevisionMismatch: "has another revision of the attribute ",
	RequiresMissing:           "does not require ",
	RequiresRevisionMismatch:  "requires another revision of ",
	RequirementUnavailable:    "requires what no TypeInstance is of, ",
	NoneOfAnyOf:               "has none of what it requires any of, ",
	OneOfNone:                 "has none of what it requires one of, ",
	OneOfMultiple:             "has several of what it requires one of, ",
	AliasNotInjected:          "gets no TypeInstance injected for its alias ",
	RuleDenies:                "is denied by the rule for ",
	NoRule:                    "is allowed by no rule",
}

func (r Reason) String() string { return words[r.Code] + r.Detail }

// judge returns all reasons why an Implementation does not satisfy an element that
// injects instances, none when it survives.
func (x *Index) judge(e *MergedElement, instances []Instance, i *Implementation, on *Interface) []Reason {
	reasons := e.Constraints.mismatches(i)
	injected := inject(i, instances)
	has := func(item int) bool {
		return slices.ContainsFunc(injected, func(b binding) bool { return b.item == item })
	}
	reasons = append(reasons, i.unsatisfied(x.available, has)...)
	for _, o := range outputs(on, i) { // whose backend has to be there
		alias := i.enforced[o.name]
		if alias == "" {
			continue
		}
		reason := Reason{AliasNotInjected, alias}
		if at := i.aliasIndex(alias); at >= 0 {
			reason.Detail = i.aliased(at)
			if has(at) {
				continue
			}
			if !x.available[i.items[at].typeRef] {
				reason = Reason{RequirementUnavailable, i.items[at].typeRef.String()}
			}
		}
		reasons = append(reasons, reason)
	}
	return tidy(reasons)
}

// tidy sorts reasons, each once.
func tidy(reasons []Reason) []Reason {
	slices.SortFunc(reasons, func(a, b Reason) int {
		return cmp.Or(cmp.Compare(a.Code, b.Code), cmp.Compare(a.Detail, b.Detail))
	})
	return slices.Compact(reasons)
}

// mismatches returns which constraints an Implementation does not satisfy.
func (c Constraints) mismatches(i *Implementation) []Reason {
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
		items := i.byPath[t.Path]
		switch {
		case len(items) == 0:
			reasons = append(reasons, Reason{RequiresMissing, t.Path})
		case t.Revision != "" && !slices.ContainsFunc(items, func(n int) bool { return i.items[n].typeRef.Revision == t.Revision }):
			reasons = append(reasons, Reason{RequiresRevisionMismatch, t.String()})
		}
	}
	return reasons
}
