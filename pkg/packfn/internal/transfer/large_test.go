package transfer

import (
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/packfn/internal/layout"
)

// A profile with too many packs is an error that names the limit.
func TestTooManyPacks(t *testing.T) {
	profileOf := func(packs int) string {
		return `{"metadata": {"name": "site"}, "spec": {"template": {"packs": [` + strings.TrimSuffix(strings.Repeat(`{"name": "a"},`, packs), ",") + `]}}}`
	}
	if _, err := ReadProfile("p.json", []byte(profileOf(maxPacks))); err != nil {
		t.Error(err)
	}
	const want = "p.json:1:63: the profile has 10001 packs, above the limit of 10000; split it into several profiles"
	if _, err := ReadProfile("p.json", []byte(profileOf(maxPacks+1))); err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
}

// The names of packs of one name take a number of tries that grows with the packs, and not with its square.
func TestManyPacksOfOneName(t *testing.T) {
	texts := func(packs int) float64 {
		p := &Profile{packs: make([]profilePack, packs)}
		return testing.AllocsPerRun(1, func() {
			for i := range p.packs {
				p.packs[i] = profilePack{entry: layout.Map("name", layout.Text("web"))}
			}
			p.nameResources()
		})
	}
	if few, many := texts(500), texts(1000); many > 2.5*few {
		t.Errorf("500 packs make %.0f texts and nodes, and 1000 make %.0f", few, many)
	}
}
