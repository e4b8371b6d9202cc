package facts

import (
	"maps"
	"slices"
	"strings"
	"sync"

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
func (c *Chart) Inert(n *yaml.Node, texts []string) []Key { return c.newInert(texts).find(n) }

func (c *Chart) newInert(texts []string) *inert {
	i := &inert{chart: c}
	if c.runsTexts() {
		i.texts = readTexts(texts)
	}
	return i
}

func (i *inert) find(n *yaml.Node) []Key {
	i.keys = nil
	if !i.texts.whole {
		i.walk(n, i.chart.top(), nil)
	}
	return i.keys
}

// knows reports whether it is certain whether the chart reads a key: no place above it is
// read as a whole, or has keys of any name.
func (i *inert) knows(path []string) bool {
	at := i.chart.top()
	for _, key := range path {
		if i.texts.whole || i.isCovered(at) || at.isFree(key) {
			return false
		}
		at, _ = i.below(at, key)
	}
	return true
}

// top is the place of the values of the chart.
func (c *Chart) top() place {
	return place{trees: []*Tree{c.Reads}, charts: []*Chart{c}, paths: [][]string{nil}}
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

// inert looks for keys that a chart does not read.
type inert struct {
	chart *Chart
	texts references
	keys  []Key
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
		if global := i.chart.Reads.Keys["global"]; key == "global" && global != nil { // all charts share it
			at.trees = append(at.trees, global)
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
	meant := sync.OnceValue(func() []string { // what is there is not meant
		present := fields(n)
		return slices.DeleteFunc(at.names(), func(name string) bool { return present[name] != nil })
	})
	for _, pair := range pairs {
		name, ok := pair.Name()
		if !ok || pair.Merged || pair.Key.Kind == yaml.AliasNode {
			continue
		}
		switch next, isKnown := i.below(at, name); {
		case isKnown:
			i.walk(pair.Value, next, append(slices.Clone(path), name))
		case !HasAnchor(pair.Value):
			i.keys = append(i.keys, Key{append(slices.Clone(path), name), pair.Key, nearest.Name(name, meant())})
		}
	}
}

// isFree reports whether a key is read at a place only because keys of any name are.
func (p *place) isFree(key string) bool {
	return !slices.Contains(p.names(), key) && slices.ContainsFunc(p.trees, func(t *Tree) bool { return t.Keys[Any] != nil })
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
