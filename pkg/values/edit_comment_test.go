package values

import (
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	"github.com/krm-packs/functions/pkg/function/functiontest/draws"
)

func TestLineComments(t *testing.T) {
	const text = `a: b # one
c: # above a map: two
  d: 'e' # one, # two
  f: "g
    h" # one
list: # one
- x # one
- # one
- [y, z] # one
- - w # one
i: | # one
  # one
j: >- # one
  text # one
k: {a: b, # one
  c: [d] # one
} # two
# one
l: &m !!str n # one
o: *m # one
p: # one
q: "" # one
"r": it's # one
s: t# one
? u
: v # one
w: x`
	d := mustParse(t, text)
	var got []string
	for _, c := range d.LineComments("o") {
		if offset := d.Lines().Offset(c.Position); !strings.HasPrefix(d.Text()[offset:], c.Text) {
			t.Errorf("%q is not at %v", c.Text, c.Position)
		}
		got = append(got, c.Node.Value+" "+c.Text)
	}
	compare(t, `b # one
e # one, # two
g h # one
x # one
 # one
 # one
w # one
# one
 # one
text # one # one
 # two
n # one
 # one
 # one
it's # one
v # one`, strings.Join(got, "\n"))
	if found := d.LineComments("two"); len(found) != 2 {
		t.Errorf("%d comments have the word", len(found))
	}
	part := d.Part(Field(d.Root(), "c"))
	if found := part.LineComments("one"); len(found) != 2 {
		t.Errorf("%d comments in a part", len(found))
	}
	for _, text := range []string{"", "# one\n", "[a] # one\n", "{a: b} # one\n", "a # one\n"} {
		if found := mustParse(t, text).LineComments("one"); found != nil {
			t.Errorf("%q: %d comments", text, len(found))
		}
	}
}

func TestRewrite(t *testing.T) {
	set := func(text string) *string { return &text }
	for _, tc := range []struct {
		text, path    string
		value         *string
		comment, want string
	}{
		{
			`a: b
c: d
`,
			"a", nil, "# x",
			`a: b # x
c: d
`,
		},
		{"a: b", "a", nil, "# x", "a: b # x"},
		{crlf(`a: b  # y
c: d
`), "a", set("e"), "# x", crlf(`a: e  # x
c: d
`)},
		{"a: b  # y\n", "a", set("e"), "", "a: e\n"},
		{
			`a:
b: c
`,
			"a", set("x"), "# y",
			`a: x # y
b: c
`,
		},
		{
			`a: # z
b: c
`,
			"a", nil, "# y",
			`a: # y
b: c
`,
		},
		{
			`a: # z
b: c
`,
			"a", set("x"), "# y",
			`a: x # y
b: c
`,
		},
		{
			`a:
- - b
`,
			"a.[0].[0]", nil, "# x",
			`a:
- - b # x
`,
		},
		{`a: 'b
  c'
`, "a", set("d"), "# x", "a: 'd' # x\n"},
		{
			`a: |
  b
`,
			"a", nil, "# x",
			`a: | # x
  b
`,
		},
		{
			`a: |2- # y
   b
`,
			"a", set("c"), "# x",
			`a: |2- # x
  c
`,
		},
		{
			`a: | # y
  b
`,
			"a", set("c\n"), "",
			`a: |
  c
`,
		},
		{
			`a: >- # y
  b
  c
`,
			"a", set("c d"), "# x",
			`a: >- # x
  c d
`,
		},
		{`a: |+ # y
  b

`, "a", set("c\u0007"), "# x", "a: \"c\\u0007\" # x\n\n"},
		{"a: [b, c]\n", "a", nil, "# x", "a: [b, c] # x\n"},
		{
			`a: [b,
  c] # y
`,
			"a", nil, "# x",
			`a: [b,
  c] # x
`,
		},
		{"a: [b, c] # y\n", "a.[0]", set("d"), "", "a: [d, c] # y\n"},
		{
			`a: &m b
c: *m
`,
			"a", nil, "# x",
			`a: &m b # x
c: *m
`,
		},
	} {
		d := mustParse(t, tc.text)
		n := nodeAt(t, d, tc.path)
		var edits []ScalarEdit
		if tc.value != nil {
			edits = append(edits, ScalarEdit{Node: n, Text: *tc.value})
		}
		comments := []CommentEdit{{Node: n, Text: tc.comment}}
		if tc.path == "a.[0]" {
			comments = nil
		}
		edited, err := d.Rewrite(edits, comments)
		if err != nil {
			t.Errorf("%q: %v", tc.text, err)
			continue
		}
		if edited.Text() != tc.want {
			t.Errorf("%q: got %q, want %q", tc.text, edited.Text(), tc.want)
		}
		if again, err := edited.Rewrite(nil, []CommentEdit{{Node: nodeAt(t, edited, tc.path), Text: tc.comment}}); comments != nil && (err != nil || again != edited) {
			t.Errorf("%q: the same comment changes it: %v", tc.want, err)
		}
	}
	for _, tc := range []struct{ text, path, comment string }{
		{"a: b\n", "a", "x"},
		{"a: b\n", "a", "# x\n"},
		{"a: b\n", "a", "# x\u2028y"},
		{"a: [b]\n", "a.[0]", "# x"},
		{"a: {b: c}\n", "a.b", "# x"},
		{"[b]\n", "", "# x"},
	} {
		d := mustParse(t, tc.text)
		if edited, err := d.Rewrite(nil, []CommentEdit{{Node: nodeAt(t, d, tc.path), Text: tc.comment}}); err == nil {
			t.Errorf("%q: %q is written: %q", tc.text, tc.comment, edited.Text())
		}
	}
	d := mustParse(t, "a: b\n")
	n := nodeAt(t, d, "a")
	if _, err := d.Rewrite(nil, []CommentEdit{{Node: n, Text: "# x"}, {Node: n, Text: "# y"}}); err == nil {
		t.Error("two comments of one value")
	}
}

// A comment can be written behind any value that has a line of its own, with and without
// another text, and leaves all other values as they were.
func TestRewriteAnywhere(t *testing.T) {
	draws.Same(t, func(t *rapid.T) {
		text := hostileText(t)
		if rapid.Bool().Draw(t, "usual") {
			text = document(t)
		}
		d, err := Parse(text)
		if err != nil || d.Root() == nil {
			return
		}
		comment := rapid.SampledFrom([]string{"# kpt-macro: {{ .spectro.var.X }}", "# ours # kpt-macro: \"a\\nb\"", "# ü", ""}).Draw(t, "comment")
		for _, v := range visit(d.Root()) {
			n := v.node
			if n == d.Root() || n.Kind == yaml.AliasNode || isBlock(n) {
				continue
			}
			edited, err := d.Rewrite(nil, []CommentEdit{{Node: n, Text: comment}})
			if err != nil {
				continue // in a collection in flow style, or rejected: nothing is written
			}
			if !Equal(edited.Root(), d.Root()) {
				t.Fatalf("%q behind %q of\n%q: the values differ:\n%q", comment, n.Value, text, edited.Text())
			}
			found := edited.LineComments("kpt-macro")
			if strings.Contains(comment, "kpt-macro") && !strings.Contains(text, "kpt-macro") && (len(found) != 1 || found[0].Text != comment) {
				t.Fatalf("%q behind %q of\n%q: read back as %v from\n%q", comment, n.Value, text, found, edited.Text())
			}
			if n.Kind != yaml.ScalarNode {
				continue
			}
			e := ScalarEdit{Node: n, Text: rapid.SampledFrom(certainTexts).Draw(t, "text"), Shared: true}
			alone, err := d.ReplaceScalars(e)
			if err != nil {
				continue
			}
			both, err := d.Rewrite([]ScalarEdit{e}, []CommentEdit{{Node: n, Text: comment}})
			if err != nil || !Equal(both.Root(), alone.Root()) {
				t.Fatalf("%q and %q behind %q of\n%q: %v", e.Text, comment, n.Value, text, err)
			}
			if read, err := Parse(both.Text()); err != nil || !Equal(read.Root(), both.Root()) {
				t.Fatalf("%q and %q behind %q of\n%q: not what is read from\n%q", e.Text, comment, n.Value, text, both.Text())
			}
		}
	})
}
