package facts

import (
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/nearest"
	"github.com/krm-packs/functions/pkg/values"
)

// Key is a key in values.
type Key struct {
	// Path leads to it from the values of the chart.
	Path []string
	Node *yaml.Node
	// Nearest is the key that the chart reads there and that was probably meant.
	Nearest string
}

// Inert returns the topmost keys of values for the chart that it does not read. Keys that
// merge keys bring, and values with an anchor, are left out. texts are values that users
// set: templates in them count where the chart runs texts as templates.
func (c *Chart) Inert(n *yaml.Node, texts []string) []Key {
	i := inert{global: c.Reads.Keys["global"]}
	if c.runsTexts() {
		i.texts = readTexts(texts)
	}
	if !i.texts.whole {
		i.walk(n, place{trees: []*Tree{c.Reads}, charts: []*Chart{c}, paths: [][]string{nil}}, nil)
	}
	return i.keys
}

// runsTexts reports whether the chart, or one in it, runs values as templates.
func (c *Chart) runsTexts() bool {
	if len(c.TPL) > 0 {
		return true
	}
	for _, sub := range c.Subcharts {
		if sub.runsTexts() {
			return true
		}
	}
	return false
}

type inert struct {
	global *Tree
	texts  references
	keys   []Key
}

// place is a place in values, with all that is known of it.
type place struct {
	trees []*Tree
	// charts are those whose values it is, and paths lead to the place from the values of
	// each chart around it.
	charts []*Chart
	paths  [][]string
}

// isCovered reports whether all below the place is read, or may be.
func (i *inert) isCovered(p place) bool {
	return slices.ContainsFunc(p.trees, func(t *Tree) bool { return t.Whole || t.Leaf }) ||
		slices.ContainsFunc(p.paths, i.texts.covers)
}

// below returns the place of a key, and false for one that the chart does not read.
func (i *inert) below(p place, key string) (at place, isKnown bool) {
	for _, path := range p.paths {
		at.paths = append(at.paths, append(slices.Clone(path), key))
	}
	for _, t := range p.trees {
		for _, name := range []string{key, Any} {
			if sub := t.Keys[name]; sub != nil {
				at.trees = append(at.trees, sub)
			}
		}
	}
	for _, c := range p.charts {
		if key == "global" && i.global != nil { // all charts share it
			at.trees = append(at.trees, i.global)
		}
		if sub := c.Subcharts[key]; sub != nil {
			at.trees, at.charts, at.paths = append(at.trees, sub.Reads), append(at.charts, &sub.Chart), append(at.paths, nil)
		}
	}
	return at, len(at.trees) > 0 || slices.ContainsFunc(at.paths, i.texts.reads)
}

func (i *inert) walk(n *yaml.Node, at place, path []string) {
	if i.isCovered(at) {
		return
	}
	pairs := values.Pairs(n)
	for _, pair := range pairs {
		name, ok := pair.Name()
		if !ok || pair.Merged || pair.Key.Kind == yaml.AliasNode {
			continue
		}
		switch next, isKnown := i.below(at, name); {
		case isKnown:
			i.walk(pair.Value, next, append(slices.Clone(path), name))
		case !HasAnchor(pair.Value):
			names := at.names()
			for _, other := range pairs { // what is there is not meant
				if name, ok := other.Name(); ok {
					names = slices.DeleteFunc(names, func(known string) bool { return known == name })
				}
			}
			i.keys = append(i.keys, Key{append(slices.Clone(path), name), pair.Key, nearest.Name(name, names)})
		}
	}
}

// names are the keys that are read at a place.
func (p *place) names() []string {
	known := map[string]bool{}
	for _, t := range p.trees {
		for key := range t.Keys {
			known[key] = true
		}
	}
	for _, c := range p.charts {
		for key := range c.Subcharts {
			known[key] = true
		}
	}
	delete(known, "global")
	delete(known, Any)
	return slices.Sorted(maps.Keys(known))
}

// HasAnchor reports whether an alias may use a value elsewhere.
func HasAnchor(n *yaml.Node) bool {
	return n.Kind != yaml.AliasNode && (n.Anchor != "" || slices.ContainsFunc(n.Content, HasAnchor))
}

// references are the values that templates in texts read, in whichever chart they run.
type references struct {
	// whole says that a text may read all values.
	whole bool
	// names are the dotted paths of values, each with all that is below it, sorted.
	names []string
}

// readTexts reads texts that may be run as templates: what they name is read. A named
// template that gets the whole context reads what the facts of the chart have; one that gets
// anything else, or whose name is computed, may read all.
func readTexts(texts []string) (r references) {
	for _, text := range texts {
		read := ReadText(text)
		r.names = append(r.names, read.Values...)
		r.whole = r.whole || read.Whole || slices.ContainsFunc(read.Calls, func(c Call) bool { return c.Name == "" || !c.IsContext })
	}
	slices.Sort(r.names)
	return r
}

// covers reports whether a text reads a place with all that is below it.
func (r references) covers(path []string) bool {
	name := ""
	for i, key := range path {
		if i > 0 {
			name += "."
		}
		name += key
		if _, ok := slices.BinarySearch(r.names, name); ok {
			return true
		}
	}
	return false
}

// reads reports whether a text reads a place, or what is below it.
func (r references) reads(path []string) bool {
	if r.covers(path) {
		return true
	}
	prefix := strings.Join(path, ".") + "."
	at, _ := slices.BinarySearch(r.names, prefix)
	return at < len(r.names) && strings.HasPrefix(r.names[at], prefix)
}
