package preset

import (
	"fmt"
	"strings"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/pack"
)

// mischoice is a fault of a name that a preset is asked for by, at a field of
// the configuration, and the packs of one name that it holds for.
type mischoice struct {
	at    string
	fault Fault
	packs []*pack.Pack
}

// blame notes a fault of a name: once for all packs of one name of which it is
// the same.
func (a *applier) blame(p *pack.Pack, at string, fault Fault) {
	for i := range a.mischoices {
		if m := &a.mischoices[i]; m.at == at && m.fault == fault && m.packs[0].Name == p.Name {
			m.packs = append(m.packs, p)
			return
		}
	}
	a.mischoices = append(a.mischoices, mischoice{at, fault, []*pack.Pack{p}})
}

func (a *applier) reportMischoices() {
	for _, m := range a.mischoices {
		resources := make([]string, len(m.packs))
		for i, p := range m.packs {
			resources[i] = p.Resource.String()
		}
		a.report(function.Finding{
			Rule: string(m.fault.Rule), Resource: a.run.ConfigResource(), Field: m.at, Pack: m.packs[0].Name,
			Message: fmt.Sprintf("%s: pack %q (%s): %s", m.at, m.packs[0].Name, strings.Join(resources, ", "), m.fault.Message),
		})
	}
}
