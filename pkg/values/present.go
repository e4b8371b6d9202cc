package values

import (
	"slices"

	"go.yaml.in/yaml/v3"
)

// Present returns the matches of [Tree.Find] that are not [Absent]. It is quick for many paths into the same
// lists: each list is walked once, and of its elements only those that have a key of the path are.
func (t *Tree) Present(p Path) []Match {
	matches, _ := t.keys.present(finder{path: p, layers: t.layers, keys: &t.keys}, t.root, t.bottom)
	return matches
}

// Has reports whether a path leads to a value, or to a list that is null.
func (t *Tree) Has(p Path) bool {
	_, has := t.keys.present(finder{path: p, layers: t.layers, keys: &t.keys}, t.root, t.bottom)
	return has
}

// Present is [Tree.Present] for a document.
func (d *Document) Present(p Path) []Match {
	matches, _ := d.keys().present(finder{path: p, keys: d.keys()}, d.Root(), 0)
	return matches
}

// Has is [Tree.Has] for a document.
func (d *Document) Has(p Path) bool {
	_, has := d.keys().present(finder{path: p, keys: d.keys()}, d.Root(), 0)
	return has
}

// elements are the elements that a path ending in "$[]" leads to.
type elements struct {
	// all are the elements in the order of the text.
	all []*element
	// byKey contains the indexes of the maps among all, by their keys, and lists the indexes of the
	// lists.
	byKey map[string][]int
	lists []int
	// others are the matches of values that are not lists with elements.
	others []Match
	// hasNull reports whether a list is null.
	hasNull bool
	// isAmbiguous reports whether the result depends on the rest of the path.
	isAmbiguous bool
}

// element is an element of a list.
type element struct {
	// node is the value, and layer the layer that supplies it.
	node  *yaml.Node
	layer int
	// up is the element that contains the list, or nil if there is none, and steps lead from up to
	// this element.
	up    *element
	steps []Step
}

// appendTo appends the steps from the root.
func (e *element) appendTo(steps []Step) []Step {
	if e == nil {
		return steps
	}
	return append(e.up.appendTo(steps), e.steps...)
}

// present returns the matches that are not Absent, and whether there are some or a list is null.
func (x *index) present(f finder, root *yaml.Node, layer int) (matches []Match, has bool) {
	last := len(f.path.steps) - 1
	for last >= 0 && !f.path.steps[last].wildcard {
		last--
	}
	if x == nil || last < 0 {
		return f.present(root, layer)
	}
	in := x.elements(f, last, root, layer)
	if in.isAmbiguous {
		return f.present(root, layer)
	}
	f.matches = slices.Clone(in.others)
	f.below(in, last+1)
	return f.matches, in.hasNull || len(f.matches) > 0
}

// present looks for all matches, and leaves out those that are Absent.
func (f *finder) present(root *yaml.Node, layer int) (matches []Match, has bool) {
	all := f.find(root, layer)
	has = slices.ContainsFunc(all, func(m Match) bool { return m.State != Absent || f.keys.follow(root, m.Steps) != nil })
	return slices.DeleteFunc(all, func(m Match) bool { return m.State == Absent }), has
}

// below adds the matches of the steps from i on, which have no "$[]", below elements.
func (f *finder) below(in *elements, i int) {
	visit := func(e *element) {
		f.steps, f.up = e.appendTo(f.steps[:0]), e
		f.walk(e.node, nil, i, e.layer)
	}
	if i == len(f.path.steps) || f.path.steps[i].wildcard {
		for _, e := range in.all {
			visit(e)
		}
		return
	}
	found := slices.Clone(in.byKey[f.path.step(i)])
	f.eachJoined(i, func(joined string, _ int) { found = append(found, in.byKey[joined]...) })
	if f.path.steps[i].digits {
		found = append(found, in.lists...)
	}
	slices.Sort(found)
	for _, at := range slices.Compact(found) {
		visit(in.all[at])
	}
	f.matches = slices.DeleteFunc(f.matches, func(m Match) bool { return m.State == Absent })
}

// elements returns what the path leads to up to "$[]" at a step. It is kept, so that each list is walked once for
// all paths through it.
func (x *index) elements(f finder, step int, root *yaml.Node, layer int) *elements {
	prefix := f.path.text[:f.path.steps[step].end]
	x.mu.Lock()
	known := x.lists[prefix]
	x.mu.Unlock()
	if known != nil {
		return known
	}
	made := &elements{byKey: map[string][]int{}}
	cut := f
	cut.path.text, cut.path.steps, cut.path.plain = prefix, f.path.steps[:step+1], f.path.plain[:step+1]
	cut.list = made
	before := step - 1
	for before >= 0 && !f.path.steps[before].wildcard {
		before--
	}
	if before < 0 {
		cut.walk(root, nil, 0, layer)
	} else {
		in := x.elements(f, before, root, layer)
		if len(in.all) == 0 && !in.isAmbiguous {
			return in
		}
		made.others, made.hasNull, made.isAmbiguous = slices.Clone(in.others), in.hasNull, in.isAmbiguous
		cut.below(in, before+1)
	}
	for i, e := range made.all {
		made.index(i, e.node)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.lists == nil {
		x.lists = map[string]*elements{}
	}
	x.lists[prefix] = made
	return made
}

// index notes the keys of an element that is a map, or that the element is a list.
func (in *elements) index(i int, n *yaml.Node) {
	switch n = dealias(n); n.Kind {
	case yaml.SequenceNode:
		in.lists = append(in.lists, i)
	case yaml.MappingNode:
		for _, p := range pairs(n) {
			if name, ok := p.Name(); ok {
				in.byKey[name] = append(in.byKey[name], i)
			}
		}
	}
}

// add adds what "$[]" is applied to.
func (in *elements) add(f *finder, n, key *yaml.Node, layer int) {
	switch {
	case isNull(n):
		in.hasNull = in.hasNull || n != nil
	case n.Kind != yaml.SequenceNode || len(n.Content) == 0:
		state := EmptyList
		if n.Kind != yaml.SequenceNode {
			state = NotAList
		}
		f.matches = in.others
		f.add(state, n, key, layer)
		in.others = f.matches
	default:
		way := f.steps[len(f.up.appendTo(nil)):]
		for i, item := range n.Content {
			in.all = append(in.all, &element{item, f.layer(item, layer), f.up, Below(way, Element(i))})
		}
	}
}
