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

// Sources are what the directory of a pack has to be rendered.
type Sources struct {
	// Charts and Manifests are in the order of pack.json.
	Charts    []Source
	Manifests []Manifest
	// Findings are about charts that pack.json names and that cannot be read.
	Findings []diag.Finding
}

// Sources returns the charts and manifests in the directory of a pack. It is an error if the
// directory cannot be opened.
func (r *Run) Sources(p *pack.Pack, dir string) (*Sources, error) {
	k := &reader{pack: p, dir: dir}
	if err := k.open(r); err != nil {
		return nil, err
	}
	all := &Sources{Manifests: k.manifests, Findings: k.findings}
	own := ownCharts(p)
	for _, c := range k.charts {
		all.Charts = append(all.Charts, Source{c.Chart, c.key(own), c.path})
	}
	return all, nil
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
