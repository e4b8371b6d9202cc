// Package node makes nodes of YAML to write, which have no place in a text.
//
// For example, this is a ConfigMap with one entry:
//
//	node.Resource("v1", "ConfigMap", "vault", node.Text("data"), node.Map(node.Text("values.yaml"), node.Text("a: 1\
//
// ")))
package node

import "go.yaml.in/yaml/v3"

// Text is a text, which the encoder prints in quotes where a reader could take it for something else.
func Text(value string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value}
}

// True is the boolean.
func True() *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: "true"} }

// Map is a map of keys and values in turn.
func Map(content ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: content}
}

// List is a list of values.
func List(content ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Content: content}
}

// Resource is a resource with a name, and with fields, keys and values in turn, after its metadata.
func Resource(apiVersion, kind, name string, fields ...*yaml.Node) *yaml.Node {
	head := []*yaml.Node{Text("apiVersion"), Text(apiVersion), Text("kind"), Text(kind), Text("metadata"), Map(Text("name"), Text(name))}
	return Map(append(head, fields...)...)
}
