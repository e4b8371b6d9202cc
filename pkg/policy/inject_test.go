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

// withParams are an Interface and an Implementation, and a policy that injects a value for its
// parameter.
func withParams(typ, value string) string {
	return functiontest.List("", join(dbInterface, typ, instance("a1", "cap.type.a"), implementation("it", configurable),
		policyOf("GLOBAL", rulesOf("{interface: {path: cap.*}, oneOf: [{inject: {requiredTypeInstances: [{id: a1}], additionalParameters: [{name: params, value: "+value+"}]}}]}"))))
}

// What a schema rejects is reported without the value.
func TestParametersAreNotShown(t *testing.T) {
	_, outcome := functiontest.RunList(t, Function(), withParams(paramsType, "{size: five, tier: c, password: hunter2, net: {zones: [1]}, colour: red}"))
	if len(outcome.Findings) != 6 {
		t.Errorf("got %q", functiontest.Facts(outcome.Findings))
	}
	for _, f := range outcome.Findings {
		if text := f.Message() + fmt.Sprint(f); strings.Contains(text, "hunter2") || strings.Contains(text, "five") {
			t.Errorf("a value is in the finding %s", text)
		}
	}
}

// A parameter that is too large is an error, and the selections that do not depend on it are made.
func TestLargeParameter(t *testing.T) {
	large := "[&a [" + strings.Repeat("x, ", 200) + "x], &b [" + strings.Repeat("*a, ", 60) + "*a], *b]"
	output, results := evaluate(t, functiontest.List("", join(dbInterface, implementation("it", ""),
		policyOf("GLOBAL", rulesOf("{interface: {path: cap.interface.x}, oneOf: [{inject: {additionalParameters: [{name: a, value: "+large+"}]}}]}", anyRule)))))
	if diff := cmp.Diff([]string{"error policy/invalid Policy/global spec.interface.rules[0].oneOf[0].inject.additionalParameters[0].value"}, only(results, "error")); diff != "" || len(selections(t, output)) != 1 {
		t.Errorf("%d selections, -want +got:\n%s", len(selections(t, output)), diff)
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

// A schema that would be checked for ever is an error.
func TestDoublingSchema(t *testing.T) {
	_, results := evaluate(t, withParams(resource("Type", "params", "{path: cap.type.params, revision: 0.1.0, jsonSchema: {value: '"+doubling+"'}}"), "{a: 1}"))
	if diff := cmp.Diff([]string{"error policy/invalid Type/params spec.jsonSchema.value"}, results); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
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
