package policy

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/decode"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/values"
)

// Requirements are what an Implementation needs, in the order of the document.
type Requirements []PrefixRequirements

// PrefixRequirements are the requirements under one prefix. All of its lists have
// to hold; a list that is absent or empty does.
type PrefixRequirements struct {
	// Prefix is the path that names are relative to.
	Prefix string `json:"-"`
	// OneOf holds when exactly one of its items is satisfied.
	OneOf []RequirementItem `json:"oneOf"`
	// AllOf holds when all of its items are satisfied.
	AllOf []RequirementItem `json:"allOf"`
	// AnyOf holds when at least one of its items is satisfied.
	AnyOf []RequirementItem `json:"anyOf"`

	_ struct{} `open:"true"`
}

// RequirementItem is a Type that an Implementation needs a TypeInstance of.
type RequirementItem struct {
	// Name is that of a Type under the prefix, or the whole path of a Type, which
	// begins with `cap.`.
	Name string `json:"name" required:"true"`
	// Revision is that of the Type.
	Revision string `json:"revision" required:"true"`
	// Alias is the name by which the workflow knows the TypeInstance that a policy
	// injects.
	Alias string `json:"alias"`

	_ struct{} `open:"true"`
}

// DecodeNode reads the requirements of each prefix, and keeps their order.
func (r *Requirements) DecodeNode(n *yaml.Node, path string) []diag.Finding {
	if n.Kind != yaml.MappingNode {
		return []diag.Finding{diag.Got(values.KindOf(n), "a mapping of prefixes to oneOf, allOf and anyOf").At(path, values.At(n))}
	}
	var findings []diag.Finding
	seen := map[string]*yaml.Node{}
	for at := 0; at+1 < len(n.Content); at += 2 {
		key := values.Resolve(n.Content[at])
		p := PrefixRequirements{Prefix: key.Value}
		below := diag.Join(path, p.Prefix)
		if first := seen[p.Prefix]; first != nil {
			findings = append(findings, diag.Duplicate(values.At(first), values.At(key)).At(below, values.At(key)))
			continue
		}
		seen[p.Prefix] = key
		findings = append(findings, decode.Node(n.Content[at+1], below, &p)...)
		*r = append(*r, p)
	}
	return findings
}

// operator says how many of the items of a list have to be satisfied.
type operator string

const (
	oneOf operator = "oneOf"
	allOf operator = "allOf"
	anyOf operator = "anyOf"
)

// requirement is a resolved item.
type requirement struct {
	typeRef Ref
	alias   string
	// field is where it stands.
	field string
}

// requirementGroup is a list of items.
type requirementGroup struct {
	prefix   string
	operator operator
	// from and to bound its items.
	from, to int
}

// setRequirements resolves the requirements.
func (i *Implementation) setRequirements() {
	i.first, i.byPath = map[Ref]int{}, map[string][]int{}
	for _, p := range i.Requires {
		for _, list := range []struct {
			operator operator
			items    []RequirementItem
		}{{oneOf, p.OneOf}, {allOf, p.AllOf}, {anyOf, p.AnyOf}} {
			from := len(i.items)
			for n, item := range list.items {
				ref := Ref{Path: item.Name, Revision: item.Revision}
				if !strings.HasPrefix(item.Name, "cap.") {
					ref.Path = p.Prefix + "." + item.Name
				}
				if _, ok := i.first[ref]; !ok {
					i.first[ref] = len(i.items)
				}
				i.byPath[ref.Path] = append(i.byPath[ref.Path], len(i.items))
				i.items = append(i.items, requirement{ref, item.Alias, fmt.Sprintf("spec.requires.%s.%s[%d]", p.Prefix, list.operator, n)})
			}
			if len(i.items) > from {
				i.groups = append(i.groups, requirementGroup{p.Prefix, list.operator, from, len(i.items)})
			}
		}
	}
}

// unsatisfied returns why the requirements do not hold. injected says of each
// item whether a TypeInstance is injected for its alias.
func (i *Implementation) unsatisfied(available map[Ref]bool, injected func(item int) bool) []Reason {
	var reasons []Reason
	for _, g := range i.groups {
		var satisfied, waiting []int
		for n := g.from; n < g.to; n++ {
			item := i.items[n]
			switch {
			case !available[item.typeRef]:
				if g.operator == allOf {
					reasons = append(reasons, Reason{RequirementUnavailable, item.typeRef.String()})
				}
			case item.alias != "" && !injected(n):
				waiting = append(waiting, n)
			default:
				satisfied = append(satisfied, n)
			}
		}
		switch {
		case g.operator == anyOf && len(satisfied) == 0:
			reasons = append(reasons, Reason{NoneOfAnyOf, i.listed(g.prefix, g.from, g.to)})
		case g.operator == oneOf && len(satisfied) == 0:
			reasons = append(reasons, Reason{OneOfNone, i.listed(g.prefix, g.from, g.to)})
		case g.operator == oneOf && len(satisfied) > 1:
			var names []string
			for _, n := range satisfied {
				names = append(names, i.items[n].typeRef.String())
			}
			reasons = append(reasons, Reason{OneOfMultiple, g.prefix + ": " + strings.Join(names, ", ")})
			continue
		}
		if g.operator == allOf || len(satisfied) == 0 {
			for _, n := range waiting { // where the alias decides
				reasons = append(reasons, Reason{AliasNotInjected, i.aliased(n)})
			}
		}
	}
	return reasons
}

func (i *Implementation) listed(prefix string, from, to int) string {
	var names []string
	for _, item := range i.items[from:to] {
		names = append(names, item.typeRef.String())
	}
	return prefix + ": " + strings.Join(names, ", ")
}

// aliased names the alias of an item with its Type.
func (i *Implementation) aliased(item int) string {
	return i.items[item].alias + " (" + i.items[item].typeRef.String() + ")"
}

// aliasIndex returns the item of an alias, -1 when there is none.
func (i *Implementation) aliasIndex(alias string) int {
	for n, item := range i.items {
		if item.alias == alias {
			return n
		}
	}
	return -1
}
