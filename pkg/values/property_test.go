package values

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"
)

var newTexts = []string{
	"x", "", "1.30", "true", "a: b", " # no", "two\nlines", "two\nlines\n", "\n", "x\n\n\n", "  indented\nx\n", "\ttab", "ü",
	"{{ .x }}", "it's \"quoted\"", "cr\r\n", "\u2028", "\x01", "- a", "yes", "trailing \nblank ", "null", "2001-01-01", "#", "%x", "[a", "---",
}

func TestReplaceAnyScalar(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := mustParse(t, document(t))
		v := rapid.SampledFrom(visit(d.Root())).Filter(func(v visited) bool { return v.node.Kind == yaml.ScalarNode }).Draw(t, "node")
		text := rapid.SampledFrom(newTexts).Draw(t, "text")
		checkReplace(t, d, v, text)
	})
}

// checkReplace replaces one scalar and checks what has to hold for any.
func checkReplace(t rapid.TB, d *Document, v visited, text string) {
	t.Helper()
	edited, err := d.ReplaceScalars(ScalarEdit{Node: v.node, Text: text})
	if err != nil {
		t.Fatalf("replace %v by %q in\n%s\n%v", v.steps, text, d.Text(), err)
	}
	got := visit(edited.Root())
	if root := edited.Root(); root == nil {
		return // a lone null
	}
	var now visited
	for _, g := range got {
		if cmp.Equal(g.steps, v.steps) {
			now = g
		}
	}
	if now.node == nil || now.node.Value != text || now.node.ShortTag() != strTag {
		t.Fatalf("replaced %v by %q in\n%s\ngot\n%s", v.steps, text, d.Text(), edited.Text())
	}
	checkOutside(t, d, edited, v.node)
	if !canonical(d, v.node) || now.node.Style != v.node.Style || v.node.ShortTag() != strTag {
		return
	}
	if header(d, v.node) != header(edited, now.node) || isBlockScalar(v.node) && endsInOpenBlockScalar(d) {
		return // the indentation or the chomping had to change
	}
	back, err := edited.ReplaceScalars(ScalarEdit{Node: now.node, Text: v.node.Value})
	if err != nil {
		t.Fatalf("replace back: %v", err)
	}
	if back.Text() != d.Text() {
		t.Fatalf("there (%q) and back differs:\n%s", text, cmp.Diff(d.Text(), back.Text()))
	}
}

func header(d *Document, n *yaml.Node) string {
	if !isBlockScalar(n) {
		return ""
	}
	start := d.Lines().Offset(At(n))
	return d.Text()[start:lineEnd(d.Text(), start)]
}

// canonical reports whether a scalar is laid out in the one way in which we would
// write it, so that it can come back to the same bytes.
func canonical(d *Document, n *yaml.Node) bool {
	start := d.Lines().Offset(At(n))
	rest := d.Text()[start:]
	switch {
	case n.Anchor != "" || n.Style&yaml.TaggedStyle != 0 || n.Style&yaml.FoldedStyle != 0:
		return false
	case n.Style&yaml.DoubleQuotedStyle != 0:
		return strings.HasPrefix(rest, doubleQuoted(n.Value))
	case n.Style&yaml.SingleQuotedStyle != 0:
		return strings.HasPrefix(rest, "'"+strings.ReplaceAll(n.Value, "'", "''")+"'")
	case n.Style&yaml.LiteralStyle != 0:
		return !strings.ContainsAny(header(d, n), "123456789") && !strings.Contains(n.Value, " \n")
	}
	return strings.HasPrefix(rest, n.Value)
}

// checkOutside checks that the lines before the node and from the next node
// on are the same bytes.
func checkOutside(t rapid.TB, before, after *Document, n *yaml.Node) {
	t.Helper()
	start := before.Lines().Start(n.Line)
	if isEmpty(n) {
		start = 0 // it has no place of its own
	}
	if before.Text()[:start] != after.Text()[:start] {
		t.Fatalf("an edit on line %d changed the text before:\n%s", n.Line, cmp.Diff(before.Text(), after.Text()))
	}
	for _, next := range visit(before.Root()) {
		if next.node.Line > n.Line && !isEmpty(next.node) && next.parent != nil && next.parent.Kind == yaml.MappingNode {
			tail := before.Text()[before.Lines().Start(next.node.Line):]
			if !strings.HasSuffix(after.Text(), tail) {
				t.Fatalf("an edit on line %d changed what follows:\n%s", n.Line, cmp.Diff(before.Text(), after.Text()))
			}
			return
		}
	}
}

var sources = []string{
	"5", "x # with a comment", "a: 1\n",
	`# head
a: 1
# between
b:
  - x
  - y: 1 # one

  # end
`,
	`- a
- b: |
    text
`,
	"|\n  literal\n  text\n", "\"quoted\"", "{}", "[]", "{flow: [1, 2]}", "",
	`a:
    b:
        c: |+
            x

`,
	`k: >-
  folded
  text`,
	"'two\n\n  lines'",
	"plain\n  words", "|2-\n   x\n  y",
	`a: &x {b: 1}
c: *x
`,
	`new: 1
nested:
  deep: true
`,
	"c: null\n",
	`a.b: 1
b: {c: 2}
`,
}

func TestSetThenDelete(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := mustParse(t, document(t))
		var maps []visited
		for _, v := range visit(d.Root()) {
			if v.node.Kind == yaml.MappingNode && len(v.node.Content) > 0 {
				maps = append(maps, v)
			}
		}
		v := rapid.SampledFrom(maps).Draw(t, "map")
		src := mustParse(t, rapid.SampledFrom(sources).Draw(t, "source"))
		at := append(append([]Step(nil), v.steps...), Step{Key: "brand new"})
		checkSetThenDelete(t, d, at, src)
	})
}

func checkSetThenDelete(t rapid.TB, d *Document, at []Step, src *Document) {
	t.Helper()
	set, err := d.Set(at, src)
	if err != nil {
		t.Fatalf("set %v to\n%s\nin\n%s\n%v", at, src.Text(), d.Text(), err)
	}
	if !reads(set.Root(), at) {
		t.Fatalf("set %v: not there in\n%s", at, set.Text())
	}
	deleted, ok, err := set.Delete(at)
	if err != nil || !ok {
		t.Fatalf("delete %v from\n%s\n%v %v", at, set.Text(), ok, err)
	}
	if noBreak := !breakBefore(d.Text(), len(d.Text())); noBreak && (endsInOpenBlockScalar(d) || src.Root() != nil && endsInBlockScalar(src.Root())) {
		return // the break at the end is part of a block scalar's text
	}
	if deleted.Text() != d.Text() {
		t.Fatalf("set %v to\n%s\nand delete differs:\n%s", at, src.Text(), cmp.Diff(d.Text(), deleted.Text()))
	}
}

// endsInOpenBlockScalar reports whether the last line is one of a block scalar
// and lacks its break: adding a line has to change how the scalar is chomped.
func endsInOpenBlockScalar(d *Document) bool {
	n := d.Root()
	for isBlock(n) && len(n.Content) > 0 {
		n = n.Content[len(n.Content)-1]
	}
	return isBlockScalar(n) && !breakBefore(d.Text(), len(d.Text()))
}

func TestSetAnywhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := mustParse(t, document(t))
		v := rapid.SampledFrom(visit(d.Root())).Draw(t, "node")
		src := mustParse(t, rapid.SampledFrom(sources).Draw(t, "source"))
		set, err := d.Set(v.steps, src)
		if err != nil {
			t.Fatalf("set %v to\n%s\nin\n%s\n%v", v.steps, src.Text(), d.Text(), err)
		}
		got := set.Root()
		for _, s := range v.steps {
			if s.IsIndex {
				got = got.Content[s.Index]
			} else if p, ok := lookup(got, s.Key); ok {
				got = p.Value
			}
		}
		if !cmp.Equal(plainValue(got), plainValue(src.Root())) {
			t.Fatalf("set %v to\n%s\ngot\n%s", v.steps, src.Text(), set.Text())
		}
	})
}

func TestMergeAgreesWithModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := mustParse(t, document(t))
		text := rapid.SampledFrom(sources).Draw(t, "source")
		if rapid.Bool().Draw(t, "generated") {
			text = document(t)
		}
		checkMerge(t, d, mustParse(t, text))
	})
}

func checkMerge(t rapid.TB, d, src *Document) {
	t.Helper()
	merged, err := d.Merge(nil, src)
	if err != nil {
		t.Fatalf("merge\n%s\ninto\n%s\n%v", src.Text(), d.Text(), err)
	}
	want := plainValue(d.Root())
	if src.Root() != nil {
		want = modelMerge(want, plainValue(src.Root()))
	}
	if diff := cmp.Diff(want, plainValue(merged.Root())); diff != "" {
		t.Fatalf("merge\n%s\ninto\n%s\ngot\n%s\n%s", src.Text(), d.Text(), merged.Text(), diff)
	}
	twice, err := merged.Merge(nil, src)
	if err != nil {
		t.Fatalf("merge again: %v", err)
	}
	if twice.Text() != merged.Text() {
		t.Fatalf("a second merge of\n%s\nchanged\n%s", src.Text(), cmp.Diff(merged.Text(), twice.Text()))
	}
	tree := Merge(Layer{Document: d}, Layer{Document: src})
	if diff := cmp.Diff(want, plainValue(tree.Root())); diff != "" {
		t.Fatalf("layers of\n%s\nand\n%s\n%s", d.Text(), src.Text(), diff)
	}
}

func TestDeleteAgreesWithModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := mustParse(t, document(t))
		v := rapid.SampledFrom(visit(d.Root())).Filter(func(v visited) bool { return len(v.steps) > 0 }).Draw(t, "node")
		checkDelete(t, d, v)
	})
}

func checkDelete(t rapid.TB, d *Document, v visited) {
	t.Helper()
	deleted, ok, err := d.Delete(v.steps)
	if err != nil || !ok {
		t.Fatalf("delete %v from\n%s\n%v %v", v.steps, d.Text(), ok, err)
	}
	want := modelDelete(plainValue(d.Root()), v.steps)
	if diff := cmp.Diff(want, plainValue(deleted.Root())); diff != "" {
		t.Fatalf("delete %v from\n%s\ngot\n%s\n%s", v.steps, d.Text(), deleted.Text(), diff)
	}
	again, ok, err := deleted.Delete(v.steps)
	last := v.steps[len(v.steps)-1]
	if !last.IsIndex && (err != nil || ok || again != deleted) {
		t.Fatalf("a second delete of %v: %v %v", v.steps, ok, err)
	}
	// Nothing but whole lines and the emptied parent may differ.
	if len(deleted.Text()) > len(d.Text())+3 {
		t.Fatalf("delete %v wrote\n%s", v.steps, cmp.Diff(d.Text(), deleted.Text()))
	}
}

func TestCorpusEdits(t *testing.T) {
	for i, file := range corpus(t, "values.yaml") {
		d := readCorpus(t, file)
		if d == nil || d.Root() == nil || testing.Short() && i%4 != 0 {
			continue
		}
		all := visit(d.Root())
		src := mustParse(t, `# new
x:
  - y
`)
		every := max(1, len(all)/4)
		if len(d.Text()) > 50_000 {
			every = max(1, len(all))
		}
		name := filepath.Base(filepath.Dir(file))
		for j := every / 2; j < len(all); j += every {
			v := all[j]
			switch {
			case d.anchors().used != nil:
				t.Logf("%s: uses anchors", name)
			case v.node.Kind == yaml.ScalarNode:
				checkReplace(t, d, v, newTexts[(i+j)%len(newTexts)])
				checkDelete(t, d, v)
			case v.node.Kind == yaml.MappingNode && len(v.node.Content) > 0:
				checkSetThenDelete(t, d, append(append([]Step(nil), v.steps...), Step{Key: "brand new"}), src)
			case len(v.steps) > 0:
				checkDelete(t, d, v)
			}
		}
	}
}

func TestCorpusPresets(t *testing.T) {
	applied := 0
	for _, file := range corpus(t, "presets.yaml") {
		presets, pack := readCorpus(t, file), readCorpus(t, filepath.Join(filepath.Dir(file), "values.yaml"))
		if presets == nil || pack == nil || presets.Root() == nil {
			continue
		}
		for _, m := range Find(presets.Root(), mustPath(t, "presets.$[]")) {
			if m.State == Present {
				applyPreset(t, filepath.Base(filepath.Dir(file)), pack, m.Node)
				applied++
			}
		}
	}
	t.Logf("%d presets of the corpus applied", applied)
}

func applyPreset(t *testing.T, name string, d *Document, preset *yaml.Node) {
	t.Helper()
	want := plainValue(d.Root())
	apply := func(d *Document) *Document {
		for _, remove := range Find(preset, mustPath(t, "remove.$[]")) {
			if remove.State != Present {
				continue
			}
			p, err := ParsePath(remove.Node.Value)
			if err != nil {
				t.Logf("%s: %v", name, err)
				continue
			}
			for _, m := range Find(d.Root(), p) {
				if m.State != Present {
					continue
				}
				if d, _, err = d.Delete(m.Steps); err != nil {
					t.Fatalf("%s: remove %s: %v", name, p, err)
				}
				want = modelDelete(want, m.Steps)
			}
		}
		for _, add := range Find(preset, mustPath(t, "add")) {
			if add.State != Present || add.Node.Kind != yaml.ScalarNode {
				continue
			}
			src, err := Parse(add.Node.Value)
			if err != nil {
				t.Logf("%s: add: %v", name, err)
				continue
			}
			if d, err = d.Merge(nil, src); err != nil {
				t.Fatalf("%s: add: %v", name, err)
			}
			if src.Root() != nil {
				want = modelMerge(want, plainValue(src.Root()))
			}
		}
		return d
	}
	once := apply(d)
	if diff := cmp.Diff(want, plainValue(once.Root())); diff != "" {
		t.Fatalf("%s: %s", name, diff)
	}
	twice := apply(once)
	if diff := cmp.Diff(plainValue(once.Root()), plainValue(twice.Root())); diff != "" {
		t.Fatalf("%s: a second time differs: %s", name, diff)
	}
	thrice := apply(twice)
	if thrice.Text() != twice.Text() {
		t.Fatalf("%s: applied again, the text differs: %s", name, cmp.Diff(twice.Text(), thrice.Text()))
	}
	if once.Text() != twice.Text() {
		t.Errorf("%s: the second time the text differs:\n%s", name, cmp.Diff(once.Text(), twice.Text()))
	}
}
