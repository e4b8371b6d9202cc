package policy

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/rule"
)

// Step 7: by path, by revision from the highest, and by name.
func TestOrderOfSurvivors(t *testing.T) {
	at := func(name, path, revision string) string {
		return implementation(name, "path: cap.implementation."+path+"\nrevision: "+revision)
	}
	s, results := selectOne(t, join(dbInterface,
		at("z", "b", "9.0.0"), at("x", "a", "0.9.0"), at("w", "a", "0.10.0-rc.1"), at("second", "a", "0.10.0"), at("first", "a", "0.10.0"),
		policyOf("GLOBAL", rulesOf(anyRule))))
	if s.Implementation.Name != "first" {
		t.Errorf("got %+v", s.Implementation)
	}
	want := []string{"cap.implementation.a:0.10.0", "cap.implementation.a:0.10.0-rc.1", "cap.implementation.a:0.9.0", "cap.implementation.b:9.0.0"}
	if diff := cmp.Diff(want, s.Alternatives); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if results[0] != `warning policy/duplicate Implementation/second spec.path first="Implementation first"` {
		t.Errorf("got %s", results[0])
	}
}

// A Type that is near to none is reported without a suggestion.
func TestUnlikelyType(t *testing.T) {
	items := join(dbInterface, implementation("postgres", "requires: {cap.type: {oneOf: [{name: zebra, revision: 0.1.0}]}}"), instance("a", "cap.type.a"), policyOf("GLOBAL", rulesOf(anyRule)))
	_, outcome := functiontest.Evaluate(t, Function(), functiontest.List("", items))
	i := slices.IndexFunc(outcome.Findings, func(f diag.Finding) bool { return f.Rule == rule.PolicyUnsatisfied })
	if i < 0 {
		t.Fatalf("got %+v", outcome.Findings)
	}
	if message := outcome.Findings[i].Message(); !strings.Contains(message, "cap.type.zebra") || strings.Contains(message, "did you mean") {
		t.Errorf("got %s", message)
	}
}

// Messages stay readable when a hub is large.
func TestUnsatisfiedIsBounded(t *testing.T) {
	items := []string{dbInterface, policyOf("GLOBAL", rulesOf("{interface: {path: cap.*}, oneOf: [{implementationConstraints: {path: cap.implementation.none}}]}"))}
	for n := range 40 {
		items = append(items, implementation(fmt.Sprintf("a%02d", n), ""))
	}
	s, _ := selectOne(t, join(items...))
	f := functiontest.Run(t, Function(), "", join(items...)).Findings[0]
	if message := f.Message(); len(s.Rejected) != 40 || strings.Count(message, "cap.implementation.a") != maxShown || len(message) > 1000 {
		t.Errorf("got %d rejections, %s", len(s.Rejected), message)
	}
}

// The action is what would help: a TypeInstance, or its injection.
func TestUnsatisfiedActions(t *testing.T) {
	for _, tc := range []struct{ requires, reason, action string }{
		{"{name: x, revision: 0.1.0}", "RequirementUnavailable", "assumeTypeRefs"},
		{"{name: a, revision: 0.1.0, alias: one}", "AliasNotInjected", "inject.requiredTypeInstances"},
	} {
		outcome := functiontest.Run(t, Function(), "", join(dbInterface, instance("a", "cap.type.a"), implementation("it", "requires: {cap.type: {allOf: ["+tc.requires+"]}}"), policyOf("GLOBAL", rulesOf(anyRule))))
		if f := outcome.Findings[0]; f.Tags["reasons"] != tc.reason || !strings.HasSuffix(f.Action, tc.action) {
			t.Errorf("%s: got %s, %s", tc.requires, f.Tags["reasons"], f.Action)
		}
	}
}

// What the user probably meant is in the finding about the selection: it is the first
// one that users read.
func TestLikelyCauses(t *testing.T) {
	it := implementation("postgres", "attributes: {cap.attribute.aws: {revision: 0.1.0}}\nrequires: {cap.core.type.platform: {oneOf: [{name: kubernetes, revision: 0.2.0}]}}")
	other := implementation("rds", "")
	element := func(constraints string) string {
		return policyOf("GLOBAL", rulesOf("{interface: {path: cap.*}, oneOf: [{implementationConstraints: "+constraints+"}]}"))
	}
	global := func(interfaceRef string) string {
		return policyOf("GLOBAL", rulesOf("{interface: "+interfaceRef+", oneOf: [{}]}"))
	}
	for _, tc := range []struct {
		name, items string
		want        []string // what the finding names
	}{
		{"a misspelt path", join(it, other, element("{path: cap.implementation.postgras}")), []string{`"cap.implementation.postgres"?`, "Candidates: cap.implementation.postgres:0.1.0, cap.implementation.rds:0.1.0"}},
		{"another path", join(it, other, element("{path: cap.implementation.none}")), []string{"no candidate has the path cap.implementation.none", "Candidates: "}},
		{"a misspelt attribute", join(it, element("{attributes: [{path: cap.attribute.awz}]}")), []string{`"cap.attribute.aws"?`}},
		{"a misspelt Type", join(it, element("{requires: [{path: cap.core.type.platform.kubernets}]}")), []string{`"cap.core.type.platform.kubernetes"?`}},
		{"another revision of an assumed Type", join(it, global("{path: cap.*}")), []string{"(available: cap.core.type.platform.kubernetes:0.1.0)"}},
		{"a misspelt Type of a requirement", join(implementation("postgres", "requires: {cap.core.type.platform: {oneOf: [{name: kubernets, revision: 0.1.0}]}}"), global("{path: cap.*}")), []string{`"cap.core.type.platform.kubernetes"?`}},
		{"a rule for a misspelt Interface", join(it, global("{path: cap.intreface.db}")), []string{"correct the rule for cap.intreface.db in Policy global spec.interface.rules[0]"}},
		{"a rule for another revision", join(it, global("{path: cap.interface.db, revision: 2.0.0}")), []string{"correct the rule for cap.interface.db:2.0.0"}},
		{"a rule with a wildcard", join(it, global("{path: cap.interface.*}")), []string{"correct the rule for cap.interface.*"}},
		{"a rule for something else", join(it, global("{path: cap.interface.cache}")), []string{"add a rule for it, or for cap.*"}},
	} {
		outcome := functiontest.Run(t, Function(), "", join(dbInterface, tc.items))
		i := slices.IndexFunc(outcome.Findings, func(f diag.Finding) bool { return f.Rule == rule.PolicyUnsatisfied || f.Rule == rule.PolicyNoRule })
		if i < 0 {
			t.Errorf("%s: got %+v", tc.name, outcome.Findings)
			continue
		}
		f := outcome.Findings[i]
		for _, want := range tc.want {
			if !strings.Contains(f.Found+"; "+f.Action, want) {
				t.Errorf("%s: got %s", tc.name, f.Message())
			}
		}
	}
}

// A candidate that another revision of the Interface has is named, if there is no other.
func TestOtherRevisionOfInterface(t *testing.T) {
	f := functiontest.Run(t, Function(), "", join(dbInterface, implementation("it", "implements: [{path: cap.interface.db, revision: 2.0.0}]"), policyOf("GLOBAL", rulesOf(anyRule)))).Findings[0]
	if f.Tags["reasons"] != "NotImplementing" || !strings.Contains(f.Found, "cap.implementation.it:0.1.0 implements cap.interface.db:2.0.0") {
		t.Errorf("got %+v", f)
	}
}
