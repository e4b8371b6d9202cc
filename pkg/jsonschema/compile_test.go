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
		{"not JSON", "{\n\"a\": }", []string{`cannot be read as JSON: line 2, column 6: expected a value: an object, a list, a string in double quotes, a number, true, false or null, got "}"`}},
		{"nothing", "", []string{`cannot be read as JSON: line 1, column 1: expected a value: an object, a list, a string in double quotes, a number, true, false or null, got the end of the document`}},
		{"several", `{"minLength": "x", "properties": {"a/b": {"items": [{}, {"type": 5}]}, "c": {"pattern": "("}}}`, []string{
			`#/minLength: must be an integer of at least 0, got "string"`,
			`#/properties/a~1b/items/1/type: must be "null", "boolean", "integer", "number", "string", "array" or "object", got 5`,
			"#/properties/c/pattern: got a pattern that RE2 does not support: missing closing ): `(`"}},
		{"an unknown type", `{"type": ["strng"]}`, []string{`#/type: must be "null", "boolean", "integer", "number", "string", "array" or "object", got "strng" (did you mean "string"?)`}},
		{"not a schema", `{"not": 5}`, []string{`#/not: must be a schema (an object, true or false), got "integer"`}},
		{"null as a schema", `{"properties": {"a": null}}`, []string{`#/properties/a: must be a schema (an object, true or false), got "null"`}},
		{"not a list", `{"allOf": {}}`, []string{`#/allOf: must be a list of schemas, got "object"`}},
		{"not names", `{"properties": []}`, []string{`#/properties: must be an object with schemas, got "array"`}},
		{"numbers", `{"maxItems": -1, "minItems": 1.5, "multipleOf": 0, "maximum": "1"}`, []string{
			`#/maxItems: must be an integer of at least 0, got "integer"`, `#/minItems: must be an integer of at least 0, got "number"`,
			`#/multipleOf: must be a number above 0, got "integer"`, `#/maximum: must be a number, got "string"`}},
		{"lists", `{"required": true, "enum": {}, "dependencies": {"a": [1]}, "dependentRequired": {"a": "b"}, "uniqueItems": 1}`, []string{
			`#/required: must be a list of names, got "boolean"`, `#/enum: must be a list of values, got "object"`, `#/dependencies/a: must be a list of names, got "array"`,
			`#/dependentRequired/a: must be a list of names, got "string"`, `#/uniqueItems: must be true or false, got "integer"`}},
		{"patterns that RE2 does not have", `{"pattern": "(?=a)", "patternProperties": {"(a)\\1": {}}}`, []string{
			"#/pattern: got a pattern that RE2 does not support: invalid or unsupported Perl syntax: `(?=`",
			"#/patternProperties/(a)\\1: got a pattern that RE2 does not support: invalid escape sequence: `\\1`"}},
		{"another document", `{"$ref": "https://example.com/schema.json#/a"}`, []string{`#/$ref: must be a reference to a part of this document, got "https://example.com/schema.json#/a", which leads to another document`}},
		{"another file", `{"$ref": "other.json"}`, []string{`#/$ref: must be a reference to a part of this document, got "other.json", which leads to another document`}},
		{"no URI", `{"$ref": "%zz"}`, []string{`#/$ref: must be a reference to a part of this document, got "%zz", which leads to another document`}},
		{"nothing there", `{"properties": {"a": {"$ref": "#/x"}, "b": {"$ref": "#y"}}}`, []string{
			`#/properties/a/$ref: must be # or #/ and the path to a schema of this document, got "#/x", which leads to no schema`,
			`#/properties/b/$ref: must be # or #/ and the path to a schema of this document, got "#y", which leads to no schema`}},
		{"names of schemas are not schemas", `{"properties": {"a": {"$ref": "#/properties"}}}`, []string{`#/properties/a/$ref: must be # or #/ and the path to a schema of this document, got "#/properties", which leads to no schema`}},
		{"a list of schemas is not a schema", `{"anyOf": [{}], "not": {"$ref": "#/anyOf"}}`, []string{`#/not/$ref: must be # or #/ and the path to a schema of this document, got "#/anyOf", which leads to no schema`}},
		{"after the end of a list", `{"anyOf": [{}], "not": {"$ref": "#/anyOf/1"}}`, []string{`#/not/$ref: must be # or #/ and the path to a schema of this document, got "#/anyOf/1", which leads to no schema`}},
		{"a reference that is not text", `{"$ref": {}}`, []string{`#/$ref: must be a reference, got "object"`}},
		{"a number without end", `{"minimum": 1` + strings.Repeat("0", 1000) + `}`, []string{`minimum: must be a number of at most 1000 digits that JSON has`}},
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

// A schema that is read from YAML has positions.
func TestCompileYAML(t *testing.T) {
	_, err := Compile(root(t, "properties:\n  a: &a\n    type: strin\n  b: *a\n"))
	var faults Faults
	if !errors.As(err, &faults) || len(faults) != 1 || faults[0].Position.Line != 3 || faults[0].Pointer != "#/properties/a/type" {
		t.Errorf("got %#v", err)
	}
	if _, err := Compile(nil); err == nil || !strings.Contains(err.Error(), `must be a schema (an object, true or false), got "null"`) {
		t.Errorf("got %v", err)
	}
}

// JSON is read as JSON, also where it is not YAML.
func TestParseJSON(t *testing.T) {
	key := strings.Repeat("k", 2000)
	s := mustParse(t, "{\"const\":\t{\"\\ud83d\\ude00\": \"a\\/b\", \""+key+"\": 1E2, \"c\": [true, null]}}")
	if got := judge(t, s, "{😀: a/b, ? "+key+" : 100, c: [true, ~]}"); got != nil {
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
		{"an escaped pointer", `{"properties": {"a": {"$ref": "#/definitions/x%20%22y%25~1"}}, "definitions": {"x \"y%/": {"type": "string"}}}`},
		{"an unknown keyword", `{"properties": {"a": {"$ref": "#/components/schemas/d"}}, "components": {"schemas": {"d": {"type": "string"}}}}`},
		{"an unknown keyword with references", `{"properties": {"a": {"$ref": "#/x/0"}}, "x": [{"$ref": "#/x/1"}, {"type": "string"}]}`},
		{"beside a reference, in 2020-12", `{` + as2020 + `"properties": {"a": {"$ref": "#/$defs/d", "type": "string"}}, "$defs": {"d": {}}}`},
		{"the parts of a resource", `{` + as2020 + `"properties": {"a": {"$ref": "d#/$defs/e"}}, "$defs": {"d": {"$id": "d", "$defs": {"e": {"$ref": "#/$defs/f"}, "f": {"type": "string"}}}}}`},
		{"a dynamic reference", `{` + as2020 + `"$id": "root", "$ref": "list", "$defs": {"x": {"$dynamicAnchor": "item", "type": "string"}, "list": {"$id": "list", "additionalProperties": {"$dynamicRef": "#item"}, "$defs": {"y": {"$dynamicAnchor": "item"}}}}}`},
		{"a dynamic reference to a part that is not open", `{` + as2020 + `"properties": {"a": {"$dynamicRef": "d#x"}}, "$defs": {"d": {"$id": "d", "$dynamicAnchor": "x", "type": "string"}}}`},
	} {
		s := mustParse(t, tc.schema)
		if !accepts(s, root(t, "a: x")) || accepts(s, root(t, "a: 1")) {
			t.Errorf("%s: the reference is not followed", tc.name)
		}
	}
}

// A schema of another draft is judged by the nearest, with a warning that names the
// keywords that this draft reads differently.
func TestDrafts(t *testing.T) {
	declare := func(draft string) string { return `"$schema": "http://json-schema.org/` + draft + `/schema#", ` }
	for _, tc := range []struct {
		name, schema, value string
		valid               bool
		warning             string // the facts, separated by |
	}{
		{"draft-07", `{` + as7 + `"items": [{"type": "string"}], "additionalItems": false, "definitions": {}, "if": {}, "const": [x]}`, "", true, ""},
		{"draft-07 without a scheme that fits", `{"$schema": "https://json-schema.org/draft-07/schema", "items": [false]}`, "[1]", false, ""},
		{"a later keyword in draft-07", `{` + as7 + `"properties": {"a": {"unevaluatedProperties": false, "minContains": 2, "contains": {}, "dependentRequired": {"b": ["c"]}, "prefixItems": [false]}}}`, "a: {b: 1}", true, "draft-07|dependentRequired, minContains, prefixItems, unevaluatedProperties"},
		{"later keywords without a draft", `{"properties": {"a": {"unevaluatedProperties": false}}}`, "a: {b: 1}", false, ""},
		{"later lists without a draft", `{"prefixItems": [true], "items": false}`, "[1, 2]", false, ""},
		{"earlier keywords without a draft", `{"dependencies": {"a": ["b"]}}`, "a: 1", false, ""},
		{"the draft that is current", `{"$schema": "http://json-schema.org/schema#", "items": [false]}`, "[1]", false, ""},
		{"an unknown draft", `{"$schema": "https://example.com/mine", "exclusiveMinimum": true, "minimum": 1}`, "1", true, "https://example.com/mine|draft-07|exclusiveMinimum (boolean)"},
		{"draft-06", `{` + declare("draft-06") + `"const": 1, "exclusiveMinimum": 0}`, "2", false, ""},
		{"a keyword that draft-06 does not have", `{` + declare("draft-06") + `"if": {}, "then": false}`, "2", false, "draft-06|draft-07|if, then"},
		{"draft-04", `{` + declare("draft-04") + `"minimum": 1, "exclusiveMinimum": true, "maximum": 5, "exclusiveMaximum": false}`, "1", true, "draft-04|draft-07|exclusiveMaximum (boolean), exclusiveMinimum (boolean)"},
		{"a plain draft-04", `{` + declare("draft-04") + `"minimum": 1, "items": [{}], "additionalItems": false}`, "[1, 2]", false, ""},
		{"a keyword that draft-04 does not have", `{` + declare("draft-04") + `"const": 1, "exclusiveMinimum": 4}`, "1", false, "draft-04|draft-07|const, exclusiveMinimum"},
		{"2019-09", `{` + declare("draft/2019-09") + `"dependentRequired": {"a": ["b"]}, "unevaluatedProperties": false}`, "a: 1", false, ""},
		{"2019-09 with earlier and later keywords", `{` + declare("draft/2019-09") + `"items": [{"type": "string"}], "additionalItems": false, "unevaluatedItems": true, "$recursiveRef": "#", "prefixItems": [false], "dependencies": {"a": ["b"]}}`, "[1]", false,
			"2019-09|2020-12|$recursiveRef, additionalItems, dependencies, items (list), prefixItems, unevaluatedItems"},
		{"2020-12 with earlier keywords", `{` + as2020 + `"items": [false], "additionalItems": false, "dependencies": {"a": ["b"]}}`, "[1]", true, "2020-12|additionalItems, dependencies, items (list)"},
		{"keywords that a reference hides", `{` + as7 + `"$ref": "#/definitions/x", "unevaluatedItems": false, "definitions": {"x": {}}}`, "[1]", true, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if strings.HasSuffix(tc.schema, "[x]}") {
				tc.schema, tc.value = strings.Replace(tc.schema, "[x]", `["x"]`, 1), "[x]"
			}
			s := mustParse(t, tc.schema)
			if got := accepts(s, root(t, tc.value)); got != tc.valid {
				t.Errorf("it is accepted: %v", got)
			}
			warnings := s.Warnings()
			if tc.warning == "" {
				if len(warnings) > 0 {
					t.Errorf("got %v", warnings)
				}
				return
			}
			if len(warnings) != 1 {
				t.Fatalf("got %d warnings, want one", len(warnings))
			}
			for fact := range strings.SplitSeq(tc.warning, "|") {
				if !strings.Contains(warnings[0].Message+".", fact) {
					t.Errorf("%q is not in %q", fact, warnings[0].Message)
				}
			}
			if warnings[0].Pointer != "#/$schema" {
				t.Errorf("the warning is at %s", warnings[0].Pointer)
			}
		})
	}
}
