package policy

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function/functiontest"
)

// Step 0, and what else can be wrong with the configuration.
func TestConfig(t *testing.T) {
	items := join(dbInterface, implementation("a", ""), policyOf("GLOBAL", rulesOf(anyRule)), resource("Policy", "step", "scope: WORKFLOW\n"+rulesOf(anyRule)+"\n"))
	for _, tc := range []struct {
		name, config string
		want         []string
	}{
		{"a scope that is unknown", configOf("policyOrder: [ACTON]"), []string{`error config/invalid SelectImplementations/select spec.policyOrder[0] got="\"ACTON\"" want="ACTION, GLOBAL or WORKFLOW" near=ACTION`}},
		{"a scope twice", configOf("policyOrder: [ACTION, ACTION]"), []string{"error config/invalid SelectImplementations/select spec.policyOrder"}},
		{"no scope", configOf("policyOrder: []"), []string{`error config/invalid SelectImplementations/select spec.policyOrder got="an empty list" want="some of ACTION, GLOBAL and WORKFLOW"`}},
		{"a WORKFLOW policy that is not there", configOf("policyOrder: [WORKFLOW], references: [{name: a, interface: {path: cap.interface.db}, workflowPolicies: [stop]}]"), []string{`error config/invalid SelectImplementations/select spec.references[0].workflowPolicies[0] no="WORKFLOW policy named \"stop\"" want=step near=step`}},
		{"no reference", configOf("references: []"), []string{`error config/invalid SelectImplementations/select spec.references got="an empty list" want=Interfaces`}},
		{"a scope that is unknown, in a ConfigMap", "{apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {policyOrder: 'GLOBAL,X'}}", []string{`error config/invalid ConfigMap/c data.policyOrder got="\"X\"" want="ACTION, GLOBAL or WORKFLOW"`}},
		{"a scope twice, in a ConfigMap", "{apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {policyOrder: 'GLOBAL,GLOBAL'}}", []string{"error config/invalid ConfigMap/c data.policyOrder"}},
		{"references in a ConfigMap", "{apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {references: 'a'}}", []string{"error config/invalid ConfigMap/c data.references"}},
		{"a severity", configOf("onNotSelected: info"), []string{`error config/invalid SelectImplementations/select spec.onNotSelected got="\"info\"" want="error or warning"`}},
		{"an unknown field", configOf("policyorder: [ACTION]"), []string{`error config/invalid SelectImplementations/select spec.policyorder unknown="field \"policyorder\"" want="severity, policyOrder, assumeTypeRefs, onNotSelected or references" near=policyOrder`}},
		{"a number as a revision", configOf("references: [{name: a, interface: {path: cap.interface.db, revision: 0.1}}]"), []string{`error config/invalid SelectImplementations/select spec.references[0].interface.revision got="a number" want="a string"`}},
		{"all at once", configOf("assumeTypeRefs: [{path: a..b, revision: 1}, {path: cap.a, revision: latest}], references: [{name: A, interface: {path: cap.interface.*}}, {name: b, interface: {path: cap.interface.db, revision: v1}}, {name: b, interface: {path: cap.interface.db}, workflowPolicies: [step, step, sten, global]}, {interface: {path: cap.interface.db}}, {name: c}]"), []string{
			`error config/invalid SelectImplementations/select spec.assumeTypeRefs[0].path got="\"a..b\"" want="names separated by single dots (as in cap.type.aws.auth.credentials)"`,
			`error config/invalid SelectImplementations/select spec.assumeTypeRefs[1].revision got="\"latest\"" want="a semantic version such as \"0.1.0\""`,
			`error config/invalid SelectImplementations/select spec.references[0].interface.path got="\"cap.interface.*\"" want="names of letters, digits, - and _ with dots between them"`,
			`error config/invalid SelectImplementations/select spec.references[0].name got="\"A\"" want="a Kubernetes name (at most 253 lowercase letters, digits, - and ., with a letter or digit at both ends)"`,
			`error config/invalid SelectImplementations/select spec.references[1].interface.revision got="\"v1\"" want="a semantic version such as \"0.1.0\""`,
			`error config/invalid SelectImplementations/select spec.references[2].name got="\"b\"" want="a unique name"`,
			"error config/invalid SelectImplementations/select spec.references[2].workflowPolicies[1]",
			`error config/invalid SelectImplementations/select spec.references[2].workflowPolicies[2] no="WORKFLOW policy named \"sten\"" want=step near=step`,
			`error config/invalid SelectImplementations/select spec.references[2].workflowPolicies[3]`,
			`error config/invalid SelectImplementations/select spec.assumeTypeRefs[0].revision got="a number" want="a string"`,
			"error config/invalid SelectImplementations/select spec.references[3].name missing=",
			"error config/invalid SelectImplementations/select spec.references[4].interface missing=",
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			input := functiontest.List(tc.config, items)
			output, results := evaluate(t, input)
			if output != input {
				t.Error("something was written")
			}
			if diff := cmp.Diff(tc.want, only(results, "error")); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
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
		{"neither policies nor references", "", join(dbInterface, implementation("a", "")), []string{"info nothing-to-do"}, 0},
		{"references without policies", reference, join(dbInterface, implementation("a", "")), []string{
			"error policy/no-rule SelectImplementations/select spec.references[0] interface=cap.interface.db:1.0.0 outcome=NoRule selection=db",
			"error policy/no-rule SelectImplementations/select spec.references[1] interface=cap.interface.db:1.0.0 outcome=NoRule selection=other",
		}, 2},
		{"policies without Interfaces", "", policyOf("GLOBAL", rulesOf(anyRule)), []string{"info nothing-to-do"}, 0},
		{"references without Interfaces", configOf("references: [{name: db, interface: {path: cap.interface.dbs}}]"), join(dbInterface, policyOf("GLOBAL", rulesOf(anyRule))), []string{`error policy/invalid SelectImplementations/select spec.references[0].interface.path no="Interface has the path \"cap.interface.dbs\"" want=cap.interface.db near=cap.interface.db`}, 0},
		{"no Implementations", "", join(dbInterface, policyOf("GLOBAL", rulesOf(anyRule))), []string{"error policy/unsatisfied Policy/global spec.interface.rules[0].oneOf from=GLOBAL interface=cap.interface.db:1.0.0 outcome=Unsatisfied selection=cap.interface.db-1.0.0"}, 1},
	} {
		output, results := evaluate(t, functiontest.List(tc.config, tc.items))
		if diff := cmp.Diff(tc.want, results); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tc.name, diff)
		}
		if got := len(selections(t, output)); got != tc.selections {
			t.Errorf("%s: got %d selections", tc.name, got)
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
func TestNames(t *testing.T) {
	for _, good := range []string{"a", "db-1", "a.b-c", "0", strings.Repeat("a", 253)} {
		if findings := checkName(good); findings != nil {
			t.Error(findings)
		}
	}
	for _, bad := range []string{"A", "a_b", "-a", "a-", "a.", ".a", "a..b", "a-.b", "a.-b", "a b", "ä", "../a", strings.Repeat("a", 254)} {
		if checkName(bad) == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}
