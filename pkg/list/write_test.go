package list

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/values"
)

// setData sets data.a of an item to b.
func setData(t *testing.T, item *Item) {
	t.Helper()
	setAt(t, item, "b", "data", "a")
}

// setAt sets a key of an item.
func setAt(t *testing.T, item *Item, text string, keys ...string) {
	t.Helper()
	document, err := item.Document()
	if err != nil {
		t.Fatal(err)
	}
	value, err := values.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	edited, err := document.Set(values.Keys(keys...), value)
	if err != nil {
		t.Fatal(err)
	}
	item.Replace(edited)
}

func TestWrite(t *testing.T) {
	const warning = `- message: m
  severity: warning
`
	const printed = "results:\n" + warning
	const data = `  data:
    a: 'x' # c
`
	tests := []struct {
		name, input string
		change      func(*testing.T, *List)
		results     string
		want        string // "" for the input
	}{
		{
			name: "nothing",
			input: "# a\n\n" + listStart + oneItem + "# b\n\n" + twoItem + `# c
functionConfig: {}
# d
`,
		},
		{name: "no final newline", input: listStart + oneItem + "  data: {a: b}"},
		{name: "no final newline after the items", input: listStart + oneItem + "functionConfig: {}"},
		{name: "results added", input: listStart + oneItem, results: warning, want: listStart + oneItem + printed},
		{name: "results added without a final newline", input: listStart + oneItem + "  data: {a: b}", results: warning, want: listStart + oneItem + "  data: {a: b}\n" + printed},
		{
			name: "block scalar without a final newline",
			input: listStart + oneItem + `  data:
    a: |
      b`,
			results: warning,
			want: listStart + oneItem + `  data:
    a: |-
      b
` + printed,
		},
		{
			name: "earlier results stay",
			input: listStart + oneItem + `results:
- {message: a,   x: y} # c
`,
		},
		{
			name: "earlier results come first",
			input: listStart + oneItem + `results:
- message: a
  unknown:
    x: "1"
`,
			results: warning,
			want: listStart + oneItem + `results:
- message: a
  unknown:
    x: "1"
` + warning,
		},
		{
			name: "earlier results before the items",
			input: frame + `results:
- message: a
items:
` + oneItem,
			results: warning,
			want: frame + `results:
- message: a
` + warning + "items:\n" + oneItem,
		},
		{
			name: "earlier results as a map",
			input: listStart + oneItem + `results:
  items:
  - message: a
`,
			results: warning,
			want: listStart + oneItem + `results:
- message: a
` + warning,
		},
		{name: "empty results", input: listStart + oneItem + "results: []\n", results: warning, want: listStart + oneItem + printed},
		{
			name: "version v1alpha1",
			input: `apiVersion: 'config.kubernetes.io/v1alpha1' # old
# a
kind: ResourceList
items:
` + oneItem,
			want: `apiVersion: 'config.kubernetes.io/v1' # old
# a
kind: ResourceList
items:
` + oneItem,
		},
		{
			name: "version with a comment",
			input: `apiVersion: config.kubernetes.io/v1 # new
# a

kind: ResourceList
items:
` + oneItem,
		},
		{name: "missing items", input: frame, want: frame + "items: []\n"},
		{name: "missing items and results", input: frame, results: warning, want: frame + "items: []\n" + printed},
		{
			name: "null items",
			input: frame + `items: # a
# b
`,
			want: frame + `items: [] # a
# b
`,
		},
		{name: "null items, spelled", input: frame + "items: null\n", want: frame + "items: []\n"},
		{
			name: "empty items",
			input: frame + `items:   [] # a
# b
`,
		},
		{
			name:   "one item changed",
			input:  "# a\n" + listStart + oneItem + "# b\n" + twoItem + data + "\n# c\n" + oneItem + "functionConfig: {}\n",
			change: func(t *testing.T, l *List) { setData(t, l.Items[1]) },
			want: "# a\n" + listStart + oneItem + "# b\n" + twoItem + `  data:
    a: b # c

# c
` + oneItem +
				"functionConfig: {}\n",
		},
		{
			name: "indented items changed",
			input: listStart + `    -   apiVersion: v1
        data:
            a: x
        kind: A
    - apiVersion: v1
      kind: B
`,
			change: func(t *testing.T, l *List) { setData(t, l.Items[0]) },
			want: listStart + `    -   apiVersion: v1
        data:
            a: b
        kind: A
    - apiVersion: v1
      kind: B
`,
		},
		{
			name: "item after a dash alone changed",
			input: listStart + `-
  # a
  apiVersion: v1
  kind: A
  data: {a: x}
` + oneItem,
			change: func(t *testing.T, l *List) { setData(t, l.Items[0]) },
			want: listStart + `-
  # a
  apiVersion: v1
  kind: A
  data: {a: b}
` + oneItem,
		},
		{
			name: "flow item changed", input: listStart + "- {\"apiVersion\": \"v1\", \"kind\": \"A\", \"data\": {\"a\": \"x\"}}\n" + oneItem,
			change: func(t *testing.T, l *List) { setData(t, l.Items[0]) },
			want:   listStart + "- {\"apiVersion\": \"v1\", \"kind\": \"A\", \"data\": {\"a\": \"b\"}}\n" + oneItem,
		},
		{
			name: "last item changed, no final newline", input: listStart + oneItem + "  data: {a: x}",
			change: func(t *testing.T, l *List) { setData(t, l.Items[0]) },
			want:   listStart + oneItem + "  data: {a: b}",
		},
		{
			name: "one removed",
			input: listStart + oneItem + twoItem + `# end
functionConfig: {}
`,
			change: func(_ *testing.T, l *List) { l.Items[0].Remove() },
			want: listStart + twoItem + `# end
functionConfig: {}
`,
		},
		{
			name:   "all removed",
			input:  listStart + oneItem + "functionConfig: {}\n",
			change: func(_ *testing.T, l *List) { l.Items[0].Remove() },
			want: frame + `items: []
functionConfig: {}
`,
		},
		{
			name: "changes undone", input: listStart + oneItem + twoItem + data,
			change: func(t *testing.T, l *List) {
				l.Items[0].Remove()
				setData(t, l.Items[1])
				l.Restore()
			},
		},
		{
			name:    "flow list",
			input:   `{"apiVersion":"config.kubernetes.io/v1","kind":"ResourceList","items":[{"apiVersion":"v1","kind":"A","data":{"n":9223372036854775807,"s":"1.30","t":"yes"}}],"functionConfig":{"a":"b"}}`,
			results: warning,
			want: `apiVersion: config.kubernetes.io/v1
kind: "ResourceList"
functionConfig: {"a": "b"}
items:
- {"apiVersion": "v1", "kind": "A", "data": {"n": 9223372036854775807, "s": "1.30", "t": "yes"}}
` + printed,
		},
		{
			name: "anchors across items",
			input: listStart + `- apiVersion: v1
  kind: A
  a: &a {b: c}
- apiVersion: v1
  kind: B
  a: *a
  d: &d e
  f: *d
`,
			want: listStart + `- apiVersion: v1
  kind: A
  a: &a {b: c}
- apiVersion: v1
  kind: B
  a: {b: c}
  d: &d e
  f: *d
`,
		},
		{
			name: "comments on the parser path",
			input: "---\n" + listStart + `# a
- apiVersion: v1 # b
  # c
  kind: A
  d: |
    e
     f
`,
			want: listStart + `# a
- apiVersion: v1 # b
  # c
  kind: A
  d: |
    e
     f
`,
		},
		{
			name: "line separators in a literal block", input: listStart + "- apiVersion: v1\n  kind: A\n  d: |\n    e\u2028    f\n" + oneItem,
			want: listStart + "- apiVersion: v1\n  kind: A\n  d: |\n    e\u2028    f\n" + oneItem,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			list, err := Read([]byte(test.input))
			if err != nil {
				t.Fatal(err)
			}
			if test.change != nil {
				test.change(t, list)
			}
			var out bytes.Buffer
			if err := list.Write(&out, []byte(test.results)); err != nil {
				t.Fatal(err)
			}
			want := test.want
			if want == "" {
				want = test.input
			}
			if diff := cmp.Diff(want, out.String()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			checkReaders(t, out.Bytes())
		})
	}
}

func TestReadRefuses(t *testing.T) {
	tests := []struct{ name, input, want string }{
		{"empty", "", "standard input is empty: a function reads a ResourceList (try kpt fn eval, or name files as arguments)"},
		{"blank", " \n\t\n", "standard input is empty: a function reads a ResourceList (try kpt fn eval, or name files as arguments)"},
		{
			"foreign",
			`apiVersion: v1
kind: List
items: []
`,
			`the input must be of kind ResourceList, got "List"`,
		},
		{
			"foreign version",
			`apiVersion: v1
kind: ResourceList
items: []
`,
			`the input must have apiVersion config.kubernetes.io/v1, got "v1"`,
		},
		{"text", "hello\n", "the input is not a ResourceList but a string"},
		{"list", "- a\n", "the input is not a ResourceList but a list"},
		{"comment", "# a\n", "the input is not a ResourceList but null"},
		{"two documents", listStart + oneItem + "---\n" + listStart + oneItem, "the input must be one ResourceList, got 2 documents"},
		{"not YAML", "a: b: c\n", "the input is not YAML: line 1, column 5: a key is not allowed here: put quotes around a value with a colon and a space"},
		{"secret that begins with a star", listStart + "- {apiVersion: v1, kind: A, k: *hunter2}\n", "the input is not YAML: line 4, column 32: an alias without an anchor: put quotes around a value that begins with *"},
		{"secret in the config", listStart + oneItem + "functionConfig: {kind: A, spec: *hunter2}\n", "the input is not YAML: line 8, column 33: an alias without an anchor: put quotes around a value that begins with *"},
		{"items twice", listStart + oneItem + "items:\n" + twoItem, `the ResourceList has a duplicate key "items"`},
		{"items no list", `apiVersion: config.kubernetes.io/v1
kind: ResourceList
items: {a: b}
`, "items of the ResourceList is not a list"},
		{"item no map", listStart + oneItem + "- a\n", "items[1] of the ResourceList is not a resource"},
		{"config no map", listStart + oneItem + "functionConfig: a\n", "functionConfig of the ResourceList is not a resource"},
		{"truncated", listStart + oneItem + "- apiVer", "items[1] of the ResourceList is not a resource"},
		{
			"broken last item",
			listStart + oneItem + `- apiVersion: v1
  kind: A
    b: c
`,
			"the input is not YAML: line 10, column 6: a key is not allowed here: the line before has a value already, so indent this line like that one",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			list, err := Read([]byte(test.input))
			if err == nil || list != nil {
				t.Fatalf("taken, want %q", test.want)
			}
			if err.Error() != test.want {
				t.Errorf("got  %q\nwant %q", err, test.want)
			}
		})
	}
}

// An item whose new text is the one that it came with has not changed.
func TestChanged(t *testing.T) {
	item := FileItems([]byte(`apiVersion: v1
kind: A
metadata: {name: a}
`), "a.yaml")[0]
	document, err := item.Document()
	if err != nil {
		t.Fatal(err)
	}
	if item.Replace(document); item.Changed() {
		t.Error("it has the same text")
	}
	if item.ReplaceText(document.Text() + "b: 1\n"); !item.Changed() {
		t.Error("it has another text")
	}
}
