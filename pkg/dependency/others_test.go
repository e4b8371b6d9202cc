package dependency

import (
	"slices"
	"testing"
)

// The names without a pack do not depend on the packs that were asked for before.
func TestOthers(t *testing.T) {
	packs := []*Pack{{Name: "a"}, {Name: "b"}, {Name: "c"}}
	o := newOthers(packs)
	for _, tc := range []struct {
		p    *Pack
		want []string
	}{
		{packs[0], []string{"b", "c"}}, {packs[2], []string{"a", "b"}}, {packs[1], []string{"a", "c"}},
		{packs[0], []string{"b", "c"}}, {&Pack{Name: "d"}, []string{"a", "b", "c"}}, {packs[1], []string{"a", "c"}},
	} {
		if got := o.of(tc.p); !slices.Equal(got, tc.want) {
			t.Errorf("without %s: got %v, want %v", tc.p.Name, got, tc.want)
		}
	}
	none := newOthers(nil)
	if got := none.of(packs[0]); len(got) != 0 {
		t.Errorf("of no packs: %v", got)
	}
}
