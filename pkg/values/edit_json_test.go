package values

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// JSON stays JSON when something is put into it.
func TestEditJSON(t *testing.T) {
	const doc = `{
  "a": {"b": 1},
  "list": [1]
}
`
	for _, tc := range []struct{ name, doc, src, want string }{
		{
			"a merge", doc,
			`a:
  # why
  c: text
  d: [x, 1.50, True, ~, {e: 'y"es'}]
list:
- a
n: {m: 5}
`,
			`{
  "a": {"b": 1, "c": "text", "d": ["x", 1.50, true, null, {"e": "y\"es"}]},
  "list": ["a"], "n": {"m": 5}
}
`,
		},
		{
			"numbers that JSON writes otherwise", doc,
			`a: {b: 0x1F}
list: [1_000, .5, 1., 0o17, -0]
`,
			`{
  "a": {"b": 31},
  "list": [1000, 0.5, 1, 15, -0]
}
`,
		},
		{
			"texts of several lines, and no letters", doc,
			`a:
  b: |
    x <y>
    z
  ü: "\t"
`,
			`{
  "a": {"b": "x <y>\nz\n", "ü": "\t"},
  "list": [1]
}
`,
		},
		{"dates, which are texts in JSON", doc, "a: {b: 2024-05-01}\n", `{
  "a": {"b": "2024-05-01"},
  "list": [1]
}
`},
		{
			"characters that YAML escapes otherwise", doc, "a: {b: \"\\x01\\e\\L\"}\n",
			`{
  "a": {"b": "\u0001\u001B\u2028"},
  "list": [1]
}
`,
		},
		{"keys that are not texts", doc, "1: {true: x}\n", `{
  "a": {"b": 1},
  "list": [1], "1": {"true": "x"}
}
`},
		{
			"aliases", doc,
			`a: &x {c: d}
list: [*x]
`,
			`{
  "a": {"b": 1, "c": "d"},
  "list": [{"c": "d"}]
}
`,
		},
		{"flow style that is not JSON", "{a: {b: 1}}\n", "a: {c: text}\n", "{a: {b: 1, c: text}}\n"},
		{"nothing that says it is JSON", "{}\n", "a: {c: text}\n", "a: {c: text}\n"},
	} {
		d, err := mustParse(t, tc.doc).Merge(nil, mustParse(t, tc.src))
		if err != nil || d.Text() != tc.want {
			t.Errorf("%s: got %v\n%s\nwant\n%s", tc.name, err, textOf(d), tc.want)
		}
	}
	d, err := mustParse(t, doc).Set([]Step{{Key: "n"}, {Key: "m"}}, mustParse(t, "x: y"))
	if want := `{
  "a": {"b": 1},
  "list": [1], "n": {"m": {"x": "y"}}
}
`; err != nil || d.Text() != want {
		t.Errorf("got %v\n%s", err, textOf(d))
	}
	d, err = mustParse(t, "{\"a\": null}").Set([]Step{{Key: "a"}, {Key: "b"}, {Key: "c"}}, mustParse(t, "[]"))
	if want := "{\"a\": {\"b\": {\"c\": []}}}"; err != nil || d.Text() != want {
		t.Errorf("got %v\n%s", err, textOf(d))
	}
}

// What JSON does not have is rejected: who reads the document as JSON could not read it.
func TestEditJSONRefuses(t *testing.T) {
	d := mustParse(t, `{"a": {"b": 1}}`)
	for _, src := range []string{
		`a:
  b: .inf
`,
		`x:
- .nan
- 1`,
		`a:
  ? [x]
  : 1
`,
		`a:
  b: !!binary aGk=
`,
	} {
		_, merged := d.Merge(nil, mustParse(t, src))
		_, set := d.Set(Keys("n"), mustParse(t, src))
		_, synced := d.Sync(Change{Want: mustParse(t, src).Root()})
		for _, err := range []error{merged, set, synced} {
			if rejected := new(EditError); !errors.As(err, &rejected) || rejected.Line == 0 {
				t.Errorf("%q: got %v", src, err)
			}
		}
	}
}

func textOf(d *Document) string {
	if d == nil {
		return ""
	}
	return d.Text()
}

// Whatever is put into JSON that JSON has, what results is JSON, also when something
// is deleted then.
func TestEditedJSONIsJSON(t *testing.T) {
	value := rapid.Custom(func(t *rapid.T) any { return drawJSON(t, 3) })
	object := rapid.Custom(func(t *rapid.T) any { return drawObject(t, 2) })
	rapid.Check(t, func(t *rapid.T) {
		v := object.Draw(t, "document")
		text, _ := json.MarshalIndent(v, "", strings.Repeat(" ", rapid.IntRange(0, 4).Draw(t, "indent")))
		if rapid.Bool().Draw(t, "compact") {
			text, _ = json.Marshal(v)
		}
		if string(text) == "{}" {
			return
		}
		d := mustParse(t, string(text))
		src := mustParse(t, document(t))
		if rapid.Bool().Draw(t, "of JSON") {
			s, _ := json.Marshal(value.Draw(t, "source"))
			src = mustParse(t, string(s))
		}
		if hasOnlyYAML(src) {
			return
		}
		edited, err := d.Merge(nil, src)
		if rapid.Bool().Draw(t, "set") {
			edited, err = d.Set([]Step{{Key: rapid.SampledFrom([]string{"a", "b", "new key", "c"}).Draw(t, "key")}}, src)
		}
		var rejected *EditError
		if errors.As(err, &rejected) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if !json.Valid([]byte(edited.Text())) {
			t.Fatalf("%s\nwith\n%s\nis\n%s", d.Text(), src.Text(), edited.Text())
		}
		again, err := edited.Merge(nil, src)
		if err == nil && !rapid.Bool().Draw(t, "set before") && Equal(again.Root(), edited.Root()) && again.Text() != edited.Text() {
			t.Fatalf("a second merge changes\n%s\nto\n%s", edited.Text(), again.Text())
		}
		for _, key := range []string{"a", "b"} {
			shorter, _, err := edited.Delete([]Step{{Key: key}})
			if err == nil && !json.Valid([]byte(shorter.Text())) {
				t.Fatalf("%s\nwithout %s is\n%s", edited.Text(), key, shorter.Text())
			}
		}
	})
}

// hasOnlyYAML reports whether a value has what JSON does not.
func hasOnlyYAML(d *Document) bool {
	if d.Root() == nil {
		return true
	}
	src, err := selfContained(d)
	if err != nil {
		return true
	}
	_, ok := JSON(src.Root())
	return !ok
}

func drawObject(t *rapid.T, depth int) map[string]any {
	m := map[string]any{}
	for range rapid.IntRange(0, 3).Draw(t, "size") {
		m[rapid.SampledFrom([]string{"a", "b", "c", "d e", "ü", "", `q"`}).Draw(t, "key")] = drawJSON(t, depth-1)
	}
	return m
}

func drawJSON(t *rapid.T, depth int) any {
	kinds := 6
	if depth <= 0 {
		kinds = 4
	}
	switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
	case 0:
		return nil
	case 1:
		return rapid.IntRange(-3, 300).Draw(t, "number")
	case 2:
		return rapid.Bool().Draw(t, "boolean")
	case 3:
		return rapid.SampledFrom([]string{"", "x", "true", "1.50", "a b: c", "#", "\n", fmt.Sprint("tab\t", `\`), "<é>"}).Draw(t, "text")
	case 4:
		list := []any{}
		for range rapid.IntRange(0, 3).Draw(t, "length") {
			list = append(list, drawJSON(t, depth-1))
		}
		return list
	}
	return drawObject(t, depth)
}
