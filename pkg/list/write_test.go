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
	const warning = "- message: m\n  severity: warning\n"
	const printed = "results:\n" + warning
	const data = "  data:\n    a: 'x' # c\n"
	tests := []struct {
		name, input string
		change      func(*testing.T, *List)
		results     string
		want        string // "" for the input
	}{
		{name: "nothing", input: "# a\n\n" + listStart + oneItem + "# b\n\n" + twoItem + "# c\nfunctionConfig: {}\n# d\n"},
		{name: "no final newline", input: listStart + oneItem + "  data: {a: b}"},
		{name: "no final newline after the items", input: listStart + oneItem + "functionConfig: {}"},
		{name: "results added", input: listStart + oneItem, results: warning, want: listStart + oneItem + printed},
		{name: "results added without a final newline", input: listStart + oneItem + "  data: {a: b}", results: warning, want: listStart + oneItem + "  data: {a: b}\n" + printed},
		{
			name: "block scalar without a final newline", input: listStart + oneItem + "  data:\n    a: |\n      b", results: warning,
			want: listStart + oneItem + "  data:\n    a: |-\n      b\n" + printed,
		},
		{name: "earlier results stay", input: listStart + oneItem + "results:\n- {message: a,   x: y} # c\n"},
		{
			name: "earlier results come first", input: listStart + oneItem + "results:\n- message: a\n  unknown:\n    x: \"1\"\n", results: warning,
			want: listStart + oneItem + "results:\n- message: a\n  unknown:\n    x: \"1\"\n" + warning,
		},
		{
			name: "earlier results before the items", input: frame + "results:\n- message: a\nitems:\n" + oneItem, results: warning,
			want: frame + "results:\n- message: a\n" + warning + "items:\n" + oneItem,
		},
		{
			name: "earlier results as a map", input: listStart + oneItem + "results:\n  items:\n  - message: a\n", results: warning,
			want: listStart + oneItem + "results:\n- message: a\n" + warning,
		},
		{name: "empty results", input: listStart + oneItem + "results: []\n", results: warning, want: listStart + oneItem + printed},
		{
			name: "version v1alpha1", input: "apiVersion: 'config.kubernetes.io/v1alpha1' # old\n# a\nkind: ResourceList\nitems:\n" + oneItem,
			want: "apiVersion: 'config.kubernetes.io/v1' # old\n# a\nkind: ResourceList\nitems:\n" + oneItem,
		},
		{name: "version with a comment", input: "apiVersion: config.kubernetes.io/v1 # new\n# a\n\nkind: ResourceList\nitems:\n" + oneItem},
		{name: "missing items", input: frame, want: frame + "items: []\n"},
		{name: "missing items and results", input: frame, results: warning, want: frame + "items: []\n" + printed},
		{name: "null items", input: frame + "items: # a\n# b\n", want: frame + "items: [] # a\n# b\n"},
		{name: "null items, spelled", input: frame + "items: null\n", want: frame + "items: []\n"},
		{name: "empty items", input: frame + "items:   [] # a\n# b\n"},
		{
			name: "one item changed", input: "# a\n" + listStart + oneItem + "# b\n" + twoItem + data + "\n# c\n" + oneItem + "functionConfig: {}\n",
			change: func(t *testing.T, l *List) { setData(t, l.Items[1]) },
			want: "# a\n" + listStart + oneItem + "# b\n" + twoItem + "  data:\n    a: b # c\n" + "\n# c\n" + oneItem +
				"functionConfig: {}\n",
		},
		{
			name: "indented items changed", input: listStart + "    -   apiVersion: v1\n        data:\n            a: x\n        kind: A\n    - apiVersion: v1\n      kind: B\n",
			change: func(t *testing.T, l *List) { setData(t, l.Items[0]) },
			want:   listStart + "    -   apiVersion: v1\n        data:\n            a: b\n        kind: A\n    - apiVersion: v1\n      kind: B\n",
		},
		{
			name: "item after a dash alone changed", input: listStart + "-\n  # a\n  apiVersion: v1\n  kind: A\n  data: {a: x}\n" + oneItem,
			change: func(t *testing.T, l *List) { setData(t, l.Items[0]) },
			want:   listStart + "-\n  # a\n  apiVersion: v1\n  kind: A\n  data: {a: b}\n" + oneItem,
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
			name: "one removed", input: listStart + oneItem + twoItem + "# end\nfunctionConfig: {}\n",
			change: func(_ *testing.T, l *List) { l.Items[0].Remove() },
			want:   listStart + twoItem + "# end\nfunctionConfig: {}\n",
		},
		{
			name: "all removed", input: listStart + oneItem + "functionConfig: {}\n",
			change: func(_ *testing.T, l *List) { l.Items[0].Remove() },
			want:   frame + "items: []\nfunctionConfig: {}\n",
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
			name: "flow list", input: `{"apiVersion":"config.kubernetes.io/v1","kind":"ResourceList","items":[{"apiVersion":"v1","kind":"A","data":{"n":9223372036854775807,"s":"1.30","t":"yes"}}],"functionConfig":{"a":"b"}}`,
			results: warning,
			want: "apiVersion: config.kubernetes.io/v1\nkind: \"ResourceList\"\nfunctionConfig: {\"a\": \"b\"}\nitems:\n" +
				"- {\"apiVersion\": \"v1\", \"kind\": \"A\", \"data\": {\"n\": 9223372036854775807, \"s\": \"1.30\", \"t\": \"yes\"}}\n" + printed,
		},
		{
			name: "anchors across items", input: listStart + "- apiVersion: v1\n  kind: A\n  a: &a {b: c}\n- apiVersion: v1\n  kind: B\n  a: *a\n  d: &d e\n  f: *d\n",
			want: listStart + "- apiVersion: v1\n  kind: A\n  a: &a {b: c}\n- apiVersion: v1\n  kind: B\n  a: {b: c}\n  d: &d e\n  f: *d\n",
		},
		{
			name: "comments on the parser path", input: "---\n" + listStart + "# a\n- apiVersion: v1 # b\n  # c\n  kind: A\n  d: |\n    e\n     f\n",
			want: listStart + "# a\n- apiVersion: v1 # b\n  # c\n  kind: A\n  d: |\n    e\n     f\n",
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
		{"foreign", "apiVersion: v1\nkind: List\nitems: []\n", `the input must be of kind ResourceList, got "List"`},
		{"foreign version", "apiVersion: v1\nkind: ResourceList\nitems: []\n", `the input must have apiVersion config.kubernetes.io/v1, got "v1"`},
		{"text", "hello\n", "the input is not a ResourceList but a string"},
		{"list", "- a\n", "the input is not a ResourceList but a list"},
		{"comment", "# a\n", "the input is not a ResourceList but null"},
		{"two documents", listStart + oneItem + "---\n" + listStart + oneItem, "the input must be one ResourceList, got 2 documents"},
		{"not YAML", "a: b: c\n", "the input is not YAML: line 1, column 5: a key is not allowed here: put quotes around a value with a colon and a space"},
		{"secret that begins with a star", listStart + "- {apiVersion: v1, kind: A, k: *hunter2}\n", "the input is not YAML: line 4, column 32: an alias without an anchor: put quotes around a value that begins with *"},
		{"secret in the config", listStart + oneItem + "functionConfig: {kind: A, spec: *hunter2}\n", "the input is not YAML: line 8, column 33: an alias without an anchor: put quotes around a value that begins with *"},
		{"items twice", listStart + oneItem + "items:\n" + twoItem, `the ResourceList has a duplicate key "items"`},
		{"items no list", "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: {a: b}\n", "items of the ResourceList is not a list"},
		{"item no map", listStart + oneItem + "- a\n", "items[1] of the ResourceList is not a resource"},
		{"config no map", listStart + oneItem + "functionConfig: a\n", "functionConfig of the ResourceList is not a resource"},
		{"truncated", listStart + oneItem + "- apiVer", "items[1] of the ResourceList is not a resource"},
		{"broken last item", listStart + oneItem + "- apiVersion: v1\n  kind: A\n    b: c\n", "the input is not YAML: line 10, column 6: a key is not allowed here: the line before has a value already, so indent this line like that one"},
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
	item := FileItems([]byte("apiVersion: v1\nkind: A\nmetadata: {name: a}\n"), "a.yaml")[0]
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
