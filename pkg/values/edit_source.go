package values

import (
	"bytes"

	"go.yaml.in/yaml/v3"
)

// selfContained returns a document of the same value whose parts can be moved
// on their own: without aliases, merge keys and duplicate keys. Such a
// document is the source itself, unless it is a part of another one.
func selfContained(src *Document) (*Document, error) {
	if src.Root() == nil || src.whole() && !entangled(src.Root()) {
		return src, nil
	}
	root := WithComments(src.Root())
	if text, ok := plainText(root); ok {
		if d, err := Parse(text); err == nil && d.Root() != nil && Equal(d.Root(), src.Root()) {
			return d, nil
		}
	}
	// The encoder gets some block scalars wrong; quoted ones it does not.
	for _, quote := range []bool{false, true} {
		var b bytes.Buffer
		e := yaml.NewEncoder(&b)
		e.SetIndent(2)
		if err := e.Encode(untangled(root, quote)); err != nil {
			break
		}
		if d, err := Parse(b.String()); err == nil && d.Root() != nil && !entangled(d.Root()) && Equal(d.Root(), src.Root()) {
			return d, nil
		}
	}
	return nil, reject(src.Root(), "the new value cannot be written without its aliases")
}

// entangled reports whether a tree has aliases, merge keys or duplicate keys, so that its parts mean
// something only where they are.
func entangled(n *yaml.Node) bool {
	if n.Kind == yaml.AliasNode {
		return true
	}
	if n.Kind == yaml.MappingNode && (hasMergeKey(n) || len(pairs(n)) != len(n.Content)/2) {
		return true
	}
	for _, child := range n.Content {
		if entangled(child) {
			return true
		}
	}
	return false
}

// untangled returns a copy of n in which aliases and merge keys are replaced
// by the anchor's value, and block scalars, when asked for, by quoted ones.
func untangled(n *yaml.Node, quote bool) *yaml.Node {
	c := *dealias(n)
	c.Anchor, c.Alias = "", nil
	if quote && isBlockScalar(&c) {
		c.Style = yaml.DoubleQuotedStyle
	}
	if isNull(&c) {
		c.Value = "null" // the encoder cannot write an empty one everywhere
	}
	content := c.Content
	if c.Kind == yaml.MappingNode {
		content = nil
		for _, p := range pairs(&c) {
			content = append(content, p.Key, p.Value)
		}
	}
	c.Content = make([]*yaml.Node, len(content))
	for i, child := range content {
		c.Content[i] = untangled(child, quote)
	}
	return &c
}
