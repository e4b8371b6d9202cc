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
	// Findings are the rules that deny an Interface which a policy of lower
	// priority allows: the lists are joined, so that the denial is lost. And what
	// is too much to be merged.
	Findings []function.Finding

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
	// denying are the rules among Origins that deny and whose denial still holds.
	denying []Origin
}

// MergedElement is the elements with the same constraints.
type MergedElement struct {
	Constraints Constraints
	Required    []Instance
	Parameters  []MergedParameter
	Additional  []NamedTypeInstance
	// Origins are the elements that it is made of.
	Origins []Origin

	required, additional typesOf
	// parameters has the places in Parameters by their names.
	parameters map[string]int
}

// typesOf are the Types of TypeInstances, each with the number of the policy or
// the element that named it first: those of higher ones count, and two that stand
// side by side are both kept, since nobody knows which one is meant.
type typesOf map[Ref]int

// add notes a Type, and reports whether no higher one has it.
func (t typesOf) add(ref Ref, number int) bool {
	if ref == (Ref{}) {
		return true // an unknown id, which is reported
	}
	first, ok := t[ref]
	if !ok {
		t[ref] = number
	}
	return !ok || first == number
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
	Name  string
	Value *values.Document
	// Origins are the entries that the value is merged of, the highest first.
	Origins []Origin

	layers []*values.Document
}

// MergedBackend is a rule for the storage backend of TypeInstances.
type MergedBackend struct {
	TypeRef RefMatch
	Backend Instance
}

// Merge folds policies into one, from the highest priority down; see [Layers].
func Merge(x *Index, policies ...*Policy) *Merged {
	m := &Merged{rules: map[RefMatch]*MergedRule{}, backends: map[RefMatch]*MergedBackend{}}
	defaults := typesOf{}
	for number, p := range policies {
		m.broken = m.broken || p.broken
		for i, ref := range p.Interface.Default.Inject.RequiredTypeInstances {
			instance := x.resolved(ref, Origin{p, fmt.Sprintf("spec.interface.default.inject.requiredTypeInstances[%d]", i)})
			if defaults.add(instance.TypeRef, number) {
				m.Default = append(m.Default, instance)
			}
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
	for _, rule := range m.rules {
		for _, e := range rule.Elements {
			for i := range e.Parameters {
				if f := e.Parameters[i].merge(); f != nil {
					m.Findings = append(m.Findings, *f)
					rule.faulty = true
				}
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

// rule joins a rule to those of its Interface.
func (m *Merged) rule(x *Index, from Origin, rule Rule, faulty bool) {
	merged := m.rules[rule.Interface]
	if merged == nil {
		merged = &MergedRule{Interface: rule.Interface, elements: map[string]*MergedElement{}}
		m.rules[rule.Interface] = merged
	}
	if len(rule.OneOf) == 0 && len(merged.Elements) == 0 {
		merged.denying = append(merged.denying, from)
	}
	for _, deny := range merged.denying {
		if len(rule.OneOf) == 0 {
			break
		}
		m.Findings = append(m.Findings, function.Finding{
			Rule: RuleDenyLost, Resource: deny.Policy.Resource, Field: deny.Field + ".oneOf",
			Message: fmt.Sprintf("%s.oneOf: denies %s, but %s (%s) allows it in %s: lists of one Interface are joined, so that the denial is lost; remove that rule, or deny it there too",
				deny.Field, rule.Interface, from.Policy.Resource, from.Policy.Scope, from.Field),
		})
	}
	if len(rule.OneOf) > 0 {
		merged.denying = nil
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
		merged = &MergedElement{
			Constraints: e.ImplementationConstraints,
			required:    typesOf{}, additional: typesOf{}, parameters: map[string]int{},
		}
		r.elements[key] = merged
		r.Elements = append(r.Elements, merged)
	}
	merged.Origins = append(merged.Origins, from)
	number := len(merged.Origins)
	at := func(list string, i int) Origin {
		return Origin{from.Policy, fmt.Sprintf("%s.inject.%s[%d]", from.Field, list, i)}
	}
	for i, ref := range e.Inject.RequiredTypeInstances {
		instance := x.resolved(ref, at("requiredTypeInstances", i))
		if merged.required.add(instance.TypeRef, number) {
			merged.Required = append(merged.Required, instance)
		}
	}
	for i, ref := range e.Inject.AdditionalTypeInstances {
		instance := x.resolved(InstanceRef{ref.ID, ref.Description}, at("additionalTypeInstances", i))
		if merged.additional.add(instance.TypeRef, number) {
			merged.Additional = append(merged.Additional, NamedTypeInstance{ref.Name, instance})
		}
	}
	for i, p := range e.Inject.AdditionalParameters {
		merged.parameter(p, at("additionalParameters", i))
	}
}

// parameter adds a parameter, below those of its name that are there.
func (e *MergedElement) parameter(p Parameter, from Origin) {
	at, ok := e.parameters[p.Name]
	if !ok {
		at = len(e.Parameters)
		e.parameters[p.Name] = at
		e.Parameters = append(e.Parameters, MergedParameter{Name: p.Name})
	}
	merged := &e.Parameters[at]
	merged.Origins = append(merged.Origins, from)
	merged.layers = append(merged.layers, values.Of(p.Value))
}

// maxLayers bounds the entries that the value of a parameter is merged of: each
// goes over the whole of those below it.
const maxLayers = 500

// merge makes the value.
func (p *MergedParameter) merge() *function.Finding {
	p.Value = p.layers[0]
	if len(p.layers) == 1 {
		return nil
	}
	if len(p.layers) > maxLayers {
		o := p.Origins[maxLayers]
		f := invalid(o.Policy.Resource, o.Field+".name", "%q has %d values for the same constraints, above the limit of %d; join elements with the same constraints", p.Name, len(p.layers), maxLayers)
		return &f
	}
	layers := make([]values.Layer, 0, len(p.layers))
	for _, layer := range slices.Backward(p.layers) {
		layers = append(layers, values.Layer{Document: layer})
	}
	p.Value = values.Of(values.Merge(layers...).Root())
	return nil
}

// origin returns the highest entry whose value has something at a path, where
// none has the highest.
func (p *MergedParameter) origin(path []string) Origin {
	for i, layer := range p.layers {
		if values.Field(layer.Root(), path...) != nil {
			return p.Origins[i]
		}
	}
	return p.Origins[0]
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
