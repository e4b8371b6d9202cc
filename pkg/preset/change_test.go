package preset

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// What is told of a preset is true of the values as they leave, also when
// others change the same paths.
func TestDescribe(t *testing.T) {
	for _, tc := range []struct {
		name, values string
		presets      [][2]string // remove, add
		want         []string
	}{
		{"the second sets it otherwise", "a: 1\n", [][2]string{{"", "a: 2"}, {"", "a: 3"}}, []string{`leaves a to the later preset "1"`, "sets a"}},
		{"the second sets it back", "a: 1\n", [][2]string{{"", "a: 2"}, {"", "a: 1"}}, []string{`leaves a to the later preset "1"`, ""}},
		{"both set it so", "a: 1\n", [][2]string{{"", "a: 2"}, {"", "a: 2"}}, []string{"sets a", ""}},
		{"the second removes it", "b: 1\n", [][2]string{{"", "a: {c: 2}"}, {"a", ""}}, []string{`leaves a to the later preset "1"`, ""}},
		{"the second adds what the first removes", "a: 1\nb: 1\n", [][2]string{{"a b", ""}, {"", "a: 2"}}, []string{`removes b; leaves a to the later preset "1"`, "sets a"}},
		{"the second adds in part what the first removes", "s: {a: 1, b: 1}\n", [][2]string{{"s", ""}, {"", "s: {a: 2}"}}, []string{`removes s.b; leaves s.a to the later preset "1"`, "sets s.a"}},
		{"the second empties the map of the first", "s: 1\n", [][2]string{{"", "s: {a: 1}"}, {"s.a", ""}}, []string{`sets s; leaves s.a to the later preset "1"`, ""}},
		{"the second adds a map that the first removes", "z: 1\n", [][2]string{{"s", ""}, {"", "s: {}"}}, []string{`leaves s to the later preset "1"`, "adds s"}},
		{"both add to one map", "z: 1\n", [][2]string{{"", "s: {a: 1}"}, {"", "s: {b: 1}"}}, []string{"adds s.a", "adds s.b"}},
		{"the second fills a map", "z: 1\n", [][2]string{{"", "s: {}"}, {"", "s: {b: 1}"}}, []string{"adds s", "adds s.b"}},
		{"a scalar over the map of the first", "s: {a: 1}\n", [][2]string{{"", "s: {a: 2, b: 2}"}, {"", "s: x"}}, []string{`leaves s.a, s.b to the later preset "1"`, "sets s"}},
		{"it was so, and is not any more", "a: 1\n", [][2]string{{"", "a: 1"}, {"", "a: 2"}}, []string{`leaves a to the later preset "1"`, "sets a"}},
		{"it was absent, and is not any more", "b: 1\n", [][2]string{{"a", ""}, {"", "a: 2"}}, []string{`leaves a to the later preset "1"`, "adds a"}},
		{"the last of three replaces it", "a: 1\n", [][2]string{{"", "a: 2"}, {"", "a: 3"}, {"", "a: 4"}}, []string{`leaves a to the later preset "2"`, `leaves a to the later preset "2"`, "sets a"}},
		{"it is so already", "a: 1\n", [][2]string{{"b", "a: 1"}, {"", "c: 1"}}, []string{"", "adds c"}},
		{"a path that leads to two values", "a: {b: 1}\na.b: 1\n", [][2]string{{"a.b", ""}}, []string{"removes a.b"}},
	} {
		var presets []pack.Preset
		for i, p := range tc.presets {
			presets = append(presets, named("", string(rune('0'+i)), change(t, p[0], p[1])))
		}
		result, err := Target{Document: mustParse(t, tc.values)}.Apply(Use{Presets: presets})
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range tc.want {
			if got := describe(result.Changes[0], presets, i); got != want {
				t.Errorf("%s: the preset %d: got %q, want %q (%s)", tc.name, i, got, want, strings.TrimSpace(result.Document.Text()))
			}
		}
	}
}

// Some change lasts exactly when the values are others in the end, and where
// nothing is told of a preset the values are as it has them, in the end too.
func TestChangesAreTrue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := mustParse(t, drawMap(t, "", 2)).Root()
		var presets []pack.Preset
		for i := range rapid.IntRange(1, 3).Draw(t, "presets") {
			presets = append(presets, drawPreset(t, fmt.Sprint(i)))
		}
		states, err := outcomes(before, presets)
		if err != nil {
			t.Skip("elements by their number are refused")
		}
		last := states[len(states)-1]
		lasting := false
		told := map[int]bool{}
		for _, c := range changes(states, presets, false) {
			told[c.Preset] = true
			lasting = lasting || c.Kind != Replaced
			if c.Kind == Replaced && c.By <= c.Preset {
				t.Fatalf("%+v is replaced by an earlier preset", c)
			}
		}
		if lasting == values.Equal(before, last) {
			t.Fatalf("changes %+v, and the values changed: %v", changes(states, presets, false), !lasting)
		}
		for i := range presets {
			again, err := outcomes(last, presets[i:i+1])
			if err == nil && !told[i] && !values.Equal(again[1], last) {
				t.Fatalf("the preset %d would change the values, and nothing is told of it: %+v", i, changes(states, presets, false))
			}
		}
	})
}
