// Package facts holds what the charts and manifests of a pack read of its values, and checks
// values by it.
//
// The facts are made by package chart, from the archives, and travel with the pack: what
// checks values does not need the charts. A key that is reported is read by no template, and
// is in neither the values.yaml nor the values.schema.json of the chart.
//
// # The data
//
// chart-facts.yaml lies beside the values.yaml of the pack:
//
//	charts:
//	  vault:
//	    name: vault
//	    version: 0.28.0
//	    reads:
//	      server: {port: null, resources: '*'}
//
// A key below reads is a key that the chart reads or has. Its value is a map with the keys below it,
// null for a value without keys, or * if everything below may be read. [Any] as a key stands for all
// keys.
//
// # The way of the data
//
// [Read] decodes the facts. A [Checker] checks the effective values of a pack with them: keys that
// nothing reads (inert.go, misplaced.go), values that a values.schema.json does not allow (schema.go,
// coalesce.go, which merges values as Helm does), and charts that do not support the version of the
// cluster (version.go). [CheckReleases] does the same for the layers of Helm releases (release.go).
package facts

import (
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/internal/jsonschema"
	"github.com/krm-packs/functions/pkg/values"
)

// FileName is the key of a pack that holds the facts.
const FileName = "chart-facts.yaml"

// Pack records the values that the charts and manifests of a pack read.
type Pack struct {
	// Charts are the charts by their keys below `charts` in the values.
	Charts map[string]*Chart
	// Incomplete reports whether there may be charts that are not among Charts.
	Incomplete bool
	// Manifests are what the manifests of the pack read, by their keys below `manifests`. One
	// is absent if that is unknown.
	Manifests map[string]*Tree
}

// Chart records the values that a chart and its subcharts read.
type Chart struct {
	// Name, Version and KubeVersion are copied from Chart.yaml, or "" if absent there.
	Name, Version, KubeVersion string
	// kubeVersionAt is the place of KubeVersion, if the facts were read.
	kubeVersionAt values.Position
	// Reads is what the chart itself has or reads of its values.
	Reads *Tree
	// TPL are the paths of values whose texts the chart runs as templates. The path without
	// steps means all values.
	TPL [][]string
	// Schema is the values.schema.json. Defaults are the chart's own values: Helm checks
	// values together with them. Both are nil if neither the chart nor a subchart has a
	// schema, and if they are too large.
	Schema, Defaults *values.Document
	// SchemaFault is the reason why Helm rejects the values.schema.json whatever the values are, or
	// "" if it does not. There is no Schema then.
	SchemaFault string
	// Subcharts are the subcharts of the chart, by their keys in its values.
	Subcharts map[string]*Chart
	// Condition are paths in the values of the chart around a subchart: the first one that is
	// set switches the subchart on or off. Tags do so otherwise.
	Condition [][]string
	// Tags are names below `tags` in those values.
	Tags []string
	// ImportValues are paths in a subchart's values that the chart around it imports.
	ImportValues [][]string

	// compiled returns the compiled Schema, if [Chart.Keep] was called.
	compiled func() (*jsonschema.Schema, error)
	// places returns where keys are read, see [Chart.elsewhere], if Keep was called.
	places func() map[string][][]string
}

// Keep makes the chart and its subcharts keep derived values, such as compiled
// schemas. Call it before a chart is shared.
func (c *Chart) Keep() {
	c.compiled = sync.OnceValues(func() (*jsonschema.Schema, error) { return jsonschema.Compile(root(c.Schema)) })
	c.places = sync.OnceValue(c.findPlaces)
	for _, sub := range c.Subcharts {
		sub.Keep()
	}
}

// compile returns the compiled Schema.
func (c *Chart) compile() (*jsonschema.Schema, error) {
	if c.compiled != nil {
		return c.compiled()
	}
	return jsonschema.Compile(root(c.Schema))
}

// Any is a key of trees: it matches every key.
const Any = "*"

// Tree describes which values the templates read at a place.
type Tree struct {
	// Whole reports whether everything below may be read. Leaf reports whether the chart has a
	// value there without keys, so that values below it may be read as well.
	Whole, Leaf bool
	// Keys has the keys that the chart reads or has. [Any] matches keys that only a run of
	// the chart knows, and the elements of lists.
	Keys map[string]*Tree
}

// Read reads facts. They are made by a program: a document that it did not make is a
// finding, and then nothing is checked by it. An unknown field is ignored: a later version
// wrote it.
func Read(document *values.Document) (*Pack, error) {
	d, p := &decoder{}, &Pack{}
	d.fields(document.Root(), func(key string, value *yaml.Node) {
		switch key {
		case "charts":
			p.Charts = mapOf(d, value, d.chart)
		case "incomplete":
			p.Incomplete = value.Value == "true"
		case "manifests":
			p.Manifests = mapOf(d, value, d.tree)
		}
	})
	if d.err != nil {
		return nil, d.err
	}
	return p, nil
}

// decoder reads facts, and keeps the first fault.
// err is the first fault.
type decoder struct{ err error }

// fail notes that a node must be something else.
func (d *decoder) fail(n *yaml.Node, want string) {
	if d.err == nil {
		d.err = &values.SyntaxError{Position: values.At(n), Reason: "must be " + want + ", got " + values.KindOf(n)}
	}
}

// fields calls set for each field of a mapping.
func (d *decoder) fields(n *yaml.Node, set func(key string, value *yaml.Node)) {
	if !values.IsNull(n) && n.Kind != yaml.MappingNode {
		d.fail(n, "a map")
	}
	for _, pair := range values.Pairs(n) {
		if name, ok := pair.Name(); ok {
			set(name, pair.Value)
		}
	}
}

// mapOf reads a mapping whose values all have one form.
func mapOf[T any](d *decoder, n *yaml.Node, read func(*yaml.Node) T) map[string]T {
	all := map[string]T{}
	d.fields(n, func(key string, value *yaml.Node) { all[key] = read(value) })
	return all
}

// listOf reads a list whose elements all have one form.
func listOf[T any](d *decoder, n *yaml.Node, read func(*yaml.Node) T) (all []T) {
	if n.Kind != yaml.SequenceNode {
		d.fail(n, "a list")
		return nil
	}
	for _, e := range n.Content {
		all = append(all, read(e))
	}
	return all
}

// text reads a string.
func (d *decoder) text(n *yaml.Node) string {
	if n.Kind != yaml.ScalarNode {
		d.fail(n, "a string")
	}
	return n.Value
}

func (d *decoder) texts(n *yaml.Node) []string { return listOf(d, n, d.text) }

// chart reads the facts of a chart with its subcharts. Unknown keys are ignored.
func (d *decoder) chart(n *yaml.Node) *Chart {
	c := &Chart{Reads: &Tree{}}
	d.fields(n, func(key string, value *yaml.Node) {
		switch key {
		case "name":
			c.Name = value.Value
		case "version":
			c.Version = value.Value
		case "kubeVersion":
			c.KubeVersion, c.kubeVersionAt = value.Value, values.At(value)
		case "reads":
			c.Reads = d.tree(value)
		case "tpl":
			c.TPL = listOf(d, value, d.texts)
		case "schema":
			c.Schema = values.Of(value)
		case "schemaFault":
			c.SchemaFault = value.Value
		case "defaults":
			c.Defaults = values.Of(value)
		case "subcharts":
			c.Subcharts = mapOf(d, value, d.chart)
		case "condition":
			c.Condition = listOf(d, value, d.texts)
		case "tags":
			c.Tags = d.texts(value)
		case "importValues":
			c.ImportValues = listOf(d, value, d.texts)
		}
	})
	return c
}

// tree reads a tree: a mapping, null or `*`.
func (d *decoder) tree(n *yaml.Node) *Tree {
	if n.Kind != yaml.MappingNode {
		return &Tree{Whole: !values.IsNull(n), Leaf: values.IsNull(n)}
	}
	return &Tree{Keys: mapOf(d, n, d.tree)}
}
