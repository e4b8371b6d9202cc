package policy

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/values"
)

// All that a schema refuses of a value is told, each at its place with what is
// accepted, and without the value.
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
			[]string{`: lacks "a", "b"`, `: takes no "regoin" (did you mean "region"?); it takes a, region`}},
		{"what was told does not lack", `{"required": ["a"], "properties": {"a": {"$ref": "#/definitions/x"}}, "definitions": {"x": {"type": "string"}}}`, "{a: 7}", []string{`.a: got "integer", want "string"`}},
		{"two that share a schema", `{"properties": {"a": {"$ref": "#/definitions/x"}, "b": {"$ref": "#/definitions/x"}}, "definitions": {"x": {"properties": {"n": {"maximum": 3}}}}}`, "{a: {n: 4}, b: {n: 5}}",
			[]string{`.a.n: want a number of at most 3`, `.b.n: want a number of at most 3`}},
		{"items", `{"properties": {"a": {"items": {"properties": {"n": {"type": "string"}, "m": {"const": 3}}}}}}`, "{a: [{n: 1}, {n: x, m: 4}]}",
			[]string{`.a[].m: want 3`, `.a[].n: got "integer", want "string"`}},
		{"names by patterns", `{"patternProperties": {"^a": {"type": "string"}}, "propertyNames": {"maxLength": 3}, "additionalProperties": {"exclusiveMinimum": 3}}`, "{a: 1, b: 3, long-name: 9}",
			[]string{`: got "integer", want "string"`, `: of its keys: want a text of at most 3 characters`, `: want a number above 3`}},
		{"branches", `{"properties": {"a": {"anyOf": [{"type": "string"}]}, "b": {"oneOf": [true, true]}, "c": {"not": {}}, "d": {"allOf": [{"multipleOf": 2}]}, "e": {"if": {}, "then": {"minimum": 5}}}}`, "{a: 1, b: 1, c: 1, d: 1, e: 1}",
			[]string{`.a: satisfies none of the schemas of its anyOf`, `.b: want what satisfies exactly one of the schemas of its oneOf`, `.c: is what the schema does not allow there`, `.d: want a multiple of 2`, `.e: want a number of at least 5`}},
		{"lists", `{"properties": {"a": {"uniqueItems": true, "minItems": 3, "contains": {"type": "string"}}, "b": {"maxItems": 0}}}`, "{a: [1, 1], b: [1]}",
			[]string{`.a: want a list in which nothing stands twice`, `.a: want a list of at least 3 items`, `.a: want a list with an item that satisfies its contains`, `.b: want a list of at most 0 items`}},
		{"nothing is accepted", `{"properties": {"a": false, "b": {"type": "string"}}}`, "{a: hunter2, b: 1}", []string{`.a: is what the schema does not allow there`, `.b: got "integer", want "string"`}},
		{"names with special characters, of which the validator's words cut one", `{"properties": {"a/b": {"type": "string"}, "c~d": {"properties": {"e: f": {"maximum": 1}}}}}`, "{a/b: 1, c~d: {'e: f': 1234567}}",
			[]string{`.a/b: got "integer", want "string"`, `.c~d.e: is not what the schema wants there`}},
		{"names that depend", `{"dependencies": {"a": ["b"]}}`, "{a: 1234567}", []string{`: is not what the schema wants there`}},
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
			t.Errorf("%q tells the value", message)
		}
		all = append(all, v.at+": "+message)
	}
	slices.Sort(all)
	return all
}

// More than a person mends at once is not told, but that there is more is.
func TestViolationsAreBounded(t *testing.T) {
	var schema, value strings.Builder
	for n := range 30 {
		fmt.Fprintf(&schema, `"a%d": {"type": "string"}, `, n)
		fmt.Fprintf(&value, "a%d: 1\n", n)
	}
	all := violationsOf(t, `{"properties": {`+schema.String()+`"z": {}}}`, value.String())
	if len(all) != maxViolations+1 || !slices.Contains(all, ": the JSON schema of cap.type.x:0.1.0 refuses more of it; mend these first") {
		t.Errorf("got %d: %s", len(all), all)
	}
}

// A violation is told of the policy that the part of the value comes from.
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
