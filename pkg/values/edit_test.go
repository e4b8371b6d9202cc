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
		{"plain", "a: x # c\nb: y\n", "a", "z", "", "a: z # c\nb: y\n"},
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
		{"single with quotes", "a: 'it''s ''so''' # c\nb: y\n", "a", "x", "", "a: 'x' # c\nb: y\n"},
		{"after single with quotes", "{a: 'it''s', b: '''', c: y}\n", "c", "z", "", "{a: 'it''s', b: '''', c: z}\n"},
		{"double with quotes", "a: \"\\\"so\\\\\" # c\nb: y\n", "a", "x", "", "a: \"x\" # c\nb: y\n"},
		{"after double with quotes", "{a: \"\\\"\", b: \"\\\\\", c: y}\n", "c", "z", "", "{a: \"\\\"\", b: \"\\\\\", c: z}\n"},
		{"single with a break", "a: 'x'\nb: y\n", "a", "two\nlines\n\nmore", "", "a: \"two\\nlines\\n\\nmore\"\nb: y\n"},
		{"single that cannot", "a: 'x'\n", "a", "two \nlines", "", "a: \"two \\nlines\"\n"},
		{"plain with a break", "a: x\n", "a", "two\nlines\n", "", "a: \"two\\nlines\\n\"\n"},
		{"plain over lines", "a: x\n  y\n  z # c\nb: 1\n", "a", "w", "", "a: w # c\nb: 1\n"},
		{"double over lines", "a: \"x\n  y\\\n  z\" # c\nb: 1\n", "a", "w", "", "a: \"w\" # c\nb: 1\n"},
		{"flow plain over lines", "a: [x\n  y, z]\n", "a.[0]", "w", "", "a: [w, z]\n"},
		{"literal", "a: | # c\n    x\n    y\n\nb: 1\n", "a", "one\n\n  two\n", "", "a: | # c\n    one\n\n      two\n\nb: 1\n"},
		{"literal to strip", "a: |\n  x\nb: 1\n", "a", "y", "", "a: |-\n  y\nb: 1\n"},
		{"strip to clip", "a: |-\n  x\nb: 1\n", "a", "y\n", "", "a: |\n  y\nb: 1\n"},
		{"clip to keep", "a: |\n  x\nb: 1\n", "a", "y\n\n\n", "", "a: |+\n  y\n\n\nb: 1\n"},
		{"clip to keep before blank lines", "a: |\n  x\n\nb: 1\n", "a", "y\n\n\n", "", "a: |+\n  y\n\n\nb: 1\n"},
		{"keep that would take more blank lines", "a: |\n  x\n\n\n\nb: 1\n", "a", "y\n\n", "", "a: \"y\\n\\n\"\n\n\n\nb: 1\n"},
		{"keep", "a: |+\n  x\n\nb: 1\n", "a", "y\n\n\n", "", "a: |+\n  y\n\n\nb: 1\n"},
		{"keep to one break", "a: |+\n  x\n\nb: 1\n", "a", "y\n", "", "a: |+\n  y\nb: 1\n"},
		{"literal with a leading blank", "a: |\n  x\nb: 1\n", "a", "  y\nz\n", "", "a: |2\n    y\n  z\nb: 1\n"},
		{"literal with a leading tab", "a: |\n  x\n", "a", "\ty\n", "", "a: |2\n  \ty\n"},
		{"literal with an indicator", "a:\n  b: |1-\n    x\n", "a.b", "y\nz", "", "a:\n  b: |1-\n   y\n   z\n"},
		{"literal with trailing blanks", "a: |\n  x\n", "a", "y  \n \nz\n", "", "a: |\n  y  \n   \n  z\n"},
		{"literal that cannot", "a: | # c\n  x\n\nb: 1\n", "a", "y\r\n", "", "a: \"y\\r\\n\" # c\n\nb: 1\n"},
		{"empty literal", "a: |\n  x\nb: 1\n", "a", "", "", "a: |\nb: 1\n"},
		{"empty literal above a comment", "a: |\n    x\n  # c\nb: 1\n", "a", "", "", "a: \"\"\n  # c\nb: 1\n"},
		{"literal at the end", "a: |\n  x", "a", "y\nz", "", "a: |\n  y\n  z"},
		{"literal in a list", "- |\n  x\n- y\n", "[0]", "z\n", "", "- |\n  z\n- y\n"},
		{"literal at the root", "--- |\n  x\n", "", "y\n", "", "--- |\n  y\n"},
		{"folded", "a: >-\n  x\n  y\nb: 1\n", "a", "one line\nnext\n\n  code\nlast", "", "a: >-\n  one line\n\n  next\n\n    code\n  last\nb: 1\n"},
		{"strip at the end", "a: |-\n  x", "a", "y", "", "a: |-\n  y"},
		{"keep at the end", "a: |+\n  x", "a", "y", "", "a: |-\n  y"},
		{"keep to strip", "a: |+\n  x\n\n", "a", "y", "", "a: |-\n  y\n"},
		{"a break at the end", "a: |\n  x", "a", "y\n", "", "a: |\n  y\n"},
		{"literal to a break", "a: |\n  x\n", "a", "\n", "", "a: |+\n\n"},
		{"literal to breaks", "a: |\n  x\nb: 1\n", "a", "\n\n", "", "a: |+\n\n\nb: 1\n"},
		{"keep to nothing", "a: |+\n  x\nb: 1\n", "a", "", "", "a: |-\nb: 1\n"},
		{"strip to nothing", "a: |-\n  x\nb: 1\n", "a", "", "", "a: |-\nb: 1\n"},
		{"empty literal to text", "a: |\nb: 1\n", "a", "x\n", "", "a: |\n  x\nb: 1\n"},
		{"empty literal to text with a leading blank", "a: |\nb: 1\n", "a", " x\n", "", "a: |2\n   x\nb: 1\n"},
		{"empty literal below a key", "a:\n  b: |\n  c: 1\n", "a.b", "x\n", "", "a:\n  b: |\n    x\n  c: 1\n"},
		{"deep literal with a leading blank", "a: |\n                 x\n", "a", " y\n", "", "a: |2\n   y\n"},
		{"literal with a leading break and blank", "a: |\n  x\nb: 1\n", "a", "\n  y\n", "", "a: |2\n\n    y\nb: 1\n"},
		{"literal with a leading break", "a: |\n  x\nb: 1\n", "a", "\ny\n", "", "a: |\n\n  y\nb: 1\n"},
		{"folded with deeper lines", "a: >\n  x\nb: 1\n", "a", "one\n  two\n  three\nfour\n\n\nfive\n", "", "a: >\n  one\n    two\n    three\n  four\n\n\n\n  five\nb: 1\n"},
		{"folded that keeps", "a: >+\n  x\n\nb: 1\n", "a", "one\n\n\n", "", "a: >+\n  one\n\n\nb: 1\n"},
		{"literal with a wide indicator", "a: |4\n      x\n", "a", "y\n", "", "a: |4\n    y\n"},
		{"literal in a list with a leading blank", "- |\n x\n- y\n", "[0]", "  z\n", "", "- |1\n   z\n- y\n"},
		{"literal at the root with a leading blank", "|\n x\n", "", "  z\n", "", "|1\n   z\n"},
		{"literal at the root with an indicator", "--- |1\n x\n", "", "z\n", "", "--- |1\n z\n"},
		{"clip to fewer breaks than follow", "a: | # c\n  x\n\n\n# d\nb: 1\n", "a", "y\n\n", "", "a: \"y\\n\\n\" # c\n\n\n# d\nb: 1\n"},
		{"clip to more breaks than follow", "a: | # c\n  x\n\n\n# d\nb: 1\n", "a", "y\n\n\n\n\n", "", "a: |+ # c\n  y\n\n\n\n\n# d\nb: 1\n"},
		{"clip to keep with CRLF", "a: |\r\n  x\r\n\r\nb: 1\r\n", "a", "y\n\n\n", "", "a: |+\r\n  y\r\n\r\n\r\nb: 1\r\n"},
		{"clip to keep before lines of blanks", "a: |\n  x\n \n  \nb: 1\n", "a", "y\n\n\n\n", "", "a: |+\n  y\n\n \n  \nb: 1\n"},
		{"literal with a control character", "a: |\n  x\n", "a", "y\a\n", "", "a: \"y\\u0007\\n\"\n"},
		{"literal with a line separator", "a: |\n  x\n", "a", "y\u2028z\n", "", "a: \"y\\u2028z\\n\"\n"},
		{"literal with a byte order mark", "a: |\n  x\n", "a", "\ufeffz\n", "", "a: \"\\uFEFFz\\n\"\n"},
		{"a ConfigMap", "data:\n  values.yaml: |\n    a: 1\n  other: x\n", "data.values~yaml", "a: 2\nb:\n  - c\n", "", "data:\n  values.yaml: |\n    a: 2\n    b:\n      - c\n  other: x\n"},
		{"a long quoted line", "data:\n  values.yaml: \"a: 1 \\nb: 2\\n\"\n", "data.values~yaml", "a: 1 \nb: 3\n", "", "data:\n  values.yaml: \"a: 1 \\nb: 3\\n\"\n"},
		{"CRLF", "a: |\r\n  x\r\nb: 1\r\n", "a", "y\nz\n", "", "a: |\r\n  y\r\n  z\r\nb: 1\r\n"},
		{"anchor", "a: &x y\n", "a", "z", "", "a: &x z\n"},
		{"anchor and tag", "a: !!str &x 'y'\n", "a", "z", "", "a: !!str &x 'z'\n"},
		{"tag keeps a number a string", "a: !!str 5\n", "a", "6", "", "a: !!str 6\n"},
		{"empty value", "a:\nb: 1\n", "a", "x", "", "a: x\nb: 1\n"},
		{"empty value with a comment", "a: # c\nb: 1\n", "a", "x", "", "a: x # c\nb: 1\n"},
		{"empty list element", "a:\n  -\n  - # c\n", "a.[1]", "x", "", "a:\n  -\n  - x # c\n"},
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
		{"duplicate keys", "a: 1\na: 2\n", "a", "x", "", "a: x\na: 2\n"},
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
	d := mustParse(t, "a: [x, y]\nb: |\n  z\nc:\n")
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
	compare(t, "a: [x1, y1]\nb: |-\n  z\n  1\nc: \"1\"\n", got.Text())
}

func TestReplaceRefused(t *testing.T) {
	d := mustParse(t, "a: &x 1\nb: *x\nc: &m {d: 2}\ne: {<<: *m}\nf: !!int 3\ng: 4\nh: !<tag:yaml.org,2002:str> \"b\"\n")
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
	compare(t, "a: &x z\nb: *x\nc: &m {d: w}\ne: {<<: *m}\nf: !!int 3\ng: 4\nh: !<tag:yaml.org,2002:str> \"b\"\n", got.Text())
}

func TestSet(t *testing.T) {
	tests := []struct{ name, text, path, src, want string }{
		{"scalar", "a: 1 # c\nb: 2\n", "a", "5", "a: 5 # c\nb: 2\n"},
		{"scalar with its comment", "a: 1\n", "a", "5 # new", "a: 5 # new\n"},
		{"new key", "a:\n  b: 1\n\nc: 2\n", "a.d", "x", "a:\n  b: 1\n  d: x\n\nc: 2\n"},
		{"new key with quoted text over lines and a comment", "b: 1\n", "a", "\"y\n  z\" # new", "b: 1\na: \"y\n    z\" # new\n"},
		{"new key with a list over lines and a comment", "b: 1\n", "a", "[y,\n  z] # new", "b: 1\na: [y,\n    z] # new\n"},
		{"new key below deeper comments", "a:\n  b: {}\n    # limits\n  # c\nd: 2\n", "a.e", "x", "a:\n  b: {}\n    # limits\n  e: x\n  # c\nd: 2\n"},
		{"missing parents", "a: 1\n", "b.c.d", "x", "a: 1\nb:\n  c:\n    d: x\n"},
		{"parents indent as the others do", "a:\n    b:\n        c: 1\n", "a.d.e", "x", "a:\n    b:\n        c: 1\n    d:\n        e: x\n"},
		{"parents indent as the nearest do", "x:\n  w: 1\na:\n  b:\n      c: 1\n", "a.d.e", "x", "x:\n  w: 1\na:\n  b:\n      c: 1\n  d:\n      e: x\n"},
		{"map for a scalar", "a: 1 # c\nb: 2\n", "a", "x: 1\n# y\ny: 2\n", "a: # c\n  x: 1\n  # y\n  y: 2\nb: 2\n"},
		{"scalar for a map", "a: # c\n  x: 1\n  # y\nb: 2\n", "a", "5", "a: 5 # c\nb: 2\n"},
		{"scalar for a map with an anchor", "a: # c\n  &a\n  x: 1\nb: 2\n", "a", "5", "a: 5 # c\nb: 2\n"},
		{"scalar for a map with an anchor beside its key", "a: &a # c\n  x: 1\nb: 2\n", "a", "5", "a: 5 # c\nb: 2\n"},
		{"map for a map", "a: # c\n  x: 1\nb: 2\n", "a", "# head\ny:\n- 1\n", "a: # c\n  # head\n  y:\n  - 1\nb: 2\n"},
		{"list below a key", "a: 1\nl:\n  - x\n", "a", "- 1\n- b: 2\n  c: 3\n", "a:\n  - 1\n  - b: 2\n    c: 3\nl:\n  - x\n"},
		{"list without indentation", "a: 1\nl:\n- x\n", "a", "- 1\n", "a:\n- 1\nl:\n- x\n"},
		{"as elsewhere, where the map shows nothing", "a: 1\nb:\n- c:\n      d:\n      - 2\n", "a", "x:\n  - 1\ny: 2\n", "a:\n    x:\n      - 1\n    y: 2\nb:\n- c:\n      d:\n      - 2\n"},
		{"a list as elsewhere, where the map shows nothing", "a: {l: 1}\nb:\n  c:\n    d:\n    - 2\n", "b.x", "- 1\n", "a: {l: 1}\nb:\n  c:\n    d:\n    - 2\n  x:\n  - 1\n"},
		{"map beside a list without indentation", "a: 1\nl:\n- x\n", "a", "b: 1\nc: [2]\n", "a:\n  b: 1\n  c: [2]\nl:\n- x\n"},
		{"parents of a map beside a list without indentation", "l:\n- x\n", "a.b", "c: 1\nd: 2\n", "l:\n- x\na:\n  b:\n    c: 1\n    d: 2\n"},
		{"parents of a list beside a list without indentation", "l:\n- x\n", "a.b", "- 1\n- 2\n", "l:\n- x\na:\n  b:\n  - 1\n  - 2\n"},
		{"literal", "a: 1 # c\nb:\n  d: 2\n", "b.d", "|\n  x\n  y\n", "a: 1 # c\nb:\n  d: |\n    x\n    y\n"},
		{"literal keeps the comment", "a: 1 # c\n", "a", "|\n  x\n", "a: | # c\n  x\n"},
		{"for a literal", "a: | # c\n  x\n\nb: 2\n", "a", "5", "a: 5 # c\n\nb: 2\n"},
		{"literal above deeper comments", "a: 1\n  # deep\nb: 2\n", "a", "|\n  x\n", "a: \"x\\n\"\n  # deep\nb: 2\n"},
		{"list element", "a:\n  - 1 # c\n  - 2\n", "a.[0]", "x: 1\ny: 2\n", "a:\n  - # c\n    x: 1\n    y: 2\n  - 2\n"},
		{"list element, compact", "a:\n  - 1\n  - 2\n", "a.[0]", "x: 1\ny: 2\n", "a:\n  - x: 1\n    y: 2\n  - 2\n"},
		{"compact map for a scalar", "- a: 1\n  b: 2\n- c\n", "[0]", "5", "- 5\n- c\n"},
		{"append to a list", "a:\n  - 1\nb: 2\n", "a.[1]", "x: 1\ny: 2\n", "a:\n  - 1\n  - x: 1\n    y: 2\nb: 2\n"},
		{"append to a flow list", "a: [1, 2]\n", "a.[2]", "x: 1\n", "a: [1, 2, {x: 1}]\n"},
		{"key in a list", "- a: 1\n- b: 2\n", "[0].c", "3", "- a: 1\n  c: 3\n- b: 2\n"},
		{"empty value", "a:\nb: 2\n", "a", "x: 1\n", "a:\n  x: 1\nb: 2\n"},
		{"key below an empty value", "a: # c\n  # inside\nb: 2\n", "a.x", "1", "a: # c\n  x: 1\n  # inside\nb: 2\n"},
		{"key below {}", "a: {} # c\n", "a.x.w", "1", "a: # c\n  x:\n    w: 1\n"},
		{"key in a flow map", "a: {x: 1} # c\n", "a.w", "- 2\n- z: '3' # gone\n", "a: {x: 1, w: [2, {z: '3'}]} # c\n"},
		{"key in a flow map over lines", "a: {\n  x: 1, # c\n}\n", "a.w", "2", "a: {\n  x: 1, w: 2, # c\n}\n"},
		{"key in an empty flow map in a list", "[{}, {a: }]", "[0].x", "1", "[{x: 1}, {a: }]"},
		{"value in flow", "a: {x: 1, y: [b]}\n", "a.y", "c: |\n  text\n", "a: {x: 1, y: {c: \"text\\n\"}}\n"},
		{"empty document", "", "a.b", "1", "a:\n  b: 1\n"},
		{"comments only", "# c\n", "a", "1", "# c\na: 1\n"},
		{"lone marker", "---\n", "a", "1", "---\na: 1\n"},
		{"marker at the end", "# c\n---\n...\n", "a", "1", "# c\n---\na: 1\n...\n"},
		{"null document", "# c\nnull # d\n", "a", "1", "# c\n# d\na: 1\n"},
		{"the root", "# c\na: 1\n# d\n", "", "b: 2\n", "# c\nb: 2\n# d\n"},
		{"before the end marker", "a: 1\n...\n", "b", "2", "a: 1\nb: 2\n...\n"},
		{"no last break", "a: 1", "b", "2", "a: 1\nb: 2"},
		{"no last break after a literal", "a: |\n  x", "b", "2", "a: |-\n  x\nb: 2"},
		{"CRLF", "a:\r\n  b: 1\r\nc: 2\r\n", "a.d", "x: 1\ny: |\n  z\n", "a:\r\n  b: 1\r\n  d:\r\n    x: 1\r\n    y: |\r\n      z\r\nc: 2\r\n"},
		{"keys that need quotes", "a: 1\n", "1~5.true.x: y", "1", "a: 1\n\"1.5\":\n  \"true\":\n    \"x: y\": 1\n"},
		{"duplicate keys", "a: 1\na: 2\n", "a", "x", "a: 1\na: x\n"},
		{"an alias itself", "a: &x 1\nb: *x\n", "b", "2", "a: &x 1\nb: 2\n"},
		{"a key that a merge key brings", "m: &m {k: 1}\na:\n  <<: *m\n", "a.k", "2", "m: &m {k: 1}\na:\n  <<: *m\n  k: 2\n"},
		{"source with aliases", "a: 1\n", "b", "x: &x {y: 1}\nz: *x\n", "a: 1\nb:\n  x: {y: 1}\n  z: {y: 1}\n"},
		{"empty source", "a: 1\n", "a", "", "a: null\n"},
		{"source with markers", "a: 1\n", "a", "%YAML 1.1\n---\n# c\nx: 1\n...\n", "a:\n  # c\n  x: 1\n"},
		{"source with indentation", "a: 1\n", "a", "   x: 1\n   y: |\n     z\n", "a:\n  x: 1\n  y: |\n    z\n"},
		{"after a literal that keeps blank lines", "a: |+\n  x\n\n", "b", "1", "a: |+\n  x\n\nb: 1\n"},
		{"a literal that keeps before blank lines", "a: 1\n\nb: 2\n", "a", "|+\n  x\n\n", "a: \"x\\n\\n\"\n\nb: 2\n"},
		{"byte order mark", "\ufeffa: 1\n", "b", "2", "\ufeffa: 1\nb: 2\n"},
		{"quoted over lines", "a:\n  b: 1\n", "a.b", "\"x\ny\"", "a:\n  b: \"x\n    y\"\n"},
		{"value on the next line", "a:\n  x\nb: 1\n", "a", "y", "a:\n  y\nb: 1\n"},
		{"after a marker", "--- {}\n", "a", "1", "--- \na: 1\n"},
		{"after a marker, above a comment", "--- {} # c\n", "a", "1", "--- \n# c\na: 1\n"},
		{"the root after a marker", "--- x # c\n", "", "a: |\n  y\n", "--- \n# c\na: |\n  y\n"},
		{"a literal without a last break", "x", "", "a: |\n  y\n", "a: |\n  y\n"},
		{"a literal into an empty document", "", "a", "|\n y\n", "a: |\n y\n"},
		{"a literal below comments without a last break", "# c\n--- # d\n# e", "a", "|\n y\n", "# c\n--- # d\n# e\na: |\n y\n"},
		{"a literal at the end without a last break", "a: 1 # c", "a", "|\n  x\n", "a: | # c\n  x\n"},
		{"a literal in the last element", "- 1", "[0]", "|\n  x\n", "- |\n  x\n"},
		{"a literal after the last element", "a:\n- b: 1\n  c: 2", "a.[1]", "|\n  x\n", "a:\n- b: 1\n  c: 2\n- |\n  x\n"},
		{"flow with an empty value", "{a: , b}\n", "c", "1", "{a: , b, c: 1}\n"},
		{"flow that ends in an empty value", "{b, a:}\n", "c", "1", "{b, a:, c: 1}\n"},
		{"after a key written with ?", "? a\n: 1\n", "b", "1", "? a\n: 1\nb: 1\n"},
		{"after a key written with ? that has no value", "? a\n", "b", "1", "? a\nb: 1\n"},
		{"an empty element", "b:\n  - c\n  -\n", "b.[1]", "x: 1\ny: 2", "b:\n  - c\n  - x: 1\n    y: 2\n"},
		{"quoted with a comment sign for a literal", "a: | # c\n  x\n", "a", "\"y # z\"", "a: \"y # z\" # c\n"},
		{"quoted over lines above a comment", "a: 1 # old\n", "a", "\"y\n  z\" # new", "a: \"y\n    z\" # old\n"},
		{"flow with a comment above a comment", "a: 1 # old\n", "a", "[y, # in\n  z] # new", "a: [y, # in\n    z] # old\n"},
		{"source with a tag", "a: 1\n", "a", "!t {x: 1}", "a: !t {x: 1}\n"},
		{"source with a tag, in flow", "a: [1]\n", "a.[0]", "!!map {x: 1}", "a: [{x: 1}]\n"},
		{"source with an anchor, in flow", "a: [1]\n", "a.[0]", "&y {x: 1}", "a: [&y {x: 1}]\n"},
		{"a number with a tag, in flow", "a: [1]\n", "a.[0]", "!!int 5", "a: [!!int 5]\n"},
		{"text with a tag, in flow", "a: [1]\n", "a.[0]", "!!str 5", "a: [!!str \"5\"]\n"},
		{"another number with a tag, in flow", "a: [1]\n", "a.[0]", "!!float 5", "a: [!!float 5]\n"},
		{"null with a tag, in flow", "a: [1]\n", "a.[0]", "!!null ~", "a: [null]\n"},
		{"an empty value, in flow", "a: [1]\n", "a.[0]", "{x: }", "a: [{x: null}]\n"},
		{"source with ?", "a: 1\n", "a", "? [x]\n: 1\n", "a:\n  ? [x]\n  : 1\n"},
		{"source with ?, in flow", "a: [1]\n", "a.[0]", "? x\n: 1\n", "a: [{x: 1}]\n"},
		{"source with a merge key", "a: 1\n", "a", "x: &x {y: 1}\nz:\n  <<: *x\n", "a:\n  x: {y: 1}\n  z:\n    y: 1\n"},
		{"source with a merge key, in flow", "a: [1]\n", "a.[0]", "x: &x {y: 1}\nz:\n  <<: *x\n", "a: [{x: {y: 1}, z: {y: 1}}]\n"},
		{"source with aliases, in flow", "a: [1]\n", "a.[0]", "x: &x {y: 1}\nz: *x\n", "a: [{x: {y: 1}, z: {y: 1}}]\n"},
		{"source with an alias of duplicate keys", "a: 1\n", "a", "x: &x {y: 1, y: 2}\nz: *x\n", "a:\n  x: {y: 2}\n  z: {y: 2}\n"},
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
		{"a line", "a: 1\nb: 2 # c\nc: 3\n", "b", "a: 1\nc: 3\n"},
		{"a subtree", "a:\n  b:\n    c: 1\n    # in it\n  d: 2\n", "a.b", "a:\n  d: 2\n"},
		{"comments above", "a: 1\n\n# apart\n\n# b\n# b too\nb: 2\nc: 3\n", "b", "a: 1\n\n# apart\n\nc: 3\n"},
		{"comments of other columns", "a:\n  x: 1\n# left\n  y: 2\n", "a.y", "a:\n  x: 1\n# left\n"},
		{"comments below that are indented deeper", "a: {}\n  # limits:\n  #   cpu: 1\n\nb: 2\n", "a", "\nb: 2\n"},
		{"comments for tools", "# spectrocloud.com/enabled-presets: a:b\na: 1\nb: 2\n", "a", "# spectrocloud.com/enabled-presets: a:b\nb: 2\n"},
		{"the only key", "a:\n  # b\n  b: 1\nc: 2\n", "a.b", "a: {}\nc: 2\n"},
		{"the only key, with a comment", "a: # c\n  b: 1\n\n  # apart\nc: 2\n", "a.b", "a: {} # c\n\n  # apart\nc: 2\n"},
		{"the only key of the document", "# c\n\na: 1\n", "a", "# c\n\n{}\n"},
		{"the only key in a list", "- a: 1\n- b\n", "[0].a", "- {}\n- b\n"},
		{"the only element", "a:\n- x\nb: 1\n", "a.[0]", "a: []\nb: 1\n"},
		{"the only key in flow", "a: { b: 1 } # c\n", "a.b", "a: {} # c\n"},
		{"an element", "a:\n  - x\n  # y\n  - y: 1\n    z: 2\n  - w\n", "a.[1]", "a:\n  - x\n  - w\n"},
		{"the first key after a dash", "- a: 1\n  b: 2\n", "[0].a", "- b: 2\n"},
		{"the first key after a dash, with comments", "- a: 1 # a\n  # b\n  b: 2\n", "[0].a", "-\n  # b\n  b: 2\n"},
		{"the first element of a nested list", "- - a\n  - b\n", "[0].[0]", "- - b\n"},
		{"flow, first", "{a: 1, b: 2}", "a", "{b: 2}"},
		{"flow, last", "{a: 1, b: 2}", "b", "{a: 1}"},
		{"flow, last with a comma", "[1, 2, ]", "[1]", "[1, ]"},
		{"flow, comment", "{a: 1, # one\n b: 2}", "b", "{a: 1 # one\n }"},
		{"a literal", "a: |\n  x\n\n  y\n\nb: 1\n", "a", "\nb: 1\n"},
		{"after a literal that keeps blank lines", "a: |+\n  x\n\nb: 1\n\nc: 2\n", "b", "a: |+\n  x\n\nc: 2\n"},
		{"duplicates", "a: 1\nb: 2\na: 3\n", "a", "b: 2\n"},
		{"a question mark beside a merged key that is a list", "m: &m {? [a] : 1}\nb: {\"?\": 1, <<: *m}\n", "b.?", "m: &m {? [a] : 1}\nb: {<<: *m}\n"},
		{"no last break", "a: 1\nb: 2", "b", "a: 1"},
		{"no last break after a literal", "a: |\n  x\nb: 2", "b", "a: |\n  x\n"},
		{"CRLF", "a: 1\r\n# c\r\nb: 2\r\nc: 3\r\n", "b", "a: 1\r\nc: 3\r\n"},
		{"an alias", "a: &x 1\nb: *x\n", "b", "a: &x 1\n"},
		{"an anchor with its aliases", "a: {x: &x 1, y: *x}\nb: 2\n", "a", "b: 2\n"},
		{"an empty value", "a:\n\nb: 1\n", "a", "\nb: 1\n"},
		{"keys with dots", "a.b: 1\n'c.d': 2\n", "c~d", "a.b: 1\n"},
		{"a quoted line that looks like a comment", "a: \"x\n# y\"\nb: 1\n", "b", "a: \"x\n# y\"\n"},
		{"the first element below an anchor", "a: &x\n- b\n- c\n", "a.[0]", "a: &x\n- c\n"},
		{"the only element below an anchor", "a: &x\n- b\n", "a.[0]", "a: &x []\n"},
		{"the only key below an anchor in a list", "- &x\n  b: 1\n", "[0].b", "- &x {}\n"},
		{"the only key, with an anchor", "- &x b: 1\n", "[0].b", "- {}\n"},
		{"the only key in flow after an anchor", "- &x {b: 1}\n", "[0].b", "- &x {}\n"},
		{"the first key below a tag in a list", "- !!map\n  b: 1\n  c: 2\n", "[0].b", "- !!map\n  c: 2\n"},
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
	d := mustParse(t, "a: {b: 1}\nl: [x]\n")
	for _, path := range []string{"x", "a.x", "a.b.c", "l.[1]", "l.x", "a.[0]"} {
		if got, ok, err := d.Delete(at(path)); got != d || ok || err != nil {
			t.Errorf("%s: %v %v", path, ok, err)
		}
	}
	d = mustParse(t, "m: &m {k: {l: 1}}\na:\n  <<: *m\n")
	if got, ok, err := d.Delete(at("a.k.n")); got != d || ok || err != nil {
		t.Errorf("below a merge key: %v %v", ok, err)
	}
	if _, ok, err := mustParse(t, "").Delete(at("a")); ok || err != nil {
		t.Errorf("in an empty document: %v %v", ok, err)
	}
}

func TestMergeText(t *testing.T) {
	tests := []struct{ name, text, path, src, want string }{
		{"scalars keep comments", "a: 1 # one\nb: 2\n", "", "a: 5 # five\n", "a: 5 # one\nb: 2\n"},
		{"equal values stay", "a: 'x'   # c\nb: {c: 1.30}\n", "", "a: \"x\"\nb:\n  c: 1.3\n", "a: 'x'   # c\nb: {c: 1.30}\n"},
		{"new keys come last with their comments", "a:\n  b: 1\n\nc: 2\n", "", "x: 1 # one\n\n# about a\na:\n  # about d\n  d: |\n    text\n  e: [1]\n", "# about a\na:\n  b: 1\n  # about d\n  d: |\n    text\n  e: [1]\n\nc: 2\nx: 1 # one\n"},
		{"comments stay with their keys", "a: 1\n", "", "# head\n\n# b\nb: 1\n\n# c\nc:\n  d: 2\n", "a: 1\n# head\n# b\nb: 1\n# c\nc:\n  d: 2\n"},
		{"comments of values that are replaced", "a:\n  # old\n  b: 1 # one\n\n  c: 2\n", "", "a:\n  # odd\n  # number\n  b: 3\n  # of c\n  c: 2\n", "a:\n  # old\n  # odd\n  # number\n  b: 3 # one\n\n  c: 2\n"},
		{"comments that are there", "x: 1\n# odd\n# more\na: 1\n", "", "# odd\na: 3\n", "x: 1\n# odd\n# more\na: 3\n"},
		{"comments of flow and in flow", "{a: 1}\n", "", "# c\na: 3\n", "{a: 3}\n"},
		{"comments in flow over several lines", "a: {\n  b: 1,\n  c: 2\n}\n", "", "a:\n  # d\n  b: 3\n", "a: {\n  b: 3,\n  c: 2\n}\n"},
		{"comments and line breaks", "x: 1\r\na:\r\n  b: 1\r\n", "", "# c\na:\n  # d\n  b: 2\n", "x: 1\r\n# c\r\na:\r\n  # d\r\n  b: 2\r\n"},
		{"deep", "a:\n  b:\n    c: 1\n    d: 2\n", "", "a: {b: {d: 3, e: 4}}\n", "a:\n  b:\n    c: 1\n    d: 3\n    e: 4\n"},
		{"lists replace", "a:\n  - 1\n  - 2\nb: 1\n", "", "a:\n- 3\n", "a:\n  - 3\nb: 1\n"},
		{"scalar over map", "a:\n  b: 1\nc: 2\n", "", "a: x\n", "a: x\nc: 2\n"},
		{"map over scalar", "a: x # c\nc: 2\n", "", "a:\n  b: 1\n", "a: # c\n  b: 1\nc: 2\n"},
		{"map with a comment over scalar", "a: x\nc: 2\n", "", "a: # d\n  b: 1\n", "a: # d\n  b: 1\nc: 2\n"},
		{"{} over a map", "a:\n  b: 1\n", "", "a: {}\n", "a:\n  b: 1\n"},
		{"null", "a:\n  b: 1\n", "", "a:\n", "a: null\n"},
		{"into {}", "a: {}\nb: 1\n", "", "a:\n  # c\n  x: 1\n", "a:\n  # c\n  x: 1\nb: 1\n"},
		{"into flow", "a: {x: 1}\n", "", "a:\n  x: 2\n  y:\n    - z # gone\n", "a: {x: 2, y: [z]}\n"},
		{"several keys into flow", "a: {x: 1}\nb: [{y: 1, }]\nc: {z: 1, }\n", "", "a: {v: 2, w: 3}\nc: {v: 2, w: 3}\n", "a: {x: 1, v: 2, w: 3}\nb: [{y: 1, }]\nc: {z: 1, v: 2, w: 3, }\n"},
		{"from flow", "a:\n  x: 1\n", "", "{a: {y: {z: 2}, \"w\": [1,\n 2]}}", "a:\n  x: 1\n  y: {z: 2}\n  \"w\": [1,\n     2]\n"},
		{"dotted keys", "a:\n  b: 1\n", "", "a.b: 2\n", "a:\n  b: 1\na.b: 2\n"},
		{"at steps", "a:\n  b: 1\n", "a", "c: 2\n", "a:\n  b: 1\n  c: 2\n"},
		{"at steps that are not there", "a: 1\n", "b.c", "d: 2\n", "a: 1\nb:\n  c:\n    d: 2\n"},
		{"into an empty document", "# c\n", "", "a: 1 # one\n", "# c\na: 1 # one\n"},
		{"an empty source", "a: 1\n", "", "# c\n", "a: 1\n"},
		{"an alias replaced", "a: &x {b: 1}\nc: *x\n", "", "c: 5\n", "a: &x {b: 1}\nc: 5\n"},
		{"an alias that stays", "a: &x {b: 1, d: 2}\nc: *x\n", "", "c: {b: 1}\n", "a: &x {b: 1, d: 2}\nc: *x\n"},
		{"over a merge key", "m: &m {k: 1}\na:\n  <<: *m\n", "", "a: {k: 2}\n", "m: &m {k: 1}\na:\n  <<: *m\n  k: 2\n"},
		{"duplicates", "a: 1\na: 2\n", "", "a: 3\n", "a: 1\na: 3\n"},
		{"other indentation", "a:\n    b:\n        c: 1\n", "", "a:\n  b:\n    d:\n      e: 1\n", "a:\n    b:\n        c: 1\n        d:\n          e: 1\n"},
		{"a list that is a key's last value", "a:\n- x\n", "", "b: 1\n", "a:\n- x\nb: 1\n"},
		{"no last break", "a: 1", "", "b: |\n  x\n", "a: 1\nb: |\n  x\n"},
		{"no last break, and a literal in a map", "a: 1", "", "b:\n  c: |\n    x\n", "a: 1\nb:\n  c: |\n    x\n"},
		{"keys written with ?, and anchors", "a: 1\n", "", "? b\n: 1\nc: &x\n  d: 1\n", "a: 1\nb: 1\nc: &x {d: 1}\n"},
		{"an empty value and a literal without a break", "a: 1\n", "", "b:\nc: |\n  x", "a: 1\nb: null\nc: \"x\"\n"},
		{"an empty value with a tag", "a: 1\n", "", "a: !!str # c\n", "a: !!str # c\n"},
		{"a map in a list", "a: 1\n", "", "b:\n- a: 1\n  c: 2\n", "a: 1\nb:\n- a: 1\n  c: 2\n"},
		{"a map for an element", "- a\n", "", "- a: 1\n  c: 2\n", "- a: 1\n  c: 2\n"},
		{"equal values of a key that is a list", "? [b]\n: 2\n", "", "? [b]\n: 2\n", "? [b]\n: 2\n"},
		{"what a merge key brings", "m: &m {k: {l: 1}}\na:\n  <<: *m\n", "", "a: {k: {l: 1}}\n", "m: &m {k: {l: 1}}\na:\n  <<: *m\n"},
		{"values of a literal at the end", "a: 1\nb: |\n  x", "", "a: 2\nb: y\nc: z\n", "a: 2\nb: y\nc: z"},
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

// An edit never changes another place, and says why it cannot be made.
func TestRefused(t *testing.T) {
	const anchored = "a: &x {b: 1}\nc: *x\nd:\n  <<: *x\n  e: 2\n"
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
		{"delete below a merge key", "m: &m {k: {l: 1}}\na:\n  <<: *m\n", "delete", "a.k.l", "line 3, column 3: the key \"k\" comes from a merge key"},
		{"set a tag in flow", "a: [1]\n", "set !t {x: 1}", "a.[0]", "line 1, column 1: the tag !t cannot be moved"},
		{"set a tag of a scalar in flow", "a: [1]\n", "set !t 5", "a.[0]", "line 1, column 1: the tag !t cannot be moved"},
		{"set a key that is a list, in flow", "a: [1]\n", "set ? [x]\n: 1\n", "a.[0]", "line 1, column 3: " + collection},
		{"merge a key that is a list", "a: 1\n", "merge ? [b]\n: 1\n", "", "line 1, column 3: " + collection},
		{"merge a key that is a list in flow", "a: {b: 1}\n", "merge a: {? [x] : 1}\n", "", "line 1, column 7: " + collection},
		{"merge over a key that is a list", "? [b]\n: 2\n", "merge ? [b]\n: 1\n", "", "line 1, column 3: the value of a key that is a map or a list cannot be replaced"},
		{"merge below a merge key", "m: &m {k: {l: 1}}\na:\n  <<: *m\n", "merge a: {k: {l: 1, n: 2}}\n", "", "line 1, column 8: the key \"k\" comes from a merge key and would change for every map that uses it"},
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
		{"set below a merge key", "m: &m {k: {l: 1}}\na:\n  <<: *m\n", "set", "a.k.n", "line 3, column 3: the key \"k\" comes from a merge key: set it on line 1"},
		{"set below a scalar", "a: 5\n", "set", "a.b", "line 1, column 4: this is a scalar, not a map: there is no key \"b\""},
		{"set below a list", "a: [5]\n", "set", "a.b", "line 1, column 4: this is a list, not a map: there is no key \"b\""},
		{"set beyond a list", "a: [5]\n", "set", "a.[2]", "line 1, column 4: the list has 1 elements: there is no element 2"},
		{"set in no list", "a: 1\n", "set", "b.[0]", "line 1, column 1: there is no list to put element 0 into"},
		{"delete everything", "a: 1\n", "delete", "", "line 1, column 1: the whole document cannot be deleted"},
		{"delete a key written with ?", "? a\n: 1\nb: 2\n", "delete", "a", "line 1, column 3: a key written with ? cannot be deleted"},
		{"set a key written with ?", "? a\n: 1\nb: 2\n", "set", "a", "line 2, column 3: a value of a key written with ? cannot be replaced"},
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
	d, err := mustParse(t, "- a: 1\n").Merge([]Step{Element(0)}, mustParse(t, "# c\na: 3\n"))
	if err != nil {
		t.Fatal(err)
	}
	compare(t, "- a: 3\n", d.Text())
}

// Values inside a larger resource can be laid over a document, and are
// edited through that resource.
func TestParts(t *testing.T) {
	resource := mustParse(t, "spec:\n  values:\n    # c\n    a: 1\n    b: |\n      x\n")
	part := resource.Part(nodeAt(t, resource, "spec.values"))
	for _, src := range []*Document{part, Of(part.Root())} {
		got, err := mustParse(t, "a: 0\n").Merge(nil, src)
		if err != nil {
			t.Fatal(err)
		}
		compare(t, "# c\na: 1\nb: |\n  x\n", got.Text())
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
		{"a word", "a: >-\n  one X\n  two\n\n  three\n\n\nb: 1\n", "X", "1 2", "a: >-\n  one 1 2\n  two\n\n  three\n\n\nb: 1\n"},
		{"over a fold", "a: >\n  one X\n  Y two\n  three\n", "X Y", "Z", "a: >\n  one Z two\n  three\n"},
		{"deeper lines", "l:\n- >2+ # c\n    X\n   b\n  c\n\n", "X", "ü", "l:\n- >2+ # c\n    ü\n   b\n  c\n\n"},
		{"line breaks", "a: >-\r\n  one\r\n  X\r\n\r\n  two\r\n", "X", "Y", "a: >-\r\n  one\r\n  Y\r\n\r\n  two\r\n"},
		{"the last line", "a: >-\n  one\n  X", "X", "Y", "a: >-\n  one\n  Y"},
		{"a blank at the end of the text", "a: >-\n  one\n  two X\n", "X", "Y ", "a: >-\n  one two Y \n"},
		{"a line break in the text", "a: >-\n  one\n  two X\n", "X", "Y\nZ", "a: >-\n  one two Y\n\n  Z\n"},
		{"nothing, and a blank before it", "a: >-\n  one X\n  two\n", "X", "", "a: >-\n  one  two\n"},
		{"nothing", "a: >-\n  oneX\n  two\n", "X", "", "a: >-\n  one\n  two\n"},
		{"all of a line", "a: >-\n  one\n  X\n  two\n", "X", "", "a: >-\n  one  two\n"},
		{"an empty line first", "a: >-\n\n  one X\n  two\n", "X", "Y", "a: >-\n\n  one Y\n  two\n"},
		{"all", "a: >-\n  X\nb: 1\n", "X", "Y", "a: >-\n  Y\nb: 1\n"},
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
		{"at the end of a map", "a:\n  b: 2\n  # note\n", "a:\n  b: 1\n  # note\n  mine: 1\n", "a:\n  b: 2\n  # note\n  mine: 1\n"},
		{"above another key", "a:\n  b: 2\n  # note\n  c: 2\n", "a:\n  b: 1\n  # note\n  mine: 1\n  c: 2\n", "a:\n  b: 2\n  # note\n  c: 2\n  mine: 1\n"},
		{"as often as before", "a:\n  # optional\n  b: 2\n  # optional\n  c: 2\n", "a:\n  # optional\n  b: 1\n  # optional\n  c: 2\n  # optional\n  mine: 1\n", "a:\n  # optional\n  b: 2\n  # optional\n  c: 2\n  # optional\n  mine: 1\n"},
		{"of two lines", "a:\n  b: 2\n  # one\n  # two\n", "a:\n  b: 1\n  # one\n  # two\n  mine: 1\n", "a:\n  b: 2\n  # one\n  # two\n  mine: 1\n"},
		{"behind another one", "a:\n  b: 2\n  # more\n\n  # note\n", "a:\n  b: 1\n  # note\n  mine: 1\n", "a:\n  b: 2\n  # more\n\n  # note\n  mine: 1\n"},
		{"before another one", "a:\n  b: 2\n  # note\n  # more\n", "a:\n  b: 1\n  # note\n  mine: 1\n", "a:\n  b: 2\n  # note\n  mine: 1\n  # more\n"},
		{"in another column", "a:\n  b: 2\n# note\n", "a:\n  b: 1\n  # note\n  mine: 1\n", "a:\n  b: 2\n  mine: 1\n# note\n"},
		{"of a list", "- 1\n# note\n", "- 1\n# note\n- 2\n", "- 1\n# note\n- 2\n"},
		{"another one", "a:\n  b: 2\n  # notes\n", "a:\n  b: 1\n  # note\n  mine: 1\n", "a:\n  b: 2\n  # note\n  mine: 1\n  # notes\n"},
		{"behind another entry", "a: 1\nb: 2\n# note\n", "a: 1\n# note\nmine: 1\nb: 2\n", "a: 1\nb: 2\n# note\nmine: 1\n"},
		{"above the first of a list", "l:\n# note\n- b\n", "l:\n# note\n- a\n- b\n", "l:\n# note\n- a\n- b\n"},
		{"above the first of all", "# note\n- b\n", "# note\n- a\n- b\n", "# note\n- a\n- b\n"},
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
