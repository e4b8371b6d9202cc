package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/values"
)

// Origin is the place of a policy that something comes from.
type Origin struct {
	Policy *Policy
	// Field is the path in the policy, `spec.interface.rules[0].oneOf[1]`.
	Field string
}

// Merged is what policies come to when they are merged.
type Merged struct {
	// Default are the TypeInstances that are injected into all.
	Default []Instance
	// DenyLost are the rules that deny an Interface which a policy of lower
	// priority allows: the lists are joined, so that the denial is lost.
	DenyLost []function.Finding

	rules map[RefMatch]*MergedRule
	// backends are the rules for TypeInstances.
	backends map[RefMatch]*MergedBackend
	// broken says that a policy was not understood where it matters for all.
	broken bool
}

// MergedRule is the rules for one Interface.
type MergedRule struct {
	Interface RefMatch
	Elements  []*MergedElement
	// Origins are the rules that it is made of.
	Origins []Origin

	faulty   bool
	elements map[string]*MergedElement
}

// MergedElement is the elements with the same constraints.
type MergedElement struct {
	Constraints Constraints
	Required    []Instance
	Parameters  []MergedParameter
	Additional  []NamedTypeInstance
	// Origins are the elements that it is made of.
	Origins []Origin
}

// Instance is a TypeInstance that a policy names.
type Instance struct {
	ID, Description string
	// TypeRef is its Type; zero when there is no such TypeInstance.
	TypeRef Ref
	Origin  Origin
}

// NamedTypeInstance is a TypeInstance for a name.
type NamedTypeInstance struct {
	Name string
	Instance
}

// MergedParameter is the value of a parameter.
type MergedParameter struct {
	Name   string
	Value  *values.Document
	Origin Origin
}

// MergedBackend is a rule for the storage backend of TypeInstances.
type MergedBackend struct {
	TypeRef RefMatch
	Backend Instance
}

// Merge folds policies into one, from the highest priority down; see [Layers].
func Merge(x *Index, policies ...*Policy) *Merged {
	m := &Merged{rules: map[RefMatch]*MergedRule{}, backends: map[RefMatch]*MergedBackend{}}
	for _, p := range policies {
		m.broken = m.broken || p.broken
		higher := typesOf(m.Default)
		for i, ref := range p.Interface.Default.Inject.RequiredTypeInstances {
			m.Default = appendInstance(m.Default, higher, x.resolved(ref, Origin{p, fmt.Sprintf("spec.interface.default.inject.requiredTypeInstances[%d]", i)}))
		}
		for i, rule := range p.Interface.Rules {
			m.rule(x, Origin{p, fmt.Sprintf("spec.interface.rules[%d]", i)}, rule, p.faulty[i])
		}
		for i, rule := range p.TypeInstance.Rules {
			if m.backends[rule.TypeRef] == nil {
				m.backends[rule.TypeRef] = &MergedBackend{rule.TypeRef, x.resolved(rule.Backend, Origin{p, fmt.Sprintf("spec.typeInstance.rules[%d].backend", i)})}
			}
		}
	}
	return m
}

func (x *Index) resolved(ref InstanceRef, from Origin) Instance {
	i := Instance{ID: ref.ID, Description: ref.Description, Origin: from}
	if t := x.instances[ref.ID]; t != nil {
		i.TypeRef = t.TypeRef
	}
	return i
}

// typesOf are the Types of TypeInstances.
func typesOf(instances []Instance) map[Ref]bool {
	types := map[Ref]bool{}
	for _, i := range instances {
		if i.TypeRef != (Ref{}) {
			types[i.TypeRef] = true
		}
	}
	return types
}

// appendInstance adds a TypeInstance unless a higher policy has one of its Type.
func appendInstance(to []Instance, higher map[Ref]bool, i Instance) []Instance {
	if higher[i.TypeRef] {
		return to
	}
	return append(to, i)
}

// rule joins a rule to those of its Interface.
func (m *Merged) rule(x *Index, from Origin, rule Rule, faulty bool) {
	merged := m.rules[rule.Interface]
	if merged == nil {
		merged = &MergedRule{Interface: rule.Interface, elements: map[string]*MergedElement{}}
		m.rules[rule.Interface] = merged
	}
	if len(merged.Origins) > 0 && len(merged.Elements) == 0 && len(rule.OneOf) > 0 {
		deny := merged.Origins[0]
		m.DenyLost = append(m.DenyLost, function.Finding{
			Rule: RuleDenyLost, Resource: deny.Policy.Resource, Field: deny.Field + ".oneOf",
			Message: fmt.Sprintf("%s.oneOf: denies %s, but %s (%s) allows it in %s: lists of one Interface are joined, so that the denial is lost; remove that rule, or deny it there too",
				deny.Field, rule.Interface, from.Policy.Resource, from.Policy.Scope, from.Field),
		})
	}
	merged.Origins = append(merged.Origins, from)
	merged.faulty = merged.faulty || faulty
	for i, e := range rule.OneOf {
		merged.element(x, Origin{from.Policy, fmt.Sprintf("%s.oneOf[%d]", from.Field, i)}, e)
	}
}

// element adds an element, or merges it into one with the same constraints.
func (r *MergedRule) element(x *Index, from Origin, e Element) {
	key := e.ImplementationConstraints.key()
	merged := r.elements[key]
	if merged == nil {
		merged = &MergedElement{Constraints: e.ImplementationConstraints}
		r.elements[key] = merged
		r.Elements = append(r.Elements, merged)
	}
	merged.Origins = append(merged.Origins, from)
	at := func(list string, i int) Origin {
		return Origin{from.Policy, fmt.Sprintf("%s.inject.%s[%d]", from.Field, list, i)}
	}
	higher := typesOf(merged.Required)
	for i, ref := range e.Inject.RequiredTypeInstances {
		merged.Required = appendInstance(merged.Required, higher, x.resolved(ref, at("requiredTypeInstances", i)))
	}
	higher = map[Ref]bool{}
	for _, t := range merged.Additional {
		higher[t.TypeRef] = t.TypeRef != Ref{}
	}
	for i, ref := range e.Inject.AdditionalTypeInstances {
		t := NamedTypeInstance{ref.Name, x.resolved(InstanceRef{ref.ID, ref.Description}, at("additionalTypeInstances", i))}
		if !higher[t.TypeRef] {
			merged.Additional = append(merged.Additional, t)
		}
	}
	for i, p := range e.Inject.AdditionalParameters {
		merged.parameter(MergedParameter{p.Name, values.Of(p.Value), at("additionalParameters", i)})
	}
}

// parameter adds a parameter, or lays the value of a higher policy over it.
func (e *MergedElement) parameter(p MergedParameter) {
	for i, higher := range e.Parameters {
		if higher.Name == p.Name {
			tree := values.Merge(values.Layer{Document: p.Value}, values.Layer{Document: higher.Value})
			e.Parameters[i].Value = values.Of(tree.Root())
			return
		}
	}
	e.Parameters = append(e.Parameters, p)
}

// key is the same for constraints that mean the same: the order of the lists
// does not matter, nor whether they are absent or empty.
func (c Constraints) key() string {
	list := func(all []RefMatch) string {
		var texts []string
		for _, m := range all {
			texts = append(texts, m.String())
		}
		slices.Sort(texts)
		return strings.Join(slices.Compact(texts), ",")
	}
	return c.Path + "|" + list(c.Attributes) + "|" + list(c.Requires)
}

// Rule returns the rule for an Interface: that of its path and revision, else
// that of its path, else that of all Interfaces. The first counts, also when it
// denies; nil when there is none.
func (m *Merged) Rule(i Ref) *MergedRule {
	for _, key := range []RefMatch{{i.Path, i.Revision}, {i.Path, ""}, {anyInterface, ""}} {
		if rule := m.rules[key]; rule != nil {
			return rule
		}
	}
	return nil
}

// scopes are those of the policies of origins, each once.
func scopes(origins []Origin) []string {
	var all []string
	for _, o := range origins {
		if !slices.Contains(all, o.Policy.Scope) {
			all = append(all, o.Policy.Scope)
		}
	}
	return all
}
