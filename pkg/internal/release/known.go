package release

import (
	"cmp"
	"errors"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/values"
)

// IsFacts reports whether an item is a ConfigMap with what charts read, for releases:
//
//	kind: ConfigMap
//	data:
//	  chart-facts.yaml: |
//	    charts: {podinfo: {name: podinfo, version: 6.5.0, reads: …}}
//
// A pack has the same key beside its pack.json.
func IsFacts(item *list.Item) bool {
	return item.Is("v1", "ConfigMap") && item.Mentions(facts.FileName) && !item.Mentions("pack.json")
}

// Known are the charts whose facts are among resources.
type Known struct {
	// charts are the facts by the name of the chart.
	charts map[string][]*facts.Chart
	// Findings are about facts that cannot be read, without a rule.
	Findings []diag.Finding
}

// ReadKnown reads the facts among items.
func ReadKnown(items []*list.Item) *Known {
	k := &Known{charts: map[string][]*facts.Chart{}}
	for _, item := range items {
		if !IsFacts(item) {
			continue
		}
		n := values.Field(documentOf(item), "data", facts.FileName)
		if n == nil || n.Kind != yaml.ScalarNode {
			continue
		}
		origin := &diag.Origin{Resource: item.Resource(), Field: "data[" + facts.FileName + "]", Name: facts.FileName, Embedded: true}
		document, err := values.Parse(n.Value)
		var read *facts.Pack
		if err == nil {
			read, err = facts.Read(document)
		}
		if err != nil {
			k.Findings = append(k.Findings, diag.Unreadable(err).From(origin).Do("import the chart again"))
			continue
		}
		for _, key := range slices.Sorted(maps.Keys(read.Charts)) {
			c := read.Charts[key]
			c.Keep()
			name := cmp.Or(c.Name, key)
			k.charts[name] = append(k.charts[name], c)
		}
	}
	return k
}

// Find returns the facts of a chart: by its name and version, or for a chart in a folder by the name of the
// folder. It returns nil if there are none, or if several differ.
func (k *Known) Find(of *Chart) *facts.Chart {
	if k == nil || of.Why != "" || of.IsOwn {
		return nil
	}
	name := of.Name
	if of.IsDir {
		name = path.Base(of.Dir)
	}
	found := Newest(k.charts[name], of.Version, func(c *facts.Chart) string { return c.Version })
	if len(found) == 0 || slices.ContainsFunc(found[1:], func(c *facts.Chart) bool { return !c.Equal(found[0]) }) {
		return nil
	}
	return found[0]
}

// NoFiles are the [Files] of a list of resources, which has no other files.
type NoFiles struct{}

var errNoFile = errors.New("a function reads no files")

// Values returns an error.
func (NoFiles) Values(string) (*yaml.Node, *diag.Origin, error) { return nil, nil, errNoFile }

// Root reports that the repository is unknown.
func (NoFiles) Root(string) (string, bool) { return "", false }

// ChartFile returns an error.
func (NoFiles) ChartFile(*Chart, string) (*yaml.Node, error) { return nil, errNoFile }

// OnDisk returns the path of the file in the package.
func (NoFiles) OnDisk(r diag.Resource) string {
	return filepath.FromSlash(path.Join("/", r.PackagePath, r.File))
}

// Facts returns the release for a check by a chart, which may be nil.
func (r *Release) Facts(c *facts.Chart) *facts.Release {
	return &facts.Release{Name: r.String(), Chart: c, Layers: r.Layers, IsPartial: len(r.Unknown) > 0, IsUnchecked: r.IsUnchecked, Where: r.Where, IsOwn: r.Chart.IsOwn}
}

// Ignored returns a finding about values that others hide as a whole, if there are any.
func (r *Release) Ignored() (f diag.Finding, ok bool) {
	if r.Hidden == nil {
		return f, false
	}
	f = diag.Say("nothing reads values, because valuesObject is set").Do("move the values to valuesObject")
	f.Where = *r.Hidden
	return f, true
}

// maxName is more than the length of a name in Kubernetes, with the spaces before it.
const maxName = 512

// Names calls visit for each name in the text of resources: what follows the key name, in any layout. A text may
// have more names than resources.
//
//	metadata: {name: web, namespace: apps}   web
func Names(text string, visit func(name string)) {
	const key = "name"
	for {
		_, rest, ok := strings.Cut(text, key)
		if !ok {
			return
		}
		text = rest
		if rest != "" && (rest[0] == '"' || rest[0] == '\'') {
			rest = rest[1:]
		}
		value, ok := strings.CutPrefix(rest, ":")
		if !ok {
			continue
		}
		value = value[:min(len(value), maxName)]
		value = strings.TrimLeft(value, " \t\r\n\"'")
		if end := strings.IndexAny(value, " \t\r\n\"',}"); end >= 0 {
			value = value[:end]
		}
		if value != "" {
			visit(value)
		}
	}
}
