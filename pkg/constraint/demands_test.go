package constraint

import (
	"fmt"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/internal/cases"
	"github.com/krm-packs/functions/pkg/internal/version"
)

// What a constraint requires of a package is certain where no alternative satisfies it. In alternatives, the
// parts about one package are joined. The outcome has the versions of 0.9.0, 1.5.0, 2.5.0 and 3.0.0 that are
// accepted.
func TestDemands(t *testing.T) {
	cases.Table(t, "demands", func(t *testing.T, c *cases.Case) string {
		var b strings.Builder
		for _, constraint := range linesOf(c.Text("constraints")) {
			red := bundle(t, "red.v1.0.0", "[{type: olm.constraint, value: "+constraint+"}]")
			s := readAll([]*Bundle{red}, nil)
			if len(s.readings[0].candidate.requirements) != 1 {
				t.Fatalf("%s: %d requirements", constraint, len(s.readings[0].candidate.requirements))
			}
			show := func(kind string, d Demand) {
				if d.By != red.title() || len(d.Thresholds) == 0 {
					t.Errorf("%s: got %+v", constraint, d)
				}
				fmt.Fprintf(&b, "%s: %s", kind, d.Wants)
				for _, text := range []string{"0.9.0", "1.5.0", "2.5.0", "3.0.0"} {
					if v, _ := version.Parse(text); d.Accepts(v) {
						b.WriteString(" [" + text + "]")
					}
				}
				b.WriteString("\n")
			}
			b.WriteString("$ " + constraint + "\n")
			for _, d := range s.Demands()["blue"] {
				show("certain", d)
			}
			if d := alternative(red, s.readings[0].candidate.requirements[0].constraint, "blue"); d != nil {
				show("alternative", *d)
			}
		}
		return b.String()
	})
}
