package policy

import (
	"strings"
	"testing"

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
	const rule = "warning Policy global spec.interface.rules[0]"
	for _, tc := range []struct{ name, rule, want string }{
		{"nothing", anyRule, ""},
		{"another wildcard", "{interface: {path: cap.interface.*}, oneOf: [{}]}", rule + `.interface.path | spec.interface.rules[0].interface.path: got "cap.interface.*", which matches no Interface: the only wildcard is cap.*, for every Interface; write a rule for each Interface, or that one [policy/unreachable-rule]`},
		{"cap.* with a revision", "{interface: {path: cap.*, revision: 1.0.0}, oneOf: [{}]}", rule + ".interface.revision | spec.interface.rules[0].interface.revision: cap.* with a revision matches no Interface; remove the revision [policy/unreachable-rule]"},
		{"a path that is misspelt", "{interface: {path: cap.intreface.db}, oneOf: [{}]}", rule + `.interface.path | spec.interface.rules[0].interface.path: no Interface in the list has the path "cap.intreface.db" (did you mean "cap.interface.db"?) [policy/unreachable-rule]`},
		{"a path of something else", "{interface: {path: cap.interface.cache.redis.install}, oneOf: [{}]}", ""},
		{"a revision that is not there", "{interface: {path: cap.interface.db, revision: 2.0.0}, oneOf: [{}]}", rule + ".interface.revision | spec.interface.rules[0].interface.revision: the Interface cap.interface.db is in the list in revision 1.0.0 only, not in 2.0.0 [policy/unreachable-rule]"},
		{"an Implementation that is misspelt", "{interface: {path: cap.*}, oneOf: [{}, {implementationConstraints: {path: cap.implementation.postgras}}]}", rule + `.oneOf[1].implementationConstraints.path | spec.interface.rules[0].oneOf[1].implementationConstraints.path: no Implementation in the list has the path "cap.implementation.postgras" (did you mean "cap.implementation.postgres"?) [policy/unreachable-rule]`},
		{"an attribute that is misspelt", "{interface: {path: cap.*}, oneOf: [{}, {implementationConstraints: {attributes: [{path: cap.attribute.provier.aws}]}}]}", rule + `.oneOf[1].implementationConstraints.attributes[0].path | spec.interface.rules[0].oneOf[1].implementationConstraints.attributes[0].path: no Implementation in the list has the attribute "cap.attribute.provier.aws" (did you mean "cap.attribute.provider.aws"?) [policy/unreachable-rule]`},
		{"an attribute that nothing has", "{interface: {path: cap.*}, oneOf: [{}, {implementationConstraints: {attributes: [{path: cap.attribute.provider.google}]}}]}", ""},
		{"a Type that is misspelt", "{interface: {path: cap.*}, oneOf: [{}, {implementationConstraints: {requires: [{path: cap.type.postgre}]}}]}", rule + `.oneOf[1].implementationConstraints.requires[0].path | spec.interface.rules[0].oneOf[1].implementationConstraints.requires[0].path: no Implementation in the list requires the Type "cap.type.postgre" (did you mean "cap.type.postgres"?) [policy/unreachable-rule]`},
	} {
		items := join(hub, resource("Type", "t", "{path: cap.type.postgres, revision: 0.1.0}"), policyOf("GLOBAL", rulesOf(tc.rule)))
		_, results := evaluate(t, functiontest.List(configOf("severity: {policy/no-rule: info, policy/unsatisfied: info}"), items))
		if got := strings.Join(only(results, "warning"), "\n"); got != tc.want {
			t.Errorf("%s: got  %s\nwant %s", tc.name, got, tc.want)
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
		"warning Policy workflow spec.scope | spec.scope: no reference names the policy in its workflowPolicies, so that it is not used; name it there, or remove it [policy/unused]",
		`warning TypeInstance idle spec.typeRef | spec.typeRef: no policy names the TypeInstance "idle", and no Implementation in the list requires its Type cap.type.idle:0.1.0; name it in a policy, or remove it [policy/unused]`,
		`warning TypeInstance other-revision spec.typeRef | spec.typeRef: no policy names the TypeInstance "other-revision", and no Implementation in the list requires its Type cap.type.required:0.2.0; name it in a policy, or remove it [policy/unused]`,
	}
	if got := only(results, "warning"); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	_, results = evaluate(t, functiontest.List(configOf("policyOrder: [ACTION]"), items))
	if got := strings.Join(only(results, "warning"), "\n"); !strings.Contains(got, "Policy global spec.scope | spec.scope: the policyOrder does not have GLOBAL, so that the policy is not used") {
		t.Errorf("got\n%s", got)
	}
}
