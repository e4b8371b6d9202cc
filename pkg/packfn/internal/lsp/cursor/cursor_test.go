package cursor

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/values"
)

// show returns a path as text: server.ports[0].
func show(steps []values.Step) string {
	var out strings.Builder
	for _, s := range steps {
		switch {
		case s.IsIndex:
			fmt.Fprintf(&out, "[%d]", s.Index)
		case out.Len() > 0:
			out.WriteString("." + s.Key)
		default:
			out.WriteString(s.Key)
		}
	}
	return out.String()
}

// shown describes what is at ‸: `path kv "word" prefix "w"`.
func shown(text string) string {
	offset := strings.Index(text, "‸")
	text = strings.Replace(text, "‸", "", 1)
	c := At(text, offset)
	out := show(c.Path) + " "
	for e := c.Embedded(); e != nil; e = c.Embedded() {
		inner := At(e.Text, e.Offset)
		if c.Quote != 0 && len(inner.Path) == 0 {
			break
		}
		c = inner
		out += "/ " + show(c.Path) + " "
	}
	if c.AtKey {
		out += "k"
	}
	if c.AtValue {
		out += "v"
	}
	return fmt.Sprintf("%s %q %q", out, c.Word(), c.Prefix())
}

func TestAt(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"an empty text", "‸", ` k "" ""`},
		{"a key", `a: 1
ser‸ver: 2
`, ` k "server" "ser"`},
		{"a key below", `a:
  ser‸`, `a kv "ser" "ser"`},
		{"a key beside", `a:
  b: 1
  ser‸`, `a k "ser" "ser"`},
		{"a key before others", `a:
  ser‸
  b: 1
`, `a kv "ser" "ser"`},
		{"an empty line below", `a:
  ‸`, `a kv "" ""`},
		{"an empty line beside", `a:
  b: 1
  ‸
`, `a k "" ""`},
		{"an empty line to the left", `a:
  b: 1
‸
c: 1`, ` k "" ""`},
		{"an empty line with CRLF", crlf(`a:
  b: 1
  ‸
c: 1
`), `a k "" ""`},
		{"a value", `a:
  mode: fa‸st # c
`, `a.mode v "fast" "fa"`},
		{"an empty value", `a:
  mode: ‸
  b: 1
`, `a.mode v "" ""`},
		{"an empty value without a space", `a:
  mode:‸
`, `a.mode v "" ""`},
		{"before a value", `a:
  mode: ‸fast
`, `a.mode v "fast" ""`},
		{"in the space before a value", "a: ‸  fast\n", `a v "  fast" ""`},
		{"in the space before quotes", "a: ‸  \"fast\"\n", `a  "" ""`},
		{"in the space before a comment", "a: ‸  # x\n", `a v "" ""`},
		{"behind the wrong end of JSON", `{
  ] ‸"a": 1
}
`, `  "" ""`},
		{"below a key in quotes", `"a":
  b‸`, `a kv "b" "b"`},
		{"in quotes", `a:
  mode: "fa‸st"
`, `a.mode v "fast" "fa"`},
		{"in quotes without an end", `a:
  mode: "fa‸
  b: 1
`, `a.mode v "fa" "fa"`},
		{"after quotes without an end", `a:
  mode: "fa
  b: x‸
`, `a.b v "x" "x"`},
		{"in a comment", `a:
  mode: fast # ‸x
`, `a.mode  "" ""`},
		{"in a comment line", "# ‸x\n", `  "" ""`},
		{"after a value", "a: b  ‸", `a  "" ""`},
		{"an element", `a:
  - x
  - ‸`, `a[1] kv "" ""`},
		{"an element at the indent of the key", `a:
- x
- y‸
b: 1`, `a[1] kv "y" "y"`},
		{"a key in an element", `a:
- x: 1
  y‸`, `a[0] k "y" "y"`},
		{"the first key in an element", `a:
- na‸me: 1
`, `a[0] k "name" "na"`},
		{"a value in an element", `a:
- name: 1
- name: ‸
`, `a[1].name v "" ""`},
		{"nested elements", `a:
- - x
  - ‸y`, `a[0][1] kv "y" ""`},
		{"after a list at the indent of its key", `a:
- x
b‸`, ` k "b" "b"`},
		{"below a half-typed key", `ser
  mode: ‸`, `ser.mode v "" ""`},
		{"behind broken lines", `a: [1
b: {
c: "
d:
  e: ‸`, `d.e v "" ""`},
		{"a broken line in a map", `a:
  x: 1
  : :
  [[
  y‸`, `a k "y" "y"`},
		{"in a flow mapping", "a: {b: 1, c‸}", `a k "c" "c"`},
		{"a value in a flow mapping", "a: {b: x‸, c: 1}", `a.b v "x" "x"`},
		{"an open flow mapping", `a: {b: 1, c: ‸
d: 1
`, `a.c v "" ""`},
		{"an empty flow mapping", "a: {‸}", `a k "" ""`},
		{"a flow list", "a: [x, ‸]", `a[1] kv "" ""`},
		{"nested flow", "a: {b: [{c: 1}, {d: ‸", `a.b[1].d v "" ""`},
		{"a pair in a flow list", "a: [b: x‸]", `a[0].b v "x" "x"`},
		{"behind flow", `a: {b: 1}
c: ‸`, `c v "" ""`},
		{"JSON", `{
  "a": {"na‸"}
}`, `a k "na" "na"`},
		{"a value of JSON", "{\"a\": {\"b\": \"x‸y\"}}", `a.b v "xy" "x"`},
		{"JSON without a value", `{
  "a": ‸
  "b": 1
}`, `a v "" ""`},
		{"behind JSON without a value", `{
  "a":
  "b": "x‸"
}`, `b v "x" "x"`},
		{"more lines of a text in flow", `{a: x
  y‸, b: 1}`, `a  "" ""`},
		{"JSON without a comma", `{
  "a": 1
  "b‸": 1
}`, ` k "b" "b"`},
		{"JSON with an open string", `{
  "a": "x
  "b": "y‸"
}`, `b v "y" "y"`},
		{"after a value of JSON", "{\"a\": 1 ‸}", `a  "" ""`},
		{"a block", `d:
  v.yaml: |
    a:
      b: ‸
  e: 1
`, `d.v.yaml / a.b v "" ""`},
		{"a key in a block", `d:
  v.yaml: |
    a:
      b‸
`, `d.v.yaml / a kv "b" "b"`},
		{"the first line of a block", `d:
  v.yaml: |
    ‸
  e: 1
`, `d.v.yaml /  k "" ""`},
		{"an empty line in a block", `d:
  v.yaml: |
    a:
      b: 1
      ‸
    c: 1
`, `d.v.yaml / a k "" ""`},
		{"an empty line left of a block", `d:
  v.yaml: |
    a: 1
  ‸
`, `d k "" ""`},
		{"the last line of a block", `d:
  v.yaml: |
    a:
      ‸`, `d.v.yaml / a kv "" ""`},
		{"a block with CRLF", crlf(`d:
  v.yaml: |
    a:
      b: x‸y
`), `d.v.yaml / a.b v "xy" "x"`},
		{"a block with an indent", `d:
  v.yaml: |2-
      a: ‸
`, `d.v.yaml / a v "" ""`},
		{"a block in an element", `d:
- |
  a: ‸
`, `d[0] / a v "" ""`},
		{"a block in a block", `d:
  v: |
    p:
    - add: |
        a: ‸
`, `d.v / p[0].add / a v "" ""`},
		{"JSON in a block", `d:
  p.json: |
    {"name": "x‸"}
`, `d.p.json / name v "x" "x"`},
		{"a text in quotes", `d: {v: "a:\n  b: x‸y\n  \"c\": 1"}`, `d.v / a.b v "xy" "x"`},
		{"escapes in quotes", `v: "a: \"ü\U0001F600 x\"\nb: ‸"`, `v / b v "" ""`},
		{"a text in single quotes", `v: 'a: it''s

  b: x‸'`, `v / b v "x" "x"`},
		{"a key with a point", `a:
  b.c/d: ‸`, `a.b.c/d v "" ""`},
		{"a quoted key", "\"a b\":\n  'c''d': ‸", `a b.c'd v "" ""`},
		{"an anchor", `a: &x
  b: ‸`, `a.b v "" ""`},
		{"a tag", `a: !!map
  b: ‸`, `a.b v "" ""`},
		{"more lines of a text", `a: x
  y ‸z: w
b: 1`, `a k "y z" "y "`},
		{"a document behind", "a: ‸", `a v "" ""`},
	} {
		if got := shown(tc.text); got != tc.want {
			t.Errorf("%s: %q\ngot  %s\nwant %s", tc.name, tc.text, got, tc.want)
		}
	}
}

func TestDocument(t *testing.T) {
	const text = "a: 1\n--- # x\nb: |\n  ---\n--- \nc: 1\n"
	for offset, want := range map[int]string{
		0: "a: 1\n",
		4: "a: 1\n",
		13: `b: |
  ---
`,
		24: `b: |
  ---
`,
		len(text): "c: 1\n",
	} {
		if from, to := Document(text, offset); text[from:to] != want {
			t.Errorf("%d: got %q, want %q", offset, text[from:to], want)
		}
	}
}

// The path at each key of a text that can be parsed equals the path in its tree. Broken lines behind
// the place change nothing.
func TestPathsOfTrees(t *testing.T) {
	paths, err := filepath.Glob("../../../../../examples/*/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	compareFiles(t, paths)
	for _, text := range []string{
		`a: &x {b: 1}
<<: *x
"c d":
- - e: [f: 1, {g: }]
`,
		"{\"a\": {\"b\": [1, {\"c\":2}],\n\"d\" : \"e\"}, f: 'it''s'}",
		`a: "x
  y: z"
b: |
  c: d

 e: f
g: >-

   h: i
  j
k: l: m
`,
		crlf(`a:
- b: 1
  c: |
    d: e
-   f: 1
`),
		`# x

- a: plain
    - text
  b: !!str c
`,
	} {
		comparePaths(t, text, text)
	}
}

func TestPathsOfPacks(t *testing.T) { compareFiles(t, functiontest.Corpus(t, "packs/*/*.yaml")) }

func compareFiles(t *testing.T, paths []string) {
	t.Helper()
	keys := 0
	for _, name := range paths {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for rest := string(text); rest != ""; {
			_, to := Document(rest, 0)
			keys += comparePaths(t, name, rest[:to])
			rest = rest[to:]
			if rest != "" {
				rest = rest[lineEnd(rest, 0):]
			}
		}
	}
	t.Logf("%d keys", keys)
}

// comparePaths compares the paths of a text with the paths in its tree, and returns the number of its keys.
func comparePaths(t *testing.T, name, text string) int {
	document, err := values.Parse(text)
	if err != nil {
		return 0
	}
	want := map[int]string{} // by the offsets of keys
	lines := document.Lines()
	var walk func(n *yaml.Node, path []values.Step)
	walk = func(n *yaml.Node, path []values.Step) {
		for i, child := range n.Content {
			switch {
			case n.Kind == yaml.SequenceNode:
				walk(child, values.Below(path, values.Element(i)))
			case n.Kind == yaml.MappingNode && i%2 == 0:
				at := lines.Offset(values.At(child))
				if child.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 {
					at++
				}
				below := values.Below(path, values.Key(child.Value))
				want[at] = show(below)
				walk(n.Content[i+1], below)
			}
		}
	}
	if document.Root() != nil {
		walk(document.Root(), nil)
	}
	got := map[int]string{}
	Entries(text, func(e Entry) { got[e.From] = show(e.Path) })
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s: the entries: -want +got:\n%s", name, diff)
		return len(want)
	}
	offsets := slices.Sorted(maps.Keys(want))
	for n, at := range offsets {
		if len(offsets) > 60 && n%(len(offsets)/60) > 0 {
			continue
		}
		for _, broken := range []string{text, text[:lineEnd(text, at)] + "\"\n: [{\n"} {
			c := At(broken, at+1)
			if got := show(values.Below(c.Path, values.Key(unquote(c.Word(), c.Quote)))); !c.AtKey || !c.HasColon || got != want[at] {
				t.Errorf("%s: offset %d: got %q, want %q", name, at, got, want[at])
			}
		}
	}
	return len(want)
}

// What is typed into an embedded text is written at its place in the outer one.
func TestOuter(t *testing.T) {
	for _, text := range []string{
		`d:
  v: |
    aä:

      b: ‸xy
`,
		`d: {v: "a:\n  b\u00e4: ‸xy\n"}`, crlf(`d:
  v: |
    aä:
      b: ‸xy
`), "v: 'it''s: ‸xy'",
	} {
		offset := strings.Index(text, "‸")
		plain := strings.Replace(text, "‸", "", 1)
		c := At(plain, offset)
		e := c.Embedded()
		inner := At(e.Text, e.Offset)
		if got := e.Outer(inner.From); got != offset || inner.Word() != "xy" {
			t.Errorf("%q: got %d, %q", text, got, inner.Word())
		}
	}
	c := At(`a: "x"`, 4)
	if got := c.Embedded().Encode(`"b\`); got != `\"b\\` {
		t.Errorf("got %s", got)
	}
}

// Any place in any text has a context within the text.
func TestBrokenTexts(t *testing.T) {
	paths, err := filepath.Glob("../../../../../examples/*/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for _, name := range paths {
		file, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for range 40 {
			text := string(file[random.IntN(len(file)):])
			for range random.IntN(4) {
				at := random.IntN(len(text) + 1)
				text = text[:at] + []string{"\"", "'", "{", "]", "\n", ": ", "- ", "|\n", "\\", "\r\n ", "#", "&", "!", "---\n"}[random.IntN(14)] + text[at:]
			}
			c := At(text, random.IntN(len(text)+1))
			for e := c.Embedded(); e != nil && c.From <= c.To && c.To <= len(c.text); e = c.Embedded() {
				if at := e.Outer(e.Offset); at < 0 || at > len(c.text) {
					t.Fatalf("%q: an embedded place is at %d", text, at)
				}
				inner := At(e.Text, e.Offset)
				if inner.text == c.text || inner.Quote != 0 && len(inner.Path) == 0 {
					break
				}
				c = inner
			}
			if c.From > c.To || c.To > len(c.text) || !strings.HasPrefix(c.Word(), c.Prefix()) {
				t.Fatalf("%q: got %d-%d", text, c.From, c.To)
			}
			Entries(text, func(e Entry) { e.Scalar(text) })
		}
	}
}

func TestScalar(t *testing.T) {
	want := map[string]string{"a": "x y", "b": "it''s", "c": `d\"e`, "f": "", "g": "", "h": "open", "j": "k", "l": "m", "n": "{j: k, l: m}"}
	const text = "a: x y # z\r\nb: 'it''s'\nc: \"d\\\"e\" # z\nf:\ng: # z\nn: {j: k, l: m}\nh: \"open\n"
	Entries(text, func(e Entry) {
		name := show(e.Path[len(e.Path)-1:])
		if got := e.Scalar(text); got != want[name] {
			t.Errorf("%s: got %q, want %q", name, got, want[name])
		}
		delete(want, name)
	})
	if len(want) > 0 {
		t.Errorf("no entries %v", want)
	}
}

// The text of a value in quotes is the one that a reader of YAML gets.
func TestFoldedText(t *testing.T) {
	for _, quoted := range []string{"\"x \t\n  y\"", "'x \t\n  y'", "\"x\n\n  y\"", "\"x \n \n\t\n  y\"", "'x\r\n  y'", "\"x\\n\n  y\"", "\" \n y\"", "'\n\n y'"} {
		var want string
		if err := yaml.Unmarshal([]byte(quoted+"\n"), &want); err != nil {
			t.Fatal(err)
		}
		if got, _ := decode(quoted[1:len(quoted)-1], quoted[0]); got != want {
			t.Errorf("%q: got %q, want %q", quoted, got, want)
		}
	}
}

// crlf returns a text with line breaks of Windows.
func crlf(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }
