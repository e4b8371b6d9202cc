package upgrade

import (
	"cmp"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/internal/cases"
	"github.com/krm-packs/functions/pkg/values"
)

// A case has values of two versions, and the keys on the way to one of the older ones. The outcome is its new name, which
// it has only where that is clear: in the same mapping, and the only one that is alike.
func TestRenames(t *testing.T) {
	cases.Table(t, "renames", func(t *testing.T, c *cases.Case) string {
		base, err := values.Parse(c.Text("base.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		next, err := values.Parse(c.Text("next.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		r := &renames{base: base, next: next}
		got := pathOf(r.of(strings.Fields(c.Text("key"))))
		if again := pathOf(r.of(strings.Fields(c.Text("key")))); again != got { // from what is known
			t.Errorf("got %q, and again %q", got, again)
		}
		return cmp.Or(got, "no new name")
	})
}
