package facts

import (
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/internal/node"
	"github.com/krm-packs/functions/pkg/values"
)

// node returns the document of the facts. It is the same for the same charts: keys are
// sorted.
func (p *Pack) node() *yaml.Node {
	n := node.Map()
	putMap(n, "charts", p.Charts, (*Chart).node)
	if p.Incomplete && len(p.Charts) > 0 { // else nothing is said of charts
		put(n, "incomplete", node.True())
	}
	putMap(n, "manifests", p.Manifests, (*Tree).node)
	return n
}

// node returns the facts of the chart as YAML, keys in a fixed order.
func (c *Chart) node() *yaml.Node {
	n := node.Map()
	for _, one := range []struct{ key, value string }{{"name", c.Name}, {"version", c.Version}, {"kubeVersion", c.KubeVersion}} {
		if one.value != "" {
			put(n, one.key, text(one.value))
		}
	}
	putPaths(n, "condition", c.Condition)
	if len(c.Tags) > 0 {
		put(n, "tags", flow(c.Tags))
	}
	putPaths(n, "importValues", c.ImportValues)
	put(n, "reads", c.Reads.node())
	putPaths(n, "tpl", c.TPL)
	put(n, "schema", root(c.Schema))
	if c.SchemaFault != "" {
		put(n, "schemaFault", text(c.SchemaFault))
	}
	put(n, "defaults", root(c.Defaults))
	putMap(n, "subcharts", c.Subcharts, (*Chart).node)
	return n
}

// node returns the tree as YAML: `*`, null or a mapping.
func (t *Tree) node() *yaml.Node {
	switch {
	case t.Whole:
		return text(Any)
	case t.Leaf:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null"}
	}
	return mapNode(t.Keys, (*Tree).node)
}

// mapNode returns a mapping with sorted keys.
func mapNode[T any](all map[string]T, value func(T) *yaml.Node) *yaml.Node {
	n := node.Map()
	for _, key := range slices.Sorted(maps.Keys(all)) {
		put(n, key, value(all[key]))
	}
	return n
}

// text returns a string scalar, in quotes where YAML needs them.
func text(value string) *yaml.Node {
	n := &yaml.Node{}
	n.SetString(value)
	return n
}

// put adds a key to a mapping, unless its value is nil.
func put(n *yaml.Node, key string, value *yaml.Node) {
	if value != nil {
		n.Content = append(n.Content, text(key), value)
	}
}

// putMap adds a mapping to another one, unless it is empty.
func putMap[T any](n *yaml.Node, key string, all map[string]T, value func(T) *yaml.Node) {
	if len(all) > 0 {
		put(n, key, mapNode(all, value))
	}
}

// flow returns strings as a list on one line.
func flow(texts []string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Style: yaml.FlowStyle}
	for _, one := range texts {
		n.Content = append(n.Content, text(one))
	}
	return n
}

// putPaths adds paths as a list of lists, unless there are none.
func putPaths(n *yaml.Node, key string, paths [][]string) {
	if len(paths) == 0 {
		return
	}
	list := node.List()
	for _, path := range paths {
		list.Content = append(list.Content, flow(path))
	}
	put(n, key, list)
}

// Equal reports whether two charts read and require the same.
func (c *Chart) Equal(other *Chart) bool {
	a, err := values.Print(c.node())
	b, otherErr := values.Print(other.node())
	return err == nil && otherErr == nil && string(a) == string(b)
}
