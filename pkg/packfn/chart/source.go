package chart

import (
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/pack"
)

// Source is a chart of a pack, as Helm renders it.
type Source struct {
	*Chart
	// Key is the key of its values below `charts`.
	Key string
	// Path is where the chart is in the directory of the pack.
	Path string
}

// Sources returns the charts in the directory of a pack, in the order of pack.json. Findings
// are about charts that pack.json names and that cannot be read; the others are returned.
func (r *Run) Sources(p *pack.Pack, dir string) ([]Source, []diag.Finding) {
	k := &reader{pack: p, dir: dir}
	k.open(r)
	own := ownCharts(p)
	var all []Source
	for _, c := range k.charts {
		all = append(all, Source{c.Chart, c.key(own), c.path})
	}
	return all, k.findings
}

// Has reports whether the chart, or a subchart, has a text in a file, or in the name of one:
// then it is published with the chart.
func (c *Chart) Has(text string) bool {
	for name, content := range c.files {
		if strings.Contains(name, text) || strings.Contains(string(content), text) {
			return true
		}
	}
	for _, sub := range c.subcharts {
		if sub.Has(text) {
			return true
		}
	}
	return false
}
