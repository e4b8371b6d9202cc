package preset

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

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

// The text says what the model says, of one preset and of several, and says it
// again the second time.
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

// Applied once, presets do not change their outcome in a second run, whatever is
// recorded.
func TestApplyOnceIsSteady(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Selection{Version: "2", Always: rapid.IntRange(0, 5).Draw(t, "always") == 0}
		for i := range rapid.IntRange(1, 3).Draw(t, "presets") {
			p := named(rapid.SampledFrom([]string{"", "g", "g:h", "i"}).Draw(t, "group"), fmt.Sprint(i), drawPreset(t, fmt.Sprint(i)))
			s.Known = append(s.Known, p)
			inGroup := func(q pack.Preset) bool { return p.Group != "" && q.Group == p.Group }
			if !slices.ContainsFunc(s.Presets, inGroup) && rapid.IntRange(0, 3).Draw(t, "selected") > 0 {
				s.Presets = append(s.Presets, p)
			}
			if rapid.Bool().Draw(t, "recorded") {
				s.Record = s.Record.with(NewEntry(p, rapid.SampledFrom([]string{"1", "2"}).Draw(t, "version")), p, s.Known)
			}
		}
		target := Target{Document: mustParse(t, drawMap(t, "", 3))}
		if rapid.Bool().Draw(t, "layered") {
			target.Below = []*values.Tree{tree(t, drawMap(t, "", 3))}
		}
		if rapid.Bool().Draw(t, "history") {
			// The presets were applied before, with other definitions, to other values.
			earlier := s
			earlier.Version, earlier.Upstream = "1", rapid.SampledFrom([]string{"", "c1", "c2"}).Draw(t, "commit")
			earlier.Presets = slices.Clone(s.Presets)
			for i, p := range earlier.Presets {
				if rapid.Bool().Draw(t, "redefined") {
					earlier.Presets[i] = named(p.Group, p.Name, drawPreset(t, p.Name))
				}
			}
			before := Target{Document: target.Document, Below: target.Below}
			if rapid.Bool().Draw(t, "other values") {
				before.Document = mustParse(t, drawMap(t, "", 3))
			}
			result, err := before.ApplyOnce(earlier)
			if err != nil {
				t.Fatal(err)
			}
			s.Record, s.Leaves, s.Upstream = result.Record, result.Leaves, rapid.SampledFrom([]string{"", "c2"}).Draw(t, "new commit")
			if rapid.Bool().Draw(t, "merged") {
				target.Document = result.Document
			}
		}
		first, err := target.ApplyOnce(s)
		if err != nil {
			t.Fatal(err)
		}
		if len(first.Outdated) > 0 && (first.Document != target.Document || !slices.Equal(first.Record, s.Record)) {
			t.Fatalf("outdated, and something changed: %v", first)
		}
		target.Document, s.Record, s.Leaves = first.Document, first.Record, first.Leaves
		second, err := target.ApplyOnce(s)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(first.Document.Text(), second.Document.Text()); diff != "" {
			t.Fatal(diff)
		}
		if diff := cmp.Diff(summary(first), summary(second)); diff != "" {
			for _, p := range s.Presets {
				t.Logf("%s: removes %v, adds\n%s", p, p.Remove, p.Add.Text())
			}
			t.Fatalf("of\n%s\n%s", first.Document.Text(), diff)
		}
	})
}

// Removals cost one edit, however many they are. Edits of their own took a minute.
func TestManyRemovals(t *testing.T) {
	var text, remove strings.Builder
	for i := range 4000 {
		fmt.Fprintf(&text, "k%d: {a: 1}\n", i)
		fmt.Fprintf(&remove, "k%d.a ", i)
	}
	p := change(t, remove.String(), "z: 1")
	d := mustParse(t, text.String())
	start := time.Now()
	if _, err := Apply(d, p); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("took %s", took)
	}
}
