package transfer

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/packfn/internal/layout"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
)

func TestTrim(t *testing.T) {
	for _, tc := range []struct {
		name, file, text, want string
		lines                  int
	}{
		{"ends of lines", "values.yaml", "a: 1  \n# note \t\n\n  \nb: 2", `a: 1
# note


b: 2`, 3},
		{"carriage returns", "values.yaml", strings.ReplaceAll(`a: 1
b: 2
`, "\n", "\r\n"), `a: 1
b: 2
`, 2},
		{"in a block", "values.yaml", "a: 1 \nb: |\n  x \n  y\nc: 2 \n", "a: 1\nb: |\n  x \n  y\nc: 2\n", 2},
		{"after the text of a block", "values.yaml", "b: |\n  x\n   \nc: 2\n", "b: |\n  x\n   \nc: 2\n", 0},
		{"in quotes", "values.yaml", "a: \"x \n  y\" \n", `a: "x
  y"
`, 2},
		{"not YAML", "values.yaml", "a: [ \nb: 1 \n", "a: [ \nb: 1 \n", 0},
		{"JSON", "pack.json", "{ \n \"a\": \"b \" \n}", `{
 "a": "b "
}`, 2},
		{"pack.json that is YAML", "pack.json", "{\"a\": 1,} \n", "{\"a\": 1,}\n", 1},
		{"presets", "presets.yaml", "presets:\n- name: a \n  add: |\n    x: 1 \n    y: |\n      z \n", "presets:\n- name: a\n  add: |\n    x: 1\n    y: |\n      z \n", 2},
		{"another text", "NOTES.txt", "a \n", "a \n", 0},
	} {
		if got, lines := trim(packdir.File{Name: tc.file, Text: []byte(tc.text)}); got != tc.want || lines != tc.lines {
			t.Errorf("%s: got %q, %d lines; want %q, %d", tc.name, got, lines, tc.want, tc.lines)
		}
	}
}

// A file with many lines to trim is trimmed where it is cheap: the number of parses is bounded.
func TestTrimIsBounded(t *testing.T) {
	parses := 0
	lines := append(slices.Repeat([]string{"  text \n"}, 1000), "b: 1 \n")
	last := len(lines) - 1
	isEqual := func(text string) bool { // the whitespace in the block is content
		parses++
		return strings.Count(text, "text \n") == 1000
	}
	all := make([]int, 0, len(lines))
	for i := range lines {
		all = append(all, i)
	}
	tr := trimmer{lines: lines, equal: isEqual, tries: 20}
	tr.trim([]int{last})
	tr.trim(all[:last])
	if parses != 20 || tr.trimmed != 1 || lines[last] != "b: 1\n" {
		t.Errorf("%d parses, trimmed %d lines", parses, tr.trimmed)
	}
}

// Each text comes out of its resource as it went in, in both forms.
func TestResourceKeepsTexts(t *testing.T) {
	texts := []string{
		"", "\n", " ", "a", "a\n", "\n\na\n\n\n",
		`  a: 1
 b
`,
		"\ta\n",
		`- a
  - b
`,
		`a:
  - b
`,
		"a \n", "\U0001F600\n", "\x01\x7f", "\u2028a\u0085b\n", "\ufeffa\n", "a\r\nb\r", "# c",
		`---
a
`,
		"...\n", "'", `"`, "a: b: c", strings.Repeat("x", 5000) + "\n", "\u00a0\n", "a\n  \n",
	}
	for _, form := range []Form{ConfigMap, Pack} {
		for _, text := range texts {
			r := &resource{form: form, name: "a", files: []packdir.File{{Name: "pack.json", Text: []byte(`{"name":"a"}`)}, {Name: "values.yaml", Text: []byte(text)}}}
			if _, err := r.text(); err != nil {
				t.Errorf("%s: %q: %v", form, text, err)
			}
		}
	}
}

func TestJSONRoundTrip(t *testing.T) {
	for _, text := range []string{
		`{"a": 1, "b": [1.50, 1e5, 1E+2, -0, 12345678901234567890123, 0.1], "c": {"d": null, "e": true, "f": {}, "g": []}}`,
		`{"yes": "yes", "null": "null", "1": "1", "~": "", "a b": " x ", "q": "\"'", "n": "a\nb", "u": "\u0001\ud83d\ude00<&>", "d": "2024-01-01", "o": "0o17 0x1F 1_000", "e": "1e3", "=": "=", "<<": "<<"}`,
	} {
		n, err := layout.ParseJSON([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		r := &resource{form: Pack, name: "a", files: []packdir.File{{Name: "pack.json", Text: []byte(text)}}}
		if _, err := r.text(); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		back, err := layout.JSON(n)
		if err != nil || !reflect.DeepEqual(parseJSON(text), parseJSON(string(back))) {
			t.Errorf("%s\nbecame\n%s\n%v", text, back, err)
		}
	}
	for _, text := range []string{"", "[]", "{", `{} x`, `{"a":1,"a":2}`} {
		if _, err := layout.ParseJSON([]byte(text)); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}

func parseJSON(text string) (content any) {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&content); err != nil {
		return err
	}
	return content
}
