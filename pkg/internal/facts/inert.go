package facts

import (
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/values"
)

// Key is a key in values.
type Key struct {
	// Path leads to it from the values of the chart.
	Path []string
	// Node is the node of the key.
	Node *yaml.Node
	// value is the value of the key.
	value *yaml.Node
	// Nearest is the key that the chart reads there and that was probably meant, one of Known.
	Nearest string
	Known   []string
}

// Inert returns the topmost keys of values for the chart that it does not read. Keys that
// merge keys bring, and values with an anchor, are left out. texts are values that users
// set: templates in them count where the chart runs texts as templates.
func (c *Chart) Inert(n *yaml.Node, texts []string) []Key {
	return c.top(func() references { return readTexts(slices.Values(texts)) }).inert(n)
}

// Reader returns a function that reports whether a chart or a manifest of the pack may read a key of its
// values, and whether that is known: the key is below `charts.NAME` or `manifests.NAME`, and there are
// facts of that one. users are the values that users set: templates in them count where a chart runs texts
// as templates.
func (p *Pack) Reader(users ...*values.Document) func(keys []string) (isRead, isKnown bool) {
	references := sync.OnceValue(func() references { return readTexts(texts(contents(users)...)) })
	return func(keys []string) (isRead, isKnown bool) {
		if len(keys) < 3 {
			return false, false
		}
		c := p.Charts[keys[1]]
		if read := p.Manifests[keys[1]]; keys[0] == "manifests" && read != nil {
			c = &Chart{Reads: read}
		} else if keys[0] != "charts" || c == nil {
			return false, false
		}
		at := c.top(references)
		for _, key := range keys[2:] {
			switch isChart := len(at.charts) > 0; {
			case isChart && (at.isCovered() || at.isFree(key)): // what may read all values says nothing about one
				return false, false
			case at.isCovered():
				return true, true
			}
			if at = at.below(key); !at.isRead() {
				return false, true
			}
		}
		return true, true
	}
}

// contents returns the contents of documents.
func contents(documents []*values.Document) []*yaml.Node {
	all := make([]*yaml.Node, 0, len(documents))
	for _, d := range documents {
		all = append(all, d.Root())
	}
	return all
}

// knows reports whether it is certain whether the chart reads a key: no place above it is
// read as a whole, or has keys of any name.
func (c *Chart) knows(path []string, texts func() references) bool {
	at := c.top(texts)
	for _, key := range path {
		if at.isCovered() || at.isFree(key) {
			return false
		}
		at = at.below(key)
	}
	return true
}

// top is the place of the values of the chart. texts are what users set.
func (c *Chart) top(texts func() references) place {
	if !c.runsTexts() {
		texts = func() references { return references{} }
	}
	return place{top: c, texts: texts, trees: []*Tree{c.Reads}, charts: []*Chart{c}, paths: [][]string{nil}}
}

// runsTexts reports whether the chart, or one in it, runs values as templates.
func (c *Chart) runsTexts() bool {
	return len(c.TPL) > 0 || slices.ContainsFunc(slices.Collect(maps.Values(c.Subcharts)), (*Chart).runsTexts)
}

// place is a place in the values of a chart, with all that is known of it.
type place struct {
	// top is the chart whose values the place is in, and texts returns what users set there.
	top   *Chart
	texts func() references
	// trees are the trees of the charts at the place: of the chart, and of subcharts with values
	// there.
	trees []*Tree
	// charts are the charts whose value it is. paths lead to the place from the values of each
	// parent chart, with the top chart first.
	charts []*Chart
	paths  [][]string
}

// isCovered reports whether all below the place is read, or may be.
func (p *place) isCovered() bool {
	texts := p.texts()
	return texts.whole || slices.ContainsFunc(p.trees, func(t *Tree) bool { return t.Whole || t.Leaf }) ||
		slices.ContainsFunc(p.paths, texts.covers)
}

// isRead reports whether the chart reads the place, or a place below it.
func (p *place) isRead() bool {
	return len(p.trees) > 0 || slices.ContainsFunc(p.paths, p.texts().reads)
}

// below returns the place of a key.
func (p *place) below(key string) place {
	at := place{top: p.top, texts: p.texts}
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
		if global := p.top.Reads.Keys["global"]; key == "global" && global != nil { // all charts share it
			at.trees = append(at.trees, global)
		}
		if sub := c.Subcharts[key]; sub != nil {
			at.trees, at.charts, at.paths = append(at.trees, sub.Reads), append(at.charts, sub), append(at.paths, nil)
		}
	}
	return at
}

// inert returns the topmost keys that are not read of a value at the place.
func (p place) inert(n *yaml.Node) (keys []Key) {
	if p.isCovered() {
		return nil
	}
	meant := sync.OnceValue(func() []string { // what is there is not meant
		present := values.ByName(n)
		return slices.DeleteFunc(p.names(), func(name string) bool { return present[name] != nil })
	})
	for _, pair := range values.Pairs(n) {
		name, ok := pair.Name()
		if !ok || pair.Merged || pair.Key.Kind == yaml.AliasNode {
			continue
		}
		if at := p.below(name); at.isRead() {
			keys = append(keys, at.inert(pair.Value)...)
		} else if !hasAnchor(pair.Value) {
			keys = append(keys, Key{at.paths[0], pair.Key, pair.Value, nearest.Name(name, meant()), meant()})
		}
	}
	return keys
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
	return slices.Sorted(maps.Keys(known))
}

// hasAnchor reports whether an alias may use a value elsewhere.
func hasAnchor(n *yaml.Node) bool {
	return n.Anchor != "" || slices.ContainsFunc(n.Content, hasAnchor)
}

// references are the values that templates in texts read, in whichever chart they run.
type references struct {
	// whole reports whether a text may read all values.
	whole bool
	// names are the dotted paths of values, each with all that is below it, sorted.
	names []string
}

// readTexts reads texts that may be run as templates: what they name is read. A named
// template that gets the whole context reads what the facts of the chart have; one that gets
// anything else, or whose name is computed, may read all.
func readTexts(texts iter.Seq[string]) (r references) {
	for text := range texts {
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

// reads reports whether a text reads a place, or a place below it.
func (r references) reads(path []string) bool {
	if r.covers(path) {
		return true
	}
	prefix := strings.Join(path, ".") + "."
	at, _ := slices.BinarySearch(r.names, prefix)
	return at < len(r.names) && strings.HasPrefix(r.names[at], prefix)
}
