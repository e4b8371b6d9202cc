package values

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"
)

// escapedJSON is JSON that the YAML parser rejects.
const escapedJSON = "\ufeff{\n\t\"url\": \"https:\\/\\/example.com\",\n\t\"smile\": [\"\\ud83d\\ude00\", 1],\u0020\n\t\"a\\/b\": {\"c\": 2}\n}\n"

func TestParseJSON(t *testing.T) {
	d, err := Parse(escapedJSON)
	if err != nil {
		t.Fatal(err)
	}
	if text, ok := JSON(d.Root()); !ok || text != `{"a/b":{"c":2},"smile":["😀",1],"url":"https://example.com"}` {
		t.Errorf("got %s", text)
	}
	for path, want := range map[string]Position{"url": {Line: 2, Column: 9}, "smile": {Line: 3, Column: 11}, "a/b": {Line: 4, Column: 10}} {
		if at := At(Field(d.Root(), path)); at != want {
			t.Errorf("%s is at %v, want %v", path, at, want)
		}
	}
	edited, err := d.Set(Keys("a/b", "c"), mustParse(t, "3"))
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.Replace(escapedJSON, "2}", "3}", 1); edited.Text() != want {
		t.Errorf("got %s", edited.Text())
	}
	for _, text := range []string{`{"a": "\/",}`, `{"a": "\/" # one
}`, `{"a": "\/", b: 1}`, `{"a": "\ud83d\/"}`, `- "\/"`} {
		if _, err := Parse(text); err == nil {
			t.Errorf("%s is accepted", text)
		}
	}
}

// JSON is read the same as the YAML parser reads it, where it does.
func TestParseJSONAsYAML(t *testing.T) {
	type flat struct {
		Kind      yaml.Kind
		Tag, Text string
		At        Position
		Flow      bool
	}
	var flatten func(n *yaml.Node) []flat
	flatten = func(n *yaml.Node) []flat {
		all := []flat{{n.Kind, n.ShortTag(), n.Value, At(n), n.Style&(yaml.FlowStyle|yaml.DoubleQuotedStyle) != 0}}
		for _, child := range n.Content {
			all = append(all, flatten(child)...)
		}
		return all
	}
	rapid.Check(t, func(r *rapid.T) {
		var value func(depth int) any
		text := rapid.StringOf(rapid.RuneFrom([]rune("abc é\u2028\n\t\"\\😀{}[]:,#&*"))) // no < and >, which are escaped
		value = func(depth int) any {
			switch kind := rapid.IntRange(0, 5).Draw(r, "kind"); {
			case kind == 0 && depth > 0:
				return rapid.SliceOfN(rapid.Just(0), 0, 3).Draw(r, "list")
			case kind == 1 && depth > 0:
				all := map[string]any{}
				for range rapid.IntRange(0, 3).Draw(r, "fields") {
					all[text.Draw(r, "key")] = value(depth - 1)
				}
				return all
			case kind == 2:
				return rapid.SampledFrom([]any{true, false, nil, 1.5, -1e30, 12, 0}).Draw(r, "plain")
			}
			return text.Draw(r, "text")
		}
		content, err := json.MarshalIndent([]any{value(4), value(4)}, "", rapid.SampledFrom([]string{"", "  "}).Draw(r, "indent"))
		if err != nil {
			r.Fatal(err)
		}
		want, err := readNodes(string(content))
		if err != nil {
			return // which is why there is another reader
		}
		got := jsonDocument(string(content))
		if got == nil {
			r.Fatalf("%s is rejected", content)
			return
		}
		if diff := cmp.Diff(flatten(want.Content[0]), flatten(got.Content[0])); diff != "" {
			r.Fatalf("%s: -YAML +JSON:\n%s", content, diff)
		}
	})
}
