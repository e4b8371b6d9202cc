package values

import "go.yaml.in/yaml/v3"

// Part returns the document whose root is n, a node of d: a values map that
// is inside a larger resource. Positions are those in d's text. It is for
// reading; edits are made on d.
func (d *Document) Part(n *yaml.Node) *Document {
	part := *d
	part.ofRoot = new(ofRoot)
	var of nodes
	if d.nodes != nil {
		of = d.nodes()
	}
	if of.root = dealias(n); isNull(of.root) {
		of.root = nil
	}
	part.nodes = func() nodes { return of }
	return &part
}

// Of returns the document whose root is n, a node that was read elsewhere and
// whose text is not at hand. It is for reading; it cannot be edited.
func Of(n *yaml.Node) *Document { return new(Document).Part(n) }

// Clone returns a copy of a tree that callers may change, in which aliases are those of
// copies.
func Clone(n *yaml.Node) *yaml.Node {
	copies := map[*yaml.Node]*yaml.Node{}
	var clone func(n *yaml.Node) *yaml.Node
	clone = func(n *yaml.Node) *yaml.Node {
		if n == nil {
			return nil
		}
		if c, known := copies[n]; known {
			return c
		}
		c := *n
		copies[n] = &c
		c.Content = make([]*yaml.Node, len(n.Content))
		for i, child := range n.Content {
			c.Content[i] = clone(child)
		}
		if n.Kind == yaml.AliasNode {
			c.Alias = clone(n.Alias)
		}
		return &c
	}
	return clone(n)
}
