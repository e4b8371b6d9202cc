package policy

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function/functiontest"
)

// only returns the results of a severity.
func only(results []string, severity string) []string {
	var some []string
	for _, r := range results {
		if strings.HasPrefix(r, severity+" ") {
			some = append(some, r)
		}
	}
	return some
}

func TestLint(t *testing.T) {
	hub := join(dbInterface, implementation("postgres", "attributes: {cap.attribute.provider.aws: {revision: 0.1.0}}"),
		resource("Attribute", "gcp", "{path: cap.attribute.provider.google, revision: 0.1.0}"))
	for _, tc := range []struct {
		name, rule string
		want       []string
	}{
		{"nothing", anyRule, nil},
		{"another wildcard", "{interface: {path: cap.interface.*}, oneOf: [{}]}", []string{"warning policy/unreachable-rule Policy/global spec.interface.rules[0].interface.path"}},
		{"cap.* with a revision", "{interface: {path: cap.*, revision: 1.0.0}, oneOf: [{}]}", []string{"warning policy/unreachable-rule Policy/global spec.interface.rules[0].interface.revision"}},
		{"a path that is misspelt", "{interface: {path: cap.intreface.db}, oneOf: [{}]}", []string{`warning policy/unreachable-rule Policy/global spec.interface.rules[0].interface.path no="Interface in the package has the path \"cap.intreface.db\"" near=cap.interface.db`}},
		{"a path of something else", "{interface: {path: cap.interface.cache.redis.install}, oneOf: [{}]}", nil},
		{"a revision that is not there", "{interface: {path: cap.interface.db, revision: 2.0.0}, oneOf: [{}]}", []string{`warning policy/unreachable-rule Policy/global spec.interface.rules[0].interface.revision got="\"2.0.0\"" want="1.0.0 (the revision of cap.interface.db in the package)"`}},
		{"an invalid revision", "{interface: {path: cap.interface.db, revision: x}, oneOf: [{}]}", nil},
		{"an Implementation that is misspelt", "{interface: {path: cap.*}, oneOf: [{}, {implementationConstraints: {path: cap.implementation.postgras}}]}", []string{`warning policy/unreachable-rule Policy/global spec.interface.rules[0].oneOf[1].implementationConstraints.path no="Implementation in the package has the path \"cap.implementation.postgras\"" near=cap.implementation.postgres`}},
		{"an attribute that is misspelt", "{interface: {path: cap.*}, oneOf: [{}, {implementationConstraints: {attributes: [{path: cap.attribute.provier.aws}]}}]}", []string{`warning policy/unreachable-rule Policy/global spec.interface.rules[0].oneOf[1].implementationConstraints.attributes[0].path no="attribute in the package has the path \"cap.attribute.provier.aws\"" near=cap.attribute.provider.aws`}},
		{"an attribute that nothing has", "{interface: {path: cap.*}, oneOf: [{}, {implementationConstraints: {attributes: [{path: cap.attribute.provider.google}]}}]}", nil},
		{"a Type that is misspelt", "{interface: {path: cap.*}, oneOf: [{}, {implementationConstraints: {requires: [{path: cap.type.postgre}]}}]}", []string{`warning policy/unreachable-rule Policy/global spec.interface.rules[0].oneOf[1].implementationConstraints.requires[0].path no="Type in the package has the path \"cap.type.postgre\"" near=cap.type.postgres`}},
	} {
		items := join(hub, resource("Type", "t", "{path: cap.type.postgres, revision: 0.1.0}"), policyOf("GLOBAL", rulesOf(tc.rule)))
		_, results := evaluate(t, functiontest.List(configOf("severity: {policy/no-rule: info, policy/unsatisfied: info}"), items))
		if diff := cmp.Diff(tc.want, only(results, "warning")); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tc.name, diff)
		}
	}
}

// TypeInstances and policies that nothing uses.
func TestUnused(t *testing.T) {
	items := join(dbInterface, implementation("it", "requires: {cap.type: {anyOf: [{name: required, revision: 0.1.0}]}}\nadditionalInput: {typeInstances: {x: {typeRef: {path: cap.type.additional, revision: 0.1.0}}}}"),
		instance("required", "cap.type.required"), instance("named", "cap.type.x"), instance("additional", "cap.type.additional"), instance("default", "cap.type.y"),
		instance("backend", "cap.core.type.hub.storage.neo4j"), instance("idle", "cap.type.idle"),
		resource("TypeInstance", "other-revision", "{typeRef: {path: cap.type.required, revision: 0.2.0}}"),
		policyOf("GLOBAL", "interface: {default: {inject: {requiredTypeInstances: [{id: default}]}}, rules: [{interface: {path: cap.*}, oneOf: [{inject: {requiredTypeInstances: [{id: named}], additionalTypeInstances: [{name: x, id: additional}]}}]}]}\ntypeInstance: {rules: [{typeRef: {path: cap.*}, backend: {id: backend}}]}"),
		policyOf("WORKFLOW", ""))
	_, results := evaluate(t, functiontest.List("", items))
	want := []string{
		"warning policy/unused Policy/workflow spec.scope",
		"warning policy/unused TypeInstance/idle spec.typeRef",
		"warning policy/unused TypeInstance/other-revision spec.typeRef",
	}
	if diff := cmp.Diff(want, only(results, "warning")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	_, results = evaluate(t, functiontest.List(configOf("policyOrder: [ACTION]"), items))
	if diff := cmp.Diff(append([]string{"warning policy/unused Policy/global spec.scope"}, want...), only(results, "warning")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
