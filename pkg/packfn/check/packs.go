package check

import (
	"fmt"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/report"
)

// Pack is a pack of a package, of a file or of a directory, with what finds the places
// of its documents.
type Pack struct {
	*pack.Pack
	unit *unit
}

// Packs returns the packs that paths name. A pack that cannot be read is an error.
func Packs(paths []string, options Options) ([]Pack, error) {
	c := &checker{Options: options, checks: options.checks()}
	if err := c.openSources(); err != nil {
		return nil, err
	}
	units, err := c.collect(paths)
	if err != nil {
		return nil, err
	}
	var packs []Pack
	for _, u := range units {
		set, outcome, err := u.load()
		if err != nil {
			return nil, err
		}
		for i := range outcome.Findings {
			if f := &outcome.Findings[i]; f.Severity == diag.Error {
				return nil, fmt.Errorf("%s: %s", u.onDisk(f.Resource().File), f.Message())
			}
		}
		for _, p := range set.Packs {
			packs = append(packs, Pack{p, u})
		}
	}
	return packs, nil
}

// Place names the place of a key of a document: `vault.yaml:12:3`.
func (p *Pack) Place(options *Options, origin *diag.Origin, key string, at diag.Position) string {
	f := diag.Finding{Origin: origin, Key: key, Position: at}
	found := p.unit.locate(&run{}, &f)
	place := options.Display(p.unit.onDisk(found.file))
	if found.Line > 0 {
		place += fmt.Sprintf(":%d", found.Line)
		if found.Column > 0 {
			place += fmt.Sprintf(":%d", found.Column)
		}
	}
	return place
}

// Finding returns a finding of a tool about the pack, with its place on disk.
func (p *Pack) Finding(tool string, options *Options, f *diag.Finding) report.Finding {
	c := &checker{Options: *options}
	return c.finding(p.unit, &run{function: function.Function{Name: tool}}, f)
}
