package jsonschema

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// All faults of a schema are returned, each with its place.
func TestFaults(t *testing.T) {
	for _, tc := range []struct {
		name, schema string
		want         []string
	}{
		{
			"not JSON",
			`{
"a": }`,
			[]string{`cannot be read as JSON: line 2, column 6: expected a value: an object, a list, a string in double quotes, a number, true, false or null, got "}"`},
		},
		{"nothing", "", []string{`cannot be read as JSON: line 1, column 1: expected a value: an object, a list, a string in double quotes, a number, true, false or null, got the end of the document`}},
		{"several", `{"minLength": "x", "properties": {"a/b": {"items": {"type": 5}}, "c": {"pattern": "("}}}`, []string{
			`#/minLength: must be an integer, got a string`,
			`#/properties/a~1b/items/type: must be "array", "boolean", "integer", "null", "number", "object" or "string", got an integer`,
			"#/properties/c/pattern: got a pattern that RE2 does not support: missing closing ): `(`"}},
		{"an unknown type", `{"type": "strng"}`, []string{`#/type: must be "array", "boolean", "integer", "null", "number", "object" or "string", got "strng" (did you mean "string"?)`}},
		{"not a schema", `{"not": 5}`, []string{`#/not: must be a schema (a map, true or false), got an integer`}},
		{"null", `{"items": null}`, []string{`#/items: must be a schema (a map, true or false), got null`}},
		{"numbers", `{"maxItems": -1, "minItems": 1.5, "multipleOf": 0}`, []string{
			`#/maxItems: must be a number of at least 0`, `#/minItems: must be an integer, got a number with a fraction`, `#/multipleOf: must be a number above 0`}},
		{"patterns of names", `{"patternProperties": {"(a)\\1": {}}}`, []string{
			"#/patternProperties: key \"(a)\\\\1\": got a pattern that RE2 does not support: invalid escape sequence: `\\1`"}},
		{"another document", `{"$ref": "https://example.com/schema.json#/a"}`, []string{`#/$ref: must be a reference to a part of this document, got "https://example.com/schema.json#/a", which leads to another document`}},
		{"another file", `{"$ref": "other.json"}`, []string{`#/$ref: must be a reference to a part of this document, got "other.json", which leads to another document`}},
		{"no URI", `{"$ref": "%zz"}`, []string{`#/$ref: must be a string of the format "uri-reference"`}},
		{"nothing there", `{"properties": {"a": {"$ref": "#/x"}, "b": {"$ref": "#y"}}}`, []string{
			`#/properties/a/$ref: must be # or #/ and the path to a schema of this document, got "#/x", which leads to no schema`,
			`#/properties/b/$ref: must be # or #/ and the path to a schema of this document, got "#y", which leads to no schema`}},
		{"a list of schemas is not a schema", `{"anyOf": [{}], "not": {"$ref": "#/anyOf"}}`, []string{`its identifiers, anchors or references are ambiguous or lead to no schema`}},
		{"after the end of a list", `{"anyOf": [{}], "not": {"$ref": "#/anyOf/1"}}`, []string{`#/not/$ref: must be # or #/ and the path to a schema of this document, got "#/anyOf/1", which leads to no schema`}},
		{"an identifier twice", `{"$defs": {"a": {"$id": "x"}, "b": {"$id": "x"}}}`, []string{`its identifiers, anchors or references are ambiguous or lead to no schema`}},
		{"an unknown draft", `{"$schema": "https://example.com/mine"}`, []string{`#/$schema: must be the address of a draft of JSON Schema, got "https://example.com/mine"`}},
		{"a keyword of draft-07 in 2020-12", `{"items": [{}]}`, []string{`#/items: must be a schema (a map, true or false), got a list`}},
		{"a number without end", `{"minimum": 1e3000000}`, []string{`minimum: must be a finite number of at most 308 digits`}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := Parse(tc.schema)
			var faults Faults
			if !errors.As(err, &faults) {
				t.Fatalf("got %v", err)
			}
			var got []string
			for _, f := range faults {
				got = append(got, f.Error())
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// JSON is read as JSON, also where it is not YAML.
func TestParseJSON(t *testing.T) {
	key := strings.Repeat("k", 2000)
	s := mustParse(t, "{\"const\":\t{\"\\ud83d\\ude00\": \"a\\/b\", \""+key+"\": 1E2, \"c\": [true, null]}}")
	if got := violations(t, s, "{😀: a/b, ? "+key+" : 100, c: [true, ~]}"); got != nil {
		t.Errorf("got %s", got)
	}
}

// References lead to anchors and identifiers of the same document.
func TestReferences(t *testing.T) {
	for _, tc := range []struct{ name, schema string }{
		{"an anchor of draft-07", `{` + as7 + `"properties": {"a": {"$ref": "#x"}}, "definitions": {"d": {"$id": "#x", "type": "string"}}}`},
		{"an identifier", `{` + as7 + `"$id": "https://example.com/root", "properties": {"a": {"$ref": "d.json"}}, "definitions": {"d": {"$id": "d.json", "type": "string"}}}`},
		{"the whole identifier", `{` + as7 + `"$id": "https://example.com/root", "properties": {"a": {"$ref": "https://example.com/root#/definitions/d"}}, "definitions": {"d": {"type": "string"}}}`},
		{"an anchor", `{` + as2020 + `"properties": {"a": {"$ref": "#x"}}, "$defs": {"d": {"$anchor": "x", "type": "string"}}}`},
		{"an anchor without a declared draft", `{"properties": {"a": {"$ref": "#x"}}, "$defs": {"d": {"$anchor": "x", "type": "string"}}}`},
		{"the schema of a draft", `{` + as7 + `"properties": {"a": {"$ref": "http://json-schema.org/draft-07/schema#/properties/title"}}}`},
		{"an escaped pointer", `{"properties": {"a": {"$ref": "#/definitions/x%20%22y%25~1"}}, "definitions": {"x \"y%/": {"type": "string"}}}`},
		{"an unknown keyword", `{"properties": {"a": {"$ref": "#/components/schemas/d"}}, "components": {"schemas": {"d": {"type": "string"}}}}`},
		{"an unknown keyword with references", `{"properties": {"a": {"$ref": "#/x/0"}}, "x": [{"$ref": "#/x/1"}, {"type": "string"}]}`},
		{"beside a reference, in 2020-12", `{` + as2020 + `"properties": {"a": {"$ref": "#/$defs/d", "type": "string"}}, "$defs": {"d": {}}}`},
		{"the parts of a resource", `{` + as2020 + `"properties": {"a": {"$ref": "d#/$defs/e"}}, "$defs": {"d": {"$id": "d", "$defs": {"e": {"$ref": "#/$defs/f"}, "f": {"type": "string"}}}}}`},
	} {
		s := mustParse(t, tc.schema)
		if !accepts(s, root(t, "a: x")) || accepts(s, root(t, "a: 1")) {
			t.Errorf("%s: the reference is not followed", tc.name)
		}
	}
}

// A schema is validated by the draft that it declares, and a warning names the keywords that
// this draft ignores.
func TestDrafts(t *testing.T) {
	declare := func(draft string) string { return `"$schema": "http://json-schema.org/` + draft + `/schema#", ` }
	for _, tc := range []struct {
		schema, value string
		valid         bool
		ignored       string
	}{
		{`{` + as7 + `"items": [{"type": "string"}], "additionalItems": false, "definitions": {}, "if": {}, "const": ["x"]}`, "[x]", true, ""},
		{`{"$schema": "https://json-schema.org/draft-07/schema", "items": [false]}`, "[1]", false, ""},
		{`{` + as7 + `"properties": {"a": {"unevaluatedProperties": false, "minContains": 2, "prefixItems": [false]}}}`, "a: {b: 1}", true, "minContains, prefixItems, unevaluatedProperties."},
		{`{"prefixItems": [true], "items": false, "properties": {"a": {"unevaluatedProperties": false}}}`, "a: {b: 1}", false, ""},
		{`{"dependencies": {"a": ["b"]}, "additionalItems": false}`, "a: 1", false, "additionalItems."},
		{`{` + declare("draft-06") + `"if": {}, "then": false}`, "2", true, "if, then."},
		{`{` + declare("draft-04") + `"minimum": 1, "exclusiveMinimum": true, "maximum": 5, "exclusiveMaximum": false}`, "1", false, ""},
		{`{` + declare("draft-04") + `"const": 1}`, "2", true, "const."},
		{`{` + declare("draft/2019-09") + `"items": [{"type": "string"}], "additionalItems": false, "prefixItems": [false]}`, "[x]", true, "prefixItems."},
		{`{` + as7 + `"$ref": "#/definitions/x", "unevaluatedItems": false, "definitions": {"x": {}}}`, "[1]", true, ""},
		{`{` + as2020 + `"format": "ipv4"}`, "x", true, ""},
	} {
		s := mustParse(t, tc.schema)
		if got := accepts(s, root(t, tc.value)); got != tc.valid {
			t.Errorf("%s: it accepts %s: %v", tc.schema, tc.value, got)
		}
		warnings := s.Warnings()
		if len(warnings) != min(len(tc.ignored), 1) || tc.ignored != "" && !strings.Contains(warnings[0].Message, "keywords: "+tc.ignored) {
			t.Errorf("%s: got %v", tc.schema, warnings)
		}
	}
}
