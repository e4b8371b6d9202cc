package preset

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// What is left is the same before and after presets are applied.
func TestWithoutIsSteady(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := mustParse(t, drawMap(t, "", 3))
		all := []pack.Preset{drawPreset(t, "a"), drawPreset(t, "b")}
		applied, err := Apply(d, all[rapid.IntRange(0, 1).Draw(t, "which")])
		if err != nil {
			t.Fatal(err)
		}
		before, _ := Without(d.Root(), all)
		after, _ := Without(applied.Root(), all)
		b, _ := values.JSON(before)
		if a, _ := values.JSON(after); a != b {
			t.Fatalf("%s became %s\nof\n%s\nremoves %v %v, adds\n%s\nand\n%s", b, a, d.Text(), all[0].Remove, all[1].Remove, all[0].Add.Text(), all[1].Add.Text())
		}
	})
}
