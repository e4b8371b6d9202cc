package facts

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// MaxBytes is the size of facts that travel with a pack.
const MaxBytes = 128 << 10

// Text returns the document of the facts in at most [MaxBytes]. Where that is too little,
// schemas and defaults are left out, all of a chart together, and then what the largest
// charts read counts as all, and what the largest manifests read. notes say so.
func (p *Pack) Text() (text string, notes []string, err error) {
	fitting := *p
	fitting.Charts, fitting.Manifests = maps.Clone(p.Charts), maps.Clone(p.Manifests)
	charts, manifests := map[string]*yaml.Node{}, map[string]*yaml.Node{}
	for key, c := range p.Charts {
		charts[key] = c.node(nil)
	}
	for key, t := range p.Manifests {
		manifests[key] = t.node()
	}
	ofCharts := func(change func(*Chart) (*Chart, bool)) func(string) bool {
		return func(key string) (changed bool) {
			fitting.Charts[key], changed = change(fitting.Charts[key])
			return changed
		}
	}
	wholeManifest := func(key string) bool {
		changed := !fitting.Manifests[key].Whole
		fitting.Manifests[key] = &Tree{Whole: true}
		return changed
	}
	printed, err := values.Print(fitting.Node())
	for _, step := range []struct {
		of     map[string]*yaml.Node
		change func(key string) bool
		left   string
	}{
		{charts, ofCharts((*Chart).withoutSchemas), "left out the schemas and defaults of the chart"},
		{charts, ofCharts((*Chart).whole), "do not look at the keys of the chart"},
		{manifests, wholeManifest, "do not look at the keys of the manifest"},
	} {
		if err != nil || len(printed) <= MaxBytes {
			break
		}
		largest, err := largestFirst(step.of)
		if err != nil {
			return "", nil, err
		}
		for _, key := range largest {
			if len(printed) <= MaxBytes {
				break
			}
			if !step.change(key) {
				continue
			}
			notes = append(notes, fmt.Sprintf("what the charts and manifests read has more than %d KiB: %s %s", MaxBytes>>10, step.left, key))
			if printed, err = values.Print(fitting.Node()); err != nil {
				return "", nil, err
			}
		}
	}
	return string(printed), notes, err
}

// largestFirst returns keys by the size of their printed values.
func largestFirst(all map[string]*yaml.Node) ([]string, error) {
	size := map[string]int{}
	for key, n := range all {
		printed, err := values.Print(n)
		if err != nil {
			return nil, err
		}
		size[key] = len(printed)
	}
	return slices.SortedFunc(maps.Keys(size), func(a, b string) int { return cmp.Or(size[b]-size[a], cmp.Compare(a, b)) }), nil
}

func (c *Chart) withoutSchemas() (*Chart, bool) {
	changed := c.Schema != nil || c.Defaults != nil
	copied := *c
	copied.Schema, copied.Defaults = nil, nil
	copied.Subcharts = map[string]*Subchart{}
	for key, sub := range c.Subcharts {
		one := *sub
		chart, hasSchema := sub.Chart.withoutSchemas()
		one.Chart, changed = *chart, changed || hasSchema
		copied.Subcharts[key] = &one
	}
	return &copied, changed
}

func (c *Chart) whole() (*Chart, bool) {
	return &Chart{Name: c.Name, Version: c.Version, KubeVersion: c.KubeVersion, Reads: &Tree{Whole: true}}, !c.Reads.Whole
}
