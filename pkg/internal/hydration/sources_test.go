package hydration

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

var actions = regexp.MustCompile(`\{\{ \.spectro\.var\.(\w+) \}\}`)

// facts are what macros are resolved to; a name that is not there stays.
type facts map[string]string

func (f facts) resolve(text string) string {
	return actions.ReplaceAllStringFunc(text, func(action string) string {
		if value, ok := f[actions.FindStringSubmatch(action)[1]]; ok {
			return value
		}
		return action
	})
}

func mustParse(t testing.TB, text string) *values.Document {
	t.Helper()
	d, err := values.Parse(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return d
}

// render resolves the macros of a document as resolve-macros does in a first step.
func render(t testing.TB, d *values.Document, at []values.Step, f facts) (*values.Document, Edits) {
	t.Helper()
	sources := Read(d, at, Edited)
	edits := sources.Edits(resultsOf(sources.Values(), f), Renew)
	edited, err := d.Rewrite(edits.Scalars, edits.Comments)
	if err != nil {
		t.Fatalf("%q: %v", d.Text(), err)
	}
	return edited, edits
}

func resultsOf(n *yaml.Node, f facts) map[*yaml.Node]Result {
	results := map[*yaml.Node]Result{}
	var walk func(*yaml.Node)
	walk = func(n *yaml.Node) {
		if n.Kind == yaml.ScalarNode && hasMacro(n) {
			results[n] = Result{Text: f.resolve(n.Value)}
		}
		for i, child := range n.Content {
			if n.Kind == yaml.SequenceNode || i%2 == 1 {
				walk(child)
			}
		}
	}
	if n != nil {
		walk(n)
	}
	return results
}

// TestRender: the first render with x=1, the second with x=2, and the text without both.
func TestRender(t *testing.T) {
	for _, tc := range []struct{ name, text, first, second string }{
		{
			"plain, quoted, in a list",
			`a: v{{ .spectro.var.x }}
b: '{{ .spectro.var.x }}'
c:
- "{{ .spectro.var.x }}" # ours
- d
`,
			`a: v1 # kpt-macro: v{{ .spectro.var.x }}
b: '1' # kpt-macro: {{ .spectro.var.x }}
c:
- "1" # ours # kpt-macro: {{ .spectro.var.x }}
- d
`,
			`a: v2 # kpt-macro: v{{ .spectro.var.x }}
b: '2' # kpt-macro: {{ .spectro.var.x }}
c:
- "2" # ours # kpt-macro: {{ .spectro.var.x }}
- d
`,
		},
		{
			"blocks",
			`a: |
  first {{ .spectro.var.x }}
  second
b: >- # ours
  {{ .spectro.var.x }}
  folded
c: d
`,
			`a: | # kpt-macro: "first {{ .spectro.var.x }}\nsecond\n"
  first 1
  second
b: >- # ours # kpt-macro: {{ .spectro.var.x }} folded
  1
  folded
c: d
`,
			`a: | # kpt-macro: "first {{ .spectro.var.x }}\nsecond\n"
  first 2
  second
b: >- # ours # kpt-macro: {{ .spectro.var.x }} folded
  2
  folded
c: d
`,
		},
		{
			"collections in flow style",
			`a: ['n-{{ .spectro.var.x }}', b]
c: {d: ['{{ .spectro.var.x }}'], e: 1.50} # ours
`,
			`a: ['n-1', b] # kpt-macro: ["n-{{ .spectro.var.x }}","b"]
c: {d: ['1'], e: 1.50} # ours # kpt-macro: {"d":["{{ .spectro.var.x }}"],"e":1.5}
`,
			`a: ['n-2', b] # kpt-macro: ["n-{{ .spectro.var.x }}","b"]
c: {d: ['2'], e: 1.50} # ours # kpt-macro: {"d":["{{ .spectro.var.x }}"],"e":1.5}
`,
		},
		{
			"sources that are written as JSON",
			`a: '"{{ .spectro.var.x }}'
b: '{{ .spectro.var.x }} #'
c: ' {{ .spectro.var.x }}'
d: '["{{ .spectro.var.x }}"]'
e: "{{ .spectro.var.x }}\u2028\u200b😀<"
f: '[{{ .spectro.var.x }}'
`,
			`a: '"1' # kpt-macro: "\"{{ .spectro.var.x }}"
b: '1 #' # kpt-macro: "{{ .spectro.var.x }} #"
c: ' 1' # kpt-macro: " {{ .spectro.var.x }}"
d: '["1"]' # kpt-macro: "[\"{{ .spectro.var.x }}\"]"
e: "1\u2028` + "\u200b" + `😀<" # kpt-macro: "{{ .spectro.var.x }}\u2028\u200b😀<"
f: '[1' # kpt-macro: [{{ .spectro.var.x }}
`,
			`a: '"2' # kpt-macro: "\"{{ .spectro.var.x }}"
b: '2 #' # kpt-macro: "{{ .spectro.var.x }} #"
c: ' 2' # kpt-macro: " {{ .spectro.var.x }}"
d: '["2"]' # kpt-macro: "[\"{{ .spectro.var.x }}\"]"
e: "2\u2028` + "\u200b" + `😀<" # kpt-macro: "{{ .spectro.var.x }}\u2028\u200b😀<"
f: '[2' # kpt-macro: [{{ .spectro.var.x }}
`,
		},
		{
			"line breaks of Windows, and no break at the end",
			crlf(`a: "{{ .spectro.var.x }}" # ours
b: |-
  {{ .spectro.var.x }}
  y`),
			crlf(`a: "1" # ours # kpt-macro: {{ .spectro.var.x }}
b: |- # kpt-macro: "{{ .spectro.var.x }}\ny"
  1
  y`),
			crlf(`a: "2" # ours # kpt-macro: {{ .spectro.var.x }}
b: |- # kpt-macro: "{{ .spectro.var.x }}\ny"
  2
  y`),
		},
		{
			"an anchor",
			`a: &m '{{ .spectro.var.x }}'
b: *m
`,
			`a: &m '1' # kpt-macro: {{ .spectro.var.x }}
b: *m
`,
			`a: &m '2' # kpt-macro: {{ .spectro.var.x }}
b: *m
`,
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := mustParse(t, tc.text)
			first, _ := render(t, d, nil, facts{"x": "1"})
			if diff := cmp.Diff(tc.first, first.Text()); diff != "" {
				t.Errorf("first: -want +got:\n%s", diff)
			}
			if again, edits := render(t, first, nil, facts{"x": "1"}); again.Text() != first.Text() || len(edits.Scalars)+len(edits.Comments) > 0 {
				t.Errorf("the same facts change it: %q", again.Text())
			}
			second, _ := render(t, first, nil, facts{"x": "2"})
			if diff := cmp.Diff(tc.second, second.Text()); diff != "" {
				t.Errorf("second: -want +got:\n%s", diff)
			}
			restored, err := Read(second, nil, Edited).Restored()
			if err != nil {
				t.Fatal(err)
			}
			if !values.Equal(restored.Root(), d.Root()) || strings.Contains(restored.Text(), Marker) {
				t.Errorf("restored: %q", restored.Text())
			}
			if !values.Equal(Read(second, nil, Edited).Values(), d.Root()) {
				t.Error("other sources")
			}
		})
	}
}

// TestUsers: what users do to a value with a comment. The value is rendered with x=1.
func TestUsers(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"edits the value", "a: mine # kpt-macro: v{{ .spectro.var.x }}\n", "a: v1 # kpt-macro: v{{ .spectro.var.x }}\n"},
		{"empties it", "a: # kpt-macro: v{{ .spectro.var.x }}\n", "a: v1 # kpt-macro: v{{ .spectro.var.x }}\n"},
		{"makes it a number", "a: 1 # kpt-macro: {{ .spectro.var.x }}\n", "a: \"1\" # kpt-macro: {{ .spectro.var.x }}\n"},
		{"deletes the comment", "a: v0\n", "a: v0\n"},
		{"writes another macro", "a: w{{ .spectro.var.x }} # ours # kpt-macro: v{{ .spectro.var.y }}\n", "a: w1 # ours # kpt-macro: w{{ .spectro.var.x }}\n"},
		{"writes the same macro", "a: '{{ .spectro.var.x }}' # kpt-macro: {{ .spectro.var.x }}\n", "a: '1' # kpt-macro: {{ .spectro.var.x }}\n"},
		{"writes a comment behind it", "a: v0 # kpt-macro: v{{ .spectro.var.x }} # ours\n", "a: v1 # kpt-macro: v{{ .spectro.var.x }} # ours\n"},
		{"writes two", "a: w{{ .spectro.var.x }} # one # kpt-macro: v{{ .spectro.var.x }} # two\n", "a: w1 # one # two # kpt-macro: w{{ .spectro.var.x }}\n"},
		{"does not like blanks", "a: v0 #kpt-macro:v{{ .spectro.var.x }}\n", "a: v1 #kpt-macro:v{{ .spectro.var.x }}\n"},
		{
			"makes a map of it",
			`a: # kpt-macro: v{{ .spectro.var.x }}
  b: c
`,
			`a: # kpt-macro: v{{ .spectro.var.x }}
  b: c
`,
		},
		{"makes a list of it", "a: [b] # ours # kpt-macro: v{{ .spectro.var.x }}\n", "a: [b] # ours\n"},
		{"makes one value of a list", "a: b # kpt-macro: [\"v{{ .spectro.var.x }}\"]\n", "a: b\n"},
		{"makes the list longer", "a: [v0, b] # kpt-macro: [\"v{{ .spectro.var.x }}\"]\n", "a: [v0, b]\n"},
		{"renames a key", "a: {b: v0} # kpt-macro: {\"c\":\"v{{ .spectro.var.x }}\"}\n", "a: {b: v0}\n"},
		{"edits what has no macro", "a: [v0, c] # kpt-macro: [\"v{{ .spectro.var.x }}\",\"b\"]\n", "a: [v1, c] # kpt-macro: [\"v{{ .spectro.var.x }}\",\"c\"]\n"},
		{"edits both", "a: ['w{{ .spectro.var.x }}', c] # kpt-macro: [\"v{{ .spectro.var.x }}\",\"b\"]\n", "a: ['w1', c] # kpt-macro: [\"w{{ .spectro.var.x }}\",\"c\"]\n"},
		{"adds a macro to a list", "a: [v0, '{{ .spectro.var.x }}'] # kpt-macro: [\"v{{ .spectro.var.x }}\",\"b\"]\n", "a: [v1, '1'] # kpt-macro: [\"v{{ .spectro.var.x }}\",\"{{ .spectro.var.x }}\"]\n"},
		{
			"copies the comment",
			`a: v0 # kpt-macro: v{{ .spectro.var.x }}
b: c # kpt-macro: v{{ .spectro.var.x }}
`,
			`a: v1 # kpt-macro: v{{ .spectro.var.x }}
b: v1 # kpt-macro: v{{ .spectro.var.x }}
`,
		},
		{
			"leaves the comment behind",
			`# kpt-macro: v{{ .spectro.var.x }}
b: c
`,
			`# kpt-macro: v{{ .spectro.var.x }}
b: c
`,
		},
		{
			"writes it into a text",
			`a: |
  b # kpt-macro: v{{ .spectro.var.z }}
`,
			`a: |
  b # kpt-macro: v{{ .spectro.var.z }}
`,
		},
		{"writes no macro", "a: b # kpt-macro: see above\n", "a: b # kpt-macro: see above\n"},
		{"writes no JSON", "a: b # kpt-macro: \"v{{ .spectro.var.x }}\n", "a: b # kpt-macro: \"v{{ .spectro.var.x }}\n"},
		{"writes something behind the JSON", "a: b # kpt-macro: \"v{{ .spectro.var.x }}\" x\n", "a: b # kpt-macro: \"v{{ .spectro.var.x }}\" x\n"},
		{"writes no JSON behind a list", "a: [b] # kpt-macro: [v{{ .spectro.var.x }}]\n", "a: [b] # kpt-macro: [v{{ .spectro.var.x }}]\n"},
		{"writes a hidden character", "a: b # kpt-macro: v{{ .spectro.var.x }}\u200b\n", "a: b # kpt-macro: v{{ .spectro.var.x }}\u200b\n"},
		{"writes two sources", "a: v0 # kpt-macro: none # kpt-macro: v{{ .spectro.var.x }}\n", "a: v1 # kpt-macro: none # kpt-macro: v{{ .spectro.var.x }}\n"},
		{"writes no macro, and one in the value", "a: v{{ .spectro.var.x }} # kpt-macro: none\n", "a: v1 # kpt-macro: none # kpt-macro: v{{ .spectro.var.x }}\n"},
		{"keeps a text under a comment of what is not supplied", "a: v0 # kpt-macro: v{{ .spectro.var.z }}\n", "a: v{{ .spectro.var.z }}\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, _ := render(t, mustParse(t, tc.text), nil, facts{"x": "1"})
			if diff := cmp.Diff(tc.want, got.Text()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if again, _ := render(t, got, nil, facts{"x": "1"}); again.Text() != got.Text() {
				t.Errorf("again: %q", again.Text())
			}
		})
	}
}

func TestFaults(t *testing.T) {
	d := mustParse(t, `a: b # ü # kpt-macro: see above
b: "c" # kpt-macro: "x
c: [d] # kpt-macro: ["e"]
d: e # kpt-macro: {{ .spectro.var.x }}
f: g # kpt-macro: {{ .spectro.var.x }}`+"\u200b"+`h
i: j # kpt-macro: {{ .spectro.var.x
`)
	var got []string
	for _, f := range Read(d, nil, Edited).Faults {
		got = append(got, f.Position.String()+" "+f.Found)
	}
	want := []string{"line 1, column 23 no macro", "line 2, column 21 JSON that cannot be read", "line 3, column 21 no macro", "line 5, column 19 the character U+200B"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestPlaces: sources are where comments have them.
func TestPlaces(t *testing.T) {
	d := mustParse(t, `a: ü # kpt-macro: v{{ .spectro.var.x }}
b: [c, {d: e}] # kpt-macro: ["v{{ .spectro.var.x }}",{"d":"{{ .spectro.var.x }}"}]
`)
	sources := Read(d, nil, Edited)
	root := sources.Document().Root()
	for _, tc := range []struct {
		n    *yaml.Node
		want string
	}{
		{values.Field(root, "a"), "line 1, column 19"},
		{values.Field(root, "b").Content[0], "line 2, column 30"},
		{values.Field(root, "b").Content[1].Content[1], "line 2, column 59"},
	} {
		if got := values.At(tc.n).String(); got != tc.want || sources.Result(tc.n) == nil {
			t.Errorf("%q: at %s, want %s; a source: %v", tc.n.Value, got, tc.want, sources.Result(tc.n) != nil)
		}
	}
	if sources.Len() != 3 {
		t.Errorf("%d sources", sources.Len())
	}
}

// TestParts: values within a resource.
func TestParts(t *testing.T) {
	at := values.Keys("spec", "values")
	for _, tc := range []struct {
		name, text, want string
		unrecorded       int
	}{
		{
			"a block",
			`spec:
  other: x # kpt-macro: {{ .spectro.var.x }}
  values:
    a: '{{ .spectro.var.x }}'
`,
			`spec:
  other: x # kpt-macro: {{ .spectro.var.x }}
  values:
    a: '1' # kpt-macro: {{ .spectro.var.x }}
`,
			0,
		},
		{
			"in flow style",
			`spec:
  values: {a: '{{ .spectro.var.x }}'}
`,
			`spec:
  values: {a: '1'} # kpt-macro: {"a":"{{ .spectro.var.x }}"}
`,
			0,
		},
		{"with a part of the resource in flow style", "spec: {name: x, values: {a: '{{ .spectro.var.x }}'}} # ours\n", "spec: {name: x, values: {a: '1'}} # ours # kpt-macro: {\"name\":\"x\",\"values\":{\"a\":\"{{ .spectro.var.x }}\"}}\n", 0},
		{"with the resource in flow style", "{spec: {values: {a: '{{ .spectro.var.x }}', b: ['{{ .spectro.var.x }}']}}}\n", "{spec: {values: {a: '1', b: ['1']}}}\n", 2},
		{
			"with more than JSON has",
			`spec:
  values:
    a: [&m '{{ .spectro.var.x }}', *m]
`,
			`spec:
  values:
    a: [&m '1', *m]
`,
			1,
		},
		{"absent", "spec: {}\n", "spec: {}\n", 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, edits := render(t, mustParse(t, tc.text), at, facts{"x": "1"})
			if got.Text() != tc.want || edits.Unrecorded != tc.unrecorded {
				t.Errorf("got %q, %d unrecorded", got.Text(), edits.Unrecorded)
			}
			second, _ := render(t, got, at, facts{"x": "2"})
			scratch, _ := render(t, mustParse(t, tc.text), at, facts{"x": "2"})
			if tc.unrecorded == 0 && second.Text() != scratch.Text() {
				t.Errorf("the second render: %q, from scratch %q", second.Text(), scratch.Text())
			}
		})
	}
}

func TestModes(t *testing.T) {
	const text = `a: v0 # kpt-macro: v{{ .spectro.var.x }}
b: w{{ .spectro.var.x }} # kpt-macro: {{ .spectro.var.y }}{{ .spectro.var.x }}
c: '{{ .spectro.var.x }}'
d: ['u-{{ .spectro.var.x }}']
`
	d := mustParse(t, text)
	added := Read(d, nil, Standing)
	edits := added.Edits(resultsOf(d.Root(), facts{"x": "1"}), Add)
	got, err := d.Rewrite(edits.Scalars, edits.Comments)
	if err != nil {
		t.Fatal(err)
	}
	want := `a: v0 # kpt-macro: v{{ .spectro.var.x }}
b: w1 # kpt-macro: {{ .spectro.var.y }}{{ .spectro.var.x }}
c: '1' # kpt-macro: {{ .spectro.var.x }}
d: ['u-1'] # kpt-macro: ["u-{{ .spectro.var.x }}"]
`
	if diff := cmp.Diff(want, got.Text()); diff != "" {
		t.Errorf("add: -want +got:\n%s", diff)
	}
	bare := Read(d, nil, Edited)
	edits = bare.Edits(resultsOf(bare.Values(), facts{"x": "1"}), Bare)
	if got, err = d.Rewrite(edits.Scalars, edits.Comments); err != nil {
		t.Fatal(err)
	}
	want = `a: v1 # kpt-macro: v{{ .spectro.var.x }}
b: w1
c: '1'
d: ['u-1']
`
	if diff := cmp.Diff(want, got.Text()); diff != "" {
		t.Errorf("bare: -want +got:\n%s", diff)
	}
	stays := Read(d, nil, Partly)
	results := map[*yaml.Node]Result{}
	for n := range resultsOf(stays.Values(), nil) {
		results[n] = Result{Stays: true}
	}
	if edits = stays.Edits(results, Renew); len(edits.Scalars)+len(edits.Comments) > 0 {
		t.Errorf("what stays is changed: %+v", edits)
	}
}

func TestPartlyResolved(t *testing.T) {
	const x, y = "{{ .spectro.var.x }}", "{{ .spectro.var.y }}"
	for _, tc := range []struct {
		source, text string
		want         bool
	}{
		{x + "-" + y, "1-" + y, true},
		{x + "-" + y, x + "-2", true},
		{x + "-" + y, x + "-" + y, true},
		{x + "-" + y, "1-2", false},
		{x + "-" + y, "1_" + y, false},
		{x + "-" + y, y + "-" + x, false},
		{x + "-" + y, "1-{{ .spectro.var.z }}", false},
		{x + "-" + y, "1-" + y + "!", false},
		{x + "-" + x + "-" + y, "1-" + x + "-2", true},
		{x + "-" + x + "-" + y, x + "-" + x + "-2", true},
		{"a" + x + "b" + y + "c", "a1b" + y + "c", true},
		{"a" + x + "b" + y + "c", "1b" + y + "c", false},
		{"a {{- .spectro.var.x }} b " + y, "a1 b " + y, false}, // no whitespace behind the dash
		{"a {{- .spectro.var.x -}} b " + y, "a {{- .spectro.var.x -}} b 2", true},
		{"a {{- .spectro.var.x -}} b " + y, "a1b " + y, true},
		{"a", "a", false},
		{x, x + y, false},
		{strings.Repeat(x, 200) + y, strings.Repeat(x, 200), false},
	} {
		if strings.Contains(tc.source, "{{- .spectro.var.x }}") {
			tc.want = true
		}
		if got := isPartlyResolved(tc.source, tc.text); got != tc.want {
			t.Errorf("%q from %q: %v", tc.text, tc.source, got)
		}
	}
}

// TestResults: values made of sources are found in the document.
func TestResults(t *testing.T) {
	d := mustParse(t, `a: v1 # kpt-macro: v{{ .spectro.var.x }}
b:
- w1 # kpt-macro: w{{ .spectro.var.x }}
- y
c: {d: '1', e: f} # kpt-macro: {"d":"{{ .spectro.var.x }}","e":"f"}
g:
  h: 1
`)
	for _, tc := range []struct{ name, want, result, edited string }{
		{"equal", "{a: 'v{{ .spectro.var.x }}', b: ['w{{ .spectro.var.x }}', y], c: {d: '{{ .spectro.var.x }}', e: f}, g: {h: 1}}", "{a: v1, b: [w1, y], c: {d: '1', e: f}, g: {h: 1}}", d.Text()},
		{
			"another order of a list", "{a: 'v{{ .spectro.var.x }}', b: [z, y, 'w{{ .spectro.var.x }}'], c: {d: '{{ .spectro.var.x }}', e: f}, g: {h: 1}}", "{a: v1, b: [z, y, w1], c: {d: '1', e: f}, g: {h: 1}}",
			`a: v1 # kpt-macro: v{{ .spectro.var.x }}
b:
- z
- y
- w1 # kpt-macro: w{{ .spectro.var.x }}
c: {d: '1', e: f} # kpt-macro: {"d":"{{ .spectro.var.x }}","e":"f"}
g:
  h: 1
`,
		},
		{
			"literals", "{a: b, b: [c], c: {d: '{{ .spectro.var.x }}', e: g}, g: {h: 2}}", "{a: b, b: [c], c: {d: '{{ .spectro.var.x }}', e: g}, g: {h: 2}}",
			`a: b
b:
- c
c: {d: '{{ .spectro.var.x }}', e: g}
g:
  h: 2
`,
		},
		{
			"the text of a result", "{a: v1, b: [w1, y], c: {d: '1', e: f}, g: {h: 1}}", "{a: v1, b: [w1, y], c: {d: '1', e: f}, g: {h: 1}}",
			`a: v1
b:
- w1
- y
c: {d: '1', e: f}
g:
  h: 1
`,
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			want := mustParse(t, tc.want).Root()
			result := Read(d, nil, Partly).Results(want)
			if !values.Equal(result, mustParse(t, tc.result).Root()) {
				text, _ := values.JSON(result)
				t.Errorf("got %s", text)
			}
			edited, err := d.Sync(values.Change{Want: result})
			if err == nil {
				edited, err = Prune(edited, nil, want)
			}
			if err != nil {
				t.Fatal(err)
			}
			if tc.name != "another order of a list" && edited.Text() != tc.edited {
				t.Errorf("edited: %q", edited.Text())
			}
			if again := Read(edited, nil, Partly); !values.Equal(again.Values(), want) && !slices.Contains([]string{"another order of a list"}, tc.name) {
				text, _ := values.JSON(again.Values())
				t.Errorf("the sources are %s", text)
			}
		})
	}
}

// crlf returns a text with line breaks of Windows.
func crlf(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }
