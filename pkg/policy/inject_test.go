package policy

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function/functiontest"
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
