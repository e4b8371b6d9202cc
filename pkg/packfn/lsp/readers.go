package lsp

import (
	"cmp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/facts"
	"github.com/krm-packs/functions/pkg/values"
)

// readersOf returns what reads the value at a path, by the facts of a pack: charts and
// manifests.
func readersOf(p *facts.Pack, path []string) []string {
	if p == nil || len(path) < 3 {
		return nil
	}
	switch path[0] {
	case "charts":
		if c := p.Charts[path[1]]; c != nil {
			return chartReaders(path[1], c, path[2:])
		}
	case "manifests":
		if reads(p.Manifests[path[1]], path[2:]) {
			return []string{"the manifest " + path[1]}
		}
	}
	return nil
}

// chartReaders returns the charts that read a value: the chart, or one in it.
func chartReaders(key string, c *facts.Chart, path []string) []string {
	var all []string
	if reads(c.Reads, path) {
		all = append(all, "the chart "+cmp.Or(c.String(), key))
	}
	if sub := c.Subcharts[path[0]]; sub != nil && len(path) > 1 {
		all = append(all, chartReaders(path[0], sub, path[1:])...)
	}
	return slices.Compact(all)
}

// reads reports whether a value, or one below it, is read.
func reads(t *facts.Tree, path []string) bool {
	for _, step := range path {
		switch {
		case t == nil:
			return false
		case t.Whole:
			return true
		case t.Keys[step] != nil:
			t = t.Keys[step]
		default:
			t = t.Keys[facts.Any]
		}
	}
	return t != nil
}

// pathKeys returns the keys of a path; elements of lists are any.
func pathKeys(steps []values.Step) []string {
	var keys []string
	for _, step := range steps {
		if step.IsIndex {
			keys = append(keys, facts.Any)
		} else {
			keys = append(keys, step.Key)
		}
	}
	return keys
}

// leafPaths returns the paths of the scalars and lists below a node.
func leafPaths(n *yaml.Node, path string) []string {
	n = values.Resolve(n)
	if n == nil || n.Kind != yaml.MappingNode || len(n.Content) == 0 {
		return []string{strings.TrimPrefix(path, ".")}
	}
	var all []string
	for _, pair := range values.Pairs(n) {
		if name, ok := pair.Name(); ok {
			all = append(all, leafPaths(pair.Value, diag.Join(path, name))...)
		}
	}
	return all
}
