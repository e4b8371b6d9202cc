package macro

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/function/functiontest"
)

// The golden list has the messages of macros that are too large.
// testdata/messages.txtar has the messages of all other faults.
func TestLargeMacros(t *testing.T) {
	var values strings.Builder
	var want []string
	for i, value := range []string{
		`{{ .spectro.pack.b.` + strings.Repeat("x", 5000) + ` }}`,
		`{{ print ` + strings.Repeat(`(upper .spectro.var.X) `, 3000) + `}}`,
		`{{ ` + strings.Repeat("x", 70_000) + ` | print .spectro.var.X }}`,
		`{{ regexMatch "` + strings.Repeat("(aaaaaaaa)", 400) + `" "a" | print .spectro.var.X }}`,
		`{{ list ` + strings.Repeat("| list ", 120) + ` | print .spectro.var.X }}`,
		`{{ list ` + strings.Repeat("(list) ", 10_500) + ` | print .spectro.var.X }}`,
	} {
		fmt.Fprintf(&values, "k%d: '%s'\n", i, value)
		want = append(want, fmt.Sprintf("k%d macro/invalid", i))
	}
	config := typedConfig + `  packs: [a]
  missing: error
  variables: {X: x}
`
	var got []string
	for _, f := range functiontest.Run(t, Function(), config, packOf("a", values.String())+"\n---\n"+packOf("b", "map: {a: 1}")).Findings {
		got = append(got, f.Key+" "+f.Rule.ID)
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}
