package chart

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// maxDepth is the depth below which all of a node counts as read.
const maxDepth = 40

// node is a place in the values of a chart, with what templates read there.
type node struct {
	children map[string]*node
	// any is read below keys that only a run would know, and in elements of lists.
	any *node
	// whole says that all below is read, and tested that a condition reads the value.
	whole, tested bool
	// tpl says that the text of the value is run as a template.
	tpl bool
	// isScope says that it is the values of a chart.
	isScope bool
	depth   int
}

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

// consume says that all of the node is read.
func (n *node) consume() {
	n.whole = true
	if global := n.children["global"]; global != nil {
		global.whole = true // which other charts share
	}
}

// scope is a chart at its place in the values: one for each alias.
type scope struct {
	chart  *Chart
	values *node
	subs   map[string]*scope
}

// newScope makes the scopes of a chart and its subcharts, whose `global` is one node.
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
		if !there { // its values and its reads of global are unknown
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

func (s *scope) add(key string, sub *Chart, top *node) {
	if s.subs[key] != nil { // two versions of a chart: which one is used depends on their versions
		s.values.child(key).whole = true
		top.child("global").whole = true
		return
	}
	s.subs[key] = newScope(sub, s.values.child(key), top)
}

// all calls f for the scope and those below, in the order of their keys.
func (s *scope) all(f func(*scope)) {
	f(s)
	for _, key := range slices.Sorted(maps.Keys(s.subs)) {
		s.subs[key].all(f)
	}
}

func elements(n *yaml.Node) []*yaml.Node {
	if n == nil || n.Kind != yaml.SequenceNode {
		return nil
	}
	return n.Content
}

func rootOf(d *values.Document) *yaml.Node {
	if d == nil {
		return nil
	}
	return d.Root()
}
