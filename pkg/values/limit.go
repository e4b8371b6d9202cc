package values

import (
	"fmt"

	"go.yaml.in/yaml/v3"
)

// The limits of a document. What exceeds them is rejected by Parse before it
// is looked at any further.
const (
	// MaxBytes is the length of the largest text, in bytes.
	MaxBytes = 32 << 20
	// MaxDepth is the deepest nesting of maps and lists, aliases followed.
	MaxDepth = 1000
	// MaxNodes is the largest number of keys and values, aliases followed.
	MaxNodes = 1_000_000
	// MaxAliasNodes is the largest number of keys and values that aliases add.
	MaxAliasNodes = 100_000
	// MaxAliasRatio is the largest number of keys and values that aliases add, for each
	// that is written. It is about what go-yaml allows when it decodes a short text. Without
	// it, many short texts would take as long as long ones.
	MaxAliasRatio = 100
)

// maxSlowBytes is the length of the largest text that go-yaml reads.
const maxSlowBytes = 8 << 20

func tooManyNodes() *LimitError {
	return &LimitError{Reason: fmt.Sprintf("the document expands to more than %d nodes", MaxNodes)}
}

// LimitError is returned if a text exceeds MaxBytes, MaxDepth, MaxNodes or the limit on nodes that
// aliases add, or if an anchor contains an alias of itself and so has no end.
type LimitError struct{ Reason string }

func (e *LimitError) Error() string { return e.Reason }

// extent is the size of a node with everything below it, aliases followed.
type extent struct {
	// nodes is the number of nodes, and levels the depth of the tree.
	nodes  int
	levels int
}

// measure computes extents. Every anchored node is measured once: an alias
// bomb costs as much as the text it is written in.
type measure struct {
	// known are the extents of anchored nodes, and open the ones that are being measured.
	known map[*yaml.Node]extent
	open  map[*yaml.Node]bool
	// written is the number of nodes without those that aliases add.
	written int
	// err is the first error.
	err error
}

// checkLimits returns a [LimitError] if a tree is too deep or too large, or has an alias inside its
// own anchor.
func checkLimits(root *yaml.Node) error {
	var m measure
	e := m.node(root)
	switch {
	case m.err != nil:
		return m.err
	case e.levels > MaxDepth:
		return tooDeep()
	case e.nodes > MaxNodes:
		return tooManyNodes()
	}
	return checkAliases(m.written, e.nodes-m.written)
}

// checkAliases returns a LimitError if aliases add too many nodes to those that are written.
func checkAliases(written, added int) error {
	switch {
	case added > MaxAliasNodes:
		return &LimitError{Reason: fmt.Sprintf("aliases add more than %d nodes to the document", MaxAliasNodes)}
	case added > MaxAliasRatio*written:
		return &LimitError{Reason: fmt.Sprintf("aliases add more than %d nodes to the document for each that is written", MaxAliasRatio)}
	}
	return nil
}

func tooDeep() error {
	return &LimitError{Reason: fmt.Sprintf("the document is nested deeper than %d levels", MaxDepth)}
}

// node measures a node. An alias counts as the node that it refers to.
func (m *measure) node(n *yaml.Node) extent {
	m.written++
	if n.Kind == yaml.AliasNode {
		if m.open[n.Alias] {
			if m.err == nil {
				m.err = &LimitError{Reason: fmt.Sprintf("line %d: the alias *%s is inside its own anchor", n.Line, n.Value)}
			}
			return extent{nodes: 1}
		}
		return m.known[n.Alias]
	}
	if n.Anchor != "" {
		if m.open == nil {
			m.known, m.open = map[*yaml.Node]extent{}, map[*yaml.Node]bool{}
		}
		m.open[n] = true
	}
	e := extent{nodes: 1}
	for _, child := range n.Content {
		if child.Kind == yaml.ScalarNode && child.Anchor == "" {
			e.nodes++
			m.written++
			continue
		}
		c := m.node(child)
		e.nodes = min(e.nodes+c.nodes, MaxNodes+1) // saturates: the true number may not fit
		e.levels = max(e.levels, c.levels)
	}
	if n.Kind != yaml.ScalarNode {
		e.levels++
	}
	if n.Anchor != "" {
		delete(m.open, n)
		m.known[n] = e
	}
	return e
}
