package values

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

func TestMergeLayers(t *testing.T) {
	tests := []struct {
		name   string
		layers []string // "!" before a text replaces what is below
		want   string
	}{
		{"maps merge", []string{"a: {b: 1, c: 2}\n", "a: {c: 3, d: 4}\n"}, "{a: {b: 1, c: 3, d: 4}}"},
		{"lists replace", []string{"a: [1, 2]\n", "a: [3]\n"}, "{a: [3]}"},
		{"a scalar replaces a map", []string{"a: {b: 1}\n", "a: x\n"}, "{a: x}"},
		{"a map replaces a scalar", []string{"a: x\n", "a: {b: 1}\n"}, "{a: {b: 1}}"},
		{"null sets null", []string{"a: {b: 1}\n", "a:\n"}, "{a: null}"},
		{"an empty map changes nothing", []string{"a: {b: 1}\n", "a: {}\n"}, "{a: {b: 1}}"},
		{"an empty map replaces a scalar", []string{"a: 1\n", "a: {}\n"}, "{a: {}}"},
		{"empty documents", []string{"", "a: 1\n", "# nothing\n", "null\n"}, "{a: 1}"},
		{"nothing", []string{"", ""}, "null"},
		{
			"replace",
			[]string{`a: 1
b: 2
`, "!c: 3\n", "b: 4\n"},
			"{c: 3, b: 4}",
		},
		{"replace by nothing", []string{"a: 1\n", "!"}, "null"},
		{"dotted keys are keys", []string{"a: {b: 1}\n", "a.b: 2\n"}, "{a: {b: 1}, a.b: 2}"},
		{
			"merge keys",
			[]string{`x: &x {k: 1, l: 2}
a: {<<: *x, l: 3}
`, "a: {k: 4}\n"},
			"{x: {k: 1, l: 2}, a: {l: 3, k: 4}}",
		},
		{
			"aliases",
			[]string{`x: &x {k: 1}
a: *x
`, "a: {l: 2}\n"},
			"{x: {k: 1}, a: {k: 1, l: 2}}",
		},
		{
			"duplicates",
			[]string{`a: 1
a: 2
`, "b: 3\n"},
			"{a: 2, b: 3}",
		},
		{
			"keys that the layers above add",
			[]string{
				"a: 1\n",
				`b: {x: 1}
c: 1
`,
				`c: 2
b: {y: 2}
`,
				`b: {y: 3, x: 4}
d: 1
`,
			},
			"{a: 1, b: {x: 4, y: 3}, c: 2, d: 1}",
		},
		{"keys that are lists", []string{"? [a]\n: {x: 1}\n? [b]\n: 1\n", "? [a]\n: {y: 2}\n? [c]\n: 3\n"}, "{? [a] : {x: 1, y: 2}, ? [b] : 1, ? [c] : 3}"},
		{"a key that is a list and one that is a map", []string{"? [a]\n: {x: 1}\n", "? {a: 1}\n: {y: 2}\n"}, "{? [a] : {x: 1}, ? {a: 1} : {y: 2}}"},
		{"roots that are not maps", []string{"a: 1\n", "[x]\n"}, "[x]"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var layers []Layer
			var before []string
			for _, text := range test.layers {
				body, replace := strings.CutPrefix(text, "!")
				d := mustParse(t, body)
				layers = append(layers, Layer{Document: d, Replace: replace})
				before = append(before, dump(d.Root()))
			}
			tree := Merge(layers...)
			if !Equal(tree.Root(), mustParse(t, test.want).Root()) {
				t.Errorf("got %s, want %s", dump(tree.Root()), test.want)
			}
			for i, l := range layers {
				if diff := cmp.Diff(before[i], dump(l.Document.Root())); diff != "" {
					t.Errorf("layer %d changed: %s", i, diff)
				}
			}
		})
	}
}

// dump writes a tree with everything that Merge might change.
func dump(n *yaml.Node) string {
	if n == nil {
		return "nothing"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d%s%q", n.Kind, n.Tag, n.Value)
	for _, c := range n.Content {
		b.WriteString("(" + dump(c) + ")")
	}
	return b.String()
}

func TestLayerOfMatch(t *testing.T) {
	tree := Merge(
		Layer{Document: mustParse(t, `a: {b: 1, c: {d: 1, e: {f: 1}}}
list: [{x: 1}]
kept: {y: 1}
`)},
		Layer{Document: mustParse(t, `a: {c: {d: 2}, g: {h: [1, 2]}}
kept: {}
`)},
		Layer{Document: mustParse(t, `a: {c: {i: 3}}
z: &z {k: 1}
w: *z
`)},
	)
	for path, want := range map[string]int{
		"a.b": 0, "a.c.d": 1, "a.c.e.f": 0, "a.g.h.1": 1, "a.c.i": 2, "a.c": 2, "a": 2, "list.$[].x": 0, "kept.y": 0, "kept": 0, "w.k": 2, "gone": -1, "a.c.gone": -1,
	} {
		if m := tree.Find(mustPath(t, path))[0]; m.Layer != want {
			t.Errorf("%s comes from layer %d, want %d", path, m.Layer, want)
		}
	}
	// A root that replaces the one below has another lowest layer.
	for _, texts := range [][]string{
		{"a: 1\n", "[x]\n", `a: 2
b: 2
`},
		{
			`a: 1
b: 1
`,
			"a: 2\n",
			`!a: 3
b: 3
`,
		},
	} {
		var layers []Layer
		for _, text := range texts {
			body, replace := strings.CutPrefix(text, "!")
			layers = append(layers, Layer{Document: mustParse(t, body), Replace: replace})
		}
		for _, path := range []string{"a", "b"} {
			if m := Merge(layers...).Find(mustPath(t, path))[0]; m.Layer != 2 {
				t.Errorf("%q: %s comes from layer %d", texts, path, m.Layer)
			}
		}
	}
	d := mustParse(t, "a: 1\n")
	if tree := Merge(Layer{}, Layer{Document: d}); tree.Root() != d.Root() || tree.Find(mustPath(t, "a"))[0].Layer != 1 {
		t.Error("a single layer is copied, or not named")
	}
}

func TestEqual(t *testing.T) {
	tests := []struct {
		a, b string
		want bool
	}{
		{"5", `"5"`, false}, {"1.30", "1.3", true}, {"1", "1.0", false}, {"0x10", "16", true}, {"'a'", `"a"`, true}, {"true", "True", true},
		{"null", "~", true}, {"''", "null", false}, {"1e3", "1000.0", true}, {"-0.0", "0.0", true}, {".inf", "+.inf", true}, {".inf", "-.inf", false},
		{"123456789012345678901234567890", "123456789012345678901234567891", false}, {"1_000", "1000", true}, {strings.Repeat("1", 2000), "0" + strings.Repeat("1", 2000), false}, {strings.Repeat("1", 2000), strings.Repeat("1", 2000), true},
		{"{a: 1, b: 2}", `b: 2
a: 1 # c
`, true},
		{"{a: 1}", "{a: 1, b: 2}", false}, {"[1, 2]", "[2, 1]", false}, {"[]", "{}", false},
		{
			`a: &x {b: 1}
c: *x
`,
			`a: {b: 1}
c: {b: 1}
`,
			true,
		},
		{"{x: {<<: {b: 1}, c: 2}}", "{x: {c: 2, b: 1}}", true}, {"{? [a] : 1}", "{? [a] : 1}", true},
		{"{? [a] : 1}", "{? [b] : 1}", false}, {"{? [a] : 1, ? [a] : 1}", "{? [a] : 1, ? [b] : 1}", false}, {"|\n  x\n", `"x\n"`, true}, {"!!str 5", `"5"`, true}, {"{? &k [a] : 1, ? *k : 2}", "{? [b] : 2, ? [a] : 1}", false}, {"2001-01-01", "'2001-01-01'", false},
	}
	for _, test := range tests {
		a, b := mustParse(t, "- "+strings.ReplaceAll(test.a, "\n", "\n  ")), mustParse(t, "- "+strings.ReplaceAll(test.b, "\n", "\n  "))
		x, y := a.Root().Content[0], b.Root().Content[0]
		if Equal(x, y) != test.want || Equal(y, x) != test.want || !Equal(x, x) {
			t.Errorf("%q and %q: want %v", test.a, test.b, test.want)
		}
	}
	if !Equal(nil, nil) || Equal(nil, nullNode()) || Equal(nullNode(), nil) {
		t.Error("absent equals only absent")
	}
}

// Equal scalars have one normal form, which no others have. Very long numbers keep their text.
func TestNormal(t *testing.T) {
	long := strings.Repeat("1", maxNormal)
	forms := map[[2]string]int{}
	for i, equal := range [][]string{
		{"null", "~"}, {"true", "True", "TRUE"}, {"false"}, {"16", "0x10", "0o20", "1_6"}, {"-16"}, {"1.30", "1.3", "13e-1"}, {"-1.3"}, {"13.0"}, {"100.0", "1e2", "1.0e+2"},
		{"0.0", "-0.0", "0e5"}, {".inf", "+.inf"}, {"-.inf"}, {".nan"}, {"x"}, {"X"}, {"'16'"}, {"'true'"}, {"'null'"}, {"''"},
		{"1" + long}, {"+1" + long}, {"1." + long[4:], "01." + long[4:], "1." + long[4:] + "0"}, {"1." + long}, {"1." + long + "0"},
	} {
		for _, text := range equal {
			n := mustParse(t, "- "+text).Root().Content[0]
			tag, normal := normal(n)
			if tag != n.ShortTag() || (normal == "") != (n.Value == "" || tag == nullTag) {
				t.Errorf("%.20s: got %s %.20q", text, tag, normal)
			}
			if at, ok := forms[[2]string{tag, normal}]; ok && at != i {
				t.Errorf("%.20s: got %s %.20s, as %d", text, tag, normal, at)
			}
			forms[[2]string{tag, normal}] = i
		}
		count := 0
		for _, at := range forms {
			if at == i {
				count++
			}
		}
		if count != 1 {
			t.Errorf("%.20s: got %d forms", equal, count)
		}
	}
}

func TestSource(t *testing.T) {
	d := mustParse(t, "[1.30, 000123, 123456789012, ~, 'it''s', \"a\\tb\", &x 0x1F, *x, [1], ]\n")
	var got []string
	for _, n := range d.Root().Content {
		got = append(got, Source(n))
	}
	if diff := cmp.Diff([]string{"1.30", "000123", "123456789012", "~", "it's", "a\tb", "0x1F", "0x1F", ""}, got); diff != "" {
		t.Error(diff)
	}
	if Source(nil) != "" {
		t.Error("nothing has a text")
	}
}
