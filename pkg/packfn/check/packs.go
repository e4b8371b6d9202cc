package check

import (
	"fmt"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/facts"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/chart"
	"github.com/krm-packs/functions/pkg/packfn/report"
	"github.com/krm-packs/functions/pkg/values"
)

// Pack is a pack of a package, of a file or of a directory, with what finds the places
// of its documents.
type Pack struct {
	*pack.Pack
	unit *unit
	// items are the resources of the unit. Edits of the pack change them.
	items []*list.Item
}

// Packs returns the packs that paths name. A pack that cannot be read is an error.
func Packs(paths []string, options Options) ([]Pack, error) {
	return packsOf(paths, options, func(u *unit, found []diag.Finding) error {
		for i := range found {
			if f := &found[i]; f.Severity == diag.Error {
				return fmt.Errorf("%s: %s", u.onDisk(f.Resource().File), f.Message())
			}
		}
		return nil
	})
}

// Readable returns those packs that paths name and that can be read.
func Readable(paths []string, options Options) ([]Pack, error) {
	return packsOf(paths, options, func(*unit, []diag.Finding) error { return nil })
}

// packsOf returns the packs that paths name, unless judge returns an error for what is found
// in a unit.
func packsOf(paths []string, options Options, judge func(*unit, []diag.Finding) error) ([]Pack, error) {
	_, units, err := newChecker(paths, options)
	if err != nil {
		return nil, err
	}
	var packs []Pack
	for _, u := range units {
		set, outcome, items := u.load()
		if err := judge(u, outcome.Findings); err != nil {
			return nil, err
		}
		if set == nil { // reading them has panicked, which is a finding
			continue
		}
		for _, p := range set.Packs {
			packs = append(packs, Pack{p, u, items})
		}
	}
	return packs, nil
}

// Facts returns what the charts of the pack read, nil if that is unknown. Findings are about
// charts that pack.json names and that cannot be read.
func (p *Pack) Facts() (*facts.Pack, []diag.Finding) {
	if p.unit.pack != nil {
		read, _, findings := new(chart.Run).Facts(p.Pack, p.unit.pack.Dir)
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

// Place names the place of a key of a document: `vault.yaml:12:3`.
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

// Locate returns the file on disk with a key of a document, and the place there.
func (p *Pack) Locate(origin *diag.Origin, key string, at diag.Position) (file string, found diag.Position) {
	f := diag.Finding{Origin: origin, Key: key, Position: at}
	in := p.unit.locate(&run{}, &f)
	return p.unit.onDisk(in.file), in.Position
}

// Finding returns a finding of a tool about the pack, with its place on disk.
func (p *Pack) Finding(tool string, options *Options, f *diag.Finding) report.Finding {
	c := &checker{Options: *options}
	return c.finding(p.unit, &run{function: function.Function{Name: tool}}, f)
}
