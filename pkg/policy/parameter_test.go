package policy

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function/functiontest"
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
		{"the value itself", `{"type": "object", "minProperties": 1}`, "5", []string{`: got "integer", want "object"`}},
		{"several keywords of one place", `{"properties": {"a": {"minLength": 9, "pattern": "^x", "enum": ["x1", "x2"]}}}`, "{a: hunter2}",
			[]string{`.a: want "x1" or "x2"`, `.a: want a text of at least 9 characters`, `.a: want a text that matches the pattern "^x"`}},
		{"what lacks beside what is too much", `{"required": ["a", "b"], "additionalProperties": false, "properties": {"a": {}, "region": {}}}`, "{regoin: hunter2}",
			[]string{`.regoin: is not allowed by the schema (did you mean "region"?); want "a" or "region"`, `: lacks "a", "b"`}},
		{"what was told does not lack", `{"required": ["a"], "properties": {"a": {"$ref": "#/definitions/x"}}, "definitions": {"x": {"type": "string"}}}`, "{a: 7}", []string{`.a: got "integer", want "string"`}},
		{"two that share a schema", `{"properties": {"a": {"$ref": "#/definitions/x"}, "b": {"$ref": "#/definitions/x"}}, "definitions": {"x": {"properties": {"n": {"maximum": 3}}}}}`, "{a: {n: 4}, b: {n: 5}}",
			[]string{`.a.n: want a number of at most 3`, `.b.n: want a number of at most 3`}},
		{"items", `{"properties": {"a": {"items": {"properties": {"n": {"type": "string"}, "m": {"const": 3}}}}}}`, "{a: [{n: 1}, {n: x, m: 4}]}",
			[]string{`.a[0].n: got "integer", want "string"`, `.a[1].m: want 3`}},
		{"names by patterns", `{"patternProperties": {"^a": {"type": "string"}}, "propertyNames": {"maxLength": 3}, "additionalProperties": {"exclusiveMinimum": 3}}`, "{a: 1, b: 3, long-name: 9}",
			[]string{`.a: got "integer", want "string"`, `.b: want a number above 3`, `: key "long-name": want a text of at most 3 characters`}},
		{"branches", `{"properties": {"a": {"anyOf": [{"type": "string"}]}, "b": {"oneOf": [true, true]}, "c": {"not": {}}, "d": {"allOf": [{"multipleOf": 2}]}, "e": {"if": {}, "then": {"minimum": 5}}}}`, "{a: 1, b: 1, c: 1, d: 1, e: 1}",
			[]string{`.a: got "integer", want "string" (anyOf)`, `.b: matches oneOf/0 and oneOf/1, want exactly one schema of oneOf`, `.c: is not allowed by the schema`, `.d: want a multiple of 2`, `.e: want a number of at least 5`}},
		{"lists", `{"properties": {"a": {"uniqueItems": true, "minItems": 3, "contains": {"type": "string"}}, "b": {"maxItems": 0}}}`, "{a: [1, 1], b: [1]}",
			[]string{`.a: want a list of at least 3 items`, `.a: want a list with an item that matches contains`, `.a: want a list without duplicates`, `.b: want a list of at most 0 items`}},
		{"nothing is accepted", `{"properties": {"a": false, "b": {"type": "string"}}}`, "{a: hunter2, b: 1}", []string{`.a: is not allowed by the schema`, `.b: got "integer", want "string"`}},
		{"names with special characters", `{"properties": {"a/b": {"type": "string"}, "c~d": {"properties": {"e: f": {"maximum": 1}}}}}`, "{a/b: 1, c~d: {'e: f': 1234567}}",
			[]string{`.a/b: got "integer", want "string"`, `.c~d.e: f: want a number of at most 1`}},
		{"names that depend", `{"dependencies": {"a": ["b", "c"], "c": {"maxProperties": 1}, "d": ["e"]}}`, "{a: 1234567, c: 1}",
			[]string{`: lacks "b", which "a" requires`, `: want a mapping of at most 1 keys`}},
		{"names that depend, in the later draft", `{"$schema": "https://json-schema.org/draft/2020-12/schema", "dependentRequired": {"a": ["b"]}, "dependentSchemas": {"a": {"maxProperties": 0}}, "dependencies": {"a": ["c"]}}`, "{a: 1234567}",
			[]string{`: lacks "b", which "a" requires`, `: want a mapping of at most 0 keys`}},
		{"two that lack the same by one schema", `{"additionalProperties": {"$ref": "#/definitions/x"}, "definitions": {"x": {"required": ["n"]}}}`, "{a: {}, b: {}}",
			[]string{`.a: lacks "n"`, `.b: lacks "n"`}},
		{"different faults of what a pattern stands for", `{"patternProperties": {"^x": {"type": "boolean"}}}`, "{xa: 1, xb: hunter2, xc: {}, xd: [], xe: null, xf: 1.5}",
			[]string{`.xa: got "integer", want "boolean"`, `.xb: got "string", want "boolean"`, `.xc: got "object", want "boolean"`, `.xd: got "array", want "boolean"`, `.xe: got "null", want "boolean"`, `.xf: got "number", want "boolean"`}},
		{"several types", `{"type": ["string", "null"]}`, "5", []string{`: got "integer", want "string" or "null"`}},
		{"what stands beside a reference does not count in draft-07", `{"properties": {"a": {"$ref": "#/definitions/x", "maximum": 1}}, "definitions": {"x": {"minimum": 9}}}`, "{a: 5}", []string{`.a: want a number of at least 9`}},
		{"and does in 2020-12", `{"$schema": "https://json-schema.org/draft/2020-12/schema", "properties": {"a": {"$ref": "#/$defs/x", "maximum": 1}}, "$defs": {"x": {"minimum": 9}}}`, "{a: 5}",
			[]string{`.a: want a number of at least 9`, `.a: want a number of at most 1`}},
		{"the first items of a list", `{"items": [{"type": "string"}, {"type": "string"}], "additionalItems": false}`, "[1, x, hunter2]", []string{`[0]: got "integer", want "string"`, `[2]: is not allowed by the schema`}},
		{"the first items in the later draft", `{"$schema": "https://json-schema.org/draft/2020-12/schema", "prefixItems": [{"type": "string"}], "items": {"maximum": 1}}`, "[1, 2]", []string{`[0]: got "integer", want "string"`, `[1]: want a number of at most 1`}},
		{"how many of a list", `{"properties": {"a": {"contains": {"type": "string"}, "minContains": 2}, "b": {"contains": {"type": "string"}, "maxContains": 1}, "c": {"contains": {"type": "string"}, "minContains": 0, "maxContains": 1}}}`, "{a: [x], b: [x, y], c: [x, y]}",
			[]string{`.a: want a list with at least 2 items that match contains`, `.b: want a list with 1 to 1 items that match contains`, `.c: want a list with 0 to 1 items that match contains`}},
		{"nothing beside", `{"properties": {"a": {"properties": {"n": {}}, "unevaluatedProperties": false}, "b": {"$ref": "#/definitions/x"}}, "definitions": {"x": {"allOf": [{"properties": {"n": {}}}], "unevaluatedProperties": false}}}`, "{a: {m: hunter2}, b: {n: 1, m: 1}}",
			[]string{`.a.m: is not allowed by the schema`, `.b.m: is not allowed by the schema`}},
		{"branches of what is referred to", `{"properties": {"a": {"anyOf": [{"$ref": "#/definitions/x"}, {"$ref": "#/properties/b"}]}, "b": {"if": {"$ref": "#/definitions/x"}, "then": {"maxLength": 1}, "else": {"minimum": 9}}}, "definitions": {"x": {"type": "string"}}}`, "{a: 5, b: hunter2}",
			[]string{`.a: matches no schema of anyOf. The closest is anyOf/1: want a number of at least 9`, `.b: want a text of at most 1 characters`}},
		{"the other branch", `{"if": {"type": "string"}, "then": {"maxLength": 1}, "else": {"minimum": 9}}`, "5", []string{`: want a number of at least 9`}},
		{"the same of several branches", `{"allOf": [{"type": "string"}, {"type": "string"}]}`, "5", []string{`: got "integer", want "string"`}},
		{"no other names, said in another way", `{"properties": {"a": {}}, "additionalProperties": {"not": {}}}`, "{b: hunter2, c: 1}", []string{`.b: is not allowed by the schema; want "a"`, `.c: is not allowed by the schema; want "a"`}},
		{"a pattern as it was written", `{"pattern": "^<a>&"}`, "hunter2", []string{`: want a text that matches the pattern "^<a>&"`}},
		{"null where a schema may be", `{"items": null, "allOf": null, "properties": {"a": {"additionalProperties": null, "not": null, "type": "string"}}}`, "{a: 5}", []string{`.a: got "integer", want "string"`}},
		{"an enum of nothing", `{"enum": []}`, "5", []string{`: is not allowed by the schema`}},
		{"keywords are what they are by case", `{"Type": "string", "$Ref": "#", "MINIMUM": 9}`, "5", nil},
		{"a reference as URIs are written", `{"properties": {"a": {"$ref": "#/definitions/x%20%22y%25"}, "b": {"anyOf": [{"$ref": "#/definitions/x%20%22y%25"}]}}, "definitions": {"x \"y%": {"type": "string"}}}`, "{a: 5, b: 5}", []string{`.a: got "integer", want "string"`, `.b: got "integer", want "string" (anyOf)`}},
		{"properties that are called as keywords", `{"properties": {"const": {"$ref": "#/definitions/enum"}, "enum": {"maximum": 1}}, "definitions": {"enum": {"type": "string"}}}`, "{const: 5, enum: 5}",
			[]string{`.const: got "integer", want "string"`, `.enum: want a number of at most 1`}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, violationsOf(t, tc.schema, tc.value)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// violationsOf are those of a value, sorted.
func violationsOf(t *testing.T, schema, value string) []string {
	t.Helper()
	document, err := values.Parse(value)
	if err != nil {
		t.Fatal(err)
	}
	typ := &Type{TypeSpec: TypeSpec{Ref: Ref{"cap.type.x", "0.1.0"}, JSONSchema: SchemaText{Value: schema}}}
	var all []string
	for _, v := range typ.violations(document.Root()) {
		message := strings.TrimSuffix(v.message, " (JSON schema of cap.type.x:0.1.0)")
		if strings.Contains(message, "hunter2") || strings.Contains(message, "1234567") {
			t.Errorf("%q has the value", message)
		}
		all = append(all, v.at+": "+message)
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
	if len(all) != maxViolations+1 || !slices.Contains(all, ": the JSON schema of cap.type.x:0.1.0 does not allow more of it; fix these first") {
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
	for _, tc := range []struct{ name, schema, want string }{
		{"patterns", `{"properties": {"a": {"pattern": "("}, "b": {"pattern": "[", "patternProperties": {"(?=a)": {}}}}}`, "#/properties/a/pattern: "},
		{"the inner beside the outer", `{"minLength": "x", "properties": {"a/b": {"items": [{}, {"type": 5}]}}}`, "#/properties/a~1b/items/1/type: "},
		{"no schema", `{"properties": {"a": 5, "b": {"required": true}}}`, `#/properties/a: got "integer", want a schema: an object, true or false; #/properties/b/required: got "boolean"`},
		{"a keyword that takes something else, reported without types of Go", `{"properties": {"b": {"required": true}}}`, `#/properties/b/required: got "boolean", want a list of names; fix`},
		{"null as a schema", `{"properties": {"a": null}}`, `#/properties/a: got "null", want a schema: an object, true or false; fix`},
		{"a list as the schema", `[]`, `cannot be read: #: got "array", want a schema: an object, true or false; fix`},
		{"one schema for a list", `{"allOf": {"type": "string"}}`, `#/allOf: got "object", want a list of schemas; fix`},
		{"a list for names", `{"definitions": [{}]}`, `#/definitions: got "array", want an object with schemas; fix`},
		{"a text in a list of schemas", `{"items": [true, "x"]}`, `#/items/1: got "string", want a schema`},
		{"a reference to what is no schema", `{"properties": {"a": {"$ref": "#/properties"}}}`, `#/properties/a/$ref: got "#/properties", which leads to no schema`},
		{"too deep", strings.Repeat(`{"not":`, 300) + "{}" + strings.Repeat("}", 300), "its schemas are nested more than 250 deep; fix"},
		{"references to nothing", `{"properties": {"a": {"$ref": "#/x"}, "b": {"$ref": "#/y"}}}`, `#/properties/a/$ref: got "#/x", which leads to no schema`},
		{"a property that is called const refers to itself", `{"properties": {"const": {"$ref": "#/properties/const"}}}`, "it refers to itself without end"},
	} {
		for range 20 {
			if got := violationsOf(t, tc.schema, "{const: 1}"); len(got) != 1 || !strings.Contains(got[0], tc.want) {
				t.Fatalf("%s: want %s, got %s", tc.name, tc.want, got)
			}
		}
	}
}

// A schema with many references, as hubs generate them, takes little time.
func TestManyReferences(t *testing.T) {
	const names = 1000
	var properties, given, want []string
	for i := range names {
		properties = append(properties, fmt.Sprintf(`"k%d": {"anyOf": [{"$ref": "#/definitions/text"}, {"type": "null"}]}`, i))
		value := "x"
		if i%100 == 1 {
			value = "5"
			want = append(want, fmt.Sprintf(`.k%d: got "integer", want "string" or "null" (anyOf)`, i))
		}
		given = append(given, fmt.Sprintf("k%d: %s", i, value))
	}
	slices.Sort(want)
	schema := `{"definitions": {"text": {"type": "string"}}, "properties": {` + strings.Join(properties, ", ") + `}}`
	start := time.Now()
	if diff := cmp.Diff(want, violationsOf(t, schema, "{"+strings.Join(given, ", ")+"}")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("it took %s", took)
	}
}

// A violation is reported at the policy that the part of the value comes from.
func TestViolationsOfMergedParameters(t *testing.T) {
	hub := join(dbInterface, paramsType, instance("a1", "cap.type.a"), implementation("it", configurable))
	with := func(scope, value string) string {
		return policyOf(scope, rulesOf("{interface: {path: cap.*}, oneOf: [{inject: {requiredTypeInstances: [{id: a1}], additionalParameters: [{name: params, value: "+value+"}]}}]}"))
	}
	_, results := evaluate(t, functiontest.List("", join(hub, with("GLOBAL", "{region: eu, size: five}"), with("ACTION", "{tier: c}"))))
	const at = "spec.interface.rules[0].oneOf[0].inject.additionalParameters[0].value"
	want := []string{
		"error Policy action " + at + ".tier | " + at + `.tier: want "a" or "b" (JSON schema of cap.type.params:0.1.0) [policy/invalid]`,
		"error Policy global " + at + ".size | " + at + `.size: got "string", want "integer" (JSON schema of cap.type.params:0.1.0) [policy/invalid]`,
	}
	if diff := cmp.Diff(want, results); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
