package schema

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Rule V1, and the faults of entries. What is right counts all the same.
func TestParse(t *testing.T) {
	const wantsTemplate = `wants a template as text, schema: '{{ required | format "${string}" }}'`
	for _, tc := range []struct {
		name, text string
		keys       string
		problems   []string
	}{
		{"empty", "", "", nil},
		{"comments", "# nothing yet\n", "", nil},
		{"null", "---\nnull\n", "", nil},
		{"an empty mapping", "{}", "", nil},
		{"entries", "a.b: {schema: '{{ required }}'}\nl.$[]:\n  schema: '{{ readonly }}'\n", "a.b l.$[]", nil},
		{"an alias", "a: &x {schema: '{{ required }}'}\nb: *x\n", "a b", nil},
		{"a list", "\n- a\n", "", []string{" 2:1: is not a mapping of dotted paths to {schema: '{{ … }}'}"}},
		{"a key twice", "a: {schema: '{{ required }}'}\nb: {schema: '{{ required }}'}\na: {schema: '{{ readonly }}'}\n", "b", []string{
			"a 3:1: stands twice; remove one (first 1:1)",
		}},
		{"a field twice", "a:\n  schema: '{{ required }}'\n  schema: '{{ readonly }}'\n", "a", []string{
			"a.schema 3:3: stands twice; remove one (first 2:3)",
		}},
		{"no path", "a..b: {schema: '{{ required }}'}\nb: {schema: '{{ required }}'}", "b", []string{
			`a..b 1:1: is not a path: path "a..b" has an empty step after "a": remove the extra dot`,
		}},
		{"no template", "a: {}\nb:\nc: '{{ required }}'\nd: {schema: 5}\ne: {schema: {}}\nf: [x]", "", []string{
			"a 1:4: " + wantsTemplate,
			"b 2:3: " + wantsTemplate,
			"c 3:4: " + wantsTemplate,
			"d 4:4: " + wantsTemplate,
			"e 5:4: " + wantsTemplate,
			"f 6:4: " + wantsTemplate,
		}},
		{"a field misspelt", "a: {shema: '{{ required }}'}", "", []string{
			`a 1:5: has the unknown field "shema"; known is schema (did you mean "schema"?)`,
		}},
		{"a field beside it", "a: {schema: '{{ required }}', title: x}", "", []string{
			`a 1:31: has the unknown field "title"; known is schema`,
		}},
		{"a template", "a: {schema: '{{ ü requird }}'}", "", []string{
			"a 1:13: its template is wrong at character 4: ",
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s, problems := Parse(parseText(t, tc.text))
			if got := strings.Join(s.names(), " "); got != tc.keys {
				t.Errorf("got the entries %q, want %q", got, tc.keys)
			}
			var got []string
			for _, p := range problems {
				text := fmt.Sprintf("%s %d:%d: %s", p.Key, p.Position.Line, p.Position.Column, p.Message)
				if p.First.Line > 0 {
					text += fmt.Sprintf(" (first %d:%d)", p.First.Line, p.First.Column)
				}
				got = append(got, text)
			}
			// What is wrong with a template is for the tests of templates.
			for i := range got {
				if i < len(tc.problems) && strings.HasSuffix(tc.problems[i], ": ") && strings.HasPrefix(got[i], tc.problems[i]) {
					got[i] = tc.problems[i]
				}
			}
			if diff := cmp.Diff(tc.problems, got); diff != "" {
				t.Errorf("problems -want +got:\n%s", diff)
			}
		})
	}
}
