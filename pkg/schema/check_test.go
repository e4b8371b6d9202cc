package schema

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// layers are the documents of one check: the first is the pack's own values.
type layers []string

// none in layers is a pack without a values document.
const none = "none"

// layered makes the values of a check.
func layered(t *testing.T, texts layers, presets ...string) Values {
	t.Helper()
	var v Values
	var merged []values.Layer
	for i, text := range texts {
		if text == none {
			continue
		}
		d := parseText(t, text).From(origin(fmt.Sprintf("layer%d", len(v.Layers))))
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
	v.Absent = origin("absent")
	return v
}

// origin is the place of a document in the facts of findings: a name, and `text`.
func origin(name string) *diag.Origin {
	return &diag.Origin{Resource: diag.Resource{Name: name}, Field: "text", Name: name + ".yaml", Embedded: true}
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
	s, findings := Parse(parseText(t, text).From(origin("schema")))
	if len(findings) > 0 {
		t.Fatalf("the schema is wrong: %q", functiontest.Facts(findings))
	}
	return s
}

// checkCase is one schema, the values that it checks, and the findings.
type checkCase struct {
	name, schema string
	values       layers
	want         []string
}

func (tc checkCase) run(t *testing.T) {
	t.Run(tc.name, func(t *testing.T) {
		got := functiontest.Facts(parseSchema(t, tc.schema).Check(layered(t, tc.values)))
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
		{"absent", requiredSchema, layers{"b: 1"}, []string{"error values/required absent text key=a missing="}},
		{"without any values", requiredSchema, layers{none}, []string{"error values/required absent text key=a missing="}},
		{"null", requiredSchema, layers{"a: null"}, []string{"error values/required layer0 text key=a at=1:4 missing=null"}},
		{"nothing", requiredSchema, layers{"b: 1\na:"}, []string{"error values/required layer0 text key=a at=2:3 missing=null"}},
		{"empty text", requiredSchema, layers{`a: ""`}, []string{"error values/required layer0 text key=a at=1:4 missing=empty"}},
		{"an empty list", requiredSchema, layers{"a: []"}, []string{"error values/required layer0 text key=a at=1:4 missing=empty"}},
		{"an empty map", requiredSchema, layers{"a: {}"}, []string{"error values/required layer0 text key=a at=1:4 missing=empty"}},
		{"below something that is not a map", "a.b: {schema: '{{ required }}'}", layers{"a: 1"}, []string{"error values/required absent text key=a.b missing="}},
		{"false", requiredSchema, layers{"a: false"}, nil},
		{"0", requiredSchema, layers{"a: 0"}, nil},
		{"a blank", requiredSchema, layers{`a: " "`}, nil},
		{"a list", requiredSchema, layers{"a: [null]"}, nil},
		{"a map", requiredSchema, layers{"a: {b: null}"}, nil},
		{"an alias of something empty", requiredSchema, layers{"b: &x \"\"\na: *x"}, []string{"error values/required layer0 text key=a at=1:4 missing=empty"}},
		{"supplied by an override", requiredSchema, layers{`a: ""`, "a: 1"}, nil},
		{"emptied by an override", requiredSchema, layers{"a: 1", "b: 1\na: ''"}, []string{"error values/required layer1 text key=a at=2:4 missing=empty"}},
		{"not asked for", anySchema, layers{"a:"}, nil},
	} {
		tc.run(t)
	}
}

// Rule V5, and checks of values that are present.
func TestFormat(t *testing.T) {
	for _, tc := range []checkCase{
		{"null", numberSchema, layers{"a:"}, nil},
		{"empty text", numberSchema, layers{"a: ''"}, nil},
		{"a number", numberSchema, layers{"a: 5"}, nil},
		{"text", numberSchema, layers{"a: x"}, []string{`error values/format layer0 text key=a at=1:4 got="a string of 1 character" want="a decimal number"`}},
		{"text of an override", numberSchema, layers{"a: 5", "#\na: x"}, []string{`error values/format layer1 text key=a at=2:4 got="a string of 1 character" want="a decimal number"`}},
		{"a map", numberSchema, layers{"a: {b: 1}"}, []string{`error values/format layer0 text key=a at=1:4 got="a map" want="a decimal number"`}},
		{"a list", numberSchema, layers{"a: []"}, []string{`error values/format layer0 text key=a at=1:4 got="a list" want="a decimal number"`}},
		{"required and empty: one finding", `a: {schema: '{{ required | format "${number}" }}'}`, layers{"a: ''"}, []string{
			"error values/required layer0 text key=a at=1:4 missing=empty",
		}},
		{"required and an empty list: one finding", `a: {schema: '{{ required | format "${number}" }}'}`, layers{"a: []"}, []string{
			"error values/required layer0 text key=a at=1:4 missing=empty",
		}},
		{"required and wrong: one finding", `a: {schema: '{{ required | format "${number}" }}'}`, layers{"a: x"}, []string{
			`error values/format layer0 text key=a at=1:4 got="a string of 1 character" want="a decimal number"`,
		}},
		{"the nearest option", `a: {schema: '{{ format "${list:[PACK,GIT]}" }}'}`, layers{"a: PACKS"}, []string{
			`error values/format layer0 text key=a at=1:4 got="a string of 5 characters" want="PACK or GIT" near=PACK`,
		}},
		{"how to fix it", `a: {schema: '{{ format "${string}" }}'}`, layers{"a: 5"}, []string{
			`error values/format layer0 text key=a at=1:4 got="a number" want="a string"`,
		}},
		{"no format", anySchema, layers{"a: [x]"}, nil},
		{"a plain date is a string", `a: {schema: '{{ format "${string}" }}'}`, layers{"a: 2024-05-01"}, nil},
		{"a plain time is a string", `a: {schema: '{{ format "${password}" }}'}`, layers{"a: 2024-05-01T10:00:00Z"}, nil},
		{"a plain date is not a number", numberSchema, layers{"a: 2024-05-01"}, []string{
			`error values/format layer0 text key=a at=1:4 got=2024-05-01 want="a decimal number" now=2024-05-01`,
		}},
	} {
		tc.run(t)
	}
}

// Rule V14.
func TestUnknownFormat(t *testing.T) {
	for _, tc := range []checkCase{
		{"any value is accepted", "#\na: {schema: '{{ format \"${input}\" }}'}", layers{"a: [x]\n"}, []string{
			`warning values/unknown-format schema text key=a at=2:1 unknown="type \"input\"" want="string, password, number, boolean, list, ipv4 or version"`,
			`error values/format layer0 text key=a at=1:4 got="a list" want="any value"`,
		}},
		{"a scalar", "a: {schema: '{{ format \"${input}\" }}'}", layers{"a: x"}, []string{
			`warning values/unknown-format schema text key=a at=1:1 unknown="type \"input\"" want="string, password, number, boolean, list, ipv4 or version"`,
		}},
		{"the nearest", "a: {schema: '{{ format \"${strng}\" }}'}", layers{"a: x"}, []string{
			`warning values/unknown-format schema text key=a at=1:1 unknown="type \"strng\"" want="string, password, number, boolean, list, ipv4 or version" near=string`,
		}},
		{"once for a list", "a.$[]: {schema: '{{ format \"${ipv5}/${ipv5}\" }}'}", layers{"a: [x/y, z/z]"}, []string{
			`warning values/unknown-format schema text key=a.$[] at=1:1 unknown="type \"ipv5\"" want="string, password, number, boolean, list, ipv4 or version" near=ipv4`,
		}},
	} {
		tc.run(t)
	}
}

// Rule V17.
func TestMacros(t *testing.T) {
	for _, tc := range []checkCase{
		{"satisfies required", requiredSchema, layers{`a: "{{ .spectro.var.X }}"`}, nil},
		{"the format is deferred", numberSchema, layers{`a: "{{ .spectro.var.X }}"`}, []string{"info values/deferred layer0 text key=a at=1:4"}},
		{"amid text", numberSchema, layers{`a: "x{{ .spectro.system.cluster.name | upper }}y"`}, []string{"info values/deferred layer0 text key=a at=1:4"}},
		{"no format, nothing to defer", anySchema, layers{`a: "{{ .spectro.var.X }}"`}, nil},
		{"another language's template is text", numberSchema, layers{`a: "{{ .Values.x }}"`}, []string{
			`error values/format layer0 text key=a at=1:4 got="a string of 15 characters" want="a decimal number"`,
		}},
	} {
		tc.run(t)
	}
}

// A required value that is missing under one name, and there under a near one that the
// schema does not have, is misspelt in the values or in the schema.
func TestRequiredMisspelt(t *testing.T) {
	const port = "registry.port: {schema: '{{ required }}'}"
	for _, tc := range []struct {
		name, schema string
		values       layers
		near, place  string
	}{
		{"in an override", port, layers{"registry: {host: x}", "registry: {prot: 1}"}, "prot", `layer1 (layer1.yaml line 1) has "prot"`},
		{"in the schema", "registry.prot: {schema: '{{ required }}'}", layers{"\nregistry: {port: 1}", "registry: {host: x}"}, "port", `layer0 (layer0.yaml line 2) has "port"`},
		{"in the last layer that has it", port, layers{"registry: {prot: 1}", "\n\nregistry: {prot: 2}"}, "prot", `layer1 (layer1.yaml line 3) has "prot"`},
		{"an upper step", port, layers{"registri: {port: 1}"}, "registri", `layer0 (layer0.yaml line 1) has "registri"`},
		{"in an element", "l.$[].name: {schema: '{{ required }}'}", layers{"l: [{nam: x}]"}, "nam", `layer0 (layer0.yaml line 1) has "nam"`},
		{"a key that the schema has too", port + "\nregistry.ports: {schema: '{{ hints \"h\" }}'}", layers{"registry: {ports: 1}"}, "", ""},
		{"a key of an element that the schema has too", "l.$[].name: {schema: '{{ required }}'}\nl.$[].nam: {schema: '{{ hints \"h\" }}'}", layers{"l: [{nam: x}]"}, "", ""},
		{"nothing near", port, layers{"registry: {host: 1}"}, "", ""},
		{"below something that is not a map", port, layers{"registry: x"}, "", ""},
		{"no values", port, layers{none}, "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			findings := parseSchema(t, tc.schema).Check(layered(t, tc.values))
			f := findings[0]
			if len(findings) != 1 || f.Rule != rule.ValuesRequired || f.Nearest != tc.near || !strings.HasPrefix(f.Action, tc.place) {
				t.Errorf("got %q, near %q: %s", functiontest.Facts(findings), f.Nearest, f.Action)
			}
		})
	}
}
