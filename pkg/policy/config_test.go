package policy

import (
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/function/functiontest"
)

// Step 0, and what else can be wrong with the configuration.
func TestConfig(t *testing.T) {
	items := join(dbInterface, implementation("a", ""), policyOf("GLOBAL", rulesOf(anyRule)), resource("Policy", "step", "scope: WORKFLOW\n"+rulesOf(anyRule)+"\n"))
	const at = "error SelectImplementations select spec."
	for _, tc := range []struct {
		name, config string
		want         []string
	}{
		{"a scope that is unknown", configOf("policyOrder: [ACTON]"), []string{at + `policyOrder[0] | spec.policyOrder[0]: got "ACTON", want ACTION, GLOBAL or WORKFLOW (did you mean "ACTION"?)`}},
		{"a scope twice", configOf("policyOrder: [ACTION, ACTION]"), []string{at + "policyOrder | spec.policyOrder: got ACTION twice; remove one"}},
		{"no scope", configOf("policyOrder: []"), []string{at + "policyOrder | spec.policyOrder: names no scope"}},
		{"a WORKFLOW policy that is not there", configOf("policyOrder: [WORKFLOW], references: [{name: a, interface: {path: cap.interface.db}, workflowPolicies: [stop]}]"), []string{at + `references[0].workflowPolicies[0] | spec.references[0].workflowPolicies[0]: no policy of scope WORKFLOW is named "stop" (did you mean "step"?)`}},
		{"no reference", configOf("references: []"), []string{at + "references | spec.references: names no Interface; remove it"}},
		{"a scope that is unknown, in a ConfigMap", "{apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {policyOrder: 'GLOBAL,X'}}", []string{`error ConfigMap c data.policyOrder | data.policyOrder: got "X", want ACTION, GLOBAL or WORKFLOW`}},
		{"a scope twice, in a ConfigMap", "{apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {policyOrder: 'GLOBAL,GLOBAL'}}", []string{`error ConfigMap c data.policyOrder | data.policyOrder: got GLOBAL twice; remove one`}},
		{"references in a ConfigMap", "{apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {references: 'a'}}", []string{`error ConfigMap c data.references | data.references: can not be given in a ConfigMap: use the kind SelectImplementations`}},
		{"a severity", configOf("onNotSelected: info"), []string{at + `onNotSelected | spec.onNotSelected: got "info", want error or warning`}},
		{"an unknown field", configOf("policyorder: [ACTION]"), []string{at + `policyorder | spec.policyorder: unknown field; known are severity, policyOrder, assumeTypeRefs, onNotSelected, references (did you mean "policyOrder"?)`}},
		{"a number as a revision", configOf("references: [{name: a, interface: {path: cap.interface.db, revision: 0.1}}]"), []string{at + "references[0].interface.revision | spec.references[0].interface.revision: got a number, want text: put it in quotes"}},
		{"all at once", configOf("assumeTypeRefs: [{path: a..b, revision: 1}, {path: cap.a, revision: latest}], references: [{name: A, interface: {path: cap.interface.*}}, {name: b, interface: {path: cap.interface.db, revision: v1}}, {name: b, interface: {path: cap.interface.db}, workflowPolicies: [step, step, sten, global]}, {interface: {path: cap.interface.db}}, {name: c}]"), []string{
			at + `assumeTypeRefs[0].path | spec.assumeTypeRefs[0].path: got "a..b", want nodes with dots between them`,
			at + `assumeTypeRefs[0].revision | spec.assumeTypeRefs[0].revision: got a number`,
			at + `assumeTypeRefs[1].revision | spec.assumeTypeRefs[1].revision: got "latest", want a semantic version such as "0.1.0"`,
			at + `references[0].interface | spec.references[0].interface: no Interface in the list has the path "cap.interface.*"`,
			at + `references[0].interface.path | spec.references[0].interface.path: got "cap.interface.*", want a path of letters`,
			at + `references[0].name | spec.references[0].name: got "A", want a name as Kubernetes takes it`,
			at + `references[1].interface | spec.references[1].interface: the Interface cap.interface.db is in the list in revision 1.0.0 only`,
			at + `references[1].interface.revision | spec.references[1].interface.revision: got "v1", want a semantic version`,
			at + `references[2].name | spec.references[2].name: got "b", which is the name of references[1] already`,
			at + `references[2].workflowPolicies[1] | spec.references[2].workflowPolicies[1]: got "step" twice; remove one`,
			at + `references[2].workflowPolicies[2] | spec.references[2].workflowPolicies[2]: no policy of scope WORKFLOW is named "sten" (did you mean "step"?); if it is in the package`,
			at + `references[2].workflowPolicies[3] | spec.references[2].workflowPolicies[3]: the policy "global" is of scope GLOBAL, want one of scope WORKFLOW`,
			at + `references[3].name | spec.references[3].name: is required`,
			at + `references[4].interface | spec.references[4].interface: is required`,
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			input := functiontest.List(tc.config, items)
			output, results := evaluate(t, input)
			if output != input {
				t.Error("something was written")
			}
			errors := only(results, "error")
			if len(errors) != len(tc.want) {
				t.Errorf("got %d errors, want %d:\n%s", len(errors), len(tc.want), strings.Join(errors, "\n"))
			}
			for n := range min(len(errors), len(tc.want)) {
				if !strings.HasPrefix(errors[n], tc.want[n]) {
					t.Errorf("got  %s\nwant %s", errors[n], tc.want[n])
				}
			}
		})
	}
}

// Step 0: what there is when something is missing.
func TestMissing(t *testing.T) {
	reference := configOf("references: [{name: db, interface: {path: cap.interface.db}}, {name: other, interface: {path: cap.interface.db}}]")
	for _, tc := range []struct {
		name, config, items string
		want                []string
		selections          int
	}{
		{"neither policies nor references", "", join(dbInterface, implementation("a", "")), []string{"info | there are no policies (Policy, ocf.capact.io/v1alpha1) in the list, and no references are configured; if there are policies"}, 0},
		{"references without policies", reference, join(dbInterface, implementation("a", "")), []string{
			"error SelectImplementations select spec.references[0] | db: no policy that is used has a rule for cap.interface.db:1.0.0, and without one nothing is allowed",
			"error SelectImplementations select spec.references[1] | other: no policy that is used"}, 2},
		{"policies without Interfaces", "", policyOf("GLOBAL", rulesOf(anyRule)), []string{"info | there are no Interfaces (ocf.capact.io/v1alpha1) in the list"}, 0},
		{"references without Interfaces", configOf("references: [{name: db, interface: {path: cap.interface.dbs}}]"), join(dbInterface, policyOf("GLOBAL", rulesOf(anyRule))), []string{
			`error SelectImplementations select spec.references[0].interface | spec.references[0].interface: no Interface in the list has the path "cap.interface.dbs" (did you mean "cap.interface.db"?); if it is in the package, a selector of the function may hide it [policy/invalid]`}, 0},
		{"no Implementations", "", join(dbInterface, policyOf("GLOBAL", rulesOf(anyRule))), []string{
			"error Policy global spec.interface.rules[0].oneOf | no Implementation of cap.interface.db:1.0.0 satisfies the rule for cap.* (from GLOBAL): no Implementation in the list implements it; if it is in the package, a selector of the function may hide it [policy/unsatisfied]"}, 1},
	} {
		output, results := evaluate(t, functiontest.List(tc.config, tc.items))
		if len(results) != len(tc.want) || len(selections(t, output)) != tc.selections {
			t.Errorf("%s: got %d selections and\n%s", tc.name, len(selections(t, output)), strings.Join(results, "\n"))
			continue
		}
		for n, want := range tc.want {
			if !strings.HasPrefix(results[n], want) {
				t.Errorf("%s: got  %s\nwant %s", tc.name, results[n], want)
			}
		}
	}
}

// Step 1: without a revision the highest; without references every revision.
func TestRevisionsOfInterfaces(t *testing.T) {
	revision := func(r string) string {
		return resource("Interface", "db-"+r, "{path: cap.interface.db, revision: "+r+"}")
	}
	items := join(revision("0.9.0"), revision("0.10.0"), revision("0.10.0-rc.1"), policyOf("GLOBAL", rulesOf(anyRule)))
	output, _ := evaluate(t, functiontest.List(configOf("references: [{name: a, interface: {path: cap.interface.db}}, {name: b, interface: {path: cap.interface.db, revision: 0.9.0}}]"), items))
	all := selections(t, output)
	if all["a"].Interface.Revision != "0.10.0" || all["b"].Interface.Revision != "0.9.0" {
		t.Errorf("got %+v", all)
	}
	output, _ = evaluate(t, functiontest.List("", items))
	for _, name := range []string{"cap.interface.db-0.9.0", "cap.interface.db-0.10.0", "cap.interface.db-0.10.0-rc.1"} {
		if _, ok := selections(t, output)[name]; !ok {
			t.Errorf("%s is missing in %s", name, output)
		}
	}
}
