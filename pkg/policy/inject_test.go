package policy

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/rule"
)

// Step 8: each TypeInstance goes to the first requirement of its Type with an alias
// that has none yet.
func TestInjectRequired(t *testing.T) {
	for _, tc := range []struct {
		name, requires, ids string
		want                []InjectedInstance
	}{
		{"an alias", "{cap.type: {allOf: [{name: a, revision: 0.1.0, alias: one}]}}", "{id: a}", []InjectedInstance{{"one", "a"}}},
		{"without an alias it is not injected", "{cap.type: {allOf: [{name: a, revision: 0.1.0}]}}", "{id: a}", nil},
		{"nor without a match", "{cap.type: {anyOf: [{name: b, revision: 0.1.0}]}}", "{id: a}", nil},
		{"the first prefix", "{cap.z: {anyOf: [{name: cap.type.a, revision: 0.1.0, alias: first}, {name: x, revision: 0.1.0}]}, cap.type: {anyOf: [{name: a, revision: 0.1.0, alias: second}, {name: b, revision: 0.1.0}]}}", "{id: a}", []InjectedInstance{{"first", "a"}}},
		{"oneOf before allOf and anyOf", "{cap.type: {anyOf: [{name: a, revision: 0.1.0, alias: any}, {name: b, revision: 0.1.0}], oneOf: [{name: a, revision: 0.1.0, alias: one}]}}", "{id: a}", []InjectedInstance{{"one", "a"}}},
		{"allOf before anyOf", "{cap.type: {anyOf: [{name: a, revision: 0.1.0, alias: any}, {name: b, revision: 0.1.0}], allOf: [{name: a, revision: 0.1.0, alias: all}]}}", "{id: a}", []InjectedInstance{{"all", "a"}}},
		{"the first has no alias", "{cap.type: {oneOf: [{name: a, revision: 0.1.0}], anyOf: [{name: a, revision: 0.1.0, alias: any}, {name: b, revision: 0.1.0}]}}", "{id: a}", []InjectedInstance{{"any", "a"}}},
		{"a Type that is required twice", "{cap.type: {oneOf: [{name: a, revision: 0.1.0}], allOf: [{name: a, revision: 0.1.0, alias: all}]}}", "{id: a}", []InjectedInstance{{"all", "a"}}},
		{"two aliases of a Type, in order", "{cap.type: {allOf: [{name: a, revision: 0.1.0, alias: one}, {name: a, revision: 0.1.0, alias: two}]}}", "{id: other}, {id: a}", []InjectedInstance{{"one", "other"}, {"two", "a"}}},
		{"sorted by alias", "{cap.type: {allOf: [{name: a, revision: 0.1.0, alias: z}, {name: b, revision: 0.1.0, alias: y}]}}", "{id: a}, {id: b}", []InjectedInstance{{"y", "b"}, {"z", "a"}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s, results := selectOne(t, join(dbInterface, instance("a", "cap.type.a"), instance("other", "cap.type.a"), instance("b", "cap.type.b"), implementation("it", "requires: "+tc.requires),
				policyOf("GLOBAL", rulesOf("{interface: {path: cap.*}, oneOf: [{inject: {requiredTypeInstances: ["+tc.ids+"]}}]}"))))
			if diff := cmp.Diff(tc.want, s.Inject.RequiredTypeInstances); diff != "" || s.chosen() != "it:0.1.0" {
				t.Errorf("%s, -want +got:\n%s\n%s", s.chosen(), diff, strings.Join(results, "\n"))
			}
		})
	}
}

// A TypeInstance serves one alias. Where a Type has two, the advice is to name another
// TypeInstance; a third one is too many.
func TestTwoAliasesOfOneType(t *testing.T) {
	hub := join(dbInterface, instance("a1", "cap.type.a"), instance("a2", "cap.type.a"), instance("a3", "cap.type.a"), implementation("it", "requires: {cap.type: {allOf: [{name: a, revision: 0.1.0, alias: one}, {name: a, revision: 0.1.0, alias: two}]}}"))
	run := func(ids string) diag.Finding {
		return functiontest.Run(t, Function(), "", join(hub, policyOf("GLOBAL", rulesOf("{interface: {path: cap.*}, oneOf: [{inject: {requiredTypeInstances: ["+ids+"]}}]}")))).Findings[0]
	}
	if f := run("{id: a1}"); f.Rule != rule.PolicyUnsatisfied || !strings.Contains(f.Found, "alias two") || !strings.Contains(f.Action, "serves one alias") {
		t.Errorf("one: got %s", f.Message())
	}
	if f := run("{id: a1}, {id: a2}"); f.Rule != rule.PolicySelected {
		t.Errorf("two: got %s", f.Message())
	}
	if f := run("{id: a1}, {id: a2}, {id: a3}"); f.Rule != rule.PolicyInvalid || !strings.HasSuffix(f.Key, "requiredTypeInstances[2]") {
		t.Errorf("three: got %s", f.Message())
	}
}

// A key twice in a parameter is an error, whatever other policies there are: readers and
// mergers disagree on which one counts.
func TestDuplicateKeysOfParameters(t *testing.T) {
	hub := join(dbInterface, implementation("it", configurable), instance("a1", "cap.type.a"))
	policy := func(scope, value string) string {
		return resource("Policy", strings.ToLower(scope), "scope: "+scope+"\ninterface:\n  rules:\n  - interface: {path: cap.interface.db}\n    oneOf:\n    - inject:\n        requiredTypeInstances: [{id: a1}]\n        additionalParameters:\n        - name: params\n          value:\n"+value)
	}
	global := policy("GLOBAL", "            region: us\n            nested: {a: 1}\n            region: eu\n")
	const want = "error policy/invalid Policy/global spec.interface.rules[0].oneOf[0].inject.additionalParameters[0].value key=region at=3:17 duplicate-of=1:17"
	for name, items := range map[string]string{"alone": join(hub, global), "below another": join(hub, global, policy("ACTION", "            size: 2\n"))} {
		output, results := evaluate(t, functiontest.List("", items))
		if diff := cmp.Diff([]string{want}, results); diff != "" || len(selections(t, output)) != 0 {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
	}
}

const paramsType = `apiVersion: ocf.capact.io/v1alpha1
kind: Type
metadata:
  name: params
spec:
  path: cap.type.params
  revision: 0.1.0
  jsonSchema:
    value: '{"$schema": "http://json-schema.org/draft-07/schema", "type": "object", "required": ["region"], "additionalProperties": false, "properties": {"region": {"type": "string"}, "size": {"type": "integer", "maximum": 3}, "tier": {"enum": ["a", "b"]}, "password": {"type": "string", "minLength": 20}, "net": {"type": "object", "properties": {"zones": {"type": "array", "items": {"type": "string"}}}}}}'
`

// What cannot be injected is an error at the entry of the policy, and the
// selection is not made.
func TestInjectErrors(t *testing.T) {
	hub := join(dbInterface, paramsType, instance("a1", "cap.type.a"), instance("a2", "cap.type.a"), instance("b1", "cap.type.b"), implementation("it", configurable))
	for _, tc := range []struct {
		name, inject string
		want         []string // the errors
	}{
		{"all is well", "requiredTypeInstances: [{id: a1}], additionalParameters: [{name: params, value: {region: eu, size: 3, net: {zones: [a]}}}], additionalTypeInstances: [{name: spare, id: b1}]", nil},
		{"an unknown parameter", "additionalParameters: [{name: parms, value: {}}]", []string{`error policy/invalid Policy/global spec.interface.rules[0].oneOf[0].inject.additionalParameters[0].name no="additional parameter named \"parms\" in cap.implementation.it:0.1.0" want="more or params" near=params`}},
		{"a parameter twice", "additionalParameters: [{name: params, value: {region: a}}, {name: params, value: {region: a}}]", []string{"error policy/invalid Policy/global spec.interface.rules[0].oneOf[0].inject.additionalParameters[1].name"}},
		{"a parameter without a value", "additionalParameters: [{name: params}]", []string{"error policy/invalid Policy/global spec.interface.rules[0].oneOf[0].inject.additionalParameters[0].value missing="}},
		{"what the schema rejects, all of it and not the values", "additionalParameters: [{name: params, value: {size: five, tier: c, password: hunter2, net: {zones: [1]}, colour: red}}]", []string{
			"error policy/invalid Policy/global spec.interface.rules[0].oneOf[0].inject.additionalParameters[0].value schema=#/required",
			"error policy/invalid Policy/global spec.interface.rules[0].oneOf[0].inject.additionalParameters[0].value.colour schema=#/additionalProperties",
			"error policy/invalid Policy/global spec.interface.rules[0].oneOf[0].inject.additionalParameters[0].value.net.zones[0] schema=#/properties/net/properties/zones/items/type",
			"error policy/invalid Policy/global spec.interface.rules[0].oneOf[0].inject.additionalParameters[0].value.password schema=#/properties/password/minLength",
			"error policy/invalid Policy/global spec.interface.rules[0].oneOf[0].inject.additionalParameters[0].value.size schema=#/properties/size/type",
			"error policy/invalid Policy/global spec.interface.rules[0].oneOf[0].inject.additionalParameters[0].value.tier schema=#/properties/tier/enum",
		}},
		{"a parameter that is missing", "additionalParameters: [{name: params, value: {}}]", []string{"error policy/invalid Policy/global spec.interface.rules[0].oneOf[0].inject.additionalParameters[0].value schema=#/required"}},
		{"an unknown additional TypeInstance", "additionalTypeInstances: [{name: extr, id: a1}]", []string{`error policy/invalid Policy/global spec.interface.rules[0].oneOf[0].inject.additionalTypeInstances[0].name no="additional TypeInstance named \"extr\" in cap.implementation.it:0.1.0" want="extra or spare" near=extra`}},
		{"one of another Type", "additionalTypeInstances: [{name: extra, id: b1, description: the other one}]", []string{`error policy/invalid Policy/global spec.interface.rules[0].oneOf[0].inject.additionalTypeInstances[0].id got="a TypeInstance of cap.type.b:0.1.0" want="one of cap.type.a:0.1.0 (as cap.implementation.it:0.1.0 declares for \"extra\")"`}},
		{"two additional TypeInstances of one name", "additionalTypeInstances: [{name: extra, id: a1}, {name: extra, id: a2}, {name: spare, id: b1}]", []string{"error policy/invalid Policy/global spec.interface.rules[0].oneOf[0].inject.additionalTypeInstances[1].name"}},
		{"two for one alias", "requiredTypeInstances: [{id: a1, description: first}, {id: a2}]", []string{"error policy/invalid Policy/global spec.interface.rules[0].oneOf[0].inject.requiredTypeInstances[1]"}},
		{"an unknown id", "additionalTypeInstances: [{name: extra, id: b9}]", []string{`error policy/invalid Policy/global spec.interface.rules[0].oneOf[0].inject.additionalTypeInstances[0].id no="TypeInstance has the id \"b9\""`}},
		{"unknown ids", "requiredTypeInstances: [{id: a3}], additionalTypeInstances: [{name: extra, id: zzzzz}]", []string{
			`error policy/invalid Policy/global spec.interface.rules[0].oneOf[0].inject.additionalTypeInstances[0].id no="TypeInstance has the id \"zzzzz\""`,
			`error policy/invalid Policy/global spec.interface.rules[0].oneOf[0].inject.requiredTypeInstances[0].id no="TypeInstance has the id \"a3\""`,
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			inject := tc.inject
			if !strings.Contains(inject, "requiredTypeInstances") {
				inject += ", requiredTypeInstances: [{id: a1}]"
			}
			output, outcome := functiontest.RunList(t, Function(), functiontest.List("", join(hub, policyOf("GLOBAL", rulesOf("{interface: {path: cap.*}, oneOf: [{inject: {"+inject+"}}]}")))))
			results := functiontest.Facts(outcome.Findings)
			if diff := cmp.Diff(tc.want, only(results, "error")); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if made := len(selections(t, output)); made != 1 && tc.want == nil || made != 0 && tc.want != nil {
				t.Errorf("got %d selections", made)
			}
			for _, f := range outcome.Findings {
				if text := f.Message() + fmt.Sprint(f); strings.Contains(text, "hunter2") || strings.Contains(text, "five") {
					t.Errorf("a value is in the finding %s", text)
				}
			}
		})
	}
}

// Where nothing can be given, the message says so.
func TestNothingAdditional(t *testing.T) {
	_, outcome := functiontest.RunList(t, Function(), functiontest.List("", join(dbInterface, implementation("it", ""), policyOf("GLOBAL", rulesOf("{interface: {path: cap.*}, oneOf: [{inject: {additionalParameters: [{name: a, value: 1}]}}]}")))))
	want := []string{`error policy/invalid Policy/global spec.interface.rules[0].oneOf[0].inject.additionalParameters[0].name no="additional parameter named \"a\" in cap.implementation.it:0.1.0"`}
	if diff := cmp.Diff(want, functiontest.Facts(outcome.Findings)); diff != "" {
		t.Fatalf("-want +got:\n%s", diff)
	}
	if message := outcome.Findings[0].Message(); !strings.Contains(message, "Remove the entry: the Implementation has no additional parameters") {
		t.Errorf("got %s", message)
	}
}

// doubling is a schema that tries each of its parts twice, and so on.
var doubling = func() string {
	var b strings.Builder
	b.WriteString(`{"$ref": "#/definitions/x0", "definitions": {`)
	for n := range 40 {
		fmt.Fprintf(&b, `"x%d": {"anyOf": [{"$ref": "#/definitions/x%d"}, {"$ref": "#/definitions/x%d"}]}, `, n, n+1, n+1)
	}
	return b.String() + `"x40": {"type": "null"}}}`
}()

// Without the Type in the list a parameter is not checked. A schema that cannot be
// read is an error where it is needed.
func TestParameterSchemas(t *testing.T) {
	items := func(typ string) string {
		return functiontest.List("", join(dbInterface, typ+instance("a1", "cap.type.a"), implementation("it", configurable),
			policyOf("GLOBAL", rulesOf("{interface: {path: cap.*}, oneOf: [{inject: {requiredTypeInstances: [{id: a1}], additionalParameters: [{name: params, value: {a: 1}}]}}]}"))))
	}
	typ := func(schema string) string {
		return resource("Type", "params", "{path: cap.type.params, revision: 0.1.0, jsonSchema: {value: '"+schema+"'}}") + "---\n"
	}
	const faulty = "error policy/invalid Type/params spec.jsonSchema.value"
	const refused = "error policy/invalid Policy/global spec.interface.rules[0].oneOf[0].inject.additionalParameters[0].value"
	for _, tc := range []struct{ name, typ, want string }{
		{"no Type", "", ""},
		{"no schema", typ(""), ""},
		{"no JSON", typ("{"), faulty + " schema=#"},
		{"a schema that refers elsewhere", typ(`{"$ref": "http://example.com/schema"}`), faulty + " schema=#/$ref"},
		{"a relative reference", typ(`{"$ref": "other.json"}`), faulty + " schema=#/$ref"},
		{"a reference within", typ(`{"$ref": "#/definitions/x", "definitions": {"x": {"type": "object"}}}`), ""},
		{"a schema of itself", typ(`{"$ref": "#"}`), faulty},
		{"a circle", typ(`{"$ref":"#/definitions/a","definitions":{"a":{"not":{"$ref":"#/definitions/b"}},"b":{"anyOf":[{"$ref":"#/definitions/a"}]}}}`), faulty},
		{"a schema that doubles", typ(doubling), faulty},
		{"a circle by names", typ(`{"$schema": "https://json-schema.org/draft/2020-12/schema", "dependentSchemas": {"a": {"$ref": "#"}}}`), faulty},
		{"data that looks like a schema", typ(`{"properties": {"b": {"const": {"$ref": "http://example.com", "$id": "x"}}}, "default": {"$dynamicRef": "x"}}`), ""},
		{"names that are keywords", typ(`{"not": {"properties": {"a": {"type": "string"}, "if": {"$ref": "#"}, "$ref": {"type": "null"}}}}`), ""},
		{"a recursion that ends", typ(`{"properties": {"a": {"$ref": "#"}}}`), ""},
		{"a reference to nothing", typ(`{"$ref": "#/definitions/x"}`), faulty + " schema=#/$ref"},
		{"an $id of draft-07 without a draft", typ(`{"properties": {"b": {"$id": "#/properties/b", "type": "string"}}}`), ""},
		{"a reference by an anchor", typ(`{"$ref": "#x", "definitions": {"x": {"$id": "#x", "type": "string"}}}`), refused + " schema=#/definitions/x/type"},
		{"an anchor that is not there", typ(`{"$ref": "#y", "definitions": {"x": {"$id": "#x"}}}`), faulty + " schema=#/$ref"},
		{"a dynamic reference", typ(`{"$schema": "https://json-schema.org/draft/2020-12/schema", "$dynamicAnchor": "x", "$dynamicRef": "#x"}`), faulty},
		{"2020-12", typ(`{"$schema": "https://json-schema.org/draft/2020-12/schema", "$ref": "#/$defs/x", "$defs": {"x": {"type": "string"}}}`), refused + " schema=#/$defs/x/type"},
		{"a pattern beyond RE2", typ(`{"properties": {"a": {"pattern": "(?=a)"}}}`), faulty + " schema=#/properties/a/pattern"},
		{"draft-07 under another name", typ(`{"$schema": "http://json-schema.org/draft-07/schema", "type": "array"}`), refused + " schema=#/type"},
	} {
		output, results := evaluate(t, items(tc.typ))
		if tc.want == "" {
			if len(selections(t, output)) != 1 {
				t.Errorf("%s: %s", tc.name, results)
			}
		} else if len(results) != 1 || results[0] != tc.want {
			t.Errorf("%s: got %s", tc.name, results)
		}
	}
}

// Values leave with their meaning: quotes, merge keys and aliases.
func TestParameterValues(t *testing.T) {
	policy := `apiVersion: ocf.capact.io/v1alpha1
kind: Policy
metadata:
  name: global
spec:
  scope: GLOBAL
  interface:
    rules:
    - interface: {path: cap.*}
      oneOf:
      - inject:
          requiredTypeInstances: [{id: a1}]
          additionalParameters:
          - name: params
            value:
              base: &base {a: "1", b: 'yes', z: 0x10}
              <<: *base
              b: no # ours
              list: [*base, ~, 1.50]
              text: |
                two
                lines
              "on": {}
              none: []
`
	output, results := evaluate(t, functiontest.List("", join(dbInterface, instance("a1", "cap.type.a"), implementation("it", configurable), policy)))
	if !strings.Contains(output, `    additionalParameters:
      - name: params
        value:
          base:
            a: "1"
            b: 'yes'
            z: 0x10
          b: "no"
          list:
          - a: "1"
            b: 'yes'
            z: 0x10
          - ~
          - 1.50
          text: |
            two
            lines
          "on": {}
          none: []
          a: "1"
          z: 0x10
`) {
		t.Errorf("got\n%s\n%s", output[strings.LastIndex(output, "kind: Impl"):], results)
	}
}

// A JSON schema with keywords that its draft ignores has one warning, however many parameters
// are validated by it.
func TestSchemaWarnings(t *testing.T) {
	typ := resource("Type", "params", `{path: cap.type.params, revision: 0.1.0, jsonSchema: {value: '{"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"a": {"unevaluatedItems": false}}}'}}`)
	unused := resource("Type", "unused", `{path: cap.type.unused, revision: 0.1.0, jsonSchema: {value: '{"$schema": "http://json-schema.org/draft-07/schema#", "unevaluatedItems": false}'}}`)
	other := resource("Interface", "other", "{path: cap.interface.other, revision: 1.0.0}")
	both := strings.Replace(implementation("it", configurable), "revision: 1.0.0}]", "revision: 1.0.0}, {path: cap.interface.other, revision: 1.0.0}]", 1)
	output, results := evaluate(t, functiontest.List("", join(dbInterface, other, typ, unused, instance("a1", "cap.type.a"), both,
		policyOf("GLOBAL", rulesOf("{interface: {path: cap.*}, oneOf: [{inject: {requiredTypeInstances: [{id: a1}], additionalParameters: [{name: params, value: {a: [1]}}]}}]}")))))
	if made := len(selections(t, output)); made != 2 {
		t.Fatalf("got %d selections: %s", made, results)
	}
	if diff := cmp.Diff([]string{"warning policy/ignored-field Type/params spec.jsonSchema.value"}, only(results, "warning")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
