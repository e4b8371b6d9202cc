package policy

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// SelectionSpec is the spec of the kind ImplementationSelection: what the policies
// say of one Interface. It is written by the function select-implementations.
type SelectionSpec struct {
	// Interface is the Interface that an Implementation was selected for.
	Interface Ref `json:"interface"`
	// Outcome says whether an Implementation was selected.
	Outcome string `json:"outcome" enum:"Selected,Denied,NoRule,Unsatisfied"`
	// Rule is the rule that decided, absent when there is none.
	Rule SelectionRule `json:"rule"`
	// Implementation is the Implementation that was selected.
	Implementation SelectedImplementation `json:"implementation"`
	// Alternatives are the others that would do, PATH:REVISION, the preferred
	// first.
	Alternatives []string `json:"alternatives"`
	// Inject is what is injected into the Implementation.
	Inject SelectionInject `json:"inject"`
	// Backends say where each output TypeInstance is stored.
	Backends []SelectionBackend `json:"backends"`
	// Rejected are the Implementations that were not selected.
	Rejected []SelectionRejection `json:"rejected"`
}

// SelectionRule is the rule that decided.
type SelectionRule struct {
	// Interface is that of the rule: PATH, PATH:REVISION or cap.*.
	Interface string `json:"interface"`
	// OneOf is the index of the element in the merged list.
	OneOf int `json:"oneOf"`
	// From are the scopes of the policies that it comes from, the highest first.
	From []string `json:"from"`
}

// SelectedImplementation is the Implementation that was selected.
type SelectedImplementation struct {
	Ref
	// Name is the name of its resource.
	Name string `json:"name"`
}

// SelectionInject is what is injected.
type SelectionInject struct {
	// RequiredTypeInstances are known by their aliases.
	RequiredTypeInstances []InjectedInstance `json:"requiredTypeInstances"`
	// AdditionalParameters are known by their names.
	AdditionalParameters []Parameter `json:"additionalParameters"`
	// AdditionalTypeInstances are known by their names.
	AdditionalTypeInstances []InjectedInstance `json:"additionalTypeInstances"`
}

// SelectionBackend says where an output TypeInstance is stored.
type SelectionBackend struct {
	// Output is its name.
	Output string `json:"output"`
	// TypeRef is its Type.
	TypeRef Ref `json:"typeRef"`
	// ID is that of the TypeInstance of the backend, absent for the built-in one.
	ID string `json:"id"`
	// Via says how it was found.
	Via string `json:"via" enum:"rule-inject,default-inject,exact-revision,exact,pattern-revision,pattern,built-in"`
	// Rule is the rule that decided, absent when none did.
	Rule string `json:"rule"`
}

// SelectionRejection is why an Implementation was not selected.
type SelectionRejection struct {
	// Implementation is PATH:REVISION.
	Implementation string `json:"implementation"`
	// OneOf is the index of the element that it does not satisfy, absent when no
	// element was tried.
	OneOf int `json:"oneOf"`
	// Reasons are all that speak against it.
	Reasons []Reason `json:"reasons"`
}

// YAML returns the spec of the ImplementationSelection, in a form that is the
// same for the same selection.
func (s *Selection) YAML() *yaml.Node {
	spec := &mapping{}
	spec.add("interface", refNode(s.Interface.Ref))
	spec.add("outcome", textNode(string(s.Outcome)))
	if s.Rule != nil {
		rule := &mapping{}
		rule.add("interface", textNode(s.Rule.Interface.String()))
		origins := s.Rule.Origins
		if e := s.Element(); e != nil {
			rule.add("oneOf", numberNode(s.OneOf))
			origins = e.Origins
		}
		rule.add("from", flow(textNodes(scopes(origins))))
		spec.add("rule", rule.node())
	}
	if i := s.Implementation; i != nil {
		m := mappingOf(i.Ref)
		m.add("name", textNode(i.Resource.Name))
		spec.add("implementation", m.node())
	}
	var alternatives []string
	for _, i := range s.Alternatives {
		alternatives = append(alternatives, i.Ref.String())
	}
	spec.addList("alternatives", textNodes(alternatives))
	inject := &mapping{}
	inject.addList("requiredTypeInstances", instanceNodes(s.Inject.RequiredTypeInstances))
	var parameters []*yaml.Node
	for _, p := range s.Inject.AdditionalParameters {
		m := &mapping{}
		m.add("name", textNode(p.Name))
		m.add("value", valueNode(p.Value.Root()))
		parameters = append(parameters, m.node())
	}
	inject.addList("additionalParameters", parameters)
	inject.addList("additionalTypeInstances", instanceNodes(s.Inject.AdditionalTypeInstances))
	if len(inject.content) > 0 {
		spec.add("inject", inject.node())
	}
	var backends []*yaml.Node
	for _, b := range s.Backends {
		m := &mapping{}
		m.add("output", textNode(b.Output))
		m.add("typeRef", refNode(b.TypeRef))
		m.addText("id", b.ID)
		m.add("via", textNode(string(b.Via)))
		m.addText("rule", b.Rule)
		backends = append(backends, m.node())
	}
	spec.addList("backends", backends)
	var rejected []*yaml.Node
	for _, r := range s.Rejected {
		m := &mapping{}
		m.add("implementation", textNode(r.Implementation.Ref.String()))
		if r.OneOf >= 0 {
			m.add("oneOf", numberNode(r.OneOf))
		}
		var reasons []*yaml.Node
		for _, reason := range r.Reasons {
			why := &mapping{}
			why.add("code", textNode(string(reason.Code)))
			why.addText("detail", reason.Detail)
			reasons = append(reasons, why.node())
		}
		m.addList("reasons", reasons)
		rejected = append(rejected, m.node())
	}
	spec.addList("rejected", rejected)
	return spec.node()
}

// mapping builds a mapping node.
type mapping struct{ content []*yaml.Node }

func (m *mapping) add(key string, value *yaml.Node) {
	m.content = append(m.content, textNode(key), value)
}

// addText adds a text unless it is empty, addList a list.
func (m *mapping) addText(key, value string) {
	if value != "" {
		m.add(key, textNode(value))
	}
}

func (m *mapping) addList(key string, items []*yaml.Node) {
	if len(items) > 0 {
		m.add(key, &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Content: items})
	}
}

func (m *mapping) node() *yaml.Node {
	return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: m.content}
}

func mappingOf(r Ref) *mapping {
	m := &mapping{}
	m.add("path", textNode(r.Path))
	m.add("revision", textNode(r.Revision))
	return m
}

func refNode(r Ref) *yaml.Node { return mappingOf(r).node() }

func instanceNodes(all []InjectedInstance) []*yaml.Node {
	var nodes []*yaml.Node
	for _, i := range all {
		m := &mapping{}
		m.add("name", textNode(i.Name))
		m.add("id", textNode(i.ID))
		nodes = append(nodes, m.node())
	}
	return nodes
}

func textNodes(texts []string) []*yaml.Node {
	var nodes []*yaml.Node
	for _, text := range texts {
		nodes = append(nodes, textNode(text))
	}
	return nodes
}

func flow(items []*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Style: yaml.FlowStyle, Content: items}
}

func numberNode(n int) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: strconv.Itoa(n)}
}

// textNode is a text. The printer quotes what YAML 1.2 takes for something else;
// what YAML 1.1 takes for a boolean or a number is quoted here, since other
// clients read it so.
func textNode(text string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text}
	switch strings.ToLower(text) {
	case "y", "n", "yes", "no", "on", "off":
		n.Style = yaml.DoubleQuotedStyle
	}
	if strings.Contains(text, ":") && strings.Trim(text, "0123456789:.-+_") == "" {
		n.Style = yaml.DoubleQuotedStyle // 1:30 is 90
	}
	return n
}

// valueNode copies a value without its comments, with aliases and merge keys
// expanded: the resource that it goes to has no anchors.
func valueNode(n *yaml.Node) *yaml.Node {
	n = values.Resolve(n)
	if n == nil {
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"}
	}
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!str" && n.Style == 0 {
		return textNode(n.Value)
	}
	c := &yaml.Node{Kind: n.Kind, Tag: n.Tag, Value: n.Value, Style: n.Style &^ (yaml.FlowStyle | yaml.TaggedStyle)}
	if n.Kind == yaml.MappingNode {
		for _, p := range pairs(n) {
			c.Content = append(c.Content, valueNode(p.key), valueNode(p.value))
		}
		return c
	}
	for _, child := range n.Content {
		c.Content = append(c.Content, valueNode(child))
	}
	return c
}
