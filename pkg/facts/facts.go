// Package facts holds what the charts and manifests of a pack read of its values, and judges
// values by it.
//
//	p, findings := facts.Read(document) // chart-facts.yaml of an imported pack
//	c := p.Charts["vault"]
//	for _, key := range c.Inert(n, texts) { // n is the mapping of values for the chart
//		key.Path // [server replicaCuont]
//	}
//
// The facts are made by package chart, from the archives, and travel with the pack: what
// judges values does not need the charts. A key that is reported is read by no template, and
// is in neither the values.yaml nor the values.schema.json of the chart.
package facts

import (
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// FileName is the key of a pack that holds the facts.
const FileName = "chart-facts.yaml"

// Pack is what the charts and the manifests of a pack read.
type Pack struct {
	// Charts are the charts by their keys below `charts` in the values.
	Charts map[string]*Chart
	// Incomplete says that there may be charts that are not among Charts.
	Incomplete bool
	// Manifests are what the manifests of the pack read, by their keys below `manifests`. One
	// is absent if that is unknown.
	Manifests map[string]*Tree
}

// Chart is what a chart and its subcharts read.
type Chart struct {
	// Name, Version and KubeVersion are those of Chart.yaml, "" when it has none.
	Name, Version, KubeVersion string
	// kubeVersionAt is the place of KubeVersion, if the facts were read.
	kubeVersionAt values.Position
	// Reads is what the chart itself has or reads of its values.
	Reads *Tree
	// TPL are the paths of values whose texts the chart runs as templates. The path without
	// steps means all values.
	TPL [][]string
	// Schema is the values.schema.json. Defaults are the chart's own values: Helm judges
	// values together with them. Both are nil if neither the chart nor a subchart has a
	// schema, and if they are too large.
	Schema, Defaults *values.Document
	// Subcharts are those in the chart by their keys in its values.
	Subcharts map[string]*Subchart
}

// Subchart is a chart in a chart.
type Subchart struct {
	Chart
	// Condition are paths in the values of the chart around it: the first one that is set
	// switches the subchart on or off. Tags do so otherwise.
	Condition [][]string
	Tags      []string
	// ImportValues are paths in the subchart's values that the chart around it imports.
	ImportValues [][]string
}

// Any is a key of trees: it matches every key.
const Any = "*"

// Tree is what is read at a place in values.
type Tree struct {
	// Whole says that all below may be read, and Leaf that the chart has a value there that
	// has no keys: what is below may be read, too.
	Whole, Leaf bool
	// Keys has the keys that the chart reads or has. [Any] matches keys that only a run of
	// the chart knows, and the elements of lists.
	Keys map[string]*Tree
}

// Read reads facts. They are made by a program: a document that it did not make is a
// finding, and then nothing is judged by it.
func Read(document *values.Document) (*Pack, error) {
	d := decoder{}
	p := d.pack(document.Root())
	if d.err != nil {
		return nil, d.err
	}
	return p, nil
}

type decoder struct{ err error }

func (d *decoder) fail(n *yaml.Node, want string) {
	if d.err == nil {
		d.err = &values.SyntaxError{Position: values.At(n), Reason: "got " + values.KindOf(n) + "; want " + want}
	}
}

// fields calls set for each field of a mapping. An unknown one is left out: a later version
// wrote it.
func (d *decoder) fields(n *yaml.Node, set func(key string, value *yaml.Node)) {
	if n == nil || values.IsNull(n) {
		return
	}
	if n.Kind != yaml.MappingNode {
		d.fail(n, "a mapping")
		return
	}
	for _, pair := range values.Pairs(n) {
		if name, ok := pair.Name(); ok {
			set(name, pair.Value)
		}
	}
}

func (d *decoder) elements(n *yaml.Node) []*yaml.Node {
	if n.Kind != yaml.SequenceNode {
		d.fail(n, "a list")
		return nil
	}
	return n.Content
}

func (d *decoder) texts(n *yaml.Node) (all []string) {
	for _, e := range d.elements(n) {
		if e.Kind != yaml.ScalarNode {
			d.fail(e, "a text")
			continue
		}
		all = append(all, e.Value)
	}
	return all
}

func (d *decoder) paths(n *yaml.Node) (all [][]string) {
	for _, e := range d.elements(n) {
		all = append(all, d.texts(e))
	}
	return all
}

func (d *decoder) pack(n *yaml.Node) *Pack {
	p := &Pack{Charts: map[string]*Chart{}, Manifests: map[string]*Tree{}}
	d.fields(n, func(key string, value *yaml.Node) {
		switch key {
		case "charts":
			d.fields(value, func(name string, value *yaml.Node) {
				p.Charts[name] = &Chart{}
				d.chart(value, p.Charts[name], nil)
			})
		case "incomplete":
			p.Incomplete = value.Value == "true"
		case "manifests":
			d.fields(value, func(name string, value *yaml.Node) { p.Manifests[name] = d.tree(value, 0) })
		}
	})
	return p
}

// chart reads a chart, and of a subchart what the chart around it says of it.
func (d *decoder) chart(n *yaml.Node, c *Chart, sub *Subchart) {
	c.Reads, c.Subcharts = &Tree{}, map[string]*Subchart{}
	d.fields(n, func(key string, value *yaml.Node) {
		switch key {
		case "name":
			c.Name = value.Value
		case "version":
			c.Version = value.Value
		case "kubeVersion":
			c.KubeVersion, c.kubeVersionAt = value.Value, values.At(value)
		case "reads":
			c.Reads = d.tree(value, 0)
		case "tpl":
			c.TPL = d.paths(value)
		case "schema":
			c.Schema = values.Of(value)
		case "defaults":
			c.Defaults = values.Of(value)
		case "subcharts":
			d.fields(value, func(name string, value *yaml.Node) {
				c.Subcharts[name] = &Subchart{}
				d.chart(value, &c.Subcharts[name].Chart, c.Subcharts[name])
			})
		}
		if sub == nil {
			return
		}
		switch key {
		case "condition":
			sub.Condition = d.paths(value)
		case "tags":
			sub.Tags = d.texts(value)
		case "importValues":
			sub.ImportValues = d.paths(value)
		}
	})
}

// maxDepth is the depth of trees, below which all counts as read.
const maxDepth = 50

func (d *decoder) tree(n *yaml.Node, depth int) *Tree {
	if n.Kind != yaml.MappingNode || depth == maxDepth {
		return &Tree{Whole: !values.IsNull(n), Leaf: values.IsNull(n)}
	}
	t := &Tree{Keys: map[string]*Tree{}}
	d.fields(n, func(key string, value *yaml.Node) { t.Keys[key] = d.tree(value, depth+1) })
	return t
}
