package check

import (
	"cmp"
	"fmt"
	"path/filepath"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/chart"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/values"
)

// Pack is a pack with the unit that it was read from: a package, a set of files or a pack
// directory. The unit locates the documents of the pack on disk.
type Pack struct {
	*pack.Pack
	// unit is the unit that has the pack.
	unit *unit
	// items are the resources of the unit. Edits of the pack change them.
	items []*list.Item
}

// Items returns the resources of the pack's unit.
func (p *Pack) Items() []*list.Item { return p.items }

// IsBeside reports whether a pack is in the same package as another one.
func (p *Pack) IsBeside(other *Pack) bool { return p.unit == other.unit }

// Kubernetes returns the Kubernetes version of the pack's cluster, or "" if it is unknown.
func (p *Pack) Kubernetes() string {
	version := ""
	for _, item := range p.items {
		if document, err := item.Document(); err == nil && pack.IsCluster(item) {
			system := values.Field(document.Root(), "spec", "system")
			version = cmp.Or(values.Text(values.Field(system, "kubernetes", "version")), values.Text(values.Field(system, "kubernetes.version")))
		}
	}
	return version
}

// Packs returns the packs below the paths. It returns an error if a pack cannot be read.
func Packs(paths []string, options Options) ([]Pack, error) { return packsOf(paths, options, true) }

// Readable returns the packs below the paths, without packs that cannot be read.
func Readable(paths []string, options Options) ([]Pack, error) {
	return packsOf(paths, options, false)
}

// packsOf reads the packs below the paths. If isStrict is true, an error about any of them ends it.
func packsOf(paths []string, options Options, isStrict bool) ([]Pack, error) {
	c, units, err := newChecker(paths, options)
	if err != nil {
		return nil, err
	}
	if found := c.flush(); isStrict && len(found) > 0 { // a part that cannot be read
		return nil, report.ErrorOf(found[0].File, found[0].Field, found[0].Message)
	}
	var packs []Pack
	for _, u := range units {
		if u.isJoined { // a set has it, with its values
			continue
		}
		set, outcome, items := u.load()
		for i := range outcome.Findings {
			if f := &outcome.Findings[i]; isStrict && f.Severity == diag.Error {
				file, field := u.OnDisk(u.FileOf(f.Resource())), f.Path()
				if field == "data["+filepath.Base(file)+"]" { // of a pack directory
					field = ""
				}
				return nil, report.ErrorOf(file, field, f.Message())
			}
		}
		if set == nil { // reading them has panicked, which is a finding
			continue
		}
		for _, p := range set.Packs {
			if c.isNew(u, p) {
				packs = append(packs, Pack{p, u, items})
			}
		}
	}
	return packs, nil
}

// isNew reports whether no previous set had the same pack with the same values, and records it.
func (c *checker) isNew(u *unit, p *pack.Pack) bool {
	if u.set == nil {
		return true
	}
	name := func(r diag.Resource) string {
		return fmt.Sprintf("%s\x00%d\x00", u.OnDisk(u.FileOf(r)), r.Index)
	}
	key := name(p.Resource)
	for _, o := range p.Overrides {
		key += name(o.Values.Resource)
	}
	for _, one := range u.Items() {
		if c.deployed != nil && pack.IsCluster(one) {
			key += name(one.Resource())
		}
	}
	if c.known == nil {
		c.known = map[string]bool{}
	}
	isNew := !c.known[key]
	c.known[key] = true
	return isNew
}

// Facts returns the values that the charts of the pack read, or nil if they are unknown. The
// findings are about charts that pack.json names but that cannot be read.
func (p *Pack) Facts() (*facts.Pack, []diag.Finding) {
	if p.unit.pack != nil || p.unit.joinedAt(p.Resource.File) != nil {
		dir, _ := new(checker).chartsOf(p.unit, p.Pack)
		read, _, findings := new(chart.Run).Facts(p.Pack, dir)
		return read, findings
	}
	if p.ChartFacts == nil {
		if metadata, err := p.Metadata.Document(); err == nil && values.Field(metadata.Root(), "charts") != nil {
			return nil, nil
		}
		return &facts.Pack{}, nil
	}
	document, err := p.ChartFacts.Document()
	if err == nil {
		var read *facts.Pack
		if read, err = facts.Read(document); err == nil {
			return read, nil
		}
	}
	return nil, []diag.Finding{diag.Unreadable(err).From(p.ChartFacts.Origin).Do("import the pack again")}
}

// Place formats the location of a key of a document, such as `vault.yaml:12:3`.
func (p *Pack) Place(options *Options, origin *diag.Origin, key string, at diag.Position) string {
	file, found := p.Locate(origin, key, at)
	place := options.Display(file)
	if found.Line > 0 {
		place += fmt.Sprintf(":%d", found.Line)
		if found.Column > 0 {
			place += fmt.Sprintf(":%d", found.Column)
		}
	}
	return place
}

// Locate returns the file on disk that contains a key of a document, and the position of the key.
func (p *Pack) Locate(origin *diag.Origin, key string, at diag.Position) (file string, found diag.Position) {
	f := diag.Finding{Where: diag.Where{Origin: origin, Key: key, Position: at}}
	of, s := p.unit.reporter.Subject(p.unit.by(""), &f)
	return p.unit.OnDisk(s.Path), s.Find(of)
}

// Finding returns a finding of a tool about the pack, with its location on disk.
func (p *Pack) Finding(tool string, options *Options, f *diag.Finding) report.Finding {
	c := &checker{Options: *options}
	return c.finding(p.unit, p.unit.by(tool), f)
}
