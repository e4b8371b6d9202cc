package chart

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// maxDepth is the depth below which everything counts as read.
const maxDepth = 40

// node is a position in the values of a chart, and records the reads of templates there.
type node struct {
	// children are the positions below, by their keys.
	children map[string]*node
	// any records the reads below keys that only a run would show, and in list elements.
	any *node
	// whole is true if everything below is read, and tested if a condition reads the value.
	whole, tested bool
	// tpl is true if the value is run as a template.
	tpl bool
	// isScope is true if the node is the root of a chart's values.
	isScope bool
	// depth is the number of keys above. Below maxDepth everything counts as read.
	depth int
}

// child returns the position of a key, which is made if it does not exist.
func (n *node) child(key string) *node {
	if c := n.children[key]; c != nil {
		return c
	}
	if n.depth == maxDepth {
		n.whole = true
		return n
	}
	if n.children == nil {
		n.children = map[string]*node{}
	}
	c := &node{depth: n.depth + 1}
	n.children[key] = c
	return c
}

// anyChild returns the position that stands for keys and elements that only a run knows.
func (n *node) anyChild() *node {
	if n.depth == maxDepth {
		n.whole = true
		return n
	}
	if n.any == nil {
		n.any = &node{depth: n.depth + 1}
	}
	return n.any
}

// follow returns the node at a dotted path.
func (n *node) follow(path string) *node {
	for key := range strings.SplitSeq(path, ".") {
		n = n.child(key)
	}
	return n
}

// consume marks everything below the node as read.
func (n *node) consume() {
	n.whole = true
	if global := n.children["global"]; global != nil {
		global.whole = true // other charts share it
	}
}

// scope is a chart at its position in the values. A chart with several aliases has a scope for
// each.
type scope struct {
	// chart is the chart, values the node of its values, and subs the scopes of its subcharts by their
	// keys.
	chart  *Chart
	values *node
	subs   map[string]*scope
}

// newScope returns the scopes of a chart and its subcharts, which share a single node for
// `global`.
func newScope(c *Chart, at, top *node) *scope {
	s := &scope{chart: c, values: at, subs: map[string]*scope{}}
	at.isScope = true
	global := top.child("global")
	at.child("global")
	at.children["global"] = global
	listed := map[string]bool{}
	for _, d := range c.dependencies {
		listed[d.name] = true
		for _, condition := range d.conditions {
			at.follow(condition).whole = true
		}
		for _, tag := range d.tags {
			at.follow("tags").child(tag).whole = true
			top.follow("tags").child(tag).whole = true
		}
		key, there := cmp.Or(d.alias, d.name), false
		for _, sub := range c.subcharts {
			if sub.Name == d.name {
				there = true
				s.add(key, sub, top)
			}
		}
		if !there { // its reads are unknown
			at.child(key).whole = true
			global.whole = true
		}
		for _, imported := range d.imports {
			at.child(key).follow(imported).whole = true
		}
	}
	for _, sub := range c.subcharts {
		if !listed[sub.Name] {
			s.add(sub.Name, sub, top)
		}
	}
	return s
}

// add adds a subchart at a key. Two charts with one key make everything there count as read.
func (s *scope) add(key string, sub *Chart, top *node) {
	if s.subs[key] != nil { // two versions of a chart: it is unknown which one is used
		s.values.child(key).whole = true
		top.child("global").whole = true
		return
	}
	s.subs[key] = newScope(sub, s.values.child(key), top)
}

// all calls f for the scope and its descendants, in the order of their keys.
func (s *scope) all(f func(*scope)) {
	f(s)
	for _, key := range slices.Sorted(maps.Keys(s.subs)) {
		s.subs[key].all(f)
	}
}

// rootOf returns the root of a document, which may be nil.
func rootOf(d *values.Document) *yaml.Node {
	if d == nil {
		return nil
	}
	return d.Root()
}
