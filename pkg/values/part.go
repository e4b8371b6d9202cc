package values

import (
	"sync"

	"go.yaml.in/yaml/v3"
)

// Part returns the document whose root is n, a node of d: a values mapping that
// is inside a larger resource. Positions are those in d's text. It is for
// reading; edits are made on d.
func (d *Document) Part(n *yaml.Node) *Document {
	part := *d
	part.keys = &index{}
	var of nodes
	if d.nodes != nil {
		of = d.nodes()
	}
	if of.root = dealias(n); isNull(of.root) {
		of.root = nil
	}
	part.nodes = func() nodes { return of }
	part.duplicates = sync.OnceValue(func() []Duplicate { return findDuplicates(of.root) })
	return &part
}

// Of returns the document whose root is n, a node that was read elsewhere and
// whose text is not at hand. It is for reading; it cannot be edited.
func Of(n *yaml.Node) *Document { return new(Document).Part(n) }
