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

// Run checks packs by their charts. Packs of a run share parsed charts and limits. It is safe for
// concurrent use.
type Run struct {
	// mu guards spent, kept and keptBytes.
	mu sync.Mutex
	// spent counts the resources used for the charts of all packs.
	spent budget
	// kept caches charts by file, because packs in many packages may use the same charts. The
	// charts take at most maxBytes.
	kept      map[string]*Chart
	keptBytes int
}

// Open reads a chart from a .tgz archive or a folder on disk, with the limits of a pack's charts.
func (r *Run) Open(name string) (*Chart, error) {
	in, err := folder.Open(filepath.Dir(name))
	if err != nil {
		return nil, err
	}
	defer in.Close()
	r.mu.Lock()
	defer r.mu.Unlock()
	o := opener{run: r, in: in}
	defer func() { r.spent.add(o.budget) }()
	return o.read(filepath.Base(name))
}

// Facts returns the values that the charts and manifests in the directory of a pack read, and
// their digests by path. The findings are about charts and manifests that pack.json names but
// that cannot be read. Values for these are not checked.
func (r *Run) Facts(p *pack.Pack, dir string) (read *facts.Pack, digests map[string]string, findings []diag.Finding) {
	k := &reader{pack: p, dir: dir}
	_ = k.open(r) // on error, the facts are incomplete
	for _, m := range k.manifests {
		if m.Fault != nil {
			k.findings = append(k.findings, *m.Fault)
		}
	}
	return k.facts(), k.digests, k.findings
}

// Check checks the values of a pack against the charts and manifests in its directory. others are
// texts next to the pack in which macros may read its values. versions collects the charts that
// do not support the Kubernetes version of the cluster. isAuthors is true if the pack is the
// directory itself: another check reports missing charts then, and the keys of charts must be the
// names of the charts.
func (r *Run) Check(p *pack.Pack, dir string, others []string, versions *facts.Versions, isAuthors bool) []diag.Finding {
	k := &reader{pack: p, dir: dir, isAuthors: isAuthors}
	_ = k.open(r) // on error, the facts are incomplete
	read, findings := k.facts(), k.findings
	effective, faults := p.Effective()
	if effective == nil || len(faults) > 0 {
		return findings
	}
	checker := facts.NewChecker(read, p, effective, others)
	checker.Versions = versions
	return append(findings, checker.Findings()...)
}

// reader reads the charts and manifests in the directory of a pack.
type reader struct {
	// pack is the pack, and dir its directory.
	pack *pack.Pack
	dir  string
	// charts are the charts of the pack, with the names that values may use for them.
	charts []named
	// isAuthors is true if the findings are for the author of the directory.
	isAuthors bool
	// incomplete is true if a chart cannot be read.
	incomplete bool
	// listed is true if pack.json names its charts.
	listed bool
	// manifests are the manifests that pack.json names.
	manifests []Manifest
	// digests are the digests of charts and manifests, by their paths.
	digests map[string]string
	// findings are the faults of charts and manifests so far.
	findings []diag.Finding
}

// named is a chart of a pack.
type named struct {
	*Chart
	// names are the keys below `charts` that its values may have.
	names []string
	// path is the path of the chart in the directory.
	path string
}

// key returns the key of the chart below `charts` in the values, or else the name of the chart.
func (c *named) key(charts *yaml.Node) string {
	for _, name := range c.names {
		if values.Field(charts, name) != nil {
			return name
		}
	}
	return c.Name
}

// ownCharts returns the values for charts in the pack's own values, or nil if there are none.
func ownCharts(p *pack.Pack) *yaml.Node {
	if p.Values != nil {
		if document, err := p.Values.Mapping(); err == nil {
			return values.Field(document.Root(), "charts")
		}
	}
	return nil
}

func (k *reader) add(f diag.Finding) { k.findings = append(k.findings, f.For(k.pack.Name)) }

// facts returns the facts of the charts that were read, by their key in the pack's own values, or
// else by their name.
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
		case other != c.Chart: // it is unknown which of them is used
			p.Charts[key] = &facts.Chart{Name: c.Name, Reads: &facts.Tree{Whole: true}}
		}
		of[key] = c.Chart
	}
	return p
}

// chartName reports a key in the values that is not the name of its chart.
func (k *reader) chartName(charts *yaml.Node, key, name string) {
	for _, pair := range values.Pairs(charts) {
		if found, ok := pair.Name(); ok && found == key {
			f := diag.Got(key, name+" (the name in Chart.yaml)")
			k.add(f.In(k.pack.Values.Origin, "charts."+key, values.At(pair.Key)).Of(rule.PackChartName))
		}
	}
}

// open reads the charts that pack.json names, or else all charts in the directory, and the
// manifests. It returns an error if the directory cannot be opened.
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
			for _, entry := range values.Elements(entries) {
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

// reason completes the sentence about a chart that cannot be read.
func reason(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "is not in the directory of the pack"
	}
	return "cannot be read: " + diag.OneLine(err.Error())
}

// outside returns an error if a file that pack.json names is outside of the directory. err is the
// error from reading the file. It returns nil for other errors.
func outside(name string, err error) error {
	switch {
	case !filepath.IsLocal(filepath.FromSlash(name)):
		return errors.New("its path leads out of the directory")
	case errors.Is(err, folder.ErrOutside):
		return errors.New("it is a symbolic link out of the directory")
	}
	return nil
}

// openOne reads the chart at a path that pack.json names.
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
	// run has the limits of all packs, in reads below the directory, and budget counts for this pack.
	run    *Run
	in     *folder.Folder
	budget budget
}

// read reads a chart, or returns it from the cache of the run.
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
