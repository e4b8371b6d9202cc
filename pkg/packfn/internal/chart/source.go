package chart

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// Source is a chart of a pack that Helm renders.
type Source struct {
	*Chart
	// Key is the key of its values below `charts`.
	Key string
	// Path is the path of the chart in the directory of the pack.
	Path string
}

// Sources are the charts and manifests in the directory of a pack that are rendered.
type Sources struct {
	// Charts and Manifests are in the order of pack.json, without duplicates.
	Charts    []Source
	Manifests []Manifest
	// Findings are about charts that pack.json names but that cannot be read.
	Findings []diag.Finding
}

// Sources returns the charts and manifests in the directory of a pack. It returns an error if the
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

// Release returns the release name and the namespace that the values of a pack set for a chart.
// key is the key of the chart's values below `charts`:
//
//	pack:
//	  namespace: vault
//	  releaseNameOverride: {vault: secrets}
func Release(root *yaml.Node, key, name string) (release, namespace string) {
	override := func(name string) string { return values.Text(values.Field(root, "pack", "releaseNameOverride", name)) }
	return cmp.Or(override(name), override(key), name), cmp.Or(values.Text(values.Field(root, "pack", "namespace")), "default")
}

// Has reports whether the chart or a subchart contains a text, in a file or in the name of a
// file. Such a text is published with the chart.
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

// Text returns the text of a file of the chart, or nil if there is none.
func (c *Chart) Text(name string) []byte { return c.files[path.Clean(name)] }

// Written returns the text of a file that Helm names, such as `web/charts/db/templates/a.yaml` of the chart web, and
// its path in the chart. The text is nil if the chart has no such file.
func (c *Chart) Written(source string) (name string, text []byte) {
	_, name, _ = strings.Cut(source, "/")
	for rest := name; ; {
		if text := c.Text(rest); text != nil {
			return name, text
		}
		below, ok := strings.CutPrefix(rest, "charts/")
		if !ok {
			return name, nil
		}
		folder, inner, _ := strings.Cut(below, "/")
		at := slices.IndexFunc(c.subcharts, func(sub *Chart) bool { return sub.Name == folder || sub.Folder == folder })
		if at < 0 {
			return name, nil
		}
		c, rest = c.subcharts[at], inner
	}
}

// SubchartFacts is like [Chart.Facts], but what the chart's own values.yaml has counts as read only if a
// template reads it. It is for checking this values.yaml by the subcharts that it is for.
func (c *Chart) SubchartFacts() *facts.Chart {
	own := *c
	own.values, own.schema, own.schemaFault = nil, nil, ""
	f := own.Facts()
	f.Defaults = withoutComments(c.values)
	return f
}

// Dependency names a chart that another chart depends on.
type Dependency struct{ Name, Version string }

// Missing returns the dependencies of the chart that are not among its subcharts.
func (c *Chart) Missing() (missing []Dependency) {
	for _, d := range c.dependencies {
		if !slices.ContainsFunc(c.subcharts, func(sub *Chart) bool { return sub.Name == d.name }) {
			missing = append(missing, Dependency{d.name, d.version})
		}
	}
	return missing
}

// With returns the chart with more subcharts, as if they were in its folder charts.
func (c *Chart) With(subcharts ...*Chart) *Chart {
	if len(subcharts) == 0 {
		return c
	}
	more := *c
	more.subcharts, more.Unpacked = slices.Concat(c.subcharts, subcharts), maps.Clone(c.Unpacked)
	for _, sub := range subcharts {
		more.Digest += " " + sub.Digest
		if more.Unpacked == nil { // an archive
			continue
		}
		if sub.Archive != nil {
			more.Unpacked["charts/"+sub.Name+".tgz"] = sub.Archive
		}
		for name, content := range sub.Unpacked {
			more.Unpacked[path.Join("charts", sub.Name, name)] = content
		}
	}
	return &more
}
