package policy

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/policy/manifest"
	"github.com/krm-packs/functions/pkg/values"
)

// All violations of a schema are reported, each at its place with what is accepted,
// and without the value.
func TestViolations(t *testing.T) {
	for _, tc := range []struct {
		name, schema, value string
		want                []string
	}{
		{"nothing", `{"type": "object"}`, "{a: 1}", nil},
		{"the value itself", `{"type": "object", "minProperties": 1}`, "5", []string{": #/type"}},
		{"several keywords of one place", `{"properties": {"a": {"minLength": 9, "pattern": "^x"}}}`, "{a: hunter2}",
			[]string{
				"a: #/properties/a/minLength",
				"a: #/properties/a/pattern",
			}},
		{"a missing key and an extra one", `{"required": ["a", "b"], "additionalProperties": false, "properties": {"a": {}, "region": {}}}`, "{regoin: hunter2}",
			[]string{
				": #/required",
				"regoin: #/additionalProperties",
			}},
		{"a reported key is not missing too", `{"required": ["a"], "properties": {"a": {"$ref": "#/definitions/x"}}, "definitions": {"x": {"type": "string"}}}`, "{a: 7}", []string{"a: #/definitions/x/type"}},
		{"two that share a schema", `{"properties": {"a": {"$ref": "#/definitions/x"}, "b": {"$ref": "#/definitions/x"}}, "definitions": {"x": {"properties": {"n": {"maximum": 3}}}}}`, "{a: {n: 4}, b: {n: 5}}",
			[]string{
				"a.n: #/definitions/x/properties/n/maximum",
				"b.n: #/definitions/x/properties/n/maximum",
			}},
		{"items", `{"properties": {"a": {"items": {"properties": {"n": {"type": "string"}, "m": {"const": 3}}}}}}`, "{a: [{n: 1}, {n: x, m: 4}]}",
			[]string{
				"a[0].n: #/properties/a/items/properties/n/type",
				"a[1].m: #/properties/a/items/properties/m/const",
			}},
		{"names by patterns", `{"patternProperties": {"^a": {"type": "string"}}, "propertyNames": {"maxLength": 3}, "additionalProperties": {"exclusiveMinimum": 3}}`, "{a: 1, b: 3, long-name: 9}",
			[]string{
				": #/propertyNames/maxLength",
				"a: #/patternProperties/^a/type",
				"b: #/additionalProperties/exclusiveMinimum",
			}},
		{"branches", `{"properties": {"a": {"anyOf": [{"type": "string"}]}, "b": {"oneOf": [true, true]}, "c": {"not": {}}, "d": {"allOf": [{"multipleOf": 2}]}, "e": {"if": {}, "then": {"minimum": 5}}}}`, "{a: 1, b: 1, c: 1, d: 1, e: 1}",
			[]string{
				"a: #/properties/a/anyOf",
				"b: #/properties/b/oneOf",
				"c: #/properties/c/not",
				"d: #/properties/d/allOf/0/multipleOf",
				"e: #/properties/e/then/minimum",
			}},
		{"lists", `{"properties": {"a": {"uniqueItems": true, "minItems": 3, "contains": {"type": "string"}}, "b": {"maxItems": 0}}}`, "{a: [1, 1], b: [1]}",
			[]string{
				"a: #/properties/a/contains",
				"a: #/properties/a/minItems",
				"a: #/properties/a/uniqueItems",
				"b: #/properties/b/maxItems",
			}},
		{"nothing is accepted", `{"properties": {"a": false, "b": {"type": "string"}}}`, "{a: hunter2, b: 1}", []string{
			"a: #/properties/a",
			"b: #/properties/b/type",
		}},
		{"names with special characters", `{"properties": {"a/b": {"type": "string"}, "c~d": {"properties": {"e: f": {"maximum": 1}}}}}`, "{a/b: 1, c~d: {'e: f': 1234567}}",
			[]string{
				"a/b: #/properties/a~1b/type",
				"c~d.e: f: #/properties/c~0d/properties/e: f/maximum",
			}},
		{"names that depend", `{"dependencies": {"a": ["b", "c"], "c": {"maxProperties": 1}, "d": ["e"]}}`, "{a: 1234567, c: 1}",
			[]string{
				": #/dependencies/a",
				": #/dependencies/c/maxProperties",
			}},
		{"names that depend, in the later draft", `{"$schema": "https://json-schema.org/draft/2020-12/schema", "dependentRequired": {"a": ["b"]}, "dependentSchemas": {"a": {"maxProperties": 0}}, "dependencies": {"a": ["c"]}}`, "{a: 1234567}",
			[]string{
				": #/dependencies/a",
				": #/dependentRequired/a",
				": #/dependentSchemas/a/maxProperties",
			}},
		{"two that lack the same by one schema", `{"additionalProperties": {"$ref": "#/definitions/x"}, "definitions": {"x": {"required": ["n"]}}}`, "{a: {}, b: {}}",
			[]string{
				"a: #/definitions/x/required",
				"b: #/definitions/x/required",
			}},
		{"different faults of keys of one pattern", `{"patternProperties": {"^x": {"type": "boolean"}}}`, "{xa: 1, xb: hunter2, xc: {}, xd: [], xe: null, xf: 1.5}",
			[]string{
				"xa: #/patternProperties/^x/type",
				"xb: #/patternProperties/^x/type",
				"xc: #/patternProperties/^x/type",
				"xd: #/patternProperties/^x/type",
				"xe: #/patternProperties/^x/type",
				"xf: #/patternProperties/^x/type",
			}},
		{"several types", `{"type": ["string", "null"]}`, "5", []string{": #/type"}},
		{"keywords next to a reference do not matter in draft-07", `{"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"a": {"$ref": "#/definitions/x", "maximum": 1}}, "definitions": {"x": {"minimum": 9}}}`, "{a: 5}", []string{"a: #/definitions/x/minimum"}},
		{"and does in 2020-12", `{"$schema": "https://json-schema.org/draft/2020-12/schema", "properties": {"a": {"$ref": "#/$defs/x", "maximum": 1}}, "$defs": {"x": {"minimum": 9}}}`, "{a: 5}",
			[]string{
				"a: #/$defs/x/minimum",
				"a: #/properties/a/maximum",
			}},
		{"the first items of a list", `{"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"type": "string"}, {"type": "string"}], "additionalItems": false}`, "[1, x, hunter2]", []string{
			": #/additionalItems",
			"[0]: #/items/0/type",
		}},
		{"the first items in the later draft", `{"$schema": "https://json-schema.org/draft/2020-12/schema", "prefixItems": [{"type": "string"}], "items": {"maximum": 1}}`, "[1, 2]", []string{
			"[0]: #/prefixItems/0/type",
			"[1]: #/items/maximum",
		}},
		{"how many of a list", `{"$schema": "https://json-schema.org/draft/2020-12/schema", "properties": {"a": {"contains": {"type": "string"}, "minContains": 2}, "b": {"contains": {"type": "string"}, "maxContains": 1}, "c": {"contains": {"type": "string"}, "minContains": 0, "maxContains": 1}}}`, "{a: [x], b: [x, y], c: [x, y]}",
			[]string{
				"a: #/properties/a/minContains",
				"b: #/properties/b/maxContains",
				"c: #/properties/c/maxContains",
			}},
		{"nothing beside", `{"$schema": "https://json-schema.org/draft/2020-12/schema", "properties": {"a": {"properties": {"n": {}}, "unevaluatedProperties": false}, "b": {"$ref": "#/definitions/x"}}, "definitions": {"x": {"allOf": [{"properties": {"n": {}}}], "unevaluatedProperties": false}}}`, "{a: {m: hunter2}, b: {n: 1, m: 1}}",
			[]string{
				"a.m: #/properties/a/unevaluatedProperties",
				"b.m: #/definitions/x/unevaluatedProperties",
			}},
		{"branches of what is referred to", `{"properties": {"a": {"anyOf": [{"$ref": "#/definitions/x"}, {"$ref": "#/properties/b"}]}, "b": {"if": {"$ref": "#/definitions/x"}, "then": {"maxLength": 1}, "else": {"minimum": 9}}}, "definitions": {"x": {"type": "string"}}}`, "{a: 5, b: hunter2}",
			[]string{
				"a: #/properties/a/anyOf",
				"b: #/properties/b/then/maxLength",
			}},
		{"the other branch", `{"if": {"type": "string"}, "then": {"maxLength": 1}, "else": {"minimum": 9}}`, "5", []string{": #/else/minimum"}},
		{"the same of several branches", `{"allOf": [{"type": "string"}, {"type": "string"}]}`, "5", []string{": #/allOf/0/type"}},
		{"no other names, said in another way", `{"properties": {"a": {}}, "additionalProperties": {"not": {}}}`, "{b: hunter2, c: 1}", []string{
			"b: #/additionalProperties/not",
			"c: #/additionalProperties/not",
		}},
		{"a pattern as it was written", `{"pattern": "^<a>&"}`, "hunter2", []string{": #/pattern"}},
		{"an enum of nothing", `{"$schema": "https://json-schema.org/draft/2020-12/schema", "enum": []}`, "5", []string{": #/enum"}},
		{"keywords are what they are by case", `{"Type": "string", "$Ref": "#", "MINIMUM": 9}`, "5", nil},
		{"a reference as URIs are written", `{"properties": {"a": {"$ref": "#/definitions/x%20%22y%25"}, "b": {"anyOf": [{"$ref": "#/definitions/x%20%22y%25"}]}}, "definitions": {"x \"y%": {"type": "string"}}}`, "{a: 5, b: 5}", []string{
			`a: #/definitions/x "y%/type`,
			"b: #/properties/b/anyOf",
		}},
		{"properties that are called as keywords", `{"properties": {"const": {"$ref": "#/definitions/enum"}, "enum": {"maximum": 1}}, "definitions": {"enum": {"type": "string"}}}`, "{const: 5, enum: 5}",
			[]string{
				"const: #/definitions/enum/type",
				"enum: #/properties/enum/maximum",
			}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, violationsOf(t, tc.schema, tc.value)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// violationsOf are those of a value, sorted: the path, and the keyword that is not
// satisfied with its place in the schema.
func violationsOf(t *testing.T, schema, value string) []string {
	t.Helper()
	document, err := values.Parse(value)
	if err != nil {
		t.Fatal(err)
	}
	typ := &manifest.Type{TypeSpec: manifest.TypeSpec{Ref: manifest.Ref{Path: "cap.type.x", Revision: "0.1.0"}, JSONSchema: manifest.SchemaText{Value: schema}}}
	x, _ := NewIndex(Hub{}, nil)
	found, faults := x.violations(typ, document.Root())
	var all []string
	for _, v := range found {
		if message := v.Message(); strings.Contains(message, "hunter2") || strings.Contains(message, "1234567") {
			t.Errorf("%q has the value", message)
		}
		all = append(all, v.path+": "+v.Tags["schema"])
	}
	for _, f := range faults {
		all = append(all, "schema "+f.Tags["schema"])
	}
	slices.Sort(all)
	return all
}

// The violations that are reported have a limit, and a message says that there are
// more.
func TestViolationsAreBounded(t *testing.T) {
	var schema, value strings.Builder
	for n := range 30 {
		fmt.Fprintf(&schema, `"a%d": {"type": "string"}, `, n)
		fmt.Fprintf(&value, "a%d: 1\n", n)
	}
	all := violationsOf(t, `{"properties": {`+schema.String()+`"z": {}}}`, value.String())
	if len(all) != maxViolations+1 || !slices.Contains(all, ": ") {
		t.Errorf("got %d: %s", len(all), all)
	}
	for range 20 {
		if diff := cmp.Diff(all, violationsOf(t, `{"properties": {`+schema.String()+`"z": {}}}`, value.String())); diff != "" {
			t.Fatalf("others are reported each time: %s", diff)
		}
	}
}

// The faults of a schema are reported in the same order each time, with their places.
func TestSchemaFaults(t *testing.T) {
	for _, tc := range []struct {
		name, schema string
		want         []string
	}{
		{"patterns", `{"properties": {"a": {"pattern": "("}, "b": {"pattern": "[", "patternProperties": {"(?=a)": {}}}}}`, []string{"schema #/properties/a/pattern", "schema #/properties/b/pattern", "schema #/properties/b/patternProperties"}},
		{"the inner beside the outer", `{"$schema": "https://json-schema.org/draft/2020-12/schema", "minLength": "x", "properties": {"a/b": {"items": {"type": 5}}}}`, []string{"schema #/minLength", "schema #/properties/a~1b/items/type"}},
		{"no schema", `{"properties": {"a": 5, "b": {"required": true}}}`, []string{"schema #/properties/a", "schema #/properties/b/required"}},
		{"a keyword that takes something else", `{"properties": {"b": {"required": true}}}`, []string{"schema #/properties/b/required"}},
		{"null as a schema", `{"properties": {"a": null}}`, []string{"schema #/properties/a"}},
		{"a list as the schema", `[]`, []string{"schema #"}},
		{"one schema for a list", `{"allOf": {"type": "string"}}`, []string{"schema #/allOf"}},
		{"a list for names", `{"definitions": [{}]}`, []string{"schema #/definitions"}},
		{"a text in a list of schemas", `{"$schema": "https://json-schema.org/draft/2020-12/schema", "prefixItems": [true, "x"]}`, []string{"schema #/prefixItems/1"}},
		{"a reference to something that is not a schema", `{"anyOf": [{"$ref": "#/anyOf"}]}`, []string{"schema #"}},
		{"too deep", strings.Repeat(`{"not":`, 900) + "{}" + strings.Repeat("}", 900), []string{"schema #"}},
		{"references to nothing", `{"properties": {"a": {"$ref": "#/x"}, "b": {"$ref": "#/y"}}}`, []string{"schema #/properties/a/$ref", "schema #/properties/b/$ref"}},
		{"a property that is called const refers to itself", `{"properties": {"const": {"$ref": "#/properties/const"}}}`, []string{"schema "}},
	} {
		for range 20 {
			if diff := cmp.Diff(tc.want, violationsOf(t, tc.schema, "{const: 1}")); diff != "" {
				t.Fatalf("%s: -want +got:\n%s", tc.name, diff)
			}
		}
	}
}

// A schema may have many references, as those that hubs generate.
func TestManyReferences(t *testing.T) {
	const names = 300
	var properties, given, want []string
	for i := range names {
		properties = append(properties, fmt.Sprintf(`"k%d": {"anyOf": [{"$ref": "#/definitions/text"}, {"type": "null"}]}`, i))
		value := "x"
		if i%100 == 1 {
			value = "5"
			want = append(want, fmt.Sprintf("k%d: #/properties/k%d/anyOf", i, i))
		}
		given = append(given, fmt.Sprintf("k%d: %s", i, value))
	}
	slices.Sort(want)
	schema := `{"definitions": {"text": {"type": "string"}}, "properties": {` + strings.Join(properties, ", ") + `}}`
	if diff := cmp.Diff(want, violationsOf(t, schema, "{"+strings.Join(given, ", ")+"}")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
