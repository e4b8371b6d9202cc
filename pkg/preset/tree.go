package preset

import (
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

func isMap(n *yaml.Node) bool { return n != nil && n.Kind == yaml.MappingNode }

func isList(n *yaml.Node) bool { return n != nil && n.Kind == yaml.SequenceNode }

// isNull reports whether n exists and is null.
func isNull(n *yaml.Node) bool { return n != nil && values.IsNull(n) }

func nullNode() *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"} }

// mapOf makes a map of entries, of the type of another map.
func mapOf(like *yaml.Node, all []values.Pair) *yaml.Node {
	m := &yaml.Node{Kind: yaml.MappingNode, Tag: like.Tag, Style: like.Style & yaml.TaggedStyle}
	for _, e := range all {
		m.Content = append(m.Content, e.Key, e.Value)
	}
	return m
}

// overlay returns over laid on below.
func overlay(below, over *yaml.Node) *yaml.Node {
	switch {
	case over == nil:
		return below
	case below == nil, !isMap(values.Resolve(below)), !isMap(values.Resolve(over)):
		return values.Resolve(over)
	}
	return values.Merge(values.Layer{Document: values.Of(below)}, values.Layer{Document: values.Of(over)}).Root()
}
