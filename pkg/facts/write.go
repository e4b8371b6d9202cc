package facts

import (
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"
)

// Node returns the document of the facts. It is the same for the same charts: keys are
// sorted.
func (p *Pack) Node() *yaml.Node {
	root := mapping()
	if len(p.Charts) > 0 {
		charts := mapping()
		for _, key := range slices.Sorted(maps.Keys(p.Charts)) {
			put(charts, key, p.Charts[key].node(nil))
		}
		put(root, "charts", charts)
	}
	if p.Incomplete && len(p.Charts) > 0 { // else nothing is said of charts
		put(root, "incomplete", &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: "true"})
	}
	if len(p.Manifests) > 0 {
		put(root, "manifests", (&Tree{Keys: p.Manifests}).node())
	}
	return root
}

func (c *Chart) node(sub *Subchart) *yaml.Node {
	n := mapping()
	for _, one := range []struct{ key, value string }{{"name", c.Name}, {"version", c.Version}, {"kubeVersion", c.KubeVersion}} {
		if one.value != "" {
			put(n, one.key, text(one.value))
		}
	}
	if sub != nil {
		putPaths(n, "condition", sub.Condition)
		if len(sub.Tags) > 0 {
			put(n, "tags", flow(sub.Tags))
		}
		putPaths(n, "importValues", sub.ImportValues)
	}
	put(n, "reads", c.Reads.node())
	putPaths(n, "tpl", c.TPL)
	if c.Schema != nil {
		put(n, "schema", c.Schema.Root())
	}
	if c.Defaults != nil && c.Defaults.Root() != nil {
		put(n, "defaults", c.Defaults.Root())
	}
	if len(c.Subcharts) > 0 {
		subcharts := mapping()
		for _, key := range slices.Sorted(maps.Keys(c.Subcharts)) {
			put(subcharts, key, c.Subcharts[key].node(c.Subcharts[key]))
		}
		put(n, "subcharts", subcharts)
	}
	return n
}

func (t *Tree) node() *yaml.Node {
	switch {
	case t.Whole:
		return text(Any)
	case t.Leaf:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null"}
	}
	n := mapping()
	for _, key := range slices.Sorted(maps.Keys(t.Keys)) {
		put(n, key, t.Keys[key].node())
	}
	return n
}

func mapping() *yaml.Node { return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"} }

func text(value string) *yaml.Node {
	n := &yaml.Node{}
	n.SetString(value)
	return n
}

func put(n *yaml.Node, key string, value *yaml.Node) {
	n.Content = append(n.Content, text(key), value)
}

func flow(texts []string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Style: yaml.FlowStyle}
	for _, one := range texts {
		n.Content = append(n.Content, text(one))
	}
	return n
}

func putPaths(n *yaml.Node, key string, paths [][]string) {
	if len(paths) == 0 {
		return
	}
	list := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
	for _, path := range paths {
		list.Content = append(list.Content, flow(path))
	}
	put(n, key, list)
}
