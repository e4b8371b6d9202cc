package schema

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/values"
)

// layers are the documents of one check: the first is the pack's own values.
type layers []string

// none stands in layers for a pack that has no values document.
const none = "none"

// judged makes the values of a check.
func judged(t *testing.T, texts layers, presets ...string) Values {
	t.Helper()
	var v Values
	var merged []values.Layer
	for i, text := range texts {
		if text == none {
			continue
		}
		d := parseText(t, text)
		if i == 0 {
			v.Own = d
		}
		v.Layers = append(v.Layers, d)
		merged = append(merged, values.Layer{Document: d})
	}
	for _, text := range presets {
		v.Added = append(v.Added, parseText(t, text))
	}
	v.Tree = values.Merge(merged...)
	return v
}

func parseText(t *testing.T, text string) *values.Document {
	t.Helper()
	d, err := values.Parse(text)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return d
}

func parseSchema(t *testing.T, text string) *Schema {
	t.Helper()
	s, problems := Parse(parseText(t, text))
	if len(problems) > 0 {
		t.Fatalf("the schema is wrong: %+v", problems)
	}
	return s
}

// lines describes findings: rule, key, the layer or the schema, position, detail.
func lines(findings []Finding) []string {
	var all []string
	for _, f := range findings {
		where := "absent"
		switch {
		case f.OfSchema:
			where = fmt.Sprintf("schema %d:%d", f.Position.Line, f.Position.Column)
		case f.Layer >= 0:
			where = fmt.Sprintf("layer %d %d:%d", f.Layer, f.Position.Line, f.Position.Column)
		}
		all = append(all, fmt.Sprintf("%s %s (%s): %s", f.Rule, f.Key, where, f.Detail))
	}
	return all
}

// checkCase is one schema, the values that it judges, and what it finds.
type checkCase struct {
	name, schema string
	values       layers
	want         []string
}

func (tc checkCase) run(t *testing.T) {
	t.Run(tc.name, func(t *testing.T) {
		got := lines(parseSchema(t, tc.schema).Check(judged(t, tc.values)))
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}

const (
	requiredSchema = "a: {schema: '{{ required }}'}"
	numberSchema   = "a: {schema: '{{ format \"${number}\" }}'}"
	anySchema      = "a: {schema: '{{ hints \"h\" }}'}"
)

// Rule V4.
func TestRequired(t *testing.T) {
	for _, tc := range []checkCase{
		{"absent", requiredSchema, layers{"b: 1"}, []string{"values/required a (absent): is required, but absent: set it"}},
		{"without any values", requiredSchema, layers{none}, []string{"values/required a (absent): is required, but absent: set it"}},
		{"null", requiredSchema, layers{"a: null"}, []string{"values/required a (layer 0 1:4): is required, but null: set it"}},
		{"nothing", requiredSchema, layers{"b: 1\na:"}, []string{"values/required a (layer 0 2:3): is required, but null: set it"}},
		{"empty text", requiredSchema, layers{`a: ""`}, []string{"values/required a (layer 0 1:4): is required, but empty: set it"}},
		{"an empty list", requiredSchema, layers{"a: []"}, []string{"values/required a (layer 0 1:4): is required, but empty: set it"}},
		{"an empty map", requiredSchema, layers{"a: {}"}, []string{"values/required a (layer 0 1:4): is required, but empty: set it"}},
		{"below something that is no map", "a.b: {schema: '{{ required }}'}", layers{"a: 1"}, []string{"values/required a.b (absent): is required, but absent: set it"}},
		{"false", requiredSchema, layers{"a: false"}, nil},
		{"0", requiredSchema, layers{"a: 0"}, nil},
		{"a blank", requiredSchema, layers{`a: " "`}, nil},
		{"a list", requiredSchema, layers{"a: [null]"}, nil},
		{"a map", requiredSchema, layers{"a: {b: null}"}, nil},
		{"an alias of something empty", requiredSchema, layers{"b: &x \"\"\na: *x"}, []string{"values/required a (layer 0 1:4): is required, but empty: set it"}},
		{"supplied by an override", requiredSchema, layers{`a: ""`, "a: 1"}, nil},
		{"emptied by an override", requiredSchema, layers{"a: 1", "b: 1\na: ''"}, []string{"values/required a (layer 1 2:4): is required, but empty: set it"}},
		{"not asked for", anySchema, layers{"a:"}, nil},
	} {
		tc.run(t)
	}
}

// Rule V5, and that what is there is judged.
func TestFormat(t *testing.T) {
	const refused = "got text of 1 character, want a decimal number"
	for _, tc := range []checkCase{
		{"null", numberSchema, layers{"a:"}, nil},
		{"empty text", numberSchema, layers{"a: ''"}, nil},
		{"a number", numberSchema, layers{"a: 5"}, nil},
		{"text", numberSchema, layers{"a: x"}, []string{"values/format a (layer 0 1:4): " + refused}},
		{"text of an override", numberSchema, layers{"a: 5", "#\na: x"}, []string{"values/format a (layer 1 2:4): " + refused}},
		{"a map", numberSchema, layers{"a: {b: 1}"}, []string{"values/format a (layer 0 1:4): got a mapping, want a decimal number"}},
		{"a list", numberSchema, layers{"a: []"}, []string{"values/format a (layer 0 1:4): got a list, want a decimal number"}},
		{"required and empty: one finding", `a: {schema: '{{ required | format "${number}" }}'}`, layers{"a: ''"}, []string{
			"values/required a (layer 0 1:4): is required, but empty: set it",
		}},
		{"required and an empty list: one finding", `a: {schema: '{{ required | format "${number}" }}'}`, layers{"a: []"}, []string{
			"values/required a (layer 0 1:4): is required, but empty: set it",
		}},
		{"required and wrong: one finding", `a: {schema: '{{ required | format "${number}" }}'}`, layers{"a: x"}, []string{
			"values/format a (layer 0 1:4): " + refused,
		}},
		{"the nearest option", `a: {schema: '{{ format "${list:[PACK,GIT]}" }}'}`, layers{"a: PACKS"}, []string{
			`values/format a (layer 0 1:4): got text of 5 characters, want one of PACK, GIT (did you mean "PACK"?)`,
		}},
		{"how to mend it", `a: {schema: '{{ format "${string}" }}'}`, layers{"a: 5"}, []string{
			"values/format a (layer 0 1:4): got a number, want string; put it in quotes",
		}},
		{"no format", anySchema, layers{"a: [x]"}, nil},
	} {
		tc.run(t)
	}
}

// Rule V14.
func TestUnknownFormat(t *testing.T) {
	const known = "known are string, password, number, boolean, list, ipv4, version"
	for _, tc := range []checkCase{
		{"any value is accepted", "#\na: {schema: '{{ format \"${input}\" }}'}", layers{"a: [x]\n"}, []string{
			"values/unknown-format a (schema 2:1): the schema's format has the unknown type \"input\", so any value is accepted there; " + known,
			"values/format a (layer 0 1:4): got a list, want any value",
		}},
		{"a scalar", "a: {schema: '{{ format \"${input}\" }}'}", layers{"a: x"}, []string{
			"values/unknown-format a (schema 1:1): the schema's format has the unknown type \"input\", so any value is accepted there; " + known,
		}},
		{"the nearest", "a: {schema: '{{ format \"${strng}\" }}'}", layers{"a: x"}, []string{
			"values/unknown-format a (schema 1:1): the schema's format has the unknown type \"strng\", so any value is accepted there; " + known + ` (did you mean "string"?)`,
		}},
		{"once for a list", "a.$[]: {schema: '{{ format \"${ipv5}/${ipv5}\" }}'}", layers{"a: [x/y, z/z]"}, []string{
			"values/unknown-format a.$[] (schema 1:1): the schema's format has the unknown type \"ipv5\", so any value is accepted there; " + known + ` (did you mean "ipv4"?)`,
		}},
	} {
		tc.run(t)
	}
}

// Rule V17.
func TestMacros(t *testing.T) {
	const deferred = "holds a macro, so its format (a decimal number) is judged once the macro is resolved"
	for _, tc := range []checkCase{
		{"satisfies required", requiredSchema, layers{`a: "{{ .spectro.var.X }}"`}, nil},
		{"the format is deferred", numberSchema, layers{`a: "{{ .spectro.var.X }}"`}, []string{"values/deferred a (layer 0 1:4): " + deferred}},
		{"amid text", numberSchema, layers{`a: "x{{ .spectro.system.cluster.name | upper }}y"`}, []string{"values/deferred a (layer 0 1:4): " + deferred}},
		{"no format, nothing to defer", anySchema, layers{`a: "{{ .spectro.var.X }}"`}, nil},
		{"another language's template is text", numberSchema, layers{`a: "{{ .Values.x }}"`}, []string{
			"values/format a (layer 0 1:4): got text of 15 characters, want a decimal number",
		}},
	} {
		tc.run(t)
	}
}
