package list

import (
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/google/go-cmp/cmp"
)

func TestFileItems(t *testing.T) {
	const a, b = `apiVersion: v1
kind: A
metadata:
  name: a
`, `apiVersion: v1
kind: B
metadata:
  name: b
`
	tests := []struct {
		name, text string
		want       []string // the texts
		kinds      string
	}{
		{"one", a, []string{a}, "A"},
		{"no final newline", strings.TrimSuffix(a, "\n"), []string{strings.TrimSuffix(a, "\n")}, "A"},
		{"two", a + "---\n" + b, []string{a, b}, "A B"},
		{
			"empty ones",
			`---
---
` + a + `---
# only a comment
---
null
--- # comment
...
` + b,
			[]string{a, "null\n", b}, "A  B",
		},
		{"directive", "%YAML 1.1\n---\n" + a, []string{a}, "A"},
		{
			"a sign of a directive in a text",
			a + `b: "x
%y"
`,
			[]string{a + `b: "x
%y"
`},
			"A",
		},
		{"on the line of its marker", "--- {apiVersion: v1, kind: A, metadata: {name: a}}\n---\t\n" + b, []string{"    {apiVersion: v1, kind: A, metadata: {name: a}}\n", b}, "A B"},
		{"comment", "# head\n" + a + "# foot\n", []string{"# head\n" + a + "# foot\n"}, "A"},
		{
			"marker in a scalar",
			a + `data: |
  ---
  x
`,
			[]string{a + `data: |
  ---
  x
`},
			"A",
		},
		{
			"text that only begins like a marker",
			a + `----: x
---a: y
`,
			[]string{a + `----: x
---a: y
`},
			"A",
		},
		{"byte order mark and CRLF", "\ufeff---\r\n" + strings.ReplaceAll(a, "\n", "\r\n"), []string{strings.ReplaceAll(a, "\n", "\r\n")}, "A"},
		{"JSON", `{"apiVersion": "v1", "kind": "A", "metadata": {"name": "a"}}`, []string{`{"apiVersion": "v1", "kind": "A", "metadata": {"name": "a"}}`}, "A"},
		{
			"not YAML",
			`a: b
 c: d
---
` + b,
			[]string{`a: b
 c: d
`, b},
			" B",
		},
		{"empty", "", nil, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var texts, kinds []string
			for n, item := range FileItems([]byte(test.text), "dir/a.yaml") {
				texts, kinds = append(texts, string(item.Text())), append(kinds, item.Kind())
				if r := item.Resource(); r.File != "dir/a.yaml" || r.Index != n {
					t.Errorf("item %d is %+v", n, r)
				}
				if (item.Kind() == "") != (item.Fault() != "") {
					t.Errorf("the kind is %q, the fault %q", item.Kind(), item.Fault())
				}
			}
			if diff := cmp.Diff(test.want, texts); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if got := strings.Join(kinds, " "); got != test.kinds {
				t.Errorf("got the kinds %q, want %q", got, test.kinds)
			}
		})
	}
}

// A document of a file is changed in its text, like an item.
func TestFileItemIsChanged(t *testing.T) {
	item := FileItem([]byte(`apiVersion: v1 # c
kind: A
data: {a: x}
`), "a.yaml", 0)
	setData(t, item)
	if got, want := string(item.Text()), `apiVersion: v1 # c
kind: A
data: {a: b}
`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if item.Remove(); item.Text() != nil {
		t.Error("a removed item has text")
	}
}

// The line numbers of items count from the start of their file, whatever is between the items.
func TestFileItemLines(t *testing.T) {
	text := "\ufeff# head\n---\n\nkind: A\n---\n# only a comment\n--- # note\nkind: B\r\n...\n--- {kind: C}\n...\n%YAML 1.2\n---\nkind: D"
	lines := map[string]int{}
	for i, line := range strings.Split(text, "\n") {
		for _, kind := range []string{"A", "B", "C", "D"} {
			if strings.Contains(line, "kind: "+kind) {
				lines[kind] = i + 1
			}
		}
	}
	items := FileItems([]byte(text), "a.yaml")
	if len(items) != 4 {
		t.Fatalf("got %d items", len(items))
	}
	for _, item := range items {
		document, err := item.Document()
		if err != nil {
			t.Fatal(err)
		}
		if got, want := item.Line()+document.Root().Line-1, lines[item.Kind()]; got != want {
			t.Errorf("%s is on line %d, want %d", item.Kind(), got, want)
		}
	}
}

// A file keeps every byte that does not belong to a document that is replaced.
func TestJoinFile(t *testing.T) {
	const a, b, c = `apiVersion: v1
kind: A
metadata:
  name: a
`, `apiVersion: v1
kind: B
metadata:
  name: b
`, "kind: C\n"
	const x = "x: 1\n"
	tests := []struct {
		name, text string
		// replace has new texts by their index; "-" removes.
		replace map[int]string
		want    string
	}{
		{"first", a + "--- # note\n" + b, map[int]string{0: x}, x + "--- # note\n" + b},
		{"last without a line break", a + "---\n" + strings.TrimSuffix(b, "\n"), map[int]string{1: x}, a + "---\n" + x},
		{
			"comments around",
			`# head
---
# of a
` + a + `---
# nothing
---
` + b,
			map[int]string{0: x}, "# head\n---\n" + x + "---\n# nothing\n---\n" + b,
		},
		{"byte order mark, directive and CRLF", "\ufeff%YAML 1.2\r\n---\r\nkind: A\r\n---\r\nkind: B\r\n", map[int]string{1: "x: 1\r\n"}, "\ufeff%YAML 1.2\r\n---\r\nkind: A\r\n---\r\nx: 1\r\n"},
		{"on the line of its marker", "--- {kind: A}\n---\n" + b, map[int]string{0: "    {kind: X}\n"}, "--- {kind: X}\n---\n" + b},
		{"on the line of its marker, written elsewhere", "--- {kind: A}\n---\n" + b, map[int]string{0: x}, "---\n" + x + "---\n" + b},
		{"remove the first", a + "---\n" + b, map[int]string{0: "-"}, b},
		{"remove in between", a + "---\n" + b + "---\n" + c, map[int]string{1: "-"}, a + "---\n" + c},
		{"remove the last", a + "---\n" + b, map[int]string{1: "-"}, a},
		{"remove all", a + "---\n" + b, map[int]string{0: "-", 1: "-"}, ""},
		{"add", a, map[int]string{1: b, 2: c}, a + "---\n" + b + "---\n" + c},
		{"add after a text without a line break", "kind: A", map[int]string{1: b}, "kind: A\n---\n" + b},
		{"add to nothing", "", map[int]string{0: a}, a},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var texts [][]byte
			for _, item := range FileItems([]byte(test.text), "a.yaml") {
				texts = append(texts, item.Text())
			}
			if got := string(JoinFile([]byte(test.text), texts)); got != test.text {
				t.Errorf("without a change: got %q", got)
			}
			for i := range len(texts) + len(test.replace) {
				text, ok := test.replace[i]
				switch {
				case !ok:
				case i >= len(texts):
					texts = append(texts, []byte(text))
				case text == "-":
					texts[i] = nil
				default:
					texts[i] = []byte(text)
				}
			}
			if got := string(JoinFile([]byte(test.text), texts)); strings.TrimRight(got, "\n") != strings.TrimRight(test.want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

// The next function gets an item as the one before left it, and does not change it there.
func TestNext(t *testing.T) {
	item := FileItems([]byte(`# head
---
apiVersion: v1
kind: A
metadata: {name: a}
data: {a: x}
`), "a.yaml")[0].InPackage("/sub")
	next := item.Next()
	setData(t, next)
	if string(item.Text()) == string(next.Text()) {
		t.Error("the item itself has changed")
	}
	last := next.Next()
	if got, want := string(last.Text()), string(next.Text()); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if r := last.Resource(); r.File != "a.yaml" || r.PackagePath != "/sub" || r.Name != "a" || last.Annotation(PackagePathAnnotation) != "/sub" || last.Line() != 3 {
		t.Errorf("got %+v on line %d", r, last.Line())
	}
}

// A document is empty where the parser finds nothing in it.
func TestIsEmptyDocument(t *testing.T) {
	for _, text := range []string{
		"", "\n", "# a\n", "  # a\n\t\n", "a: 1\n", "# a\n\n  a\n", "~\n", "''", "\u2028\n", "\u00a0\n", "\u00a0a\n", "\u0085# a\n", "%x\n", "é: 1", "\x01", "# a\r\n\r\n", "# a\r\nb", "{}", "]",
	} {
		var n yaml.Node
		want := yaml.Unmarshal([]byte(text), &n) == nil && n.Kind == 0
		if got := isEmptyDocument([]byte(text)); got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}

// Items keep their documents while there is room. Many small values need more of it than
// their text.
func TestKeptItems(t *testing.T) {
	one := func(name, data string) string {
		return `apiVersion: v1
kind: ConfigMap
metadata: {name: ` + name + `}
data: ` + data + "\n"
	}
	text := []byte(one("a", "{a: b}") + "---\n" + one("many", "{x: ["+strings.Repeat("1,", 1000)+"1]}") + "---\n" + one("c", "{c: d}"))
	for _, tc := range []struct {
		room *Room
		kept []bool
	}{
		{nil, []bool{false, false, false}},
		{&Room{Bytes: 0}, []bool{false, false, false}},
		{&Room{Bytes: 10 << 10}, []bool{true, false, true}},
		{&Room{Bytes: 1 << 20}, []bool{true, true, true}},
	} {
		for i, item := range KeptItems(text, "a.yaml", tc.room) {
			for _, item := range []*Item{item, item.Next()} {
				first, err := item.Document()
				second, again := item.Document()
				if err != nil || again != nil {
					t.Fatal(err, again)
				}
				if kept := first == second; kept != tc.kept[i] || first.Text() != second.Text() {
					t.Errorf("room %+v: item %d: kept is %v", tc.room, i, kept)
				}
			}
		}
	}
}
