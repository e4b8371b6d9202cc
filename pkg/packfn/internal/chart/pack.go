package chart

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// Run checks the packs of a run. It is safe for concurrent use.
type Run struct {
	mu sync.Mutex
	// spent is what was read of the charts of all packs.
	spent budget
	// kept are charts by their files: packs of many packages may have the same ones. They
	// take at most maxBytes.
	kept      map[string]*Chart
	keptBytes int
}

// Facts returns what the charts and manifests in the directory of a pack read, and their
// digests by their paths. Findings are about those that pack.json names and that cannot be
// read: nothing is said of values for them.
func (r *Run) Facts(p *pack.Pack, dir string) (read *facts.Pack, digests map[string]string, findings []diag.Finding) {
	k := &reader{pack: p, dir: dir}
	_ = k.open(r) // then the facts are incomplete
	for _, m := range k.manifests {
		if m.Fault != nil {
			k.findings = append(k.findings, *m.Fault)
		}
	}
	return k.facts(), k.digests, k.findings
}

// Check checks the values of a pack by the charts and manifests in its directory. others are texts
// next to the pack in which macros may read its values, and versions takes the charts that do
// not allow that of the cluster. isAuthors says that the pack is the directory itself:
// then a missing chart is a finding of others, and the keys of charts must be their names.
func (r *Run) Check(p *pack.Pack, dir string, others []string, versions *facts.Versions, isAuthors bool) []diag.Finding {
	k := &reader{pack: p, dir: dir, isAuthors: isAuthors}
	_ = k.open(r) // then the facts are incomplete
	read, findings := k.facts(), k.findings
	effective, faults := p.Effective()
	if effective == nil || len(faults) > 0 {
		return findings
	}
	checker := facts.NewChecker(read, p, effective, others)
	checker.Versions = versions
	return append(findings, checker.Findings()...)
}

type reader struct {
	pack *pack.Pack
	dir  string
	// charts are those of the pack, with the names that values may use for them.
	charts []named
	// isAuthors says that the findings are for the author of the directory.
	isAuthors bool
	// incomplete says that a chart cannot be read.
	incomplete bool
	// listed says that pack.json names its charts.
	listed bool
	// manifests are those that pack.json names.
	manifests []Manifest
	digests   map[string]string
	findings  []diag.Finding
}

type named struct {
	*Chart
	names []string
	// path is where the chart is in the directory.
	path string
}

// key returns the key that the values have for the chart below `charts`, else its name.
func (c *named) key(charts *yaml.Node) string {
	for _, name := range c.names {
		if values.Field(charts, name) != nil {
			return name
		}
	}
	return c.Name
}

// ownCharts are the values for charts that the pack itself has, nil for none.
func ownCharts(p *pack.Pack) *yaml.Node {
	if p.Values != nil {
		if document, err := p.Values.Mapping(); err == nil {
			return values.Field(document.Root(), "charts")
		}
	}
	return nil
}

func (k *reader) add(f diag.Finding) { k.findings = append(k.findings, f.For(k.pack.Name)) }

// facts returns the facts of the charts that were read, by the keys that the pack's own
// values have for them, else by their names.
func (k *reader) facts() *facts.Pack {
	p := &facts.Pack{Charts: map[string]*facts.Chart{}, Incomplete: k.incomplete || !k.listed, Manifests: k.manifestFacts()}
	own := ownCharts(k.pack)
	of := map[string]*Chart{}
	for _, c := range k.charts {
		key := c.key(own)
		if k.isAuthors && key != c.Name {
			k.chartName(own, key, c.Name)
		}
		switch other := of[key]; {
		case other == nil:
			p.Charts[key] = c.Chart.Facts()
		case other != c.Chart: // which of them is used is unknown
			p.Charts[key] = &facts.Chart{Name: c.Name, Reads: &facts.Tree{Whole: true}}
		}
		of[key] = c.Chart
	}
	return p
}

// chartName reports a key of values that is not the name of its chart.
func (k *reader) chartName(charts *yaml.Node, key, name string) {
	for _, pair := range values.Pairs(charts) {
		if found, ok := pair.Name(); ok && found == key {
			f := diag.Got(key, name+" (the name in Chart.yaml)")
			k.add(f.In(k.pack.Values.Origin, "charts."+key, values.At(pair.Key)).Of(rule.PackChartName))
		}
	}
}

// open reads the charts that pack.json names, else those that are there, and the manifests. It
// is an error if the directory cannot be opened.
func (k *reader) open(r *Run) error {
	k.digests = map[string]string{}
	in, err := folder.Open(k.dir)
	if err != nil {
		k.incomplete = true
		return err
	}
	defer in.Close()
	o := opener{run: r, in: in}
	r.mu.Lock()
	defer r.mu.Unlock()
	defer func() { r.spent.add(o.budget) }()
	if k.pack.Metadata != nil {
		if metadata, err := k.pack.Metadata.Document(); err == nil {
			entries := values.Field(metadata.Root(), "charts")
			k.listed = entries != nil
			for _, entry := range elements(entries) {
				err := k.openOne(&o, values.Text(entry))
				if err == nil {
					continue
				}
				k.incomplete = true
				if isMissing := errors.Is(err, fs.ErrNotExist); !isMissing || !k.isAuthors {
					f := diag.Say("the chart %s %s", values.Text(entry), reason(err)).Do("add the chart, or correct its name")
					k.add(f.In(metadata.Origin(), "charts", values.At(entry)).Of(rule.ValuesChartMissing))
				}
			}
			k.readManifests(in, metadata)
		}
	}
	if k.listed {
		return nil
	}
	entries, _ := fs.ReadDir(in.Files(), "charts")
	for _, entry := range entries {
		if err := k.openOne(&o, "charts/"+entry.Name()); err != nil {
			k.incomplete = true
		}
	}
	return nil
}

func reason(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "is not in the directory of the pack"
	}
	return "cannot be read: " + diag.OneLine(err.Error())
}

// outside is the reason why a file that pack.json names is not read: err is that of reading it. It
// is nil for other errors.
func outside(name string, err error) error {
	switch {
	case !filepath.IsLocal(filepath.FromSlash(name)):
		return errors.New("its path leads out of the directory")
	case errors.Is(err, folder.ErrOutside):
		return errors.New("it is a symbolic link out of the directory")
	}
	return nil
}

func (k *reader) openOne(o *opener, name string) error {
	c, err := o.read(filepath.FromSlash(name))
	if err := outside(name, err); err != nil {
		return err
	}
	if failure, ok := errors.AsType[*fs.PathError](err); ok {
		err = failure.Err
	}
	if err != nil {
		return err
	}
	k.digests[name] = c.Digest
	stem := strings.TrimSuffix(path.Base(name), ".tgz")
	k.charts = append(k.charts, named{c, []string{c.Name, c.Folder, stem, strings.TrimSuffix(stem, "-"+c.Version)}, name})
	return nil
}

// opener reads the charts of a pack.
type opener struct {
	run    *Run
	in     *folder.Folder
	budget budget
}

// read reads a chart once, however often packs name it.
func (o *opener) read(name string) (*Chart, error) {
	file, err := o.in.Path(name)
	if err != nil {
		return nil, err
	}
	r := o.run
	if c := r.kept[file]; c != nil {
		return c, nil
	}
	if r.spent.isSpent() {
		return nil, errRun
	}
	before := o.budget.bytes
	c, err := o.budget.open(o.in, name)
	if err != nil {
		return nil, err
	}
	size := o.budget.bytes - before
	if r.keptBytes += size; r.kept == nil || r.keptBytes > maxBytes {
		r.kept, r.keptBytes = map[string]*Chart{}, size
	}
	r.kept[file] = c
	return c, nil
}
