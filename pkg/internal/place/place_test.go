package place

import (
	"fmt"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/values"
)

// where is the line and column of the first place of a text in a file.
func where(t *testing.T, file, text string) diag.Position {
	t.Helper()
	for i, line := range strings.Split(file, "\n") {
		if at := strings.Index(line, text); at >= 0 {
			return diag.Position{Line: i + 1, Column: len([]rune(line[:at])) + 1}
		}
	}
	t.Fatalf("no %q", text)
	return diag.Position{}
}

const before = `# a comment
---
apiVersion: v1
kind: Secret
metadata:
  name: other
---

`

// A text in a file, with BROKEN where the finding is.
const embedded = `registry:
  hosts:
  - a

  # note é
  é: 1
  port: BROKEN
last: 1
`

// configMap puts a text into a ConfigMap as a literal block.
func configMap(indicator string, indent int, text string) string {
	var b strings.Builder
	b.WriteString(`apiVersion: v1
kind: ConfigMap
metadata:
  name: vault
data:
  pack.json: '{}'
  values.yaml: ` + indicator + "\n")
	for line := range strings.Lines(text) {
		if line != "\n" {
			b.WriteString(strings.Repeat(" ", indent))
		}
		b.WriteString(line)
	}
	return b.String() + "  z: 1\n"
}

// find the place of BROKEN in the embedded text, as a function reports it.
func finding(t *testing.T, file string, index int, field ...string) diag.Finding {
	t.Helper()
	item := list.FileItems([]byte(file), "a.yaml")[index]
	document, err := item.Document()
	if err != nil {
		t.Fatal(err)
	}
	n := values.Field(document.Root(), field...)
	text, err := values.Parse(n.Value)
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("%s[%s]", field[0], field[1])
	if field[0] == "spec" {
		name = "spec." + field[1]
	}
	origin := &diag.Origin{Resource: item.Resource(), Field: name, Name: field[1], Embedded: true}
	return diag.Say("x").In(origin, "registry.port", values.At(values.Field(text.Root(), "registry", "port")))
}

// of is the place of a finding about a resource of a file.
func of(f *File, finding *diag.Finding) diag.Position {
	return In{f, finding.Resource().Index}.Of(finding)
}

// The place of a finding is the one that a search for the broken text finds.
func TestOf(t *testing.T) {
	typed := `apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: vault}
spec:
    name: vault
    values: |-
` +
		indented(embedded, 10)
	for _, tc := range []struct {
		name, text string
		field      []string
	}{
		{"a block", configMap("|", 4, embedded), []string{"data", "values.yaml"}},
		{"a deep block with a comment", configMap("|- # note", 9, embedded), []string{"data", "values.yaml"}},
		{"a block that begins with spaces", configMap("|2", 4, "\n   # x\n"+embedded), []string{"data", "values.yaml"}},
		{"a block that begins with empty lines", configMap("|+", 4, "\n\n"+embedded), []string{"data", "values.yaml"}},
		{"a typed Pack", typed, []string{"spec", "values"}},
		{"a folded block", configMap(">", 4, embedded), []string{"data", "values.yaml"}},
		{
			"a quoted line",
			`apiVersion: v1
kind: ConfigMap
metadata: {name: vault}
data:
  values.yaml: ` + fmt.Sprintf("%q", embedded) + "\n",
			[]string{"data", "values.yaml"},
		},
		{"quoted lines", `apiVersion: v1
kind: ConfigMap
metadata: {name: vault}
data:
  values.yaml: '{registry:

      {port: BROKEN}}'
`, []string{"data", "values.yaml"}},
	} {
		for _, crlf := range []bool{false, true} {
			file := before + tc.text + "---\n" + before[len(`# a comment
---
`):]
			want := where(t, file, "BROKEN")
			if crlf {
				file = strings.ReplaceAll(file, "\n", "\r\n")
			}
			f := finding(t, file, 1, tc.field...)
			if got := of(NewFile("a.yaml", []byte(file)), &f); got != want {
				t.Errorf("%s (CRLF %v): got %v, want %v", tc.name, crlf, got, want)
			}
			// Without a position the key leads to the same line.
			f.Position = diag.Position{}
			if got := of(NewFile("a.yaml", []byte(file)), &f); got.Line != want.Line {
				t.Errorf("%s (CRLF %v), by its key: got %v, want %v", tc.name, crlf, got, want)
			}
		}
	}
}

func indented(text string, spaces int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if line != "\n" {
			b.WriteString(strings.Repeat(" ", spaces))
		}
		b.WriteString(line)
	}
	return b.String()
}

const policy = `apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata:
  name: vault
  annotations:
    packs.kpt.dev/accept: x
spec:
  constraints:
    dependencies:
    - packName: a
    - packName: b
      minVersion: "1"
  values: {a.b: {c: 1}, list: [{x: 1}, {y: 2}], base: &base {z: 3}, copy: *base}
`

// Fields of a resource are found by their path; what is missing, at the field above it.
func TestResource(t *testing.T) {
	file := before + policy
	f := NewFile("a.yaml", []byte(file))
	for path, text := range map[string]string{
		"":     "apiVersion: packs",
		"kind": "kind: Pack",
		"metadata.annotations[packs.kpt.dev/accept]":  "packs.kpt.dev/accept",
		"spec.constraints.dependencies[1].minVersion": "minVersion",
		"spec.constraints.dependencies[1].maxVersion": "packName: b",
		"spec.constraints.dependencies[7]":            "dependencies:",
		"spec.constraints.resources[0].type":          "constraints:",
		"spec.values.a.b.c":                           "c: 1",
		"spec.values.copy.z":                          "z: 3",
		"spec.values.list[1].y":                       "y: 2",
		"spec.values.list.1.y":                        "y: 2",
		"spec.values.list.$[].y":                      "list:",
		"data[values.yaml]":                           "apiVersion: packs",
		"metadata.namespace": `metadata:
  name: vault`,
	} {
		first, _, _ := strings.Cut(text, "\n")
		from := strings.Index(file, text)
		line := strings.Count(file[:from], "\n") + 1
		got := f.Resource(1, path)
		if got.Line != line || !strings.HasPrefix(f.Line(got.Line)[got.Column-1:], first) {
			t.Errorf("%q: got %v, want line %d, %q", path, got, line, text)
		}
		whole := diag.Say("x").About(diag.Resource{File: "a.yaml", Index: 1}, path)
		if at := of(f, &whole); at != got {
			t.Errorf("%q: a finding is at %v, its field at %v", path, at, got)
		}
	}
}

// The text of a key or a value begins after its quote.
func TestEntry(t *testing.T) {
	f := NewFile("a.yaml", []byte(`kind: A
---
kind: 'B'
"key": {'in': "x", plain: y}
`))
	for _, tc := range []struct {
		index int
		path  string
		isKey bool
		want  diag.Position
	}{
		{0, "kind", false, diag.Position{Line: 1, Column: 7}},
		{0, "kind", true, diag.Position{Line: 1, Column: 1}},
		{1, "kind", false, diag.Position{Line: 3, Column: 8}},
		{1, "kind", true, diag.Position{Line: 3, Column: 1}},
		{1, "key", true, diag.Position{Line: 4, Column: 2}},
		{1, "key", false, diag.Position{Line: 4, Column: 8}},
		{1, "key.in", true, diag.Position{Line: 4, Column: 10}},
		{1, "key.in", false, diag.Position{Line: 4, Column: 16}},
		{1, "key.plain", true, diag.Position{Line: 4, Column: 20}},
		{1, "key.plain", false, diag.Position{Line: 4, Column: 27}},
		{1, "key.gone", false, diag.Position{}},
		{1, "key.gone", true, diag.Position{}},
		{2, "kind", false, diag.Position{}},
	} {
		if got := f.Entry(tc.index, tc.path, tc.isKey); got != tc.want {
			t.Errorf("%+v: got %v", tc, got)
		}
	}
}

// The line of a finding is one of the file in a literal block, and in a file that is the text.
func TestHasLine(t *testing.T) {
	file := NewFile("a.yaml", []byte(`kind: A
data:
  literal: |
    a: 1
  folded: >
    a: 1
  plain: a
  map: {a: 1}
`))
	text := NewText("values.yaml", []byte("a: 1\n"))
	in := func(field string, embedded bool, line int) *diag.Finding {
		f := diag.Say("x").In(&diag.Origin{Resource: diag.Resource{File: "a.yaml"}, Field: field, Embedded: embedded}, "a", diag.Position{Line: line})
		return &f
	}
	bare := diag.Say("x")
	for i, tc := range []struct {
		file    *File
		finding *diag.Finding
		want    bool
	}{
		{file, in("data.literal", true, 1), true}, {file, in("data.literal", true, 2), true}, {file, in("data.literal", true, 0), false}, {file, in("data.literal", false, 1), false},
		{file, in("data.folded", true, 1), false}, {file, in("data.plain", true, 1), false}, {file, in("data.map", true, 1), false}, {file, in("data.gone", true, 1), false}, {file, &bare, false},
		{text, in("", true, 1), true}, {text, in("", false, 1), true}, {text, in("", true, 0), false}, {text, &bare, false},
	} {
		if got := (In{tc.file, tc.finding.Resource().Index}).HasLine(tc.finding); got != tc.want {
			t.Errorf("%d: got %t", i, got)
		}
	}
}

// A key of which a text has nothing leads to the field that holds the text.
func TestOfAbsentKey(t *testing.T) {
	file := before + configMap("|", 4, embedded)
	f := finding(t, file, 1, "data", "values.yaml")
	f.Position = diag.Position{}
	for key, text := range map[string]string{"absent.port": "values.yaml:", "registry.absent": "registry:", "": "values.yaml:"} {
		f.Key = key
		if got, want := of(NewFile("a.yaml", []byte(file)), &f), where(t, file, text); got != want {
			t.Errorf("%q: got %v, want %v", key, got, want)
		}
	}
	if got := new(Trees).At(nil, "a: [", "a"); got != (diag.Position{}) {
		t.Errorf("a text that cannot be read has %v", got)
	}
}

// A position in a resource is one in its file, and what cannot be read has a line, too.
func TestOfResource(t *testing.T) {
	file := before + policy + `---
a: [
---
kind: X
`
	f := NewFile("a.yaml", []byte(file))
	item := list.FileItems([]byte(file), "a.yaml")[1]
	document, _ := item.Document()
	n := values.Field(document.Root(), "spec", "constraints", "dependencies")
	found := diag.Say("x").In(diag.Whole(item.Resource()), "spec.constraints.dependencies[1]", values.At(n.Content[1]))
	if got, want := of(f, &found), where(t, file, "packName: b"); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	broken := diag.Say("x").About(diag.Resource{File: "a.yaml", Index: 2}, "")
	if got, want := of(f, &broken).Line, where(t, file, "a: [").Line; got != want {
		t.Errorf("got line %d, want %d", got, want)
	}
	for index, want := range map[int]int{-1: 1, 0: where(t, file, "name: other").Line, 4: 1} {
		about := diag.Say("x").About(diag.Resource{File: "a.yaml", Index: index}, "metadata.name")
		if got := of(f, &about); got.Line != want {
			t.Errorf("%d: got %v, want line %d", index, got, want)
		}
	}
}

// Of several readings of a path the one that leads the furthest is right, in any order of
// the keys, and an index that no list has is none.
func TestReadings(t *testing.T) {
	for _, text := range []string{
		`a.b:
  c: 1
a:
  x: 1
`,
		`a:
  x: 1
a.b:
  c: 1
`,
	} {
		if got, want := NewFile("a.yaml", []byte(text)).Resource(0, "a.b.c"), where(t, text, "c: 1"); got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
	// Of two that lead as far the first one counts.
	for _, text := range []string{
		`a.b: 1
a:
  b: 2
`,
		`a:
  b: 2
a.b: 1
`,
	} {
		first, _, _ := strings.Cut(strings.TrimPrefix(text, "a:\n  "), ":")
		if got, want := NewFile("a.yaml", []byte(text)).Resource(0, "a.b"), where(t, text, first); got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
	const list = `a:
- x
- y
`
	for _, path := range []string{"a[18446744073709551616]", "a[18446744073709551617]", "a.18446744073709551616", "a[2]", "a[-1]", "a[1x]", "a[]"} {
		if got, want := NewFile("a.yaml", []byte(list)).Resource(0, path), where(t, list, "a:"); got != want {
			t.Errorf("%q: got %v, want %v", path, got, want)
		}
	}
}

// A byte order mark has no column, and lines end in one way.
func TestNewText(t *testing.T) {
	f := NewText("a.yaml", []byte("\ufeffa: 1\r\nb: 2"))
	for line, want := range []string{"", "a: 1", "b: 2", "", ""} {
		if got := f.Line(line); got != want {
			t.Errorf("line %d is %q, want %q", line, got, want)
		}
	}
	for key, want := range map[string]diag.Position{"b": {Line: 2, Column: 1}, "c": {Line: 1}} {
		if found := diag.Say("x").At(key, diag.Position{}); of(f, &found) != want {
			t.Errorf("the key %s is at %v, want %v", key, of(f, &found), want)
		}
	}
}

// The document that an origin names is a text in the resource, or the resource.
func TestInner(t *testing.T) {
	f := NewFile("a.yaml", []byte(`kind: A
data:
  values.yaml: |
    a: b
  open: 'a: ['
`))
	for field, want := range map[string]string{"": "kind: A", "data[values.yaml]": "a: b", "data.open": "", "data.gone": ""} {
		for range 2 {
			n := f.Inner(0, &diag.Origin{Field: field, Embedded: field != ""})
			key, value, _ := strings.Cut(want, ": ")
			if (n == nil) != (want == "") || values.Text(values.Field(n, key)) != value {
				t.Errorf("%q: got %v", field, n)
			}
		}
	}
	at := diag.Position{Line: 1, Column: 4}
	for field, want := range map[string]diag.Position{"": at, "data[values.yaml]": {Line: 4, Column: 8}, "data.open": {Line: 5, Column: 13}, "data.gone": {}} {
		if got, ok := f.InResource(0, &diag.Origin{Field: field, Embedded: field != ""}, at); ok != (want.Line > 0) || ok && got != want {
			t.Errorf("%q: got %v, %v", field, got, ok)
		}
	}
	for text, want := range map[string]int{"kind": 1, "A": 7, "B": 0} {
		if n := f.trees.Named(f.Inner(0, &diag.Origin{}), "kind", text); values.At(n).Column != want {
			t.Errorf("%q: got %v", text, n)
		}
	}
	if n := f.trees.Named(f.Inner(0, &diag.Origin{}), "gone", "A"); n != nil {
		t.Errorf("got %v", n)
	}
}
