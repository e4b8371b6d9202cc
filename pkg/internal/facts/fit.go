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
	fitting := &Pack{maps.Clone(p.Charts), p.Incomplete, maps.Clone(p.Manifests)}
	var cuts []func() (note string)
	charts := largestFirst(p.Charts, (*Chart).node)
	for _, key := range charts {
		if without, isLess := p.Charts[key].withoutSchemas(); isLess {
			cuts = append(cuts, func() string {
				fitting.Charts[key] = without
				return "left out the schemas and defaults of the chart " + key
			})
		}
	}
	for _, key := range charts {
		if c := p.Charts[key]; !c.Reads.Whole {
			cuts = append(cuts, func() string {
				fitting.Charts[key] = &Chart{Name: c.Name, Version: c.Version, KubeVersion: c.KubeVersion, Reads: &Tree{Whole: true}}
				return "do not look at the keys of the chart " + key
			})
		}
	}
	for _, key := range largestFirst(p.Manifests, (*Tree).node) {
		if !p.Manifests[key].Whole {
			cuts = append(cuts, func() string {
				fitting.Manifests[key] = &Tree{Whole: true}
				return "do not look at the keys of the manifest " + key
			})
		}
	}
	for {
		printed, err := values.Print(fitting.node())
		if err != nil || len(printed) <= MaxBytes || len(cuts) == 0 {
			return string(printed), notes, err
		}
		notes = append(notes, fmt.Sprintf("what the charts and manifests read has more than %d KiB: %s", MaxBytes>>10, cuts[0]()))
		cuts = cuts[1:]
	}
}

// largestFirst returns keys by the size of their printed values.
func largestFirst[T any](all map[string]T, node func(T) *yaml.Node) []string {
	size := map[string]int{}
	for key, one := range all {
		printed, _ := values.Print(node(one)) // printing the whole pack returns the same error
		size[key] = len(printed)
	}
	return slices.SortedFunc(maps.Keys(size), func(a, b string) int { return cmp.Or(size[b]-size[a], cmp.Compare(a, b)) })
}

// withoutSchemas returns a copy without schemas and defaults, and reports whether the chart had any.
func (c *Chart) withoutSchemas() (without *Chart, isLess bool) {
	copied := *c
	copied.Schema, copied.Defaults, copied.compiled, copied.places, copied.Subcharts = nil, nil, nil, nil, map[string]*Chart{}
	isLess = c.Schema != nil || c.Defaults != nil
	for key, sub := range c.Subcharts {
		one, isLessThere := sub.withoutSchemas()
		copied.Subcharts[key], isLess = one, isLess || isLessThere
	}
	return &copied, isLess
}
