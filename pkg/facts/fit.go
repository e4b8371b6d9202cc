package facts

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/krm-packs/functions/pkg/values"
)

// MaxBytes is the size of facts that travel with a pack.
const MaxBytes = 128 << 10

// Text returns the document of the facts in at most [MaxBytes]. Where that is too little,
// schemas and defaults are left out, all of a chart together, and then what the largest
// charts read counts as all. notes say so.
func (p *Pack) Text() (text string, notes []string, err error) {
	fitting := *p
	fitting.Charts = maps.Clone(p.Charts)
	size := map[string]int{}
	for key, c := range p.Charts {
		one, err := values.Print(c.node(nil))
		if err != nil {
			return "", nil, err
		}
		size[key] = len(one)
	}
	largest := slices.SortedFunc(maps.Keys(size), func(a, b string) int { return cmp.Or(size[b]-size[a], cmp.Compare(a, b)) })
	var printed []byte
	smaller := func(change func(*Chart) (*Chart, bool), left string) error {
		for _, key := range largest {
			if printed, err = values.Print(fitting.Node()); err != nil || len(printed) <= MaxBytes {
				return err
			}
			if c, changed := change(fitting.Charts[key]); changed {
				fitting.Charts[key] = c
				notes = append(notes, fmt.Sprintf("what the charts read has more than %d KiB: %s of the chart %s", MaxBytes>>10, left, key))
			}
		}
		printed, err = values.Print(fitting.Node())
		return err
	}
	if err := smaller((*Chart).withoutSchemas, "left out the schemas and defaults"); err != nil {
		return "", nil, err
	}
	if err := smaller((*Chart).whole, "do not look at the keys"); err != nil {
		return "", nil, err
	}
	return string(printed), notes, nil
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
