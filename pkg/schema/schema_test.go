package schema

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/values"
)

// Rule V1, and the faults of entries. What is right counts all the same.
func TestParse(t *testing.T) {
	const (
		wantsTemplate = ` want="a template such as '{{ required | format \"${string}\" }}'"`
		wantsEntry    = ` want="schema: with a template such as '{{ required | format \"${string}\" }}'"`
	)
	for _, tc := range []struct {
		name, text string
		keys       string
		want       []string
	}{
		{"empty", "", "", nil},
		{"comments", "# nothing yet\n", "", nil},
		{"null", "---\nnull\n", "", nil},
		{"an empty map", "{}", "", nil},
		{"entries", "a.b: {schema: '{{ required }}'}\nl.$[]:\n  schema: '{{ readonly }}'\n", "a.b l.$[]", nil},
		{"an alias", "a: &x {schema: '{{ required }}'}\nb: *x\n", "a b", nil},
		{"a list", "\n- a\n", "", []string{`error schema/invalid schema text at=2:1 got="a list" want="a map of paths to {schema: '{{ … }}'}"`}},
		{"a key twice", "a: {schema: '{{ required }}'}\nb: {schema: '{{ required }}'}\na: {schema: '{{ readonly }}'}\n", "b", []string{
			"error schema/invalid schema text key=a at=3:1 duplicate-of=1:1",
		}},
		{"a field twice", "a:\n  schema: '{{ required }}'\n  schema: '{{ readonly }}'\nb: {schema: '{{ required }}'}\n", "b", []string{
			"error schema/invalid schema text key=a.schema at=3:3 duplicate-of=2:3",
		}},
		{"no path", "a..b: {schema: '{{ required }}'}\nb: {schema: '{{ required }}'}", "b", []string{
			"error schema/invalid schema text key=a..b at=1:1",
		}},
		{"no template", "a: {}\nb:\nc: '{{ required }}'\nd: {schema: 5}\ne: {schema: {}}\nf: [x]", "", []string{
			"error schema/invalid schema text key=a.schema at=1:4 missing=",
			"error schema/invalid schema text key=b at=2:3 got=null" + wantsEntry,
			"error schema/invalid schema text key=c at=3:4 got=\"a string\"" + wantsEntry,
			`error schema/invalid schema text key=d at=4:13 got="a number"` + wantsTemplate,
			`error schema/invalid schema text key=e at=5:13 got="a map"` + wantsTemplate,
			`error schema/invalid schema text key=f at=6:4 got="a list"` + wantsEntry,
		}},
		{"a field misspelt", "a: {shema: '{{ required }}'}", "", []string{
			`error schema/invalid schema text key=a.shema at=1:5 unknown="field \"shema\"" want=schema near=schema`,
		}},
		{"a field beside it", "a: {schema: '{{ required }}', title: x}", "", []string{
			`error schema/invalid schema text key=a.title at=1:31 unknown="field \"title\"" want=schema`,
		}},
		{"a template", "a: {schema: '{{ ü requird }}'}", "", []string{
			`error schema/invalid schema text key=a at=1:13 unknown="stage \"ü\" at character 4 of the template" want="required, readonly, format \"...\" or hints \"...\""`,
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s, findings := Parse(parseText(t, tc.text).From(origin("schema")))
			var keys []string
			for _, e := range s.Entries {
				keys = append(keys, e.Key)
			}
			if got := strings.Join(keys, " "); got != tc.keys {
				t.Errorf("got the entries %q, want %q", got, tc.keys)
			}
			if diff := cmp.Diff(tc.want, functiontest.Facts(findings)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// FuzzCheck checks values by a schema, both of any text: an entry with faults must not
// get in the way of the others.
func FuzzCheck(f *testing.F) {
	for _, schema := range []string{
		requiredSchema, numberSchema, anySchema,
		"a:\n  schema: '{{ required }}'\n  schema: '{{ readonly }}'\nb: {schema: '{{ required }}'}\n",
		"a: {}\nb:\nc: '{{ required }}'\nd: {schema: 5}\n? [e]\n: {schema: '{{ required }}'}\n", "- a", "a: &x {schema: '{{ required }}'}\na.$[].b: *x\n",
	} {
		f.Add(schema, "a: [{b: 1}]\nb: x\n")
	}
	f.Fuzz(func(t *testing.T, schema, text string) {
		document, err := values.Parse(schema)
		if err != nil {
			return
		}
		own, err := values.Parse(text)
		if err != nil {
			return
		}
		s, findings := Parse(document.From(origin("schema")))
		own = own.From(origin("own"))
		v := Values{Tree: values.Merge(values.Layer{Document: own}), Layers: []*values.Document{own}, Own: own, Absent: origin("absent")}
		const key = "no-value-has-this"
		if strings.Contains(schema+text, key) {
			return
		}
		path, err := values.ParsePath(key)
		if err != nil {
			t.Fatal(err)
		}
		// One entry more, which the values break, is one finding more.
		with := &Schema{Entries: append(slices.Clone(s.Entries), Entry{Key: key, Path: path, Template: &Template{Required: true}}), Origin: s.Origin}
		if got, want := len(with.Check(v)), len(s.Check(v))+1; got != want {
			t.Fatalf("got %d findings after %q, want %d", got, functiontest.Facts(findings), want)
		}
	})
}
