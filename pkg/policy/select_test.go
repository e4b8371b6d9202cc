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

// Step 4: one rule is found, the most specific one, and nothing falls through.
func TestRuleLookup(t *testing.T) {
	a, b, c := implementation("a", ""), implementation("b", ""), implementation("c", "")
	rule := func(path, revision, implementation string) string {
		on := "path: " + path
		if revision != "" {
			on += ", revision: " + revision
		}
		oneOf := "[]"
		if implementation != "" {
			oneOf = "[{implementationConstraints: {path: cap.implementation." + implementation + "}}]"
		}
		return "{interface: {" + on + "}, oneOf: " + oneOf + "}"
	}
	for _, tc := range []struct{ name, action, global, want, rule string }{
		{"path and revision first", rulesOf(rule("cap.*", "", "a"), rule("cap.interface.db", "", "b"), rule("cap.interface.db", "1.0.0", "c")), "", "c:0.1.0", "cap.interface.db:1.0.0"},
		{"then the path", rulesOf(rule("cap.*", "", "a"), rule("cap.interface.db", "", "b"), rule("cap.interface.db", "2.0.0", "c")), "", "b:0.1.0", "cap.interface.db"},
		{"then all", rulesOf(rule("cap.*", "", "a"), rule("cap.interface.other", "", "b")), "", "a:0.1.0", "cap.*"},
		{"specificity before priority", rulesOf(rule("cap.*", "", "a")), rulesOf(rule("cap.interface.db", "", "b")), "b:0.1.0", "cap.interface.db"},
		{"a denial does not fall through", rulesOf(rule("cap.interface.db", "1.0.0", ""), rule("cap.interface.db", "", "b")), "", "Denied", "cap.interface.db:1.0.0"},
		{"nor does what cannot be satisfied", rulesOf(rule("cap.interface.db", "1.0.0", "none"), rule("cap.*", "", "b")), "", "Unsatisfied", "cap.interface.db:1.0.0"},
		{"no rule allows nothing", rulesOf(rule("cap.interface.other", "", "a")), "", "NoRule", ""},
		{"other wildcards match nothing", rulesOf(rule("cap.interface.*", "", "a")), "", "NoRule", ""},
		{"nor does cap.* with a revision", rulesOf(rule("cap.*", "1.0.0", "a")), "", "NoRule", ""},
		{"absent denies", "interface: {rules: [{interface: {path: cap.interface.db}}]}", "", "Denied", "cap.interface.db"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			items := []string{dbInterface, a, b, c, policyOf("ACTION", tc.action)}
			if tc.global != "" {
				items = append(items, policyOf("GLOBAL", tc.global))
			}
			s, results := selectOne(t, join(items...))
			rule := ""
			if s.Rule != nil {
				rule = s.Rule.Interface
			}
			if s.chosen() != tc.want || rule != tc.rule {
				t.Errorf("got %s by %q, want %s by %q\n%s", s.chosen(), rule, tc.want, tc.rule, strings.Join(results, "\n"))
			}
		})
	}
}

// Step 5: the first element with a survivor wins, and later ones are not looked
// at.
func TestFirstElement(t *testing.T) {
	items := join(dbInterface, implementation("a", ""), implementation("b", ""), policyOf("GLOBAL", rulesOf(
		"{interface: {path: cap.interface.db}, oneOf: [{implementationConstraints: {path: cap.implementation.none}}, {implementationConstraints: {path: cap.implementation.b}}, {implementationConstraints: {}}]}")))
	s, results := selectOne(t, items)
	if s.chosen() != "b:0.1.0" || *s.Rule.OneOf != 1 {
		t.Fatalf("got %s by element %d", s.chosen(), *s.Rule.OneOf)
	}
	if diff := cmp.Diff([]string{"0: PathMismatch cap.implementation.none", "1: PathMismatch cap.implementation.b"}, s.reasons("a:0.1.0")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if want := "info policy/selected Policy/global spec.interface.rules[0].oneOf[1] from=GLOBAL implementation=cap.implementation.b:0.1.0 interface=cap.interface.db:1.0.0 outcome=Selected selection=cap.interface.db-1.0.0"; results[len(results)-1] != want {
		t.Errorf("got  %s\nwant %s", results[len(results)-1], want)
	}
}

// Step 6: every filter, with all reasons.
func TestConstraints(t *testing.T) {
	hub := []string{
		dbInterface, instance("sa", "cap.type.sa"),
		implementation("a", "attributes: {cap.attribute.gcp: {revision: 0.1.0}, cap.attribute.stateful: {revision: 0.2.0}}\nrequires: {cap.type: {allOf: [{name: sa, revision: 0.1.0}]}}"),
		implementation("other", "implements: [{path: cap.interface.db, revision: 2.0.0}, {path: cap.interface.x, revision: 1.0.0}]"),
		implementation("elsewhere", "implements: [{path: cap.interface.x, revision: 1.0.0}]"),
	}
	for _, tc := range []struct {
		name, constraints string
		want              []string // the reasons of a, none when it is selected
	}{
		{"none", "{}", nil},
		{"empty lists", "{path: '', attributes: [], requires: []}", nil},
		{"path", "{path: cap.implementation.a}", nil},
		{"another path", "{path: cap.implementation.b}", []string{"0: PathMismatch cap.implementation.b"}},
		{"no part of a path", "{path: cap.implementation}", []string{"0: PathMismatch cap.implementation"}},
		{"attributes", "{attributes: [{path: cap.attribute.gcp}, {path: cap.attribute.stateful, revision: 0.2.0}]}", nil},
		{"an attribute that is missing", "{attributes: [{path: cap.attribute.gcp}, {path: cap.attribute.aws, revision: 0.1.0}]}", []string{"0: AttributeMissing cap.attribute.aws"}},
		{"an attribute in another revision", "{attributes: [{path: cap.attribute.gcp, revision: 0.1.1}]}", []string{"0: AttributeRevisionMismatch cap.attribute.gcp:0.1.1"}},
		{"requires", "{requires: [{path: cap.type.sa}]}", nil},
		{"requires a revision", "{requires: [{path: cap.type.sa, revision: 0.1.0}]}", nil},
		{"requires another revision", "{requires: [{path: cap.type.sa, revision: 0.2.0}]}", []string{"0: RequiresRevisionMismatch cap.type.sa:0.2.0"}},
		{"requires another Type", "{requires: [{path: cap.type.sa}, {path: cap.type.other}]}", []string{"0: RequiresMissing cap.type.other"}},
		{"the prefix does not match", "{requires: [{path: cap.type}]}", []string{"0: RequiresMissing cap.type"}},
		{"all reasons", "{path: cap.implementation.b, attributes: [{path: cap.attribute.aws}, {path: cap.attribute.stateful, revision: 0.1.0}], requires: [{path: cap.type.x}]}", []string{
			"0: AttributeMissing cap.attribute.aws", "0: AttributeRevisionMismatch cap.attribute.stateful:0.1.0", "0: PathMismatch cap.implementation.b", "0: RequiresMissing cap.type.x"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s, results := selectOne(t, join(append(hub, policyOf("GLOBAL", rulesOf("{interface: {path: cap.interface.db}, oneOf: [{implementationConstraints: "+tc.constraints+"}]}")))...))
			if diff := cmp.Diff(tc.want, s.reasons("a:0.1.0")); diff != "" || (s.chosen() == "a:0.1.0") != (tc.want == nil) {
				t.Errorf("%s, -want +got:\n%s\n%s", s.chosen(), diff, strings.Join(results, "\n"))
			}
			if diff := cmp.Diff([]string{"NotImplementing cap.interface.db:2.0.0"}, s.reasons("other:0.1.0")); diff != "" {
				t.Errorf("another revision of the Interface, -want +got:\n%s", diff)
			}
			if got := s.reasons("elsewhere:0.1.0"); got != nil {
				t.Errorf("what implements something else is listed: %s", got)
			}
		})
	}
}

// Step 6: the requirements.
func TestRequirements(t *testing.T) {
	item := func(name string) string { return "{name: " + name + ", revision: 0.1.0}" }
	aliased := func(name, alias string) string { return "{name: " + name + ", revision: 0.1.0, alias: " + alias + "}" }
	for _, tc := range []struct {
		name, requires, inject string
		want                   []string
	}{
		{"nothing", "{}", "", nil},
		{"empty lists hold", "{cap.type: {oneOf: [], allOf: [], anyOf: []}}", "", nil},
		{"allOf", "{cap.type: {allOf: [" + item("a") + ", " + item("b") + "]}}", "", nil},
		{"allOf, one lacks", "{cap.type: {allOf: [" + item("a") + ", " + item("x") + ", " + item("y") + "]}}", "", []string{"0: RequirementUnavailable cap.type.x:0.1.0", "0: RequirementUnavailable cap.type.y:0.1.0"}},
		{"anyOf", "{cap.type: {anyOf: [" + item("x") + ", " + item("b") + "]}}", "", nil},
		{"anyOf, none", "{cap.type: {anyOf: [" + item("x") + ", " + item("y") + "]}}", "", []string{"0: NoneOfAnyOf cap.type: cap.type.x:0.1.0, cap.type.y:0.1.0"}},
		{"anyOf, several", "{cap.type: {anyOf: [" + item("a") + ", " + item("b") + "]}}", "", nil},
		{"oneOf", "{cap.type: {oneOf: [" + item("x") + ", " + item("b") + "]}}", "", nil},
		{"oneOf, none", "{cap.type: {oneOf: [" + item("x") + "]}}", "", []string{"0: OneOfNone cap.type: cap.type.x:0.1.0"}},
		{"oneOf, several", "{cap.type: {oneOf: [" + item("a") + ", " + item("x") + ", " + item("b") + "]}}", "", []string{"0: OneOfMultiple cap.type: cap.type.a:0.1.0, cap.type.b:0.1.0"}},
		{"operators are ANDed", "{cap.type: {oneOf: [" + item("x") + "], anyOf: [" + item("a") + "], allOf: [" + item("y") + "]}}", "", []string{"0: OneOfNone cap.type: cap.type.x:0.1.0", "0: RequirementUnavailable cap.type.y:0.1.0"}},
		{"and prefixes", "{cap.type: {allOf: [" + item("a") + "]}, cap.other: {allOf: [" + item("a") + "]}}", "", []string{"0: RequirementUnavailable cap.other.a:0.1.0"}},
		{"a whole path under a prefix", "{cap.core.type.hub.storage: {allOf: [" + item("cap.type.a") + "]}}", "", nil},
		{"another revision", "{cap.type: {allOf: [{name: a, revision: 0.2.0}]}}", "", []string{"0: RequirementUnavailable cap.type.a:0.2.0"}},
		{"assumed", "{cap.core.type.platform: {oneOf: [" + item("kubernetes") + "]}}", "", nil},
		{"an alias", "{cap.type: {allOf: [" + aliased("a", "one") + "]}}", "a", nil},
		{"an alias that is not injected", "{cap.type: {allOf: [" + aliased("a", "one") + "]}}", "b", []string{"0: AliasNotInjected one (cap.type.a:0.1.0)"}},
		{"an alias without a TypeInstance", "{cap.type: {allOf: [" + aliased("x", "one") + "]}}", "", []string{"0: RequirementUnavailable cap.type.x:0.1.0"}},
		{"an alias in oneOf decides", "{cap.type: {oneOf: [" + aliased("a", "one") + ", " + item("x") + "]}}", "", []string{"0: AliasNotInjected one (cap.type.a:0.1.0)", "0: OneOfNone cap.type: cap.type.a:0.1.0, cap.type.x:0.1.0"}},
		{"an alias in oneOf that is not injected does not count", "{cap.type: {oneOf: [" + aliased("a", "one") + ", " + item("b") + "]}}", "", nil},
		{"one that is injected does", "{cap.type: {oneOf: [" + aliased("a", "one") + ", " + item("b") + "]}}", "a", []string{"0: OneOfMultiple cap.type: cap.type.a:0.1.0, cap.type.b:0.1.0"}},
		{"an alias in anyOf decides", "{cap.type: {anyOf: [" + aliased("a", "one") + "]}}", "", []string{"0: AliasNotInjected one (cap.type.a:0.1.0)", "0: NoneOfAnyOf cap.type: cap.type.a:0.1.0"}},
		{"in anyOf another will do", "{cap.type: {anyOf: [" + aliased("a", "one") + ", " + item("b") + "]}}", "", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			element := "{}"
			if tc.inject != "" {
				element = "{inject: {requiredTypeInstances: [{id: " + tc.inject + "}]}}"
			}
			s, results := selectOne(t, join(dbInterface, instance("a", "cap.type.a"), instance("b", "cap.type.b"), implementation("it", "requires: "+tc.requires),
				policyOf("GLOBAL", rulesOf("{interface: {path: cap.*}, oneOf: ["+element+"]}"))))
			if diff := cmp.Diff(tc.want, s.reasons("it:0.1.0")); diff != "" || (s.chosen() == "it:0.1.0") != (tc.want == nil) {
				t.Errorf("%s, -want +got:\n%s\n%s", s.chosen(), diff, strings.Join(results, "\n"))
			}
		})
	}
}

// What is assumed can be chosen; an empty list assumes nothing.
func TestAssumeTypeRefs(t *testing.T) {
	items := join(dbInterface, implementation("it", "requires: {cap.core.type.platform: {allOf: [{name: kubernetes, revision: 0.1.0}]}}"), policyOf("GLOBAL", rulesOf(anyRule)))
	for _, tc := range []struct{ config, want string }{
		{"", "it:0.1.0"},
		{", assumeTypeRefs: []", "Unsatisfied"},
		{", assumeTypeRefs: [{path: cap.core.type.platform.nomad, revision: 0.1.0}]", "Unsatisfied"},
		{", assumeTypeRefs: [{path: cap.core.type.platform.kubernetes, revision: 0.1.0}]", "it:0.1.0"},
	} {
		output, results := evaluate(t, functiontest.List(configOf("onNotSelected: warning"+tc.config), items))
		if got := selections(t, output)["cap.interface.db-1.0.0"].chosen(); got != tc.want {
			t.Errorf("%q: got %s, want %s\n%s", tc.config, got, tc.want, strings.Join(results, "\n"))
		}
	}
}

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

// Outcomes other than a selection list the candidates, and say what to fix where.
func TestNotSelected(t *testing.T) {
	for _, tc := range []struct {
		rule, outcome string
		reasons       []string
		result        string
	}{
		{"{interface: {path: cap.interface.db}, oneOf: []}", "Denied", []string{"RuleDenies cap.interface.db"},
			"policy/denied Policy/global spec.interface.rules[0].oneOf from=GLOBAL interface=cap.interface.db:1.0.0 outcome=Denied selection=cap.interface.db-1.0.0"},
		{"{interface: {path: cap.interface.x}, oneOf: [{}]}", "NoRule", []string{"NoRule"},
			"policy/no-rule Interface/db spec.path interface=cap.interface.db:1.0.0 outcome=NoRule selection=cap.interface.db-1.0.0"},
		{"{interface: {path: cap.*}, oneOf: [{implementationConstraints: {attributes: [{path: cap.attribute.x}]}}]}", "Unsatisfied", []string{"0: AttributeMissing cap.attribute.x"},
			"policy/unsatisfied Policy/global spec.interface.rules[0].oneOf from=GLOBAL interface=cap.interface.db:1.0.0 outcome=Unsatisfied reasons=AttributeMissing selection=cap.interface.db-1.0.0"},
	} {
		items := join(dbInterface, implementation("a", ""), policyOf("GLOBAL", rulesOf(tc.rule)))
		output, results := evaluate(t, functiontest.List("", items))
		s, ok := selections(t, output)["cap.interface.db-1.0.0"]
		if !ok || s.Outcome != tc.outcome {
			t.Errorf("%s: got %+v", tc.outcome, s)
		}
		if diff := cmp.Diff(tc.reasons, s.reasons("a:0.1.0")); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tc.outcome, diff)
		}
		if got := results[len(results)-1]; got != "error "+tc.result {
			t.Errorf("got  %s\nwant %s", got, tc.result)
		}
		_, warned := evaluate(t, functiontest.List(configOf("onNotSelected: warning"), items))
		if got := warned[len(warned)-1]; got != "warning "+tc.result {
			t.Errorf("onNotSelected: warning gives %s", got)
		}
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

// Every reason has a sentence, which the golden list holds.
func TestReasonSentences(t *testing.T) {
	requires := func(name, list string) string {
		return implementation(name, "requires: {cap.type: {"+list+"}}")
	}
	functiontest.Run(t, Function(), configOf("onNotSelected: warning"), join(dbInterface, instance("a", "cap.type.a"), instance("b", "cap.type.b"),
		requires("all", "allOf: [{name: x, revision: 0.1.0}, {name: a, revision: 0.2.0}]"), requires("any", "anyOf: [{name: x, revision: 0.1.0}, {name: y, revision: 0.1.0}]"),
		requires("one", "oneOf: [{name: x, revision: 0.1.0}]"), requires("several", "oneOf: [{name: a, revision: 0.1.0}, {name: b, revision: 0.1.0}]"),
		requires("alias", "anyOf: [{name: a, revision: 0.1.0, alias: mine}]"), policyOf("GLOBAL", rulesOf(anyRule))))
	functiontest.Run(t, Function(), configOf("onNotSelected: warning"), join(dbInterface, instance("a", "cap.type.a"),
		implementation("it", "attributes: {cap.attribute.x: {revision: 0.1.0}}\nrequires: {cap.type: {allOf: [{name: a, revision: 0.1.0}]}}"),
		policyOf("GLOBAL", rulesOf("{interface: {path: cap.*}, oneOf: [{implementationConstraints: {path: cap.implementation.its}}, {implementationConstraints: {attributes: [{path: cap.attribute.x, revision: 0.2.0}, {path: cap.attribute.z}], requires: [{path: cap.type.a, revision: 0.2.0}, {path: cap.type.w}]}}]}"))))
}

// A candidate that another revision of the Interface has is named, if there is no other.
func TestOtherRevisionOfInterface(t *testing.T) {
	f := functiontest.Run(t, Function(), "", join(dbInterface, implementation("it", "implements: [{path: cap.interface.db, revision: 2.0.0}]"), policyOf("GLOBAL", rulesOf(anyRule)))).Findings[0]
	if f.Tags["reasons"] != "NotImplementing" || !strings.Contains(f.Found, "cap.implementation.it:0.1.0 implements cap.interface.db:2.0.0") {
		t.Errorf("got %+v", f)
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
