package values

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

func TestParseRoot(t *testing.T) {
	for _, text := range []string{
		"", "\n\n", "# only a comment\n", "---\n",
		`--- # c
...
`,
		"null\n", "~",
		`---
---
`,
		"\ufeff",
	} {
		if d := mustParse(t, text); d.Root() != nil {
			t.Errorf("%q has the root %v", text, d.Root())
		}
	}
	for text, want := range map[string]string{
		"a": "a",
		`---
---
b
`: "b",
		`null
---
c
`: "c",
		`d
---
`: "d",
		"\ufeffe": "e", "''": "",
	} {
		d := mustParse(t, text)
		if d.Root() == nil || d.Root().Kind != yaml.ScalarNode || d.Root().Value != want {
			t.Errorf("%q has the root %v", text, d.Root())
		}
	}
}

// The reported line of go-yaml is often the one before, or the one where the
// enclosing map starts; often there is none at all.
func TestSyntaxErrors(t *testing.T) {
	const (
		quote  = unquotedTemplateReason
		quotes = "a key is not allowed here: put quotes around a value with a colon and a space"
		indent = "a key is not allowed here: the line before has a value already, so indent this line like that one"
		colon  = "a key is not allowed here: fix the indentation, or put a space after the colon of the line before"
		stream = "a quote is not closed"
		brace  = "a comma or the closing } is missing"
		square = "a comma or the closing ] is missing"
		key    = "a key is missing here: fix the indentation, or the quotes of the value before"
		value  = "a value is missing here: write one, or remove the comma or bracket"
		star   = "an alias without an anchor: put quotes around a value that begins with *"
	)
	tests := []struct{ text, want string }{
		{`a: 1
b:
  c: 1
 d: 2
`, "line 4, column 2: " + key},
		{`x: 1
a:
  b: 1
   c: 2
`, "line 4, column 5: " + indent},
		{"a: b: c\n", "line 1, column 5: " + quotes},
		{"{\"name\": \"a\"\n", "line 1, column 13: " + brace},
		{"{\"name\": \"a\"\n\n  \n", "line 1, column 13: " + brace},
		{`a:
  {b: 1,
`, "line 2: " + value},
		{"\n\nb: [1\n\n", "line 3, column 6: " + square},
		{`a: [1, 2
b: 3
`, "line 2, column 1: " + square},
		{`a: 1
b: {
  w: 0,
  y: 2
  z: 3
}
`, "line 5, column 3: " + brace},
		{`{
  "w": 0,
  "y": [1, 2]
  "z": 3
}
`, "line 4, column 3: " + brace},
		{`a: {
  "w": [1, {"y": "}"
    "z": 3
}]}
`, "line 3, column 5: " + brace},
		{`a: [
  [1, 2],
  [3 ,4] [5]
]
`, "line 3, column 10: " + square},
		{`a: [
  x: y: z
]
`, "line 2, column 6: " + square},
		{"ü: {'ö' 'ä'}\n", "line 1, column 9: " + brace},
		{"a: {\n" + strings.Repeat("  b: 1,\n", searchedBytes/8) + "c: 1 d: 2}\n", "line 8194: " + brace},
		{`z: 1
a: "foo
b: 3
`, "line 2, column 4: " + stream},
		{`z: "a
  b"
a: "foo
b: 3
c: 4
d: 5
e: 6
`, "line 3, column 4: " + stream},
		{`a: "x
b: 1
c: 2`, "line 1, column 4: " + stream},
		{`{ü: "x", b: "it's
c: 2
d: 2
`, "line 1, column 13: " + stream},
		{
			"z: \"a" + strings.Repeat("\n  b", 20) + `"
a: 'foo
b: 3
`,
			"line 22, column 4: " + stream,
		},
		{"a: \"x" + strings.Repeat("\nb: 1", searchedBytes/5), "line 13108: " + stream},
		{`z: 1
b: *x
c: 2
`, "line 2, column 4: " + star},
		{
			`x: 1
a: *.txt
`,
			"line 2, column 4: a value that begins with * or & needs quotes",
		},
		{"z: 1\na:\n  b: x\n\t  c: 2\n", "line 4, column 1: " + noTabs},
		{"z: |\n  b\n\tc\n", "line 3, column 1: " + noTabs},
		{"z: 1\nt: |\n  a\n  b\n  c\n\td\n  e\n", "line 6, column 1: " + noTabs},
		{"z: 1\na:\n\tb: x\n", "line 3, column 1: " + noTabs},
		{`a: 1
b: {{ .Release.Name }}`, "line 2, column 4: " + helmTemplateReason},
		{"a: {{ include \"x.y\" . }}-z", "line 1, column 4: " + helmTemplateReason},
		{"a: !!str {{ .Values.x }}", "line 1, column 4: " + helmTemplateReason},
		{"a: {{ .spectro.var.Values }}", "line 1, column 4: " + quote},
		{`a: {{ .x }}
b: '{{ .Values.x }}'
`, "line 1, column 4: " + quote},
		{"a: @x", "line 1, column 4: a value that begins with @ needs quotes"},
		{"ü: `x", "line 1, column 4: a value that begins with ` needs quotes"},
		{"a: @x" + strings.Repeat("\nb: 1", searchedBytes/5), "line 1: a value that begins with @, ` or % needs quotes, and a tab cannot indent"},
		{"\n\t", "line 1, column 1: a value that begins with @, ` or % needs quotes, and a tab cannot indent"},
		{`a:1
b: 2
`, "line 2, column 2: " + colon},
		{
			`- a
b: 1
`,
			"line 2, column 2: a list element is missing here: start the line with a dash, or fix the indentation",
		},
		{
			`a: 1
b: 2
foo
c: 2
`,
			"line 3, column 1: a key has no colon: write key: value, or indent the line if it continues a string",
		},
		{
			`s:
  x: 1
  replicas 3
  y: 2
`,
			"line 3, column 3: a key has no colon: write key: value, or indent the line if it continues a string",
		},
		{"a: \"\\d\"\n", `line 1, column 5: unknown escape: write \\ for a backslash, or use single quotes`},
		{
			`a: | text
  b
`,
			"line 1, column 6: a value is not allowed after | or >: start it on the next line",
		},
		{"a: - b\n", "line 1, column 4: a list element is not allowed here: start it on a line of its own"},
		{"a: [1,,2]\n", "line 1, column 6: " + value},
		{"a: !x!y z\n", "line 1, column 7: found undefined tag handle"},
		{"k: |\n\tfoo\n", "line 2, column 1: " + noTabs},
		{"a: 1\nü: \x01\n", "line 2, column 4: control characters are not allowed"},
		{strings.Repeat("a: 1\n", searchedBytes/5) + "ü: \x7f\n", "line 13108, column 4: control characters are not allowed"},
		{strings.Repeat("a: 1\n", searchedBytes/5) + "ü: \uffff\n", "line 13108, column 4: control characters are not allowed"},
		{"a: \xff\n", "line 1, column 4: invalid leading UTF-8 octet"},
		{
			`a: 1
---
b: 2
`,
			"line 3, column 1: a second document starts here, but only one is allowed",
		},
		{"\xff\xfea\x00", "line 1, column 1: the document must be UTF-8, got UTF-16"},
		{"a: {{ .x }}\n", "line 1, column 4: " + quote},
		{"a: !t {{ .spectro.x }}\n", "line 1, column 4: " + quote},
		{"a: &b {{ .spectro.x }}\n", "line 1, column 4: " + quote},
		{`b: 1
a: {{ .spectro.x }}
c: 1
`, "line 2, column 4: " + quote},
		{`b: 1
a: {{ template "x" . }}
c: 1
`, "line 2, column 4: " + quote},
		{`b: 1
a: {{ .x }}-foo
`, "line 2, column 4: " + quote},
		{`b: 1
a: {{ .x }} {{ .y }}
`, "line 2, column 4: " + quote},
		{"a: {b: {{ .x }}}\n", "line 1, column 8: " + quote},
		{`b:
  - x
  - {{ .x }}
`, "line 3, column 5: " + quote},
		{`a: 1
{{- if .x }}
b: 1
{{- end }}
`, "line 2, column 1: " + quote},
		{`a: |
  {{ .x }}
b: {{ .y }}:8080
`, "line 3, column 4: " + quote},
	}
	for _, test := range tests {
		_, err := Parse(test.text)
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || err.Error() != test.want {
			t.Errorf("%q: got %v, want %s", test.text, err, test.want)
		}
	}
	for _, text := range []string{
		"a: '{{ .x }}'\n", "a: x{{ .x }}\n",
		`a: |
  {{ .x }}
`,
		"# {{ .x }}\n", "a: { {b: 1}: 2}\n",
	} {
		mustParse(t, text)
	}
}

// A fault of what was not read from a text has no line.
func TestSyntaxErrorWithoutLine(t *testing.T) {
	for want, e := range map[string]SyntaxError{
		"it is wrong":                   {Reason: "it is wrong"},
		"line 3: it is wrong":           {Position: Position{Line: 3}, Reason: "it is wrong"},
		"line 3, column 5: it is wrong": {Position: Position{Line: 3, Column: 5}, Reason: "it is wrong"},
	} {
		if got := e.Error(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestLimits(t *testing.T) {
	many := func(text string, n int) string { return "b: [" + strings.Repeat(text, n) + "]\n" }
	anchor := func(n int) string { return "a: &x [" + strings.Repeat("1, ", n) + "]\n" }
	bomb := "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := 1; i < 10; i++ {
		bomb += fmt.Sprintf("a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 10), ", "))
	}
	for text, want := range map[string]string{
		bomb:                              "the document expands to more than 1000000 nodes",
		anchor(10_000) + many("*x, ", 11): "aliases add more than 100000 nodes to the document",
		anchor(200) + many("*x, ", 200):   "",
		`a: &x [1, 1]
b: &y [*x, *x, *x, *x, *x, *x]
c: &z [*y, *y, *y, *y, *y, *y]
d: &d [*z, *z, *z, *z, *z, *z]
e: &e [*d, *d, *d, *d, *d, *d]
f: [*e, *e, *e, *e]`: "aliases add more than 100 nodes to the document for each that is written",
		strings.Repeat("[", 1001) + strings.Repeat("]", 1001): "the document is nested deeper than 1000 levels",
		strings.Repeat("[", 20_000):                           "the document is nested deeper than 1000 levels",
		strings.Repeat("- ", 20_000):                          "the document is nested deeper than 1000 levels",
		`a: &x [*x]
b: &y [*y]
`: "line 1: the alias *x is inside its own anchor",
		`a: &x 1
b: "` + strings.Repeat("x", maxSlowBytes): "the text has 8388620 bytes, and YAML above 8388608 bytes must be plain: line 1 has an anchor, a tag, a text over several lines that is not a block, or a fault",
		many("1, ", MaxNodes) + "c: [":  "the document expands to more than 1000000 nodes", // before the fault
		strings.Repeat(" ", MaxBytes+1): "the text has 33554433 bytes, above the limit of 33554432",
	} {
		_, err := Parse(text)
		if want == "" && err == nil {
			continue
		}
		var limit *LimitError
		if !errors.As(err, &limit) || err.Error() != want {
			t.Errorf("%.30q: got %v, want %s", text, err, want)
		}
	}
	mustParse(t, strings.Repeat("[", MaxDepth)+strings.Repeat("]", MaxDepth))
}

// The line table has to count lines and columns as the parser does.
func TestPositions(t *testing.T) {
	for _, text := range []string{
		`a: 1
b: "x"
c: "y"
`,
		crlf(`a: 1
b: "x"
c: "y"
`), "a: 1\rb: \"x\"\rc: \"y\"", "a: 1\u0085b: \"x\"\u2028c: \"y\"\u2029",
		"\ufeffa: 1\nb: \"x\"\n\n\nc: \"y\"", "ä: {ö: \"x\", 漢: 字, c: \"y\"}", "# \U0001F600\n\U0001F600: [\"x\", \"y\"]",
		"a: [" + strings.Repeat("é, ", 200) + "\"x\", \"y\"]",
	} {
		d := mustParse(t, text)
		var got []string
		for _, v := range visit(d.Root()) {
			if v.node.Style == yaml.DoubleQuotedStyle {
				i := d.Lines().Offset(At(v.node))
				got = append(got, text[i:i+3])
				if p := d.Lines().Position(i); p != At(v.node) {
					t.Errorf("%q: offset %d is at %v, want %v", text, i, p, At(v.node))
				}
			}
		}
		if diff := cmp.Diff([]string{`"x"`, `"y"`}, got); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
	if got := At(nil); got != (Position{}) {
		t.Errorf("nil is at %v", got)
	}
}

func TestDuplicates(t *testing.T) {
	d := mustParse(t, `a: 1
b:
  - c: 1
    'c': 2
  - {d.e: 1, d.e: 2}
a: 2
a: 3
`)
	want := []Duplicate{
		{"b[0].c", "c", Position{Line: 3, Column: 5}, Position{Line: 4, Column: 5}},
		{"b[1].d.e", "d.e", Position{Line: 5, Column: 6}, Position{Line: 5, Column: 14}},
		{"a", "a", Position{Line: 1, Column: 1}, Position{Line: 6, Column: 1}},
		{"a", "a", Position{Line: 1, Column: 1}, Position{Line: 7, Column: 1}},
	}
	if diff := cmp.Diff(want, d.Duplicates()); diff != "" {
		t.Error(diff)
	}
	var b strings.Builder
	for i := range 40 {
		fmt.Fprintf(&b, "k%d: x\n", i%39)
	}
	if got := mustParse(t, b.String()).Duplicates(); len(got) != 1 || got[0].Key != "k0" || got[0].Second.Line != 40 {
		t.Errorf("in a large map: %v", got)
	}
}

func TestCorpusParses(t *testing.T) {
	for _, name := range []string{"values.yaml", "presets.yaml", "schema.yaml"} {
		for _, file := range corpus(t, name) {
			readCorpus(t, file)
		}
	}
}
