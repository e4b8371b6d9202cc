package constraint

import (
	"fmt"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/internal/cases"
	"github.com/krm-packs/functions/pkg/internal/version"
)

// A line is a range, which may be followed by a version in brackets.
func TestRanges(t *testing.T) {
	cases.Table(t, "ranges", func(t *testing.T, c *cases.Case) string {
		var b strings.Builder
		for _, line := range linesOf(c.Text("ranges")) {
			text, asked, isAsked := strings.Cut(strings.TrimSuffix(line, "]"), " [")
			r, err := ParseRange(text)
			switch {
			case err != nil:
				fmt.Fprintf(&b, "%s: %v\n", line, err)
			case isAsked:
				v, err := version.Parse(asked)
				if err != nil {
					t.Fatal(err)
				}
				fmt.Fprintf(&b, "%s: %v\n", line, r.Accepts(v))
			default:
				fmt.Fprintf(&b, "%s: is read\n", line)
			}
		}
		return b.String()
	})
}
