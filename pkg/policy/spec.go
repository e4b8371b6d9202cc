package policy

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/policy/manifest"
	"github.com/krm-packs/functions/pkg/values"
)

// SelectionSpec is the spec of the kind ImplementationSelection: what the policies
// select for one Interface. The function select-implementations writes it.
type SelectionSpec struct {
	// Interface is the Interface that an Implementation was selected for.
	Interface manifest.Ref `json:"interface"`
	// Outcome is Selected, or the reason why no Implementation was selected.
	Outcome string `json:"outcome" enum:"Selected,Denied,NoRule,Unsatisfied"`
	// Rule is the rule that decided, absent when there is none.
	Rule *SelectionRule `json:"rule" yaml:",omitempty"`
	// Implementation is the Implementation that was selected.
	Implementation *SelectedImplementation `json:"implementation" yaml:",omitempty"`
	// Alternatives are the others that satisfy the rule, PATH:REVISION, the preferred
	// first.
	Alternatives []string `json:"alternatives" yaml:",omitempty"`
	// Inject is what is injected into the Implementation.
	Inject SelectionInject `json:"inject" yaml:",omitempty"`
	// Backends say where each output TypeInstance is stored.
	Backends []SelectionBackend `json:"backends" yaml:",omitempty"`
	// Rejected are the Implementations that were not selected.
	Rejected []SelectionRejection `json:"rejected" yaml:",omitempty"`
}

// SelectionRule is the rule that decided.
type SelectionRule struct {
	// Interface is the Interface of the rule: PATH, PATH:REVISION or cap.*.
	Interface string `json:"interface"`
	// OneOf is the index of the element in the merged list.
	OneOf *int `json:"oneOf" yaml:"oneOf,omitempty"`
	// From are the scopes of the policies that it comes from, the highest first.
	From []string `json:"from" yaml:",flow"`
}

// SelectedImplementation is the Implementation that was selected.
type SelectedImplementation struct {
	manifest.Ref `yaml:",inline"`
	// Name is the name of its resource.
	Name string `json:"name"`
}

// SelectionInject is what is injected.
type SelectionInject struct {
	// RequiredTypeInstances are known by their aliases.
	RequiredTypeInstances []InjectedInstance `json:"requiredTypeInstances" yaml:"requiredTypeInstances,omitempty"`
	// AdditionalParameters are known by their names.
	AdditionalParameters []manifest.Parameter `json:"additionalParameters" yaml:"additionalParameters,omitempty"`
	// AdditionalTypeInstances are known by their names.
	AdditionalTypeInstances []InjectedInstance `json:"additionalTypeInstances" yaml:"additionalTypeInstances,omitempty"`
}

// SelectionBackend is the storage of an output TypeInstance.
type SelectionBackend struct {
	// Output is its name.
	Output string `json:"output"`
	// TypeRef is its Type.
	TypeRef manifest.Ref `json:"typeRef" yaml:"typeRef"`
	// ID is the id of the backend's TypeInstance, absent for the built-in backend.
	ID string `json:"id" yaml:",omitempty"`
	// Via is the way in which the backend was found.
	Via string `json:"via" enum:"rule-inject,default-inject,exact-revision,exact,pattern-revision,pattern,built-in"`
	// Rule is the rule that decided, absent when none did.
	Rule string `json:"rule" yaml:",omitempty"`
}

// SelectionRejection is why an Implementation was not selected.
type SelectionRejection struct {
	// Implementation is PATH:REVISION.
	Implementation string `json:"implementation"`
	// OneOf is the index of the element that it does not satisfy, absent when no
	// element was tried.
	OneOf *int `json:"oneOf" yaml:"oneOf,omitempty"`
	// Reasons are all reasons.
	Reasons []Reason `json:"reasons"`
}

// spec returns the spec of the ImplementationSelection.
func (s *Selection) spec() SelectionSpec {
	spec := SelectionSpec{Interface: s.Interface.Ref, Outcome: string(s.Outcome)}
	if s.Rule != nil {
		spec.Rule = &SelectionRule{Interface: s.Rule.Interface.String(), OneOf: index(s.OneOf), From: scopes(s.origins())}
	}
	if i := s.Implementation; i != nil {
		spec.Implementation = &SelectedImplementation{i.Ref, i.Resource.Name}
	}
	for _, i := range s.Alternatives {
		spec.Alternatives = append(spec.Alternatives, i.Ref.String())
	}
	spec.Inject.RequiredTypeInstances = s.Inject.RequiredTypeInstances
	for _, p := range s.Inject.AdditionalParameters {
		spec.Inject.AdditionalParameters = append(spec.Inject.AdditionalParameters, manifest.Parameter{Name: p.Name, Value: plainValue(p.Value.Root())})
	}
	spec.Inject.AdditionalTypeInstances = s.Inject.AdditionalTypeInstances
	for _, b := range s.Backends {
		spec.Backends = append(spec.Backends, SelectionBackend{b.Output, b.TypeRef, b.ID, string(b.Via), b.Rule})
	}
	for _, r := range s.Rejected {
		spec.Rejected = append(spec.Rejected, SelectionRejection{r.Implementation.Ref.String(), index(r.OneOf), r.Reasons})
	}
	return spec
}

// origins are the elements that the selected element is made of, or the rules if none
// was selected.
func (s *Selection) origins() []Origin {
	if e := s.element(); e != nil {
		return e.Origins
	}
	return s.Rule.Origins
}

// index returns a pointer to the index of an element, or nil if there is none.
func index(oneOf int) *int {
	if oneOf < 0 {
		return nil
	}
	return &oneOf
}

// plainValue copies a value without its comments, with aliases and merge keys
// expanded: the resource that it is written to has no anchors.
func plainValue(n *yaml.Node) *yaml.Node {
	n = values.Resolve(n)
	if n == nil {
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"}
	}
	c := &yaml.Node{Kind: n.Kind, Tag: n.Tag, Value: n.Value, Style: n.Style &^ (yaml.FlowStyle | yaml.TaggedStyle)}
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!str" && n.Style == 0 && !strings.Contains(n.Value, "\n") && values.Quote(n.Value) != n.Value {
		c.Style = yaml.DoubleQuotedStyle // some readers take a plain `no` for a boolean
	}
	if n.Kind == yaml.MappingNode {
		for _, p := range values.Pairs(n) {
			c.Content = append(c.Content, plainValue(p.Key), plainValue(p.Value))
		}
		return c
	}
	for _, child := range n.Content {
		c.Content = append(c.Content, plainValue(child))
	}
	return c
}
