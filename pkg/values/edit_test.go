package values

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	"github.com/krm-packs/functions/pkg/function/functiontest/draws"
)

// at reads "a.b.[0].c d" as steps; "~" means a dot in a key.
func at(path string) []Step {
	var steps []Step
	if path == "" {
		return nil
	}
	for _, s := range strings.Split(path, ".") {
		if strings.HasPrefix(s, "[") {
			steps = append(steps, Step{Index: int(s[1] - '0'), IsIndex: true})
		} else {
			steps = append(steps, Step{Key: strings.ReplaceAll(s, "~", ".")})
		}
	}
	return steps
}

// nodeAt returns the value at the steps of a document, alias not followed.
func nodeAt(t *testing.T, d *Document, path string) *yaml.Node {
	t.Helper()
	for _, v := range visit(d.Root()) {
		if cmp.Equal(v.steps, at(path)) {
			return v.node
		}
	}
	t.Fatalf("%s is not in %q", path, d.Text())
	return nil
}

func compare(t *testing.T, want, got string) {
	t.Helper()
	if got != want {
		t.Errorf("got\n%s\nwant\n%s\n%q", got, want, got)
	}
}

func TestReplaceScalars(t *testing.T) {
	tests := []struct{ name, text, path, new, tag, want string }{
		{
			"plain",
			`a: x # c
b: y
`,
			"a", "z", "",
			`a: z # c
b: y
`,
		},
		{"gap", "a:   x   # c\n", "a", "longer text", "", "a:   longer text   # c\n"},
		{"1.30 is quoted", "a: x\n", "a", "1.30", "", "a: \"1.30\"\n"},
		{"true is quoted", "a: x\n", "a", "true", "", "a: \"true\"\n"},
		{"yes is quoted", "a: x\n", "a", "yes", "", "a: \"yes\"\n"},
		{"null is quoted", "a: x\n", "a", "null", "", "a: \"null\"\n"},
		{"empty is quoted", "a: x\n", "a", "", "", "a: \"\"\n"},
		{"a colon is quoted", "a: x\n", "a", "b: c", "", "a: \"b: c\"\n"},
		{"a comment sign is quoted", "a: x\n", "a", "b #c", "", "a: \"b #c\"\n"},
		{"a template is quoted", "a: x\n", "a", "{{ .x }}", "", "a: \"{{ .x }}\"\n"},
		{"double quotes are put into single ones", "a: x\n", "a", `{"b": "\d"}`, "", `a: '{"b": "\d"}'` + "\n"},
		{"colon without blank stays plain", "a: x\n", "a", "http://h:80/p#q", "", "a: http://h:80/p#q\n"},
		{"flow needs quotes", "a: [x, y]\n", "a.[0]", "b,c", "", "a: [\"b,c\", y]\n"},
		{"flow stays plain", "a: {b: x, c: y}\n", "a.b", "z", "", "a: {b: z, c: y}\n"},
		{"flow without blanks", "{\"a\":\"x\",\"b\":[\"y\"]}", "b.[0]", "z\"", "", "{\"a\":\"x\",\"b\":[\"z\\\"\"]}"},
		{"double", "a: \"x\" # c\n", "a", "say \"hi\"\\\n\t", "", "a: \"say \\\"hi\\\"\\\\\\n\\t\" # c\n"},
		{"double with control characters", "a: \"x\"\n", "a", "\x00\x1b\u0085\u2028\ufeff\u00a0é", "", "a: \"\\u0000\\u001B\\u0085\\u2028\\uFEFF\u00a0é\"\n"},
		{"single", "a: 'x' # c\n", "a", "it's", "", "a: 'it''s' # c\n"},
		{
			"single with quotes",
			`a: 'it''s ''so''' # c
b: y
`,
			"a", "x", "",
			`a: 'x' # c
b: y
`,
		},
		{"after single with quotes", "{a: 'it''s', b: '''', c: y}\n", "c", "z", "", "{a: 'it''s', b: '''', c: z}\n"},
		{
			"double with quotes",
			`a: "\"so\\" # c
b: y
`,
			"a", "x", "",
			`a: "x" # c
b: y
`,
		},
		{"after double with quotes", "{a: \"\\\"\", b: \"\\\\\", c: y}\n", "c", "z", "", "{a: \"\\\"\", b: \"\\\\\", c: z}\n"},
		{
			"single with a break",
			`a: 'x'
b: y
`,
			"a", "two\nlines\n\nmore", "",
			`a: "two\nlines\n\nmore"
b: y
`,
		},
		{"single that cannot", "a: 'x'\n", "a", "two \nlines", "", "a: \"two \\nlines\"\n"},
		{"plain with a break", "a: x\n", "a", "two\nlines\n", "", "a: \"two\\nlines\\n\"\n"},
		{
			"plain over lines",
			`a: x
  y
  z # c
b: 1
`,
			"a", "w", "",
			`a: w # c
b: 1
`,
		},
		{
			"double over lines",
			`a: "x
  y\
  z" # c
b: 1
`,
			"a", "w", "",
			`a: "w" # c
b: 1
`,
		},
		{"flow plain over lines", `a: [x
  y, z]
`, "a.[0]", "w", "", "a: [w, z]\n"},
		{
			"literal",
			`a: | # c
    x
    y

b: 1
`,
			"a", "one\n\n  two\n", "",
			`a: | # c
    one

      two

b: 1
`,
		},
		{
			"literal to strip",
			`a: |
  x
b: 1
`,
			"a", "y", "",
			`a: |-
  y
b: 1
`,
		},
		{
			"strip to clip",
			`a: |-
  x
b: 1
`,
			"a", "y\n", "",
			`a: |
  y
b: 1
`,
		},
		{
			"clip to keep",
			`a: |
  x
b: 1
`,
			"a", "y\n\n\n", "",
			`a: |+
  y


b: 1
`,
		},
		{
			"clip to keep before blank lines",
			`a: |
  x

b: 1
`,
			"a", "y\n\n\n", "",
			`a: |+
  y


b: 1
`,
		},
		{
			"keep that would take more blank lines",
			`a: |
  x



b: 1
`,
			"a", "y\n\n", "",
			`a: "y\n\n"



b: 1
`,
		},
		{
			"keep",
			`a: |+
  x

b: 1
`,
			"a", "y\n\n\n", "",
			`a: |+
  y


b: 1
`,
		},
		{
			"keep to one break",
			`a: |+
  x

b: 1
`,
			"a", "y\n", "",
			`a: |+
  y
b: 1
`,
		},
		{
			"literal with a leading blank",
			`a: |
  x
b: 1
`,
			"a", "  y\nz\n", "",
			`a: |2
    y
  z
b: 1
`,
		},
		{"literal with a leading tab", `a: |
  x
`, "a", "\ty\n", "", "a: |2\n  \ty\n"},
		{
			"literal with an indicator",
			`a:
  b: |1-
    x
`,
			"a.b", "y\nz", "",
			`a:
  b: |1-
   y
   z
`,
		},
		{
			"literal with trailing blanks",
			`a: |
  x
`,
			"a", "y  \n \nz\n", "", "a: |\n  y  \n   \n  z\n",
		},
		{
			"literal that cannot",
			`a: | # c
  x

b: 1
`,
			"a", "y\r\n", "",
			`a: "y\r\n" # c

b: 1
`,
		},
		{
			"empty literal",
			`a: |
  x
b: 1
`,
			"a", "", "",
			`a: |
b: 1
`,
		},
		{
			"empty literal above a comment",
			`a: |
    x
  # c
b: 1
`,
			"a", "", "",
			`a: ""
  # c
b: 1
`,
		},
		{
			"literal at the end",
			`a: |
  x`,
			"a", "y\nz", "",
			`a: |
  y
  z`,
		},
		{
			"literal in a list",
			`- |
  x
- y
`,
			"[0]", "z\n", "",
			`- |
  z
- y
`,
		},
		{
			"literal at the root",
			`--- |
  x
`,
			"", "y\n", "",
			`--- |
  y
`,
		},
		{
			"folded",
			`a: >-
  x
  y
b: 1
`,
			"a", "one line\nnext\n\n  code\nlast", "",
			`a: >-
  one line

  next

    code
  last
b: 1
`,
		},
		{
			"strip at the end",
			`a: |-
  x`,
			"a", "y", "",
			`a: |-
  y`,
		},
		{
			"keep at the end",
			`a: |+
  x`,
			"a", "y", "",
			`a: |-
  y`,
		},
		{
			"keep to strip",
			`a: |+
  x

`,
			"a", "y", "",
			`a: |-
  y
`,
		},
		{
			"a break at the end",
			`a: |
  x`,
			"a", "y\n", "",
			`a: |
  y
`,
		},
		{"literal to a break", `a: |
  x
`, "a", "\n", "", "a: |+\n\n"},
		{
			"literal to breaks",
			`a: |
  x
b: 1
`,
			"a", "\n\n", "",
			`a: |+


b: 1
`,
		},
		{
			"keep to nothing",
			`a: |+
  x
b: 1
`,
			"a", "", "",
			`a: |-
b: 1
`,
		},
		{
			"strip to nothing",
			`a: |-
  x
b: 1
`,
			"a", "", "",
			`a: |-
b: 1
`,
		},
		{
			"empty literal to text",
			`a: |
b: 1
`,
			"a", "x\n", "",
			`a: |
  x
b: 1
`,
		},
		{
			"empty literal to text with a leading blank",
			`a: |
b: 1
`,
			"a", " x\n", "",
			`a: |2
   x
b: 1
`,
		},
		{
			"empty literal below a key",
			`a:
  b: |
  c: 1
`,
			"a.b", "x\n", "",
			`a:
  b: |
    x
  c: 1
`,
		},
		{
			"deep literal with a leading blank",
			`a: |
                 x
`,
			"a", " y\n", "",
			`a: |2
   y
`,
		},
		{
			"literal with a leading break and blank",
			`a: |
  x
b: 1
`,
			"a", "\n  y\n", "",
			`a: |2

    y
b: 1
`,
		},
		{
			"literal with a leading break",
			`a: |
  x
b: 1
`,
			"a", "\ny\n", "",
			`a: |

  y
b: 1
`,
		},
		{
			"folded with deeper lines",
			`a: >
  x
b: 1
`,
			"a", "one\n  two\n  three\nfour\n\n\nfive\n", "",
			`a: >
  one
    two
    three
  four



  five
b: 1
`,
		},
		{
			"folded that keeps",
			`a: >+
  x

b: 1
`,
			"a", "one\n\n\n", "",
			`a: >+
  one


b: 1
`,
		},
		{
			"literal with a wide indicator",
			`a: |4
      x
`,
			"a", "y\n", "",
			`a: |4
    y
`,
		},
		{
			"literal in a list with a leading blank",
			`- |
 x
- y
`,
			"[0]", "  z\n", "",
			`- |1
   z
- y
`,
		},
		{"literal at the root with a leading blank", "|\n x\n", "", "  z\n", "", "|1\n   z\n"},
		{
			"literal at the root with an indicator",
			`--- |1
 x
`,
			"", "z\n", "",
			`--- |1
 z
`,
		},
		{
			"clip to fewer breaks than follow",
			`a: | # c
  x


# d
b: 1
`,
			"a", "y\n\n", "",
			`a: "y\n\n" # c


# d
b: 1
`,
		},
		{
			"clip to more breaks than follow",
			`a: | # c
  x


# d
b: 1
`,
			"a", "y\n\n\n\n\n", "",
			`a: |+ # c
  y




# d
b: 1
`,
		},
		{"clip to keep with CRLF", crlf(`a: |
  x

b: 1
`), "a", "y\n\n\n", "", crlf(`a: |+
  y


b: 1
`)},
		{"clip to keep before lines of blanks", "a: |\n  x\n \n  \nb: 1\n", "a", "y\n\n\n\n", "", "a: |+\n  y\n\n \n  \nb: 1\n"},
		{
			"literal with a control character",
			`a: |
  x
`,
			"a", "y\a\n", "", "a: \"y\\u0007\\n\"\n",
		},
		{
			"literal with a line separator",
			`a: |
  x
`,
			"a", "y\u2028z\n", "", "a: \"y\\u2028z\\n\"\n",
		},
		{
			"literal with a byte order mark",
			`a: |
  x
`,
			"a", "\ufeffz\n", "", "a: \"\\uFEFFz\\n\"\n",
		},
		{
			"a ConfigMap",
			`data:
  values.yaml: |
    a: 1
  other: x
`,
			"data.values~yaml",
			`a: 2
b:
  - c
`,
			"",
			`data:
  values.yaml: |
    a: 2
    b:
      - c
  other: x
`,
		},
		{
			"a long quoted line",
			`data:
  values.yaml: "a: 1 \nb: 2\n"
`,
			"data.values~yaml", "a: 1 \nb: 3\n", "",
			`data:
  values.yaml: "a: 1 \nb: 3\n"
`,
		},
		{"CRLF", crlf(`a: |
  x
b: 1
`), "a", "y\nz\n", "", crlf(`a: |
  y
  z
b: 1
`)},
		{"anchor", "a: &x y\n", "a", "z", "", "a: &x z\n"},
		{"anchor and tag", "a: !!str &x 'y'\n", "a", "z", "", "a: !!str &x 'z'\n"},
		{"tag keeps a number a string", "a: !!str 5\n", "a", "6", "", "a: !!str 6\n"},
		{
			"empty value",
			`a:
b: 1
`,
			"a", "x", "",
			`a: x
b: 1
`,
		},
		{
			"empty value with a comment",
			`a: # c
b: 1
`,
			"a", "x", "",
			`a: x # c
b: 1
`,
		},
		{
			"empty list element",
			`a:
  -
  - # c
`,
			"a.[1]", "x", "",
			`a:
  -
  - x # c
`,
		},
		{"empty in flow", "{a, b: , c: }", "b", "x", "", "{a, b: x , c: }"},
		{"empty without a colon", "{a, b}", "a", "x", "", "{a: x, b}"},
		{"empty with a tag", "a: !!str\n", "a", "x", "", "a: !!str x\n"},
		{"byte order mark", "\ufeffa: x\n", "a", "w", "", "\ufeffa: w\n"},
		{"other breaks", "a: x\u2028b: y\u0085c: z\n", "c", "w", "", "a: x\u2028b: y\u0085c: w\n"},
		{"int", "a: 1\n", "a", "2", "!!int", "a: 2\n"},
		{"bool from quoted", "a: \"x\"\n", "a", "true", "!!bool", "a: true\n"},
		{"null", "a: x\n", "a", "", "!!null", "a: null\n"},
		{"same text, other type", "a: 5\n", "a", "5", "", "a: \"5\"\n"},
		{"keep: a number stays one", "a: 5\n", "a", "6", KeepTag, "a: 6\n"},
		{"keep: a number becomes a string", "a: 5\n", "a", "x", KeepTag, "a: x\n"},
		{"keep: a string stays one", "a: v{{ x }}\n", "a", "1.30", KeepTag, "a: \"1.30\"\n"},
		{"keep: a tag decides", "a: !!int x\n", "a", "5", KeepTag, "a: !!int 5\n"},
		{
			"duplicate keys",
			`a: 1
a: 2
`,
			"a", "x", "",
			`a: x
a: 2
`,
		},
		{"a key written with ?", "? a\n: x\n", "a", "w", "", "? a\n: w\n"},
		{"an unchanged text", "a: \"\\x41\"\n", "a", "A", "", "a: \"\\x41\"\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := mustParse(t, test.text)
			got, err := d.ReplaceScalars(ScalarEdit{Node: nodeAt(t, d, test.path), Text: test.new, Tag: test.tag})
			if err != nil {
				t.Fatal(err)
			}
			compare(t, test.want, got.Text())
			if d.Text() != test.text {
				t.Error("the document itself changed")
			}
		})
	}
}

func TestReplaceManyScalars(t *testing.T) {
	d := mustParse(t, `a: [x, y]
b: |
  z
c:
`)
	var edits []ScalarEdit
	for _, v := range visit(d.Root()) {
		if v.node.Kind == yaml.ScalarNode {
			edits = append([]ScalarEdit{{Node: v.node, Text: v.node.Value + "1"}}, edits...)
		}
	}
	got, err := d.ReplaceScalars(edits...)
	if err != nil {
		t.Fatal(err)
	}
	compare(t, `a: [x1, y1]
b: |-
  z
  1
c: "1"
`, got.Text())
}

func TestReplaceRefused(t *testing.T) {
	d := mustParse(t, `a: &x 1
b: *x
c: &m {d: 2}
e: {<<: *m}
f: !!int 3
g: 4
h: !<tag:yaml.org,2002:str> "b"
`)
	key := d.Root().Content[0]
	for want, edit := range map[string]ScalarEdit{
		"line 1, column 4: the anchor &x is used on line 2 too, which would change with it; write the value there instead of *x":  {Node: nodeAt(t, d, "a"), Text: "2"},
		"line 3, column 11: the anchor &m is used on line 4 too, which would change with it; write the value there instead of *m": {Node: nodeAt(t, d, "c.d"), Text: "3"},
		"line 2, column 4: only a scalar can be replaced":                                                                         {Node: nodeAt(t, d, "b"), Text: "2"},
		"line 1, column 1: the scalar is not a value of this document":                                                            {Node: key, Text: "z"},
		"line 5, column 4: the tag !!int in front of the scalar does not allow !!str":                                             {Node: nodeAt(t, d, "f"), Text: "z"},
		"line 7, column 4: the end of the value is unclear":                                                                       {Node: nodeAt(t, d, "h"), Text: "z", Tag: KeepTag},
		"line 6, column 4: the new text does not read as !!int":                                                                   {Node: nodeAt(t, d, "g"), Text: "z", Tag: "!!int"},
		"line 6, column 4: the new text is not UTF-8":                                                                             {Node: nodeAt(t, d, "g"), Text: "\xff"},
		"line 6, column 4: the tag !!foo is not known":                                                                            {Node: nodeAt(t, d, "g"), Text: "z", Tag: "!!foo"},
	} {
		_, err := d.ReplaceScalars(edit)
		var rejected *EditError
		if !errors.As(err, &rejected) || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if _, err := d.ReplaceScalars(ScalarEdit{Node: nodeAt(t, d, "g"), Text: "z"}, ScalarEdit{Node: nodeAt(t, d, "g"), Text: "w"}); err == nil || err.Error() != "line 6, column 4: the scalar is replaced twice" {
		t.Errorf("got %v", err)
	}
	got, err := d.ReplaceScalars(ScalarEdit{Node: nodeAt(t, d, "a"), Text: "z", Shared: true}, ScalarEdit{Node: nodeAt(t, d, "c.d"), Text: "w", Shared: true})
	if err != nil {
		t.Fatal(err)
	}
	compare(t, `a: &x z
b: *x
c: &m {d: w}
e: {<<: *m}
f: !!int 3
g: 4
h: !<tag:yaml.org,2002:str> "b"
`, got.Text())
}

func TestSet(t *testing.T) {
	tests := []struct{ name, text, path, src, want string }{
		{
			"scalar",
			`a: 1 # c
b: 2
`,
			"a", "5",
			`a: 5 # c
b: 2
`,
		},
		{"scalar with its comment", "a: 1\n", "a", "5 # new", "a: 5 # new\n"},
		{
			"new key",
			`a:
  b: 1

c: 2
`,
			"a.d", "x",
			`a:
  b: 1
  d: x

c: 2
`,
		},
		{
			"new key with quoted text over lines and a comment", "b: 1\n", "a", "\"y\n  z\" # new",
			`b: 1
a: "y
    z" # new
`,
		},
		{
			"new key with a list over lines and a comment", "b: 1\n", "a", "[y,\n  z] # new",
			`b: 1
a: [y,
    z] # new
`,
		},
		{
			"new key below deeper comments",
			`a:
  b: {}
    # limits
  # c
d: 2
`,
			"a.e", "x",
			`a:
  b: {}
    # limits
  e: x
  # c
d: 2
`,
		},
		{"missing parents", "a: 1\n", "b.c.d", "x", `a: 1
b:
  c:
    d: x
`},
		{
			"parents indent as the others do",
			`a:
    b:
        c: 1
`,
			"a.d.e", "x",
			`a:
    b:
        c: 1
    d:
        e: x
`,
		},
		{
			"parents indent as the nearest do",
			`x:
  w: 1
a:
  b:
      c: 1
`,
			"a.d.e", "x",
			`x:
  w: 1
a:
  b:
      c: 1
  d:
      e: x
`,
		},
		{
			"map for a scalar",
			`a: 1 # c
b: 2
`,
			"a",
			`x: 1
# y
y: 2
`,
			`a: # c
  x: 1
  # y
  y: 2
b: 2
`,
		},
		{
			"scalar for a map",
			`a: # c
  x: 1
  # y
b: 2
`,
			"a", "5",
			`a: 5 # c
b: 2
`,
		},
		{
			"scalar for a map with an anchor",
			`a: # c
  &a
  x: 1
b: 2
`,
			"a", "5",
			`a: 5 # c
b: 2
`,
		},
		{
			"scalar for a map with an anchor beside its key",
			`a: &a # c
  x: 1
b: 2
`,
			"a", "5",
			`a: 5 # c
b: 2
`,
		},
		{
			"map for a map",
			`a: # c
  x: 1
b: 2
`,
			"a",
			`# head
y:
- 1
`,
			`a: # c
  # head
  y:
  - 1
b: 2
`,
		},
		{
			"list below a key",
			`a: 1
l:
  - x
`,
			"a",
			`- 1
- b: 2
  c: 3
`,
			`a:
  - 1
  - b: 2
    c: 3
l:
  - x
`,
		},
		{
			"list without indentation",
			`a: 1
l:
- x
`,
			"a", "- 1\n",
			`a:
- 1
l:
- x
`,
		},
		{
			"as elsewhere, where the map shows nothing",
			`a: 1
b:
- c:
      d:
      - 2
`,
			"a",
			`x:
  - 1
y: 2
`,
			`a:
    x:
      - 1
    y: 2
b:
- c:
      d:
      - 2
`,
		},
		{
			"a list as elsewhere, where the map shows nothing",
			`a: {l: 1}
b:
  c:
    d:
    - 2
`,
			"b.x", "- 1\n",
			`a: {l: 1}
b:
  c:
    d:
    - 2
  x:
  - 1
`,
		},
		{
			"map beside a list without indentation",
			`a: 1
l:
- x
`,
			"a",
			`b: 1
c: [2]
`,
			`a:
  b: 1
  c: [2]
l:
- x
`,
		},
		{
			"parents of a map beside a list without indentation",
			`l:
- x
`,
			"a.b",
			`c: 1
d: 2
`,
			`l:
- x
a:
  b:
    c: 1
    d: 2
`,
		},
		{
			"parents of a list beside a list without indentation",
			`l:
- x
`,
			"a.b",
			`- 1
- 2
`,
			`l:
- x
a:
  b:
  - 1
  - 2
`,
		},
		{
			"literal",
			`a: 1 # c
b:
  d: 2
`,
			"b.d", "|\n  x\n  y\n",
			`a: 1 # c
b:
  d: |
    x
    y
`,
		},
		{"literal keeps the comment", "a: 1 # c\n", "a", "|\n  x\n", `a: | # c
  x
`},
		{
			"for a literal",
			`a: | # c
  x

b: 2
`,
			"a", "5",
			`a: 5 # c

b: 2
`,
		},
		{
			"literal above deeper comments",
			`a: 1
  # deep
b: 2
`,
			"a", "|\n  x\n",
			`a: "x\n"
  # deep
b: 2
`,
		},
		{
			"list element",
			`a:
  - 1 # c
  - 2
`,
			"a.[0]",
			`x: 1
y: 2
`,
			`a:
  - # c
    x: 1
    y: 2
  - 2
`,
		},
		{
			"list element, compact",
			`a:
  - 1
  - 2
`,
			"a.[0]",
			`x: 1
y: 2
`,
			`a:
  - x: 1
    y: 2
  - 2
`,
		},
		{
			"compact map for a scalar",
			`- a: 1
  b: 2
- c
`,
			"[0]", "5",
			`- 5
- c
`,
		},
		{
			"append to a list",
			`a:
  - 1
b: 2
`,
			"a.[1]",
			`x: 1
y: 2
`,
			`a:
  - 1
  - x: 1
    y: 2
b: 2
`,
		},
		{"append to a flow list", "a: [1, 2]\n", "a.[2]", "x: 1\n", "a: [1, 2, {x: 1}]\n"},
		{
			"key in a list",
			`- a: 1
- b: 2
`,
			"[0].c", "3",
			`- a: 1
  c: 3
- b: 2
`,
		},
		{
			"empty value",
			`a:
b: 2
`,
			"a", "x: 1\n",
			`a:
  x: 1
b: 2
`,
		},
		{
			"key below an empty value",
			`a: # c
  # inside
b: 2
`,
			"a.x", "1",
			`a: # c
  x: 1
  # inside
b: 2
`,
		},
		{"key below {}", "a: {} # c\n", "a.x.w", "1", `a: # c
  x:
    w: 1
`},
		{
			"key in a flow map", "a: {x: 1} # c\n", "a.w",
			`- 2
- z: '3' # gone
`,
			"a: {x: 1, w: [2, {z: '3'}]} # c\n",
		},
		{
			"key in a flow map over lines",
			`a: {
  x: 1, # c
}
`,
			"a.w", "2",
			`a: {
  x: 1, w: 2, # c
}
`,
		},
		{"key in an empty flow map in a list", "[{}, {a: }]", "[0].x", "1", "[{x: 1}, {a: }]"},
		{
			"value in flow", "a: {x: 1, y: [b]}\n", "a.y",
			`c: |
  text
`,
			"a: {x: 1, y: {c: \"text\\n\"}}\n",
		},
		{"empty document", "", "a.b", "1", `a:
  b: 1
`},
		{"comments only", "# c\n", "a", "1", `# c
a: 1
`},
		{"lone marker", "---\n", "a", "1", `---
a: 1
`},
		{
			"marker at the end",
			`# c
---
...
`,
			"a", "1",
			`# c
---
a: 1
...
`,
		},
		{"null document", "# c\nnull # d\n", "a", "1", `# c
# d
a: 1
`},
		{
			"the root",
			`# c
a: 1
# d
`,
			"", "b: 2\n",
			`# c
b: 2
# d
`,
		},
		{
			"before the end marker",
			`a: 1
...
`,
			"b", "2",
			`a: 1
b: 2
...
`,
		},
		{"no last break", "a: 1", "b", "2", `a: 1
b: 2`},
		{
			"no last break after a literal",
			`a: |
  x`,
			"b", "2",
			`a: |-
  x
b: 2`,
		},
		{
			"CRLF", crlf(`a:
  b: 1
c: 2
`), "a.d",
			`x: 1
y: |
  z
`,
			crlf(`a:
  b: 1
  d:
    x: 1
    y: |
      z
c: 2
`),
		},
		{"keys that need quotes", "a: 1\n", "1~5.true.x: y", "1", `a: 1
"1.5":
  "true":
    "x: y": 1
`},
		{
			"duplicate keys",
			`a: 1
a: 2
`,
			"a", "x",
			`a: 1
a: x
`,
		},
		{
			"an alias itself",
			`a: &x 1
b: *x
`,
			"b", "2",
			`a: &x 1
b: 2
`,
		},
		{
			"a key that a merge key brings",
			`m: &m {k: 1}
a:
  <<: *m
`,
			"a.k", "2",
			`m: &m {k: 1}
a:
  <<: *m
  k: 2
`,
		},
		{
			"source with aliases", "a: 1\n", "b",
			`x: &x {y: 1}
z: *x
`,
			`a: 1
b:
  x: {y: 1}
  z: {y: 1}
`,
		},
		{"empty source", "a: 1\n", "a", "", "a: null\n"},
		{
			"source with markers", "a: 1\n", "a",
			`%YAML 1.1
---
# c
x: 1
...
`,
			`a:
  # c
  x: 1
`,
		},
		{
			"source with indentation", "a: 1\n", "a",
			`   x: 1
   y: |
     z
`,
			`a:
  x: 1
  y: |
    z
`,
		},
		{
			"after a literal that keeps blank lines",
			`a: |+
  x

`,
			"b", "1",
			`a: |+
  x

b: 1
`,
		},
		{
			"a literal that keeps before blank lines",
			`a: 1

b: 2
`,
			"a", "|+\n  x\n\n",
			`a: "x\n\n"

b: 2
`,
		},
		{"byte order mark", "\ufeffa: 1\n", "b", "2", "\ufeffa: 1\nb: 2\n"},
		{
			"quoted over lines",
			`a:
  b: 1
`,
			"a.b", "\"x\ny\"",
			`a:
  b: "x
    y"
`,
		},
		{
			"value on the next line",
			`a:
  x
b: 1
`,
			"a", "y",
			`a:
  y
b: 1
`,
		},
		{"after a marker", "--- {}\n", "a", "1", "--- \na: 1\n"},
		{"after a marker, above a comment", "--- {} # c\n", "a", "1", "--- \n# c\na: 1\n"},
		{
			"the root after a marker", "--- x # c\n", "",
			`a: |
  y
`,
			"--- \n# c\na: |\n  y\n",
		},
		{
			"a literal without a last break", "x", "",
			`a: |
  y
`,
			`a: |
  y
`,
		},
		{"a literal into an empty document", "", "a", "|\n y\n", `a: |
 y
`},
		{
			"a literal below comments without a last break",
			`# c
--- # d
# e`,
			"a", "|\n y\n",
			`# c
--- # d
# e
a: |
 y
`,
		},
		{
			"a literal at the end without a last break", "a: 1 # c", "a", "|\n  x\n",
			`a: | # c
  x
`,
		},
		{"a literal in the last element", "- 1", "[0]", "|\n  x\n", `- |
  x
`},
		{
			"a literal after the last element",
			`a:
- b: 1
  c: 2`,
			"a.[1]", "|\n  x\n",
			`a:
- b: 1
  c: 2
- |
  x
`,
		},
		{"flow with an empty value", "{a: , b}\n", "c", "1", "{a: , b, c: 1}\n"},
		{"flow that ends in an empty value", "{b, a:}\n", "c", "1", "{b, a:, c: 1}\n"},
		{"after a key written with ?", "? a\n: 1\n", "b", "1", `? a
: 1
b: 1
`},
		{"after a key written with ? that has no value", "? a\n", "b", "1", `? a
b: 1
`},
		{
			"an empty element",
			`b:
  - c
  -
`,
			"b.[1]",
			`x: 1
y: 2`,
			`b:
  - c
  - x: 1
    y: 2
`,
		},
		{
			"quoted with a comment sign for a literal",
			`a: | # c
  x
`,
			"a", "\"y # z\"", "a: \"y # z\" # c\n",
		},
		{
			"quoted over lines above a comment", "a: 1 # old\n", "a", "\"y\n  z\" # new",
			`a: "y
    z" # old
`,
		},
		{
			"flow with a comment above a comment", "a: 1 # old\n", "a", "[y, # in\n  z] # new",
			`a: [y, # in
    z] # old
`,
		},
		{"source with a tag", "a: 1\n", "a", "!t {x: 1}", "a: !t {x: 1}\n"},
		{"source with a tag, in flow", "a: [1]\n", "a.[0]", "!!map {x: 1}", "a: [{x: 1}]\n"},
		{"source with an anchor, in flow", "a: [1]\n", "a.[0]", "&y {x: 1}", "a: [&y {x: 1}]\n"},
		{"a number with a tag, in flow", "a: [1]\n", "a.[0]", "!!int 5", "a: [!!int 5]\n"},
		{"text with a tag, in flow", "a: [1]\n", "a.[0]", "!!str 5", "a: [!!str \"5\"]\n"},
		{"another number with a tag, in flow", "a: [1]\n", "a.[0]", "!!float 5", "a: [!!float 5]\n"},
		{"null with a tag, in flow", "a: [1]\n", "a.[0]", "!!null ~", "a: [null]\n"},
		{"an empty value, in flow", "a: [1]\n", "a.[0]", "{x: }", "a: [{x: null}]\n"},
		{"source with ?", "a: 1\n", "a", "? [x]\n: 1\n", `a:
  ? [x]
  : 1
`},
		{"source with ?, in flow", "a: [1]\n", "a.[0]", "? x\n: 1\n", "a: [{x: 1}]\n"},
		{
			"source with a merge key", "a: 1\n", "a",
			`x: &x {y: 1}
z:
  <<: *x
`,
			`a:
  x: {y: 1}
  z:
    y: 1
`,
		},
		{
			"source with a merge key, in flow", "a: [1]\n", "a.[0]",
			`x: &x {y: 1}
z:
  <<: *x
`,
			"a: [{x: {y: 1}, z: {y: 1}}]\n",
		},
		{
			"source with aliases, in flow", "a: [1]\n", "a.[0]",
			`x: &x {y: 1}
z: *x
`,
			"a: [{x: {y: 1}, z: {y: 1}}]\n",
		},
		{
			"source with an alias of duplicate keys", "a: 1\n", "a",
			`x: &x {y: 1, y: 2}
z: *x
`,
			`a:
  x: {y: 2}
  z: {y: 2}
`,
		},
		{"source with a line separator", "a: 1\n", "a", "x: \"\u2028\"\n", "a: {x: \"\\u2028\"}\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := mustParse(t, test.text).Set(at(test.path), mustParse(t, test.src))
			if err != nil {
				t.Fatal(err)
			}
			compare(t, test.want, got.Text())
		})
	}
}

func TestDelete(t *testing.T) {
	tests := []struct{ name, text, path, want string }{
		{
			"a line",
			`a: 1
b: 2 # c
c: 3
`,
			"b",
			`a: 1
c: 3
`,
		},
		{
			"a subtree",
			`a:
  b:
    c: 1
    # in it
  d: 2
`,
			"a.b",
			`a:
  d: 2
`,
		},
		{
			"comments above",
			`a: 1

# apart

# b
# b too
b: 2
c: 3
`,
			"b",
			`a: 1

# apart

c: 3
`,
		},
		{
			"comments of other columns",
			`a:
  x: 1
# left
  y: 2
`,
			"a.y",
			`a:
  x: 1
# left
`,
		},
		{"comments below that are indented deeper", `a: {}
  # limits:
  #   cpu: 1

b: 2
`, "a", "\nb: 2\n"},
		{
			"comments for tools",
			`# spectrocloud.com/enabled-presets: a:b
a: 1
b: 2
`,
			"a",
			`# spectrocloud.com/enabled-presets: a:b
b: 2
`,
		},
		{
			"the only key",
			`a:
  # b
  b: 1
c: 2
`,
			"a.b",
			`a: {}
c: 2
`,
		},
		{
			"the only key, with a comment",
			`a: # c
  b: 1

  # apart
c: 2
`,
			"a.b",
			`a: {} # c

  # apart
c: 2
`,
		},
		{"the only key of the document", `# c

a: 1
`, "a", "# c\n\n{}\n"},
		{
			"the only key in a list",
			`- a: 1
- b
`,
			"[0].a",
			`- {}
- b
`,
		},
		{
			"the only element",
			`a:
- x
b: 1
`,
			"a.[0]",
			`a: []
b: 1
`,
		},
		{"the only key in flow", "a: { b: 1 } # c\n", "a.b", "a: {} # c\n"},
		{
			"an element",
			`a:
  - x
  # y
  - y: 1
    z: 2
  - w
`,
			"a.[1]",
			`a:
  - x
  - w
`,
		},
		{"the first key after a dash", `- a: 1
  b: 2
`, "[0].a", "- b: 2\n"},
		{
			"the first key after a dash, with comments",
			`- a: 1 # a
  # b
  b: 2
`,
			"[0].a",
			`-
  # b
  b: 2
`,
		},
		{"the first element of a nested list", `- - a
  - b
`, "[0].[0]", "- - b\n"},
		{"flow, first", "{a: 1, b: 2}", "a", "{b: 2}"},
		{"flow, last", "{a: 1, b: 2}", "b", "{a: 1}"},
		{"flow, last with a comma", "[1, 2, ]", "[1]", "[1, ]"},
		{
			"flow, comment",
			`{a: 1, # one
 b: 2}`,
			"b",
			`{a: 1 # one
 }`,
		},
		{"a literal", `a: |
  x

  y

b: 1
`, "a", "\nb: 1\n"},
		{
			"after a literal that keeps blank lines",
			`a: |+
  x

b: 1

c: 2
`,
			"b",
			`a: |+
  x

c: 2
`,
		},
		{"duplicates", `a: 1
b: 2
a: 3
`, "a", "b: 2\n"},
		{
			"a question mark beside a merged key that is a list",
			`m: &m {? [a] : 1}
b: {"?": 1, <<: *m}
`,
			"b.?",
			`m: &m {? [a] : 1}
b: {<<: *m}
`,
		},
		{"no last break", `a: 1
b: 2`, "b", "a: 1"},
		{
			"no last break after a literal",
			`a: |
  x
b: 2`,
			"b",
			`a: |
  x
`,
		},
		{"CRLF", crlf(`a: 1
# c
b: 2
c: 3
`), "b", crlf(`a: 1
c: 3
`)},
		{"an alias", `a: &x 1
b: *x
`, "b", "a: &x 1\n"},
		{"an anchor with its aliases", `a: {x: &x 1, y: *x}
b: 2
`, "a", "b: 2\n"},
		{"an empty value", `a:

b: 1
`, "a", "\nb: 1\n"},
		{"keys with dots", `a.b: 1
'c.d': 2
`, "c~d", "a.b: 1\n"},
		{
			"a quoted line that looks like a comment",
			`a: "x
# y"
b: 1
`,
			"b",
			`a: "x
# y"
`,
		},
		{
			"the first element below an anchor",
			`a: &x
- b
- c
`,
			"a.[0]",
			`a: &x
- c
`,
		},
		{"the only element below an anchor", `a: &x
- b
`, "a.[0]", "a: &x []\n"},
		{"the only key below an anchor in a list", `- &x
  b: 1
`, "[0].b", "- &x {}\n"},
		{"the only key, with an anchor", "- &x b: 1\n", "[0].b", "- {}\n"},
		{"the only key in flow after an anchor", "- &x {b: 1}\n", "[0].b", "- &x {}\n"},
		{
			"the first key below a tag in a list",
			`- !!map
  b: 1
  c: 2
`,
			"[0].b",
			`- !!map
  c: 2
`,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, ok, err := mustParse(t, test.text).Delete(at(test.path))
			if err != nil || !ok {
				t.Fatal(ok, err)
			}
			compare(t, test.want, got.Text())
		})
	}
	d := mustParse(t, `a: {b: 1}
l: [x]
`)
	for _, path := range []string{"x", "a.x", "a.b.c", "l.[1]", "l.x", "a.[0]"} {
		if got, ok, err := d.Delete(at(path)); got != d || ok || err != nil {
			t.Errorf("%s: %v %v", path, ok, err)
		}
	}
	d = mustParse(t, `m: &m {k: {l: 1}}
a:
  <<: *m
`)
	if got, ok, err := d.Delete(at("a.k.n")); got != d || ok || err != nil {
		t.Errorf("below a merge key: %v %v", ok, err)
	}
	if _, ok, err := mustParse(t, "").Delete(at("a")); ok || err != nil {
		t.Errorf("in an empty document: %v %v", ok, err)
	}
}

func TestMergeText(t *testing.T) {
	tests := []struct{ name, text, path, src, want string }{
		{
			"scalars keep comments",
			`a: 1 # one
b: 2
`,
			"", "a: 5 # five\n",
			`a: 5 # one
b: 2
`,
		},
		{
			"equal values stay",
			`a: 'x'   # c
b: {c: 1.30}
`,
			"",
			`a: "x"
b:
  c: 1.3
`,
			`a: 'x'   # c
b: {c: 1.30}
`,
		},
		{
			"new keys come last with their comments",
			`a:
  b: 1

c: 2
`,
			"",
			`x: 1 # one

# about a
a:
  # about d
  d: |
    text
  e: [1]
`,
			`# about a
a:
  b: 1
  # about d
  d: |
    text
  e: [1]

c: 2
x: 1 # one
`,
		},
		{
			"comments stay with their keys", "a: 1\n", "",
			`# head

# b
b: 1

# c
c:
  d: 2
`,
			`a: 1
# head
# b
b: 1
# c
c:
  d: 2
`,
		},
		{
			"comments of values that are replaced",
			`a:
  # old
  b: 1 # one

  c: 2
`,
			"",
			`a:
  # odd
  # number
  b: 3
  # of c
  c: 2
`,
			`a:
  # old
  # odd
  # number
  b: 3 # one

  c: 2
`,
		},
		{
			"comments that are there",
			`x: 1
# odd
# more
a: 1
`,
			"",
			`# odd
a: 3
`,
			`x: 1
# odd
# more
a: 3
`,
		},
		{"comments of flow and in flow", "{a: 1}\n", "", `# c
a: 3
`, "{a: 3}\n"},
		{
			"comments in flow over several lines",
			`a: {
  b: 1,
  c: 2
}
`,
			"",
			`a:
  # d
  b: 3
`,
			`a: {
  b: 3,
  c: 2
}
`,
		},
		{
			"comments and line breaks", crlf(`x: 1
a:
  b: 1
`), "",
			`# c
a:
  # d
  b: 2
`,
			crlf(`x: 1
# c
a:
  # d
  b: 2
`),
		},
		{
			"deep",
			`a:
  b:
    c: 1
    d: 2
`,
			"", "a: {b: {d: 3, e: 4}}\n",
			`a:
  b:
    c: 1
    d: 3
    e: 4
`,
		},
		{
			"lists replace",
			`a:
  - 1
  - 2
b: 1
`,
			"",
			`a:
- 3
`,
			`a:
  - 3
b: 1
`,
		},
		{
			"scalar over map",
			`a:
  b: 1
c: 2
`,
			"", "a: x\n",
			`a: x
c: 2
`,
		},
		{
			"map over scalar",
			`a: x # c
c: 2
`,
			"",
			`a:
  b: 1
`,
			`a: # c
  b: 1
c: 2
`,
		},
		{
			"map with a comment over scalar",
			`a: x
c: 2
`,
			"",
			`a: # d
  b: 1
`,
			`a: # d
  b: 1
c: 2
`,
		},
		{
			"{} over a map",
			`a:
  b: 1
`,
			"", "a: {}\n",
			`a:
  b: 1
`,
		},
		{"null", `a:
  b: 1
`, "", "a:\n", "a: null\n"},
		{
			"into {}",
			`a: {}
b: 1
`,
			"",
			`a:
  # c
  x: 1
`,
			`a:
  # c
  x: 1
b: 1
`,
		},
		{"into flow", "a: {x: 1}\n", "", `a:
  x: 2
  y:
    - z # gone
`, "a: {x: 2, y: [z]}\n"},
		{
			"several keys into flow",
			`a: {x: 1}
b: [{y: 1, }]
c: {z: 1, }
`,
			"",
			`a: {v: 2, w: 3}
c: {v: 2, w: 3}
`,
			`a: {x: 1, v: 2, w: 3}
b: [{y: 1, }]
c: {z: 1, v: 2, w: 3, }
`,
		},
		{
			"from flow",
			`a:
  x: 1
`,
			"",
			`{a: {y: {z: 2}, "w": [1,
 2]}}`,
			`a:
  x: 1
  y: {z: 2}
  "w": [1,
     2]
`,
		},
		{
			"dotted keys",
			`a:
  b: 1
`,
			"", "a.b: 2\n",
			`a:
  b: 1
a.b: 2
`,
		},
		{
			"at steps",
			`a:
  b: 1
`,
			"a", "c: 2\n",
			`a:
  b: 1
  c: 2
`,
		},
		{"at steps that are not there", "a: 1\n", "b.c", "d: 2\n", `a: 1
b:
  c:
    d: 2
`},
		{"into an empty document", "# c\n", "", "a: 1 # one\n", `# c
a: 1 # one
`},
		{"an empty source", "a: 1\n", "", "# c\n", "a: 1\n"},
		{
			"an alias replaced",
			`a: &x {b: 1}
c: *x
`,
			"", "c: 5\n",
			`a: &x {b: 1}
c: 5
`,
		},
		{
			"an alias that stays",
			`a: &x {b: 1, d: 2}
c: *x
`,
			"", "c: {b: 1}\n",
			`a: &x {b: 1, d: 2}
c: *x
`,
		},
		{
			"over a merge key",
			`m: &m {k: 1}
a:
  <<: *m
`,
			"", "a: {k: 2}\n",
			`m: &m {k: 1}
a:
  <<: *m
  k: 2
`,
		},
		{
			"duplicates",
			`a: 1
a: 2
`,
			"", "a: 3\n",
			`a: 1
a: 3
`,
		},
		{
			"other indentation",
			`a:
    b:
        c: 1
`,
			"",
			`a:
  b:
    d:
      e: 1
`,
			`a:
    b:
        c: 1
        d:
          e: 1
`,
		},
		{
			"a list that is a key's last value",
			`a:
- x
`,
			"", "b: 1\n",
			`a:
- x
b: 1
`,
		},
		{
			"no last break", "a: 1", "",
			`b: |
  x
`,
			`a: 1
b: |
  x
`,
		},
		{
			"no last break, and a literal in a map", "a: 1", "",
			`b:
  c: |
    x
`,
			`a: 1
b:
  c: |
    x
`,
		},
		{
			"keys written with ?, and anchors", "a: 1\n", "",
			`? b
: 1
c: &x
  d: 1
`,
			`a: 1
b: 1
c: &x {d: 1}
`,
		},
		{
			"an empty value and a literal without a break", "a: 1\n", "",
			`b:
c: |
  x`,
			`a: 1
b: null
c: "x"
`,
		},
		{"an empty value with a tag", "a: 1\n", "", "a: !!str # c\n", "a: !!str # c\n"},
		{
			"a map in a list", "a: 1\n", "",
			`b:
- a: 1
  c: 2
`,
			`a: 1
b:
- a: 1
  c: 2
`,
		},
		{
			"a map for an element", "- a\n", "",
			`- a: 1
  c: 2
`,
			`- a: 1
  c: 2
`,
		},
		{"equal values of a key that is a list", "? [b]\n: 2\n", "", "? [b]\n: 2\n", "? [b]\n: 2\n"},
		{
			"what a merge key brings",
			`m: &m {k: {l: 1}}
a:
  <<: *m
`,
			"", "a: {k: {l: 1}}\n",
			`m: &m {k: {l: 1}}
a:
  <<: *m
`,
		},
		{
			"values of a literal at the end",
			`a: 1
b: |
  x`,
			"",
			`a: 2
b: y
c: z
`,
			`a: 2
b: y
c: z`,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d, src := mustParse(t, test.text), mustParse(t, test.src)
			got, err := d.Merge(at(test.path), src)
			if err != nil {
				t.Fatal(err)
			}
			compare(t, test.want, got.Text())
			if again, err := got.Merge(at(test.path), src); err != nil || again.Text() != got.Text() {
				t.Errorf("a second time: %v %q", err, again.Text())
			}
		})
	}
}

// An edit never changes another place. If it cannot be made, the error contains the reason.
func TestRefused(t *testing.T) {
	const anchored = `a: &x {b: 1}
c: *x
d:
  <<: *x
  e: 2
`
	const collection = "a key that is a map, a list or very long cannot be moved"
	tests := []struct{ name, text, edit, path, want string }{
		{"set below {} with an anchor", "a: &x {}\n", "set", "a.b", "line 1, column 4: an empty map with an anchor or a tag cannot be extended"},
		{"set below {} with a tag", "a: !t {}\n", "set", "a.b", "line 1, column 4: an empty map with an anchor or a tag cannot be extended"},
		{"set in a pair in a list", "a: [b: 1]\n", "set", "a.[0].c", "line 1, column 5: a pair in a list without braces cannot be extended"},
		{"set beside a key written with ? in flow", "a: {? b : 1}\n", "set", "a.c", "line 1, column 11: a map with a key written with ? cannot be extended"},
		{"merge beside a key written with ? in flow", "a: {? b : 1}\n", "merge a: {c: 2}", "", "line 1, column 11: a map with a key written with ? cannot be extended"},
		{"set a key written with ? that has no value", "? a\n", "set", "a", "line 2, column 1: a value of a key written with ? cannot be replaced"},
		{"set below a key of a scalar", "x\n", "set", "a", "line 1, column 1: this is a scalar, not a map: there is no key \"a\""},
		{"set in a list that is not there", "", "set", "[0]", "there is no list to put element 0 into"},
		{"set a long key", "a: 1\n", "set", strings.Repeat("k", 1001), "the key \"" + strings.Repeat("k", 40) + "\"… is too long or not UTF-8"},
		{"set a long key in flow", "{a: 1}\n", "set", strings.Repeat("k", 1001), "the key \"" + strings.Repeat("k", 40) + "\"… is too long or not UTF-8"},
		{"set a key that is not UTF-8", "a: 1\n", "set", "\xff", "the key \"\\xff\"… is too long or not UTF-8"},
		{
			"delete below a merge key",
			`m: &m {k: {l: 1}}
a:
  <<: *m
`,
			"delete", "a.k.l", "line 3, column 3: the key \"k\" comes from a merge key",
		},
		{"set a tag in flow", "a: [1]\n", "set !t {x: 1}", "a.[0]", "line 1, column 1: the tag !t cannot be moved"},
		{"set a tag of a scalar in flow", "a: [1]\n", "set !t 5", "a.[0]", "line 1, column 1: the tag !t cannot be moved"},
		{"set a key that is a list, in flow", "a: [1]\n", "set ? [x]\n: 1\n", "a.[0]", "line 1, column 3: " + collection},
		{"merge a key that is a list", "a: 1\n", "merge ? [b]\n: 1\n", "", "line 1, column 3: " + collection},
		{"merge a key that is a list in flow", "a: {b: 1}\n", "merge a: {? [x] : 1}\n", "", "line 1, column 7: " + collection},
		{"merge over a key that is a list", "? [b]\n: 2\n", "merge ? [b]\n: 1\n", "", "line 1, column 3: the value of a key that is a map or a list cannot be replaced"},
		{
			"merge below a merge key",
			`m: &m {k: {l: 1}}
a:
  <<: *m
`,
			"merge a: {k: {l: 1, n: 2}}\n", "", "line 1, column 8: the key \"k\" comes from a merge key and would change for every map that uses it",
		},
		{"set through an alias", anchored, "set", "c.b", "line 2, column 4: this is the alias *x: an edit of what is in it would change line 1"},
		{"set a new key through an alias", anchored, "set", "c.new", "line 2, column 4: this is the alias *x: an edit of what is in it would change line 1"},
		{"set in an anchor", anchored, "set", "a.b", "line 1, column 4: the anchor &x is used on line 2 too, which would change with it; write the value there instead of *x"},
		{"set an anchor", anchored, "set", "a", "line 1, column 4: the anchor &x is used on line 2 too, which would change with it; write the value there instead of *x"},
		{"delete through an alias", anchored, "delete", "c.b", "line 2, column 4: this is the alias *x: an edit of what is in it would change line 1"},
		{"delete in an anchor", anchored, "delete", "a.b", "line 1, column 4: the anchor &x is used on line 2 too, which would change with it; write the value there instead of *x"},
		{"delete an anchor", anchored, "delete", "a", "line 1, column 4: the anchor &x is used on line 2 too, which would change with it; write the value there instead of *x"},
		{"delete through a merge key", anchored, "delete", "d.b", "line 1, column 8: the key \"b\" comes from a merge key on line 1: delete it there"},
		{"merge through an alias", anchored, "merge", "c", "line 2, column 4: this is the alias *x: an edit of what is in it would change line 1"},
		{"merge into an anchor", anchored, "merge", "a", "line 1, column 4: the anchor &x is used on line 2 too, which would change with it; write the value there instead of *x"},
		{
			"set below a merge key",
			`m: &m {k: {l: 1}}
a:
  <<: *m
`,
			"set", "a.k.n", "line 3, column 3: the key \"k\" comes from a merge key: set it on line 1",
		},
		{"set below a scalar", "a: 5\n", "set", "a.b", "line 1, column 4: this is a scalar, not a map: there is no key \"b\""},
		{"set below a list", "a: [5]\n", "set", "a.b", "line 1, column 4: this is a list, not a map: there is no key \"b\""},
		{"set beyond a list", "a: [5]\n", "set", "a.[2]", "line 1, column 4: the list has 1 elements: there is no element 2"},
		{"set in no list", "a: 1\n", "set", "b.[0]", "line 1, column 1: there is no list to put element 0 into"},
		{"delete everything", "a: 1\n", "delete", "", "line 1, column 1: the whole document cannot be deleted"},
		{
			"delete a key written with ?",
			`? a
: 1
b: 2
`,
			"delete", "a", "line 1, column 3: a key written with ? cannot be deleted",
		},
		{
			"set a key written with ?",
			`? a
: 1
b: 2
`,
			"set", "a", "line 2, column 3: a value of a key written with ? cannot be replaced",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			edit, text, ok := strings.Cut(test.edit, " ")
			if !ok {
				text = "new: 1\n"
			}
			d, src := mustParse(t, test.text), mustParse(t, text)
			var err error
			switch edit {
			case "set":
				_, err = d.Set(at(test.path), src)
			case "merge":
				_, err = d.Merge(at(test.path), src)
			case "delete":
				_, _, err = d.Delete(at(test.path))
			}
			var rejected *EditError
			if !errors.As(err, &rejected) || err.Error() != test.want {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
}

// A comment has no place above a key that shares its line with a dash.
func TestMergeIntoElement(t *testing.T) {
	d, err := mustParse(t, "- a: 1\n").Merge([]Step{Element(0)}, mustParse(t, `# c
a: 3
`))
	if err != nil {
		t.Fatal(err)
	}
	compare(t, "- a: 3\n", d.Text())
}

// Values inside a larger resource can be laid over a document, and are
// edited through that resource.
func TestParts(t *testing.T) {
	resource := mustParse(t, `spec:
  values:
    # c
    a: 1
    b: |
      x
`)
	part := resource.Part(nodeAt(t, resource, "spec.values"))
	for _, src := range []*Document{part, Of(part.Root())} {
		got, err := mustParse(t, "a: 0\n").Merge(nil, src)
		if err != nil {
			t.Fatal(err)
		}
		compare(t, `# c
a: 1
b: |
  x
`, got.Text())
		var rejected *EditError
		if _, err := src.Set(at("a"), part); !errors.As(err, &rejected) {
			t.Errorf("set in a part: %v", err)
		}
		if _, _, err := src.Delete(at("a")); !errors.As(err, &rejected) {
			t.Errorf("delete in a part: %v", err)
		}
		if _, err := src.Merge(nil, part); !errors.As(err, &rejected) {
			t.Errorf("merge into a part: %v", err)
		}
		if _, err := src.ReplaceScalars(ScalarEdit{Node: src.Root().Content[1]}); !errors.As(err, &rejected) {
			t.Errorf("replace in a part: %v", err)
		}
	}
}

// The lines of a folded scalar stay where the new texts allow it.
func TestFoldedScalarsKeepLines(t *testing.T) {
	for _, test := range []struct{ name, text, part, with, want string }{
		{
			"a word",
			`a: >-
  one X
  two

  three


b: 1
`,
			"X", "1 2",
			`a: >-
  one 1 2
  two

  three


b: 1
`,
		},
		{
			"over a fold",
			`a: >
  one X
  Y two
  three
`,
			"X Y", "Z",
			`a: >
  one Z two
  three
`,
		},
		{
			"deeper lines",
			`l:
- >2+ # c
    X
   b
  c

`,
			"X", "ü",
			`l:
- >2+ # c
    ü
   b
  c

`,
		},
		{"line breaks", "a: >-\r\n  one\r\n  X\r\n\r\n  two\r\n", "X", "Y", "a: >-\r\n  one\r\n  Y\r\n\r\n  two\r\n"},
		{
			"the last line",
			`a: >-
  one
  X`,
			"X", "Y",
			`a: >-
  one
  Y`,
		},
		{
			"a blank at the end of the text",
			`a: >-
  one
  two X
`,
			"X", "Y ", "a: >-\n  one two Y \n",
		},
		{
			"a line break in the text",
			`a: >-
  one
  two X
`,
			"X", "Y\nZ",
			`a: >-
  one two Y

  Z
`,
		},
		{
			"nothing, and a blank before it",
			`a: >-
  one X
  two
`,
			"X", "",
			`a: >-
  one  two
`,
		},
		{
			"nothing",
			`a: >-
  oneX
  two
`,
			"X", "",
			`a: >-
  one
  two
`,
		},
		{
			"all of a line",
			`a: >-
  one
  X
  two
`,
			"X", "",
			`a: >-
  one  two
`,
		},
		{
			"an empty line first",
			`a: >-

  one X
  two
`,
			"X", "Y",
			`a: >-

  one Y
  two
`,
		},
		{
			"all",
			`a: >-
  X
b: 1
`,
			"X", "Y",
			`a: >-
  Y
b: 1
`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := mustParse(t, test.text)
			n := scalarsOf(d)[0]
			at := strings.Index(n.Value, test.part)
			edited, err := d.ReplaceScalars(ScalarEdit{
				Node: n, Text: strings.Replace(n.Value, test.part, test.with, 1),
				Replaced: []Replacement{{at, at + len(test.part), test.with}},
			})
			if err != nil {
				t.Fatal(err)
			}
			compare(t, test.want, edited.Text())
		})
	}
}

// TestFoldedScalarsReadBack draws folded scalars and replaces words of them.
func TestFoldedScalarsReadBack(t *testing.T) {
	kept := 0
	draws.Same(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.SampledFrom([]string{"one X", "X", "", "  X deep", "two", "X ü X", "\tX", "end "}), 1, 6).Draw(t, "lines")
		text := "k: >" + rapid.SampledFrom([]string{"", "-", "+"}).Draw(t, "chomping") + "\n  first\n  " + strings.Join(lines, "\n  ") + "\nz: 1\n"
		d := mustParse(t, text)
		n, with := scalarsOf(d)[0], rapid.SampledFrom([]string{"y", "y z", "", "# y", "y:", "\ny", " "}).Draw(t, "with")
		var replaced []Replacement
		for at := range n.Value {
			if n.Value[at] == 'X' {
				replaced = append(replaced, Replacement{at, at + 1, with})
			}
		}
		e := ScalarEdit{Node: n, Text: strings.ReplaceAll(n.Value, "X", with), Replaced: replaced}
		edited, err := d.ReplaceScalars(e)
		if err != nil {
			t.Fatal(err)
		}
		if got := scalarsOf(edited)[0].Value; got != e.Text {
			t.Fatalf("%q: got %q, want %q", text, got, e.Text)
		}
		if edited.Text() == strings.ReplaceAll(text, "X", with) && len(replaced) > 0 {
			kept++
		} else if (with == "y" || with == "y z") && len(replaced) > 0 {
			t.Fatalf("%q became %q", text, edited.Text())
		}
	})
	if kept == 0 {
		t.Error("no text kept its lines")
	}
}

// A comment that is there is not written again with the entry that it is above in another text.
func TestCommentsAreCarriedOnce(t *testing.T) {
	for _, tc := range []struct{ name, text, want, edited string }{
		{
			"at the end of a map",
			`a:
  b: 2
  # note
`,
			`a:
  b: 1
  # note
  mine: 1
`,
			`a:
  b: 2
  # note
  mine: 1
`,
		},
		{
			"above another key",
			`a:
  b: 2
  # note
  c: 2
`,
			`a:
  b: 1
  # note
  mine: 1
  c: 2
`,
			`a:
  b: 2
  # note
  c: 2
  mine: 1
`,
		},
		{
			"as often as before",
			`a:
  # optional
  b: 2
  # optional
  c: 2
`,
			`a:
  # optional
  b: 1
  # optional
  c: 2
  # optional
  mine: 1
`,
			`a:
  # optional
  b: 2
  # optional
  c: 2
  # optional
  mine: 1
`,
		},
		{
			"of two lines",
			`a:
  b: 2
  # one
  # two
`,
			`a:
  b: 1
  # one
  # two
  mine: 1
`,
			`a:
  b: 2
  # one
  # two
  mine: 1
`,
		},
		{
			"behind another one",
			`a:
  b: 2
  # more

  # note
`,
			`a:
  b: 1
  # note
  mine: 1
`,
			`a:
  b: 2
  # more

  # note
  mine: 1
`,
		},
		{
			"before another one",
			`a:
  b: 2
  # note
  # more
`,
			`a:
  b: 1
  # note
  mine: 1
`,
			`a:
  b: 2
  # note
  mine: 1
  # more
`,
		},
		{
			"in another column",
			`a:
  b: 2
# note
`,
			`a:
  b: 1
  # note
  mine: 1
`,
			`a:
  b: 2
  mine: 1
# note
`,
		},
		{
			"of a list",
			`- 1
# note
`,
			`- 1
# note
- 2
`,
			`- 1
# note
- 2
`,
		},
		{
			"another one",
			`a:
  b: 2
  # notes
`,
			`a:
  b: 1
  # note
  mine: 1
`,
			`a:
  b: 2
  # note
  mine: 1
  # notes
`,
		},
		{
			"behind another entry",
			`a: 1
b: 2
# note
`,
			`a: 1
# note
mine: 1
b: 2
`,
			`a: 1
b: 2
# note
mine: 1
`,
		},
		{
			"above the first of a list",
			`l:
# note
- b
`,
			`l:
# note
- a
- b
`,
			`l:
# note
- a
- b
`,
		},
		{
			"above the first of all",
			`# note
- b
`,
			`# note
- a
- b
`,
			`# note
- a
- b
`,
		},
	} {
		d, err := Parse(tc.text)
		if err != nil {
			t.Fatal(err)
		}
		other, err := Parse(strings.Replace(tc.want, "b: 1", "b: 2", 1)) // all but the value that the text has
		if err != nil {
			t.Fatal(err)
		}
		edited, err := d.Sync(Change{Want: other.Root()})
		if err != nil || edited.Text() != tc.edited {
			t.Errorf("%s: %v\n-want +got:\n%s", tc.name, err, cmp.Diff(tc.edited, edited.Text()))
		}
	}
}

// crlf returns a text with line breaks of Windows.
func crlf(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }
