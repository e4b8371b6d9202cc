package chart

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/values"
)

// Facts returns the values that the chart and its subcharts read.
func (c *Chart) Facts() *facts.Chart { return c.facts(new(int)) }

// facts is like Facts, and adds the steps of the walk to steps, because several walks share a
// limit.
func (c *Chart) facts(steps *int) *facts.Chart {
	top := &node{}
	s := newScope(c, top, top)
	isFollowed := read(s, steps)
	b := builder{top: s, bundle: newBundle(c)}
	s.all(func(s *scope) { b.isChecked = b.isChecked || s.chart.schema != nil || s.chart.schemaFault != "" })
	f := b.chart(s)
	b.tpl(top, nil)
	if f.TPL = b.paths; !isFollowed {
		f.Reads, f.TPL = &facts.Tree{Whole: true}, [][]string{{}}
	}
	return f
}

// builder builds the facts of a chart after the walk.
type builder struct {
	// top is the scope of the chart, and bundle the schemas of all charts.
	top    *scope
	bundle *bundle
	// isChecked is true if any chart has a schema, because Helm validates the merged values then.
	isChecked bool
	// paths are the paths of values that are run as templates.
	paths [][]string
}

// tpl collects the paths of values that are run as templates.
func (b *builder) tpl(n *node, path []string) {
	if n.tpl {
		b.paths = append(b.paths, slices.Clone(path))
		return
	}
	for _, key := range slices.Sorted(maps.Keys(n.children)) {
		if b.top.values != n && key == "global" && n.isScope { // it is the global of the top-level chart
			continue
		}
		b.tpl(n.children[key], append(slices.Clone(path), key))
	}
	if n.any != nil {
		b.tpl(n.any, append(slices.Clone(path), facts.Any))
	}
}

// chart returns the facts of the chart of a scope, and of its subcharts.
func (b *builder) chart(s *scope) *facts.Chart {
	c := s.chart
	f := &facts.Chart{
		Name: c.Name, Version: c.Version, KubeVersion: c.kubeVersion, SchemaFault: c.schemaFault, Subcharts: map[string]*facts.Chart{},
	}
	if c.schemaFault == "" {
		f.Schema = withoutWords(b.bundle.whole(rootOf(c.schema)))
	}
	at := place{reads: []*node{s.values}}
	at.addChart(s, b.bundle)
	f.Reads = b.tree(at, s, 0)
	for key, sub := range s.subs {
		one := b.chart(sub)
		for _, d := range c.dependencies {
			if cmp.Or(d.alias, d.name) != key || d.name != sub.chart.Name {
				continue
			}
			one.Tags = append(one.Tags, d.tags...)
			for _, condition := range d.conditions {
				one.Condition = append(one.Condition, strings.Split(condition, "."))
			}
			for _, imported := range d.imports {
				one.ImportValues = append(one.ImportValues, strings.Split(imported, "."))
			}
		}
		f.Subcharts[key] = one
	}
	if b.isChecked {
		f.Defaults = withoutComments(c.values)
	}
	return f
}

// place is a position in the values, with everything that is known about it.
type place struct {
	// reads are the nodes of the position: several if an alias or an import gives a value two places.
	reads []*node
	// known are the values at the position in the values.yaml of charts.
	known []*yaml.Node
	// schemas are the schemas that apply to the position.
	schemas []schemaAt
	// isFree is true if keys with any name are allowed at the position.
	isFree bool
}

// addChart adds the values and the schema of a chart.
func (p *place) addChart(s *scope, b *bundle) {
	if root := rootOf(s.chart.values); root != nil {
		p.known = append(p.known, root)
	}
	if root := rootOf(s.chart.schema); root != nil {
		p.schemas = append(p.schemas, schemaAt{b, root, root})
	}
}

// keys returns the names of the keys that are read or defined at the position.
func (p *place) keys() []string {
	found := map[string]bool{}
	for _, n := range p.reads {
		for key := range n.children {
			found[key] = true
		}
	}
	for _, n := range p.known {
		for _, pair := range values.Pairs(n) {
			if name, ok := pair.Name(); ok {
				found[name] = true
			}
		}
	}
	for _, s := range p.schemas {
		for _, name := range s.names() {
			found[name] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// below returns the position of a key.
func (p *place) below(key string) place {
	var at place
	for _, n := range p.reads {
		if c := n.children[key]; c != nil {
			at.reads = append(at.reads, c)
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
	return at
}

// maxTree is the maximum depth of trees. Everything below it counts as read, because schemas can
// be recursive.
const maxTree = 24

// tree returns the tree of values that are read at a position and below. s is the chart whose
// values are at the position, or nil for a position below the root of a chart's values.
func (b *builder) tree(p place, s *scope, depth int) *facts.Tree {
	keys := p.keys()
	hasKeys := slices.ContainsFunc(p.known, func(n *yaml.Node) bool { return n.Kind == yaml.MappingNode && len(n.Content) > 0 })
	reads, isWhole := 0, depth == maxTree
	var elements []*node
	for _, n := range p.reads {
		isWhole = isWhole || n.whole || n.tested && !hasKeys
		reads += len(n.children)
		if n.any != nil {
			elements = append(elements, n.any)
		}
	}
	isText := slices.ContainsFunc(p.known, func(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && !values.IsNull(n) })
	switch {
	case isWhole && !isText:
		return &facts.Tree{Whole: true}
	case isWhole, p.isFree, len(keys)+len(elements) == 0:
		return &facts.Tree{Leaf: true}
	}
	t := &facts.Tree{Keys: map[string]*facts.Tree{}}
	for _, key := range keys {
		at := p.below(key)
		if s != nil && key == "global" { // all charts share global
			if s != b.top {
				continue
			}
			s.all(func(sub *scope) {
				if sub == s {
					return
				}
				if n := values.Field(rootOf(sub.chart.values), key); n != nil {
					at.known = append(at.known, n)
				}
				if root := rootOf(sub.chart.schema); root != nil {
					found, _ := schemaAt{b.bundle, root, root}.child(key)
					at.schemas = append(at.schemas, found...)
				}
			})
		}
		if s != nil && s.subs[key] != nil { // the facts of the subchart contain the values that are read
			at.reads, at.isFree = nil, false
			if len(at.keys()) == 0 {
				continue
			}
		}
		t.Keys[key] = b.tree(at, nil, depth+1)
	}
	if slices.ContainsFunc(p.schemas, schemaAt.isOpen) {
		t.Keys[facts.Any] = &facts.Tree{Leaf: true}
	} else if len(elements) > 0 {
		t.Keys[facts.Any] = b.tree(place{reads: elements}, nil, depth+1)
	}
	return t
}

// withoutComments returns a copy of a document without comments.
func withoutComments(d *values.Document) *values.Document {
	if rootOf(d) == nil {
		return nil
	}
	var content func(n *yaml.Node) *yaml.Node
	content = func(n *yaml.Node) *yaml.Node {
		c := copied(n, func(_ string, value *yaml.Node) *yaml.Node { return content(value) })
		for i, e := range c.Content {
			if n.Kind == yaml.MappingNode && i%2 == 0 {
				key := *e
				key.HeadComment, key.LineComment, key.FootComment, key.Alias = "", "", "", nil
				c.Content[i] = &key
			}
		}
		if c.HeadComment, c.LineComment, c.FootComment = "", "", ""; c.Kind != yaml.AliasNode {
			c.Alias = nil
		}
		return c
	}
	return values.Of(content(rootOf(d)))
}

// annotations are the keywords of JSON Schema that validate nothing.
var annotations = []string{"description", "title", "examples", "$comment", "default", "markdownDescription"}

// withoutWords returns a schema without annotations. Properties are kept, even if they are named
// like an annotation.
func withoutWords(root *yaml.Node) *values.Document {
	if root == nil {
		return nil
	}
	return values.Of(withoutAnnotations(root))
}

// withoutAnnotations copies a schema without annotations. Values of unknown keywords are kept
// unchanged, because references may point into them.
func withoutAnnotations(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.SequenceNode {
		return copied(n, func(_ string, e *yaml.Node) *yaml.Node { return withoutAnnotations(e) })
	}
	return copied(n, func(keyword string, value *yaml.Node) *yaml.Node {
		switch {
		case slices.Contains(annotations, keyword):
			return nil
		case slices.Contains([]string{"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"}, keyword):
			return copied(value, func(_ string, sub *yaml.Node) *yaml.Node { return withoutAnnotations(sub) })
		case slices.Contains([]string{"items", "prefixItems", "additionalItems", "additionalProperties", "unevaluatedItems", "unevaluatedProperties", "contains", "propertyNames", "allOf", "anyOf", "oneOf", "not", "if", "then", "else"}, keyword):
			return withoutAnnotations(value)
		}
		return value
	})
}

// copied copies a mapping or a list, with each value replaced by the result of value. In a
// mapping, a nil result drops the entry.
func copied(n *yaml.Node, value func(key string, value *yaml.Node) *yaml.Node) *yaml.Node {
	c := *n
	c.Content = nil
	for i, e := range n.Content {
		switch n.Kind {
		case yaml.SequenceNode:
			c.Content = append(c.Content, value("", e))
		case yaml.MappingNode:
			if i%2 == 1 {
				if v := value(n.Content[i-1].Value, e); v != nil {
					c.Content = append(c.Content, n.Content[i-1], v)
				}
			}
		}
	}
	return &c
}
