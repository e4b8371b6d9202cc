package preset

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	_ "github.com/krm-packs/functions/pkg/function/functiontest/draws"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// keys are few, so that values and presets meet, and some hold dots.
var keys = []string{"a", "b", "c", "a.b", "b.c", "0"}

// drawMap writes a map in block style.
func drawMap(t *rapid.T, indent string, depth int) string {
	var b strings.Builder
	used := map[string]bool{}
	for range rapid.IntRange(1, 3).Draw(t, "pairs") {
		key := rapid.SampledFrom(keys).Draw(t, "key")
		if used[key] {
			continue
		}
		used[key] = true
		if rapid.IntRange(0, 9).Draw(t, "comment") == 0 {
			fmt.Fprintf(&b, "%s# about %s\n", indent, key)
		}
		if key == "0" {
			key = `"0"`
		}
		fmt.Fprintf(&b, "%s%s:", indent, key)
		drawValue(t, &b, indent, depth)
	}
	return b.String()
}

func drawValue(t *rapid.T, b *strings.Builder, indent string, depth int) {
	kind := rapid.IntRange(0, 11).Draw(t, "kind")
	if depth == 0 {
		kind %= 7
	}
	switch kind {
	case 7, 8, 9:
		b.WriteString("\n" + drawMap(t, indent+"  ", depth-1))
	case 10, 11:
		b.WriteString("\n")
		for range rapid.IntRange(1, 2).Draw(t, "items") {
			if rapid.Bool().Draw(t, "map") {
				b.WriteString(indent + "- " + strings.TrimLeft(drawPlainMap(t, indent+"  ", depth-1), " "))
			} else {
				b.WriteString(indent + "- x\n")
			}
		}
	default:
		b.WriteString([]string{" 1\n", " x # why\n", " {}\n", " null\n", " []\n", " {a: 1, b: {c: 2}}\n", " |\n" + indent + "  # text\n" + indent + "  more\n"}[kind])
	}
}

// drawPlainMap is drawMap without a comment in front, which could not follow a
// dash.
func drawPlainMap(t *rapid.T, indent string, depth int) string {
	text := drawMap(t, indent, depth)
	if strings.HasPrefix(strings.TrimLeft(text, " "), "#") {
		_, text, _ = strings.Cut(text, "\n")
	}
	return text
}

func drawPreset(t *rapid.T, name string) pack.Preset {
	steps := append([]string{values.Wildcard}, keys...)
	var remove []string
	for range rapid.IntRange(0, 2).Draw(t, "removals") {
		path := rapid.SliceOfN(rapid.SampledFrom(steps), 1, 3).Draw(t, "path")
		if last := len(path) - 1; path[last] == "0" {
			path[last] = "a" // an element by its number is refused
		}
		remove = append(remove, strings.Join(path, "."))
	}
	add := ""
	if rapid.IntRange(0, 3).Draw(t, "adds") > 0 {
		add = drawMap(t, "", 2)
	}
	p := change(t, strings.Join(remove, " "), add)
	p.Name = name
	return p
}

// The edited text has the content that the model computes, for one preset and for
// several, and still after a second run.
func TestApplyAgreesWithModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := ""
		if rapid.IntRange(0, 9).Draw(t, "empty") > 0 {
			text = drawMap(t, "", 3)
		}
		var presets []pack.Preset
		for i := range rapid.IntRange(1, 3).Draw(t, "presets") {
			presets = append(presets, drawPreset(t, fmt.Sprint(i)))
		}
		d := mustParse(t, text)
		got, err := Apply(d, presets...)
		if err != nil {
			t.Fatalf("%s\n%v", text, err)
		}
		want := orEmpty(modelApply(modelValue(d.Root()), presets...))
		if diff := cmp.Diff(want, orEmpty(modelValue(got.Root()))); diff != "" {
			t.Fatalf("became\n%s\n-model +got:\n%s", got.Text(), diff)
		}
		again, err := Apply(got, presets...)
		if err != nil || again != got {
			t.Fatalf("applied again: %v\n%s", err, cmp.Diff(got.Text(), again.Text()))
		}
	})
}

// So it does over a lower layer.
func TestApplyOverLayersAgreesWithModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		below, text := drawMap(t, "", 3), ""
		if rapid.IntRange(0, 9).Draw(t, "empty") > 0 {
			text = drawMap(t, "", 3)
		}
		var presets []pack.Preset
		for i := range rapid.IntRange(1, 2).Draw(t, "presets") {
			presets = append(presets, drawPreset(t, fmt.Sprint(i)))
		}
		checkLayered(t, below, text, presets...)
	})
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

// What several presets leave of values is what they leave one after the other.
func TestWithoutOneByOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := mustParse(t, drawMap(t, "", 3))
		var all []pack.Preset
		for i := range rapid.IntRange(1, 4).Draw(t, "presets") {
			all = append(all, drawPreset(t, fmt.Sprint("p", i)))
		}
		want := d.Root()
		for _, p := range all {
			want, _ = Without(want, []pack.Preset{p})
		}
		got, _ := Without(d.Root(), all)
		if pack.DataDigest(got) != pack.DataDigest(want) {
			t.Fatalf("presets together leave\n%v\none by one they leave\n%v\nof\n%s", modelValue(got), modelValue(want), d.Text())
		}
	})
}

// tree makes what lies below a target.
func tree(t rapid.TB, text string) *values.Tree {
	t.Helper()
	return values.Merge(values.Layer{Document: mustParse(t, text)})
}

// checkLayered applies presets to text over below, compares the merged values
// with the model, and applies them again.
func checkLayered(t rapid.TB, below, text string, presets ...pack.Preset) {
	t.Helper()
	lower := []*values.Tree{tree(t, below)}
	before := values.Merge(values.Layer{Document: mustParse(t, below)}, values.Layer{Document: mustParse(t, text)})
	result, err := Target{Document: mustParse(t, text), Below: lower}.Apply(presets...)
	if err != nil {
		t.Fatalf("%q over %q: %v", text, below, err)
	}
	after := values.Merge(values.Layer{Document: mustParse(t, below)}, values.Layer{Document: result})
	want := withoutNulls(orEmpty(modelApply(modelValue(before.Root()), presets...)))
	if diff := cmp.Diff(want, withoutNulls(orEmpty(modelValue(after.Root())))); diff != "" {
		t.Fatalf("%q over %q became\n%s\n-model +got:\n%s", text, below, result.Text(), diff)
	}
	again, err := Target{Document: result, Below: lower}.Apply(presets...)
	if err != nil || again != result {
		t.Fatalf("%q over %q, applied again: %v\n%s", text, below, err, cmp.Diff(result.Text(), again.Text()))
	}
}
