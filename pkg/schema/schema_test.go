package schema

import (
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/values"
)

// FuzzCheck checks values by a schema, both of any text: an entry with faults must not
// get in the way of the others.
func FuzzCheck(f *testing.F) {
	for _, schema := range []string{
		requiredSchema, numberSchema, anySchema,
		`a:
  schema: '{{ required }}'
  schema: '{{ readonly }}'
b: {schema: '{{ required }}'}
`,
		`a: {}
b:
c: '{{ required }}'
d: {schema: 5}
? [e]
: {schema: '{{ required }}'}
`,
		"- a",
		`a: &x {schema: '{{ required }}'}
a.$[].b: *x
`,
	} {
		f.Add(schema, `a: [{b: 1}]
b: x
`)
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
