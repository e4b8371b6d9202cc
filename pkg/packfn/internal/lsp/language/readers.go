package language

import (
	"cmp"
	"slices"

	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/values"
)

// readersOf returns the charts and manifests that read the value at a path, according to the
// facts of a pack.
func readersOf(p *facts.Pack, path []values.Step) []string {
	if p == nil || len(path) < 3 {
		return nil
	}
	switch name := path[1].Key; path[0].Key {
	case "charts":
		if c := p.Charts[name]; c != nil {
			return chartReaders(name, c, path[2:])
		}
	case "manifests":
		if reads(p.Manifests[name], path[2:]) {
			return []string{"the manifest " + name}
		}
	}
	return nil
}

// chartReaders returns the charts that read a value: the chart itself and its subcharts.
func chartReaders(key string, c *facts.Chart, path []values.Step) []string {
	var all []string
	if reads(c.Reads, path) {
		all = append(all, "the chart "+cmp.Or(c.String(), key))
	}
	if sub := c.Subcharts[path[0].Key]; sub != nil && len(path) > 1 {
		all = append(all, chartReaders(path[0].Key, sub, path[1:])...)
	}
	return slices.Compact(all)
}

// reads reports whether a value, or a value below it, is read.
func reads(t *facts.Tree, path []values.Step) bool {
	for _, step := range path {
		switch {
		case t == nil:
			return false
		case t.Whole:
			return true
		case t.Keys[step.Key] != nil: // an element of a list has no key
			t = t.Keys[step.Key]
		default:
			t = t.Keys[facts.Any]
		}
	}
	return t != nil
}
