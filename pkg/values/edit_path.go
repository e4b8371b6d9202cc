package values

import (
	"go.yaml.in/yaml/v3"
)

// crumb is one node on the way to an edit.
type crumb struct {
	node   *yaml.Node // a value, alias not followed
	parent *yaml.Node // nil for the root
	index  int        // of the entry in parent
	at     context    // of parent
}

// where returns the place of the node of c.
func (l *layout) where(c crumb) context {
	if c.parent == nil {
		return rootContext
	}
	return l.inside(c.parent, c.at)
}

// trail is the way that an edit takes through the document.
type trail struct {
	crumbs  []crumb // from the root on; empty when the document is empty
	missing []Step  // the steps below the last node that exists
	blocked error   // why nothing can be edited here, when it cannot
}

func (t *trail) last() crumb { return t.crumbs[len(t.crumbs)-1] }

// follow walks as far along the steps as the document goes.
func (l *layout) follow(steps []Step) *trail {
	t := &trail{missing: steps}
	if l.d.Root() == nil {
		return t
	}
	t.crumbs = []crumb{{node: l.d.Root(), at: rootContext}}
	at := rootContext
	for len(t.missing) > 0 {
		n, step := t.last().node, t.missing[0]
		if n.Kind == yaml.AliasNode {
			t.block(reject(n, "this is the alias *%s: an edit of what is in it would change line %d", n.Value, n.Alias.Line))
			return t
		}
		if used := l.d.anchors().used[n]; len(used) > 0 {
			t.block(rejectShared(n, n, used))
		}
		index := -1
		switch {
		case n.Kind == yaml.MappingNode && !step.IsIndex:
			index = explicitIndex(n, step.Key)
		case n.Kind == yaml.SequenceNode && step.IsIndex && step.Index >= 0 && step.Index < len(n.Content):
			index = step.Index
		}
		if index < 0 {
			return t
		}
		next := crumb{parent: n, index: index, at: at}
		if n.Kind == yaml.MappingNode {
			next.node = n.Content[2*index+1]
		} else {
			next.node = n.Content[index]
		}
		at = l.inside(n, at)
		t.crumbs = append(t.crumbs, next)
		t.missing = t.missing[1:]
	}
	return t
}

// block notes why nothing can be edited here. The first reason counts.
func (t *trail) block(err error) {
	if t.blocked == nil {
		t.blocked = err
	}
}

// explicitIndex returns the last entry of m with the key, merge keys aside, or -1 if there is none.
func explicitIndex(m *yaml.Node, key string) int {
	for i := len(m.Content)/2 - 1; i >= 0; i-- {
		if k := dealias(m.Content[2*i]); k.Kind == yaml.ScalarNode && k.Value == key && !isMergeKey(k) {
			return i
		}
	}
	return -1
}

// usedElsewhere rejects the replacement of a subtree when aliases outside it
// use an anchor inside it.
func (d *Document) usedElsewhere(n *yaml.Node) error {
	used := d.anchors().used
	if len(used) == 0 {
		return nil
	}
	inside := map[*yaml.Node]bool{}
	var anchored []*yaml.Node
	var walk func(n *yaml.Node)
	walk = func(n *yaml.Node) {
		if n.Kind == yaml.AliasNode {
			inside[n] = true
		} else if len(used[n]) > 0 {
			anchored = append(anchored, n)
		}
		for _, child := range n.Content {
			walk(child)
		}
	}
	walk(n)
	for _, a := range anchored {
		for _, alias := range used[a] {
			if !inside[alias] {
				return rejectShared(a, a, []*yaml.Node{alias})
			}
		}
	}
	return nil
}

// replaced returns the tree with the node at the end of the crumbs replaced.
// Nodes on the way are copied, so that the document keeps its own.
func replaced(crumbs []crumb, n *yaml.Node) *yaml.Node {
	for i := len(crumbs) - 1; i > 0; i-- {
		c := crumbs[i]
		parent := *c.parent
		parent.Content = append([]*yaml.Node(nil), c.parent.Content...)
		if parent.Kind == yaml.MappingNode {
			parent.Content[2*c.index+1] = n
		} else {
			parent.Content[c.index] = n
		}
		n = &parent
	}
	return n
}

// nullNode is a null of an expected tree.
func nullNode() *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Tag: nullTag} }
