// Package layout makes the resources that packfn writes into packages: nodes of YAML in block style, printed as kpt
// lays them out, and the JSON that some of their texts are.
//
//	text, err := layout.Print("pack vault", func(style yaml.Style) (*yaml.Node, error) {
//		return layout.Map("apiVersion", layout.Text("v1"), "data", layout.Map("pack.json", layout.Styled("{}\n", style))), nil
//	})
//
// [Print] writes texts as literal blocks if kpt keeps them so, otherwise in double quotes, and verifies that the
// content stays the same.
package layout

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/internal/node"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/values"
)

// Print returns the text of a resource in the layout of kpt. node returns the resource with
// multi-line strings in a style.
func Print(what string, node func(yaml.Style) (*yaml.Node, error)) ([]byte, error) {
	var beyond error
	for _, style := range []yaml.Style{yaml.LiteralStyle, yaml.DoubleQuotedStyle} {
		root, err := node(style)
		if err != nil {
			return nil, err
		}
		printed, err := values.Print(root)
		if err != nil {
			return nil, err
		}
		text, err := kptpackage.Format(printed)
		if err != nil {
			continue
		}
		// Verify that the printed text parses to the same content.
		again, err := values.Parse(string(text))
		if err == nil && values.Equal(again.Root(), root) {
			return text, nil
		}
		if limit, ok := errors.AsType[*values.LimitError](err); ok {
			beyond = limit
		}
	}
	if beyond != nil {
		return nil, fmt.Errorf("the %s is too large to be stored as one resource: %w; make its files smaller", what, beyond)
	}
	return nil, fmt.Errorf("the %s cannot be stored by kpt without a change", what)
}

// Text returns a string scalar, which is quoted if necessary.
func Text(value string) *yaml.Node {
	n := node.Text(value)
	if quoted := values.Quote(value); quoted != value {
		n.Style = yaml.DoubleQuotedStyle
		if strings.HasPrefix(quoted, "'") || !strings.ContainsAny(value, "'\n") && strings.Contains(value, `"`) {
			n.Style = yaml.SingleQuotedStyle
		}
	}
	return n
}

// Styled returns a string scalar in a style, for the content of a file.
func Styled(value string, style yaml.Style) *yaml.Node {
	if value == "" {
		style = yaml.DoubleQuotedStyle
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value, Style: style}
}

// Map returns a mapping with alternating keys and nodes.
func Map(pairs ...any) *yaml.Node {
	n := node.Map()
	for i := 0; i+1 < len(pairs); i += 2 {
		n.Content = append(n.Content, Text(pairs[i].(string)), pairs[i+1].(*yaml.Node))
	}
	return n
}

// SetText sets a key of a mapping to a string.
func SetText(n *yaml.Node, key, value string) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			n.Content[i+1] = Text(value)
			return
		}
	}
	n.Content = append(n.Content, Text(key), Text(value))
}

// Remove removes a key of a mapping. n may be nil.
func Remove(n *yaml.Node, key string) {
	for i := 0; n != nil && i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			n.Content = slices.Delete(n.Content, i, i+2)
			return
		}
	}
}

// Clone copies a tree, with aliases resolved and without anchors.
func Clone(n *yaml.Node) *yaml.Node {
	c := *values.Resolve(n)
	c.Anchor = ""
	c.Content = make([]*yaml.Node, len(c.Content))
	for i, child := range values.Resolve(n).Content {
		c.Content[i] = Clone(child)
	}
	return &c
}

// Block copies JSON nodes as YAML in block style, and keeps their positions.
func Block(n *yaml.Node) *yaml.Node {
	c := *n
	if c.Kind == yaml.ScalarNode {
		if c.Tag == "!!str" {
			c.Style = Text(c.Value).Style
			if strings.Contains(c.Value, "\n") {
				c.Style = yaml.LiteralStyle
			}
		} else if c.Style = 0; c.Tag != "!!null" && c.Tag != "!!bool" {
			c.Tag = "" // the tag of a number follows from its text
			c.Tag = c.ShortTag()
		}
		return &c
	}
	c.Style = 0
	if len(c.Content) == 0 {
		c.Style = yaml.FlowStyle
	}
	c.Content = make([]*yaml.Node, len(n.Content))
	for i, child := range n.Content {
		c.Content[i] = Block(child)
		if n.Kind == yaml.MappingNode && i%2 == 0 {
			c.Content[i].Style = Text(child.Value).Style
		}
	}
	return &c
}

// Restyle gives the literal blocks of a tree another style.
func Restyle(n *yaml.Node, style yaml.Style) {
	if n.Kind == yaml.ScalarNode && n.Style == yaml.LiteralStyle {
		n.Style = style
	}
	for _, child := range n.Content {
		Restyle(child, style)
	}
}
