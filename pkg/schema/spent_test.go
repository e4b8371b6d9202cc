package schema

import (
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/meter"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// Keys that are required in each element of a list end at the limit of a run, with one finding
// that names it.
func TestElementsEndAtTheMeter(t *testing.T) {
	for _, word := range []string{"required", "readonly"} {
		var keys strings.Builder
		for _, name := range []string{"a", "b", "c"} {
			keys.WriteString("list.$[]." + name + ":\n  schema: '{{ " + word + " }}'\n")
		}
		schema := parseSchema(t, keys.String())
		own := parseText(t, "list:\n"+strings.Repeat("- {a: 1, b: 1, c: 1}\n", 10))
		for left, want := range map[int]int{30 * stepsOfMatch * 2: 0, 15 * stepsOfMatch: 1, 0: 1} {
			v := Values{Tree: values.Merge(values.Layer{Document: own}), Layers: []*values.Document{own}, Own: own, Meter: new(meter.Meter)}
			v.Meter.Spend(meter.MaxSteps - left)
			var got []diag.Finding
			for _, f := range schema.Check(v) {
				if f.Rule == rule.InputInvalid && strings.Contains(f.Message(), "limit of 268435456 steps") {
					got = append(got, f)
				}
			}
			if len(got) != want {
				t.Errorf("%s, %d steps: %v", word, left, got)
			}
		}
	}
}
