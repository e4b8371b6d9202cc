package chart

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
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
	// Charts and Manifests are in the order of pack.json, each once.
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
	all := &Sources{Findings: k.findings}
	paths := map[string]bool{}
	for _, m := range k.manifests {
		if !paths[path.Clean(m.Path)] {
			paths[path.Clean(m.Path)] = true
			all.Manifests = append(all.Manifests, m)
		}
	}
	own := ownCharts(p)
	for _, c := range k.charts {
		key := c.key(own)
		if !slices.ContainsFunc(all.Charts, func(s Source) bool { return s.Key == key && s.Digest == c.Digest }) {
			all.Charts = append(all.Charts, Source{c.Chart, key, c.path})
		}
	}
	return all, nil
}

// Release returns what a chart is installed as by the values of its pack: the name of the release,
// and the namespace. key is the key of its values below `charts`.
func Release(root *yaml.Node, key, name string) (release, namespace string) {
	override := func(name string) string { return values.Text(values.Field(root, "pack", "releaseNameOverride", name)) }
	return cmp.Or(override(name), override(key), name), cmp.Or(values.Text(values.Field(root, "pack", "namespace")), "default")
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
