package values

import (
	"iter"

	"go.yaml.in/yaml/v3"
)

// Layer is one document of several that make up the values of a pack.
type Layer struct {
	// Document is the document, or nil if the layer has no values.
	Document *Document
	// Replace discards everything below this layer.
	Replace bool
}

// Tree is the result of merging layers of values. It is immutable.
type Tree struct {
	// root is the merged value, or nil.
	root   *yaml.Node
	bottom int                // the layer that supplies what layers does not name
	layers map[*yaml.Node]int // nil when one layer supplies everything

	keys index // those that were searched

	// made are the maps that Merge made, with the places of their keys. Further layers are
	// laid into them: a copy for each layer would be quadratic.
	made map[*yaml.Node]map[string]int
}

// Merge lays documents over each other, the first lowest. Maps merge deeply
// and everything else replaces: a list a list, a scalar a map and the reverse;
// an explicit null sets null, {} over a map changes nothing, and an empty
// document merges as nothing. Merge keys ("<<") of maps that merge are
// expanded. The nodes of the documents are not changed; what one layer alone
// supplies is not copied.
//
// For example, two layers and their values:
//
//	a: 1
//	b: {c: 2}
//	---
//	b: {c: 3, d: 4}
//	---
//	a: 1
//	b: {c: 3, d: 4}
func Merge(layers ...Layer) *Tree {
	t := &Tree{made: map[*yaml.Node]map[string]int{}}
	defer func() { t.made = nil }()
	for i, layer := range layers {
		if layer.Replace {
			t.root, t.layers = nil, nil
		}
		if layer.Document == nil || layer.Document.Root() == nil {
			continue
		}
		over := layer.Document.Root()
		if t.root == nil {
			t.root, t.bottom = over, i
			continue
		}
		if t.layers == nil {
			t.layers = map[*yaml.Node]int{}
		}
		below, changed := t.root, false
		if t.root, changed = t.merge(below, t.layerOf(below, t.bottom), over, i); changed {
			t.supplied(t.root, i)
		}
		if t.root == over {
			t.layers, t.bottom = nil, i
		}
	}
	return t
}

// merge returns over laid on below, which the layer named by below's entry or
// else by inherited supplied, and whether that differs from below.
func (t *Tree) merge(below *yaml.Node, inherited int, over *yaml.Node, layer int) (*yaml.Node, bool) {
	below, over = dealias(below), dealias(over)
	if below.Kind != yaml.MappingNode || over.Kind != yaml.MappingNode {
		return over, true
	}
	if len(over.Content) == 0 {
		t.supplied(below, inherited)
		return below, false
	}
	merged, index := t.own(below, inherited)
	first := len(merged.Content)
	for _, p := range pairs(over) {
		at := indexOf(merged, index, p.Key)
		if at < 0 {
			value := dealias(p.Value)
			t.supplied(value, layer)
			merged.Content = append(merged.Content, p.Key, value)
			continue
		}
		old := merged.Content[at+1]
		value, changed := t.merge(old, t.layerOf(old, inherited), p.Value, layer)
		if changed {
			t.supplied(value, layer)
		}
		merged.Content[at], merged.Content[at+1] = p.Key, value
	}
	for at := first; at < len(merged.Content); at += 2 {
		addKey(index, merged.Content[at], at)
	}
	return merged, true
}

// own returns a map that Merge made, with the places of its keys: the map itself, or a copy
// without aliases and merge keys.
func (t *Tree) own(m *yaml.Node, inherited int) (*yaml.Node, map[string]int) {
	if index, ok := t.made[m]; ok {
		return m, index
	}
	made, index := &yaml.Node{
		Kind: yaml.MappingNode, Tag: m.Tag, Style: m.Style,
		Line: m.Line, Column: m.Column,
	}, map[string]int{}
	for _, p := range pairs(m) {
		addKey(index, p.Key, len(made.Content))
		value := dealias(p.Value)
		t.supplied(value, t.layerOf(p.Value, inherited))
		made.Content = append(made.Content, p.Key, value)
	}
	t.made[made] = index
	return made, index
}

// addKey adds the place of a key to the index of a map.
func addKey(index map[string]int, key *yaml.Node, at int) {
	if key = dealias(key); key.Kind == yaml.ScalarNode {
		index[key.Value] = at
	}
}

// indexOf returns the index of key in the content of m, or -1 if there is none.
func indexOf(m *yaml.Node, index map[string]int, key *yaml.Node) int {
	if key = dealias(key); key.Kind == yaml.ScalarNode {
		if at, ok := index[key.Value]; ok {
			return at
		}
		return -1
	}
	for i := 0; i+1 < len(m.Content); i += 2 {
		if k := dealias(m.Content[i]); k.Kind == key.Kind && Equal(k, key) {
			return i
		}
	}
	return -1
}

func (t *Tree) supplied(n *yaml.Node, layer int) { t.layers[n] = layer }

// layerOf returns the layer of a node, which is inherited unless the tree names another one.
func (t *Tree) layerOf(n *yaml.Node, inherited int) int {
	if l, ok := t.layers[dealias(n)]; ok {
		return l
	}
	return inherited
}

// Root returns the merged values, or nil if there are none.
func (t *Tree) Root() *yaml.Node { return t.root }

// Find is Find over the merged values. Match.Layer is the layer that supplied
// the value, for a map that several layers make up the highest of them, and -1
// when the value is absent.
func (t *Tree) Find(p Path) []Match {
	f := finder{path: p, layers: t.layers, keys: &t.keys}
	matches := f.find(t.root, t.bottom)
	for i := range matches {
		if matches[i].State == Absent {
			matches[i].Layer = -1
		}
	}
	return matches
}

// All yields the matches of [Tree.Find] one by one, so that the matches of a long list are not all
// in memory.
func (t *Tree) All(p Path) iter.Seq[Match] {
	return func(yield func(Match) bool) {
		f := finder{path: p, layers: t.layers, keys: &t.keys, yield: func(m Match) bool {
			if m.State == Absent {
				m.Layer = -1
			}
			return yield(m)
		}}
		for _, m := range f.find(t.root, t.bottom) {
			f.emit(m)
		}
	}
}

// Follow is [Follow] from a node of the tree.
func (t *Tree) Follow(n *yaml.Node, steps []Step) *yaml.Node { return t.keys.follow(n, steps) }

// Each calls visit for every value from the top, with the steps to it, which are shared, and
// the layer that supplies it. It leaves out the values below one for which visit
// returns false, and values that aliases and merge keys repeat.
func (t *Tree) Each(visit func(steps []Step, n *yaml.Node, layer int) bool) {
	if t.root != nil {
		t.each(nil, t.root, t.bottom, visit)
	}
}

// each visits a node and the values below it, see [Tree.Each].
func (t *Tree) each(steps []Step, n *yaml.Node, inherited int, visit func([]Step, *yaml.Node, int) bool) {
	layer := t.layerOf(n, inherited)
	if n.Kind == yaml.AliasNode || !visit(steps, n, layer) {
		return
	}
	for i, child := range n.Content {
		switch {
		case n.Kind == yaml.SequenceNode:
			t.each(append(steps, Step{Index: i, IsIndex: true}), child, layer, visit)
		case i%2 == 1 && n.Content[i-1].Kind == yaml.ScalarNode && !isMergeKey(n.Content[i-1]):
			t.each(append(steps, Key(n.Content[i-1].Value)), child, layer, visit)
		}
	}
}

// anchorTable records which nodes are used through aliases.
// used are the aliases by the node that they refer to.
type anchorTable struct{ used map[*yaml.Node][]*yaml.Node }

// newAnchorTable finds the aliases of a document.
func newAnchorTable(root *yaml.Node) *anchorTable {
	t := &anchorTable{}
	if root != nil {
		t.add(root)
	}
	return t
}

// add notes the aliases in a tree.
func (t *anchorTable) add(n *yaml.Node) {
	if n.Kind == yaml.AliasNode {
		if t.used == nil {
			t.used = map[*yaml.Node][]*yaml.Node{}
		}
		t.used[n.Alias] = append(t.used[n.Alias], n)
		return
	}
	for _, child := range n.Content {
		t.add(child)
	}
}
