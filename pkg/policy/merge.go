package policy

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/policy/manifest"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// Origin is the place of a policy that something comes from.
type Origin struct {
	// Policy is the policy.
	Policy *manifest.Policy
	// Field is the path in the policy, `spec.interface.rules[0].oneOf[1]`.
	Field string
}

// Merged is policies merged into one.
type Merged struct {
	// Default are the TypeInstances that are injected into all.
	Default []Instance
	// Findings are denials that are lost, because a policy of lower priority allows
	// the Interface and the lists are joined, and faults about content that is too large to be merged.
	Findings []diag.Finding

	// rules are the rules for Interfaces, by path and revision.
	rules map[manifest.RefMatch]*MergedRule
	// backends are the rules for TypeInstances.
	backends map[manifest.RefMatch]*MergedBackend
	// policies are the policies in force, the highest priority first.
	policies []*manifest.Policy
}

// MergedRule is the rules for one Interface.
type MergedRule struct {
	// Interface is the path, with the revision if the rule has one.
	Interface manifest.RefMatch
	// Elements are tried in this order.
	Elements []*MergedElement
	// Origins are the rules that it is made of.
	Origins []Origin

	// elements are the same by their constraints.
	elements map[string]*MergedElement
	// denying are the rules among Origins that deny and whose denial still holds.
	denying []Origin
}

// MergedElement is the elements with the same constraints.
type MergedElement struct {
	// Constraints choose the Implementations.
	Constraints manifest.Constraints
	// Required are the TypeInstances for requirements, Parameters the additional parameters, and
	// Additional the additional TypeInstances.
	Required   []Instance
	Parameters []MergedParameter
	Additional []NamedTypeInstance
	// Origins are the elements that it is made of.
	Origins []Origin

	// required and additional note which Types a higher policy has named.
	required, additional typesOf
	// parameters has the places in Parameters by their names.
	parameters map[string]int
}

// typesOf are the Types of TypeInstances, each with the number of the policy or the
// element that named it first. That one wins. Two of one Type in it are both kept:
// they are for different aliases.
type typesOf map[manifest.Ref]int

// add notes a Type, and reports whether no higher policy has it.
func (t typesOf) add(ref manifest.Ref, number int) bool {
	if ref == (manifest.Ref{}) {
		return true // an unknown id, which was reported
	}
	first, ok := t[ref]
	if !ok {
		t[ref] = number
	}
	return !ok || first == number
}

// Instance is a TypeInstance that a policy names.
type Instance struct {
	// ID is the id in the policy, and Description the text for messages.
	ID, Description string
	// TypeRef is its Type; zero when there is no such TypeInstance.
	TypeRef manifest.Ref
	// Origin is the entry that names it.
	Origin Origin
}

// NamedTypeInstance is a TypeInstance for a name.
type NamedTypeInstance struct {
	// Name is the name among the additional TypeInstances.
	Name string
	Instance
}

// MergedParameter is the value of a parameter.
type MergedParameter struct {
	// Name is the name of the parameter.
	Name string
	// Value is the merged value.
	Value *values.Document
	// Origins are the entries that the value is merged of, the highest first.
	Origins []Origin

	// layers are the values before they are merged, the highest first.
	layers []*values.Document
}

// MergedBackend is a rule for the storage backend of TypeInstances.
type MergedBackend struct {
	// TypeRef are the Types that the rule is for, and Backend is the TypeInstance of the storage.
	TypeRef manifest.RefMatch
	Backend Instance
	// Origin is the rule.
	Origin Origin
}

// Merge merges policies into one, from the highest priority down; see [Layers].
func Merge(x *Index, policies ...*manifest.Policy) *Merged {
	m := &Merged{rules: map[manifest.RefMatch]*MergedRule{}, backends: map[manifest.RefMatch]*MergedBackend{}, policies: policies}
	defaults := typesOf{}
	for number, p := range policies {
		for i, ref := range p.Interface.Default.Inject.RequiredTypeInstances {
			instance := x.resolved(ref, Origin{p, fmt.Sprintf("spec.interface.default.inject.requiredTypeInstances[%d]", i)})
			if defaults.add(instance.TypeRef, number) {
				m.Default = append(m.Default, instance)
			}
		}
		for i, rule := range p.Interface.Rules {
			m.rule(x, Origin{p, fmt.Sprintf("spec.interface.rules[%d]", i)}, rule)
		}
		for i, rule := range p.TypeInstance.Rules {
			if m.backends[rule.TypeRef] == nil {
				from := Origin{p, fmt.Sprintf("spec.typeInstance.rules[%d]", i)}
				m.backends[rule.TypeRef] = &MergedBackend{rule.TypeRef, x.resolved(rule.Backend, from), from}
			}
		}
	}
	for _, key := range m.sortedRules() {
		for _, e := range m.rules[key].Elements {
			for i := range e.Parameters {
				m.Findings = append(m.Findings, e.Parameters[i].merge()...)
			}
		}
	}
	return m
}

// Layers returns the policies in force, from the highest priority to the lowest: the
// scopes in their order, and among the WORKFLOW policies those that are named, the
// outermost step first.
func Layers(policies []*manifest.Policy, order, workflow []string) []*manifest.Policy {
	var layers []*manifest.Policy
	add := func(isIn func(p *manifest.Policy) bool) {
		for _, p := range policies {
			if isIn(p) {
				layers = append(layers, p)
			}
		}
	}
	for _, scope := range order {
		if scope != manifest.ScopeWorkflow {
			add(func(p *manifest.Policy) bool { return p.Scope == scope })
			continue
		}
		for _, name := range workflow {
			add(func(p *manifest.Policy) bool { return p.Scope == scope && p.Resource.Name == name })
		}
	}
	return layers
}

// resolved returns the TypeInstance that a policy names, with its Type if there is one of that id.
func (x *Index) resolved(ref manifest.InstanceRef, from Origin) Instance {
	i := Instance{ID: ref.ID, Description: ref.Description, Origin: from}
	if t := x.instances[ref.ID]; t != nil {
		i.TypeRef = t.TypeRef
	}
	return i
}

// rule merges a rule into the rules of its Interface.
func (m *Merged) rule(x *Index, from Origin, r manifest.Rule) {
	merged := m.rules[r.Interface]
	if merged == nil {
		merged = &MergedRule{Interface: r.Interface, elements: map[string]*MergedElement{}}
		m.rules[r.Interface] = merged
	}
	if len(r.OneOf) == 0 && len(merged.Elements) == 0 {
		merged.denying = append(merged.denying, from)
	}
	for _, deny := range merged.denying {
		if len(r.OneOf) == 0 {
			break
		}
		f := diag.Say("the denial of %s is lost: %s (%s) allows it, and the oneOf lists of both are joined", r.Interface, from.Policy.Resource, from.Policy.Scope).
			Do(fmt.Sprintf("to deny it, remove %s of %s", from.Field, from.Policy.Resource))
		f.Tags = map[string]string{"allowed-by": from.Policy.Resource.String()}
		m.Findings = append(m.Findings, f.About(deny.Policy.Resource, deny.Field+".oneOf").Of(rule.PolicyDenyLost))
	}
	if len(r.OneOf) > 0 {
		merged.denying = nil
	}
	merged.Origins = append(merged.Origins, from)
	for i, e := range r.OneOf {
		merged.element(x, Origin{from.Policy, fmt.Sprintf("%s.oneOf[%d]", from.Field, i)}, e)
	}
}

// element adds an element, or merges it into one with the same constraints.
func (r *MergedRule) element(x *Index, from Origin, e manifest.Element) {
	key := constraintsKey(e.ImplementationConstraints)
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
		instance := x.resolved(manifest.InstanceRef{ID: ref.ID, Description: ref.Description}, at("additionalTypeInstances", i))
		if merged.additional.add(instance.TypeRef, number) {
			merged.Additional = append(merged.Additional, NamedTypeInstance{ref.Name, instance})
		}
	}
	for i, p := range e.Inject.AdditionalParameters {
		merged.parameter(p, at("additionalParameters", i))
	}
}

// parameter adds a parameter, below the parameters with the same name.
func (e *MergedElement) parameter(p manifest.Parameter, from Origin) {
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

// maxLayers bounds the entries that the value of a parameter is merged from: each is
// compared with all of those below it.
const maxLayers = 500

// merge makes the value. It returns a finding if there are too many layers.
func (p *MergedParameter) merge() []diag.Finding {
	p.Value = p.layers[0]
	if len(p.layers) == 1 {
		return nil
	}
	if len(p.layers) > maxLayers {
		o := p.Origins[maxLayers]
		return []diag.Finding{diag.Say("%q has %d values for the same constraints; the limit is %d", p.Name, len(p.layers), maxLayers).
			Do("join elements with the same constraints").About(o.Policy.Resource, o.Field+".name").Of(rule.PolicyInvalid)}
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
	i := slices.IndexFunc(p.layers, func(layer *values.Document) bool { return values.Field(layer.Root(), path...) != nil })
	return p.Origins[max(i, 0)]
}

// constraintsKey is the same for constraints that mean the same: the order of the
// lists does not matter, nor whether they are absent or empty.
func constraintsKey(c manifest.Constraints) string {
	list := func(all []manifest.RefMatch) string {
		var texts []string
		for _, m := range all {
			texts = append(texts, m.String())
		}
		slices.Sort(texts)
		return strings.Join(slices.Compact(texts), ",")
	}
	return c.Path + "|" + list(c.Attributes) + "|" + list(c.Requires)
}

// ruleFor returns the rule for an Interface: the rule for its path and revision, or else for its
// path, or else for all Interfaces. It uses the first that it finds, even if this one denies
// the Interface, and returns nil if there is none.
func (m *Merged) ruleFor(i manifest.Ref) *MergedRule {
	for _, key := range []manifest.RefMatch{manifest.RefMatch(i), {Path: i.Path}, {Path: manifest.AnyInterface}} {
		if rule := m.rules[key]; rule != nil {
			return rule
		}
	}
	return nil
}

// sortedRules returns the Interfaces that have rules, in the order of their names.
func (m *Merged) sortedRules() []manifest.RefMatch {
	return slices.SortedFunc(maps.Keys(m.rules), func(a, b manifest.RefMatch) int { return cmp.Compare(a.String(), b.String()) })
}

// almost returns the rule that was probably meant for an Interface without a rule: a rule for
// another revision, with a wildcard, or with a misspelt path. It returns nil if there is none.
func (m *Merged) almost(i manifest.Ref) *MergedRule {
	for _, key := range m.sortedRules() {
		prefix, isPattern := strings.CutSuffix(key.Path, "*")
		if key.Path == i.Path || isPattern && strings.HasPrefix(i.Path, prefix) || nearestPath(key.Path, []string{i.Path}) != "" {
			return m.rules[key]
		}
	}
	return nil
}

// scopes returns the scopes of the policies of origins, each once.
func scopes(origins []Origin) []string {
	var all []string
	for _, o := range origins {
		if !slices.Contains(all, o.Policy.Scope) {
			all = append(all, o.Policy.Scope)
		}
	}
	return all
}
