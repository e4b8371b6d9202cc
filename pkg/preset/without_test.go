package preset

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

func TestWithout(t *testing.T) {
	for _, tc := range []struct {
		text, remove, add, rest string
		touched                 map[string]int
	}{
		{"a: 1\nb: {c: 1, d: 2}\n", "x", "b: {c: 5}", `{"a":1,"b":{"d":2}}`, map[string]int{"x": 0, "b.c": 1}},
		{"a: 1\nb: 5\n", "a", "b: {c: 5, d: {}}", "null", map[string]int{"a": 1, "b.c": 0, "b.d": 0}},
		{"l: [{a: 1, b: 2}, {a: 3}]\n", "l.$[].a", "", `{"l":[{"b":2},{}]}`, map[string]int{"l.$[].a": 2}},
		{"a: {}\nb: {c: {}}\n", "", "", "null", map[string]int{}},
		{"a: 1\n", "", "", `{"a":1}`, map[string]int{}},
		{"l: [1]\n", "l.0", "", `{"l":[1]}`, map[string]int{"l.0": 1}},
	} {
		rest, touched := Without(mustParse(t, tc.text).Root(), []pack.Preset{change(t, tc.remove, tc.add)})
		got := map[string]int{}
		for path, nodes := range touched {
			got[path] = len(nodes)
		}
		if text, _ := values.JSON(rest); text != tc.rest || !cmp.Equal(got, tc.touched) {
			t.Errorf("%q without %q and %q: %s, %v", tc.text, tc.remove, tc.add, text, got)
		}
	}
}

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
