package check

import (
	"fmt"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
)

// Pack is a pack of a package, of a file or of a directory, with what finds the places
// of its documents.
type Pack struct {
	*pack.Pack
	unit *unit
}

// Packs returns the packs that paths name. A pack that cannot be read is an error.
func Packs(paths []string, options Options) ([]Pack, error) {
	c := &checker{Options: options}
	units, err := collect(paths, c.note)
	if err != nil {
		return nil, err
	}
	var packs []Pack
	for _, u := range units {
		items, err := u.items()
		if err != nil {
			return nil, err
		}
		l := &list.List{}
		for _, one := range items {
			l.Items = append(l.Items, one.Item)
		}
		reader := &loader{}
		outcome := function.Evaluate(function.Function{Name: "packfn", New: func() function.Processor { return reader }}, l)
		for i := range outcome.Findings {
			if f := &outcome.Findings[i]; f.Severity == diag.Error {
				return nil, fmt.Errorf("%s: %s", u.onDisk(f.Resource().File), f.Message())
			}
		}
		for _, p := range reader.set.Packs {
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
