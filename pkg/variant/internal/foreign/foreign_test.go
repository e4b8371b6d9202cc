package foreign

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

func root(t *testing.T, text string) Field {
	t.Helper()
	d, err := values.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return (&Reader{Invalid: "invalid", Alias: "alias"}).Root(d.Root(), "at")
}

// told are the problems of the reader of a field, a line each.
func told(f Field) []string {
	var lines []string
	for _, p := range f.reader.Problems {
		line := p.Path + ": " + p.Message
		if p.Warning {
			line = "warning: " + line
		}
		lines = append(lines, line)
	}
	return lines
}

// What each way to read a field makes of each value. "missing" is a field that is
// not there.
func TestValues(t *testing.T) {
	const (
		inQuotes = "got a number, want text: put it in quotes"
		noMap    = "got text, want a mapping with x"
		noTexts  = "got text, want a mapping of texts"
		noList   = "got text, want a list of keys"
		required = "is required: want a mapping with x"
	)
	type result struct {
		Value any
		Told  string
	}
	text := func(s string) *string { return &s }
	var none *string
	var noMaps map[string]string
	var noStrings []string
	for name, tc := range map[string]struct {
		read func(Field) any
		want map[string]result
	}{
		"Optional": {func(f Field) any { return f.Optional() }, map[string]result{
			"missing": {none, ""}, "null": {none, ""}, "~": {none, ""}, `""`: {text(""), ""}, "a": {text("a"), ""}, "'1'": {text("1"), ""}, "*text": {text("b"), ""},
			"1": {none, inQuotes}, "true": {none, "got a boolean, want text: put it in quotes"}, "2020-01-01": {none, "got a date, want text: put it in quotes"},
			"[a]": {none, "got a list, want text"}, "{a: b}": {none, "got a mapping, want text"},
		}},
		"Text": {func(f Field) any { return f.Text() }, map[string]result{
			"missing": {"", ""}, "null": {"", ""}, `""`: {"", ""}, "a": {"a", ""}, "1.30": {"", inQuotes},
		}},
		"RequiredText": {func(f Field) any { return f.RequiredText() }, map[string]result{
			"missing": {"", "is required"}, "null": {"", "is required"}, `""`: {"", "is empty; fill it"}, "a": {"a", ""}, "*text": {"b", ""}, "1": {"", inQuotes},
		}},
		"Revision": {func(f Field) any { text, isNumber := f.Revision(); return []any{text, isNumber} }, map[string]result{
			"missing": {[]any{"", false}, ""}, "null": {[]any{"", false}, ""}, "v3": {[]any{"v3", false}, ""}, "'3'": {[]any{"3", false}, ""}, "3": {[]any{"3", true}, ""},
			"1.30": {[]any{"", false}, inQuotes}, "[3]": {[]any{"", false}, "got a list, want text"},
		}},
		"Mapping": {func(f Field) any { return f.Mapping("a mapping with x") }, map[string]result{
			"missing": {false, ""}, "null": {false, ""}, "{}": {true, ""}, "{x: 1}": {true, ""}, "*map": {true, ""}, "a": {false, noMap}, "[]": {false, "got a list, want a mapping with x"},
		}},
		"RequiredMapping": {func(f Field) any { return f.RequiredMapping("a mapping with x") }, map[string]result{
			"missing": {false, required}, "null": {false, required}, "{}": {true, ""}, "*map": {true, ""}, "a": {false, noMap},
		}},
		"List": {func(f Field) any { return len(f.List("a list of keys")) }, map[string]result{
			"missing": {0, ""}, "null": {0, ""}, "[]": {0, ""}, "[a, null]": {2, ""}, "*list": {1, ""}, "a": {0, noList}, "{}": {0, "got a mapping, want a list of keys"},
		}},
		"Texts": {func(f Field) any { return f.Texts() }, map[string]result{
			"missing": {noStrings, ""}, "null": {noStrings, ""}, "[]": {[]string{}, ""}, "[a, *text, '']": {[]string{"a", "b", ""}, ""}, "*list": {[]string{"c"}, ""}, "a": {noStrings, "got text, want a list of texts"},
		}},
		"TextMap": {func(f Field) any { return f.TextMap() }, map[string]result{
			"missing": {noMaps, ""}, "null": {noMaps, ""}, "{}": {map[string]string{}, ""}, "{a: b, c: '', 1: *text}": {map[string]string{"a": "b", "c": "", "1": "b"}, ""},
			"*map": {map[string]string{"d": "e", "f": "g"}, ""}, "a": {noMaps, noTexts}, "[]": {noMaps, "got a list, want a mapping of texts"},
		}},
	} {
		for value, want := range tc.want {
			t.Run(name+" "+value, func(t *testing.T) {
				entry := "field: " + value + "\n"
				if value == "missing" {
					entry = ""
				}
				f := root(t, "a: &text b\nb: &list [c]\nc: &map {d: e, f: g}\n"+entry).At("field")
				got := result{Value: tc.read(f)}
				for _, p := range f.reader.Problems {
					got.Told += p.Message
					if p.Path != "at.field" || p.Rule != "invalid" || p.Warning || (p.Position == values.Position{}) != (f.Node == nil) {
						t.Errorf("got %+v", p)
					}
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
			})
		}
	}
}

// Paths go on from where the reader begins, and what is no mapping has no fields.
func TestPaths(t *testing.T) {
	f := root(t, "a: {b.c/d: [x, {e: f}]}")
	at := f.At("a").At("b.c/d").List("")[1].At("e")
	if at.Path != "at.a.b.c/d[1].e" || at.Text() != "f" {
		t.Errorf("got %+v", at)
	}
	if got := f.At("a").At("").Path; got != "at.a." {
		t.Errorf("got %q", got)
	}
	if none := at.At("x").At("y"); none.Path != at.Path+".x.y" || none.Given() {
		t.Errorf("got %+v", none)
	}
	if got := (&Reader{}).Root(f.Node, "").At("a").Path; got != "a" {
		t.Errorf("got %q", got)
	}
	if f := (&Reader{}).Root(nil, ""); f.Given() || f.Others() != nil || f.Mapping("") || f.At("x").Given() {
		t.Errorf("got %+v", f)
	}
}

// Nothing stands for nothing in a mapping's fields, but not in lists and maps; what
// is told of it names the element, and the others are read.
func TestNullElements(t *testing.T) {
	f := root(t, "texts: [a, null, 2]\nmap: {a: null, b: c, d: 5, [e]: f}\nlist: [null, {}, ~]\nkeys: ['', null]")
	if diff := cmp.Diff([]string{"a", "", ""}, f.At("texts").Texts()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff(map[string]string{"b": "c"}, f.At("map").TextMap()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	list := f.At("list").List("")
	list[0].Mapping("a thing")
	list[1].Mapping("a thing")
	list[2].RequiredMapping("a thing")
	for _, key := range f.At("keys").List("") {
		key.RequiredText()
	}
	want := []string{
		"at.texts[1]: got nothing: fill the entry or remove it",
		"at.texts[2]: got a number, want text: put it in quotes",
		"at.map: a key is a list, want text",
		`at.map.a: got nothing, want text: write "" for an empty one`,
		"at.map.d: got a number, want text: put it in quotes",
		"at.list[0]: got nothing: fill the entry or remove it",
		"at.list[2]: got nothing: fill the entry or remove it",
		"at.keys[0]: is empty; fill it",
		"at.keys[1]: got nothing: fill the entry or remove it",
	}
	if diff := cmp.Diff(want, told(f)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestListOrOne(t *testing.T) {
	f := root(t, "one: {a: b}\nlist: [{a: b}]\nempty: []\nnone: null\ntext: x")
	for name, paths := range map[string][]string{"one": {"at.one"}, "list": {"at.list[0]"}, "empty": {}, "none": nil, "missing": nil, "text": nil} {
		var got []string
		elements := f.At(name).ListOrOne("a list of things")
		for _, e := range elements {
			got = append(got, e.Path)
			if e.At("a").Text() != "b" {
				t.Errorf("%s: got %+v", name, e)
			}
		}
		if !cmp.Equal(append([]string{}, paths...), append([]string{}, got...)) || (paths == nil) != (elements == nil) {
			t.Errorf("%s: got %q, want %q", name, got, paths)
		}
	}
	want := map[string]Problem{
		"at.one": {
			Rule: "alias", Warning: true, Path: "at.one", Position: values.Position{Line: 1, Column: 6},
			Message: "got a single mapping, which is read as a list of one; write a dash in front, since Porch takes a list only",
		},
		"at.text": {Rule: "invalid", Path: "at.text", Position: values.Position{Line: 5, Column: 7}, Message: "got text, want a list of things"},
	}
	got := map[string]Problem{}
	for _, p := range f.reader.Problems {
		got[p.Path] = p
	}
	if diff := cmp.Diff(want, got); diff != "" || len(f.reader.Problems) != 2 {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A field that is not known is kept. One way warns of all, the other of those
// that are near a field that is not given.
func TestUnknownFields(t *testing.T) {
	const text = "future: 1\nlabesl: 2\nnmae: 3\nname: null\n<<: {kinds: 4, version: 5}\nversoin: 6"
	names := []string{"name", "labels", "version"}
	f := root(t, text)
	f.Misspelt(names...)
	if diff := cmp.Diff([]Problem{{
		Rule: "invalid", Warning: true, Path: "at.labesl", Position: values.Position{Line: 2, Column: 1},
		Message: `unknown field, which has no effect; known are name, labels, version (did you mean "labels"?)`,
	}}, f.reader.Problems); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	f = root(t, text)
	f.Known(names...)
	const unknown = "unknown field, which has no effect; known are name, labels, version"
	if diff := cmp.Diff([]string{
		"warning: at.future: " + unknown, "warning: at.labesl: " + unknown + ` (did you mean "labels"?)`, "warning: at.nmae: " + unknown, "warning: at.versoin: " + unknown,
	}, told(f)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	f = root(t, "name: a\nnmae: b")
	f.Only("name", "value")
	if diff := cmp.Diff([]string{"at.nmae: unknown field, which has no effect; known are name, value"}, told(f)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	f = root(t, text)
	var others []string
	for _, n := range f.Others(names...) {
		others = append(others, n.Value)
	}
	if diff := cmp.Diff([]string{"future", "1", "labesl", "2", "nmae", "3", "versoin", "6"}, others); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	f = root(t, "{name: a}")
	f.Known(names...)
	f.At("name").Known(names...)
	if f.reader.Problems != nil {
		t.Error(told(f))
	}
}

// A key that stands twice is told once, wherever it stands: what an alias stands
// for where it is written.
func TestDuplicates(t *testing.T) {
	empty, err := values.Parse("? \n? \n")
	if err != nil {
		t.Fatal(err)
	}
	e := (&Reader{Invalid: "invalid"}).Root(empty.Root(), "")
	if e.Duplicates(); len(e.reader.Problems) != 1 || e.reader.Problems[0].Path != `""` {
		t.Errorf("of a key without a name: %+v", e.reader.Problems)
	}
	f := root(t, "a: &a {b: 1, b: 2}\nc: [*a, {d: {x.y/z: 1, x.y/z: 2}}]\na: 3")
	f.Duplicates()
	const message = "the key stands twice; remove one, so that it is certain which one counts"
	var want []Problem
	for _, p := range []Problem{
		{Path: "at.a.b", Position: values.Position{Line: 1, Column: 14}},
		{Path: "at.c[1].d.x.y/z", Position: values.Position{Line: 2, Column: 24}},
		{Path: "at.a", Position: values.Position{Line: 3, Column: 1}},
	} {
		p.Rule, p.Message = "invalid", message
		want = append(want, p)
	}
	if diff := cmp.Diff(want, f.reader.Problems); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// YAML's own means to say a thing once: own entries win over merged ones, and the
// first merged mapping over the next; what loses is not judged.
func TestAliasesAndMergeKeys(t *testing.T) {
	f := root(t, "a: &a {x: 1, y: '2'}\nb: &b {x: '3', <<: {z: '4'}}\nmap: {own: o, <<: [*b, *a], z: last}\nalias: *b\nfield: {<<: *a, x: '5'}")
	if diff := cmp.Diff(map[string]string{"own": "o", "z": "last", "x": "3", "y": "2"}, f.At("map").TextMap()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff(map[string]string{"x": "3", "z": "4"}, f.At("alias").TextMap()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if field := f.At("field"); field.At("x").Text() != "5" || field.At("y").Text() != "2" {
		t.Errorf("got %v", told(f))
	}
	f.At("a").TextMap()
	if diff := cmp.Diff([]string{"at.a.x: got a number, want text: put it in quotes"}, told(f)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestEntries(t *testing.T) {
	f := root(t, "a: &a {x: 1, y: 2}\nmap: {z: 0, x: 3, z: 4, [k]: 5, <<: *a}\nlist: []")
	var got []string
	for _, e := range Entries(f.At("map").Node) {
		got = append(got, e.Key+"="+e.Value.Value)
	}
	if diff := cmp.Diff([]string{"z=4", "x=3", "y=2"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for _, n := range []*yaml.Node{nil, f.At("list").Node} {
		if Entries(n) != nil {
			t.Errorf("got entries of %v", n)
		}
	}
}
