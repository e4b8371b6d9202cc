package chart

import (
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/nearest"
	"github.com/krm-packs/functions/pkg/values"
)

// Reads are the values that a chart reads.
type Reads struct{ top *scope }

// Reads returns what the chart reads. texts are values that users set: templates in them
// count where the chart runs them.
func (c *Chart) Reads(texts ...string) *Reads {
	top := &node{}
	r := &Reads{newScope(c, top, top)}
	if !read(r.top, texts) {
		r.top.values.whole = true
	}
	return r
}

// Key is a key in values.
type Key struct {
	// Path leads to it from the values of the chart.
	Path []string
	Node *yaml.Node
	// Nearest is the key that the chart reads there and that was probably meant.
	Nearest string
}

// Inert returns the topmost keys of values for the chart that it does not read. Keys
// that merge keys bring, and values with an anchor, are left out.
func (r *Reads) Inert(n *yaml.Node) []Key {
	i := inert{reads: r}
	at := place{scopes: []*scope{r.top}, reads: []*node{r.top.values}}
	at.addChart(r.top)
	if !at.isCovered() {
		i.walk(n, at, nil)
	}
	return i.keys
}

type inert struct {
	reads *Reads
	keys  []Key
}

// place is a place in values, with all that is known of it.
type place struct {
	// scopes are the charts whose values it is.
	scopes []*scope
	reads  []*node
	// known are the values there in the values.yaml of charts.
	known   []*yaml.Node
	schemas []schemaAt
	// isFree says that keys there have any name.
	isFree bool
}

// addChart adds the values and the schema of a chart.
func (p *place) addChart(s *scope) {
	if root := rootOf(s.chart.values); root != nil {
		p.known = append(p.known, root)
	}
	if root := rootOf(s.chart.schema); root != nil {
		p.schemas = append(p.schemas, schemaAt{root, root})
	}
}

// isCovered reports whether all below the place is read, or may be.
func (p *place) isCovered() bool {
	hasKeys := slices.ContainsFunc(p.known, func(n *yaml.Node) bool { return n.Kind == yaml.MappingNode && len(n.Content) > 0 })
	reads := 0
	for _, n := range p.reads {
		if n.whole || n.tested && !hasKeys {
			return true
		}
		reads += len(n.children)
		if n.any != nil {
			reads++
		}
	}
	if p.isFree {
		return true
	}
	return reads == 0 && !hasKeys && !slices.ContainsFunc(p.schemas, schemaAt.hasProperties)
}

// below returns the place of a key, and false for one that the chart does not read.
func (i *inert) below(p place, key string) (place, bool) {
	var at place
	for _, n := range p.reads {
		if c := n.children[key]; c != nil {
			at.reads = append(at.reads, c)
		}
		if n.any != nil {
			at.reads = append(at.reads, n.any)
		}
	}
	for _, n := range p.known {
		for _, pair := range values.Pairs(n) {
			if name, ok := pair.Name(); ok && name == key {
				at.known = append(at.known, pair.Value)
				at.isFree = at.isFree || pair.Value.Kind != yaml.MappingNode || len(pair.Value.Content) == 0
			}
		}
	}
	for _, s := range p.schemas {
		found, isFree := s.child(key)
		at.schemas = append(at.schemas, found...)
		at.isFree = at.isFree || isFree
	}
	isKnown := len(at.reads)+len(at.known)+len(at.schemas) > 0 || at.isFree
	for _, s := range p.scopes {
		if key == "global" { // all charts share it
			i.reads.top.all(func(s *scope) {
				if n := values.Field(rootOf(s.chart.values), key); n != nil {
					at.known = append(at.known, n)
				}
				for _, found := range []schemaAt{{rootOf(s.chart.schema), rootOf(s.chart.schema)}} {
					if found.n != nil {
						children, _ := found.child(key)
						at.schemas = append(at.schemas, children...)
					}
				}
			})
		}
		if sub := s.subs[key]; sub != nil {
			at.isFree, isKnown = false, true
			at.scopes = append(at.scopes, sub)
			at.addChart(sub)
		}
	}
	return at, isKnown
}

func (i *inert) walk(n *yaml.Node, at place, path []string) {
	pairs := values.Pairs(n)
	for _, pair := range pairs {
		name, ok := pair.Name()
		if !ok || pair.Merged || pair.Key.Kind == yaml.AliasNode {
			continue
		}
		next, isKnown := i.below(at, name)
		switch {
		case isKnown && next.isCovered():
		case isKnown:
			i.walk(pair.Value, next, append(slices.Clone(path), name))
		case !hasAnchor(pair.Value):
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
	for _, n := range p.reads {
		for key := range n.children {
			known[key] = true
		}
	}
	for _, n := range p.known {
		for _, pair := range values.Pairs(n) {
			if name, ok := pair.Name(); ok {
				known[name] = true
			}
		}
	}
	for _, s := range p.schemas {
		for _, name := range s.names() {
			known[name] = true
		}
	}
	delete(known, "global")
	return slices.Sorted(maps.Keys(known))
}

// hasAnchor reports whether an alias may use a value elsewhere.
func hasAnchor(n *yaml.Node) bool {
	return n.Kind != yaml.AliasNode && (n.Anchor != "" || slices.ContainsFunc(n.Content, hasAnchor))
}

// schemaAt is a schema in a document of schemas.
type schemaAt struct{ document, n *yaml.Node }

// all returns the schemas that apply together with s, in any branch. It is false when one
// of them is not in the document.
func (s schemaAt) all() (all []*yaml.Node, complete bool) {
	complete = true
	var add func(n *yaml.Node)
	add = func(n *yaml.Node) {
		if n == nil || n.Kind != yaml.MappingNode || slices.Contains(all, n) {
			return
		}
		all = append(all, n)
		if ref := values.Text(values.Field(n, "$ref")); ref != "" {
			path, isLocal := strings.CutPrefix(ref, "#")
			target := s.document
			for step := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
				if step != "" {
					target = values.Field(target, strings.NewReplacer("~1", "/", "~0", "~").Replace(step))
				}
			}
			if !isLocal || target == nil {
				complete = false
			}
			add(target)
		}
		for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
			for _, sub := range elements(values.Field(n, keyword)) {
				add(sub)
			}
		}
		for _, keyword := range []string{"if", "then", "else"} {
			add(values.Field(n, keyword))
		}
		for _, keyword := range []string{"dependentSchemas", "dependencies"} {
			for _, pair := range values.Pairs(values.Field(n, keyword)) {
				add(pair.Value)
			}
		}
	}
	add(s.n)
	return all, complete
}

func (s schemaAt) names() []string {
	var names []string
	all, _ := s.all()
	for _, n := range all {
		for _, pair := range values.Pairs(values.Field(n, "properties")) {
			if name, ok := pair.Name(); ok {
				names = append(names, name)
			}
		}
	}
	return names
}

func (s schemaAt) hasProperties() bool { return len(s.names()) > 0 }

// child returns the schemas of a key. It is free when keys of any name have one.
func (s schemaAt) child(key string) (found []schemaAt, isFree bool) {
	all, complete := s.all()
	isFree = !complete
	for _, n := range all {
		if property := values.Field(n, "properties", key); property != nil {
			found = append(found, schemaAt{s.document, property})
		}
		for _, keyword := range []string{"additionalProperties", "patternProperties", "unevaluatedProperties"} {
			if sub := values.Field(n, keyword); sub != nil && sub.Kind == yaml.MappingNode {
				isFree = true
			}
		}
	}
	return found, isFree
}
