package policy

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/policy/manifest"
)

// layer makes a policy with one rule for cap.interface.db.
func layer(scope, oneOf string) string {
	return policyOf(scope, rulesOf("{interface: {path: cap.interface.db}, oneOf: ["+oneOf+"]}"))
}

const configurable = "additionalInput: {parameters: {params: {typeRef: {path: cap.type.params, revision: 0.1.0}}, more: {typeRef: {path: cap.type.params, revision: 0.1.0}}}, typeInstances: {extra: {typeRef: {path: cap.type.a, revision: 0.1.0}}, spare: {typeRef: {path: cap.type.b, revision: 0.1.0}}}}\n" +
	"requires: {cap.type: {anyOf: [{name: a, revision: 0.1.0, alias: one}, {name: b, revision: 0.1.0, alias: two}, {name: c, revision: 0.1.0}]}}"

var mergeHub = join(dbInterface, implementation("a", configurable), implementation("b", configurable),
	instance("a1", "cap.type.a"), instance("a2", "cap.type.a"), instance("b1", "cap.type.b"), instance("b2", "cap.type.b"), instance("c1", "cap.type.c"))

const prefix = "cap.implementation."

// The merge table, case by case.
func TestMerge(t *testing.T) {
	pathA, pathB := "implementationConstraints: {path: cap.implementation.a}", "implementationConstraints: {path: cap.implementation.b}"
	required := func(id string) string { return "{inject: {requiredTypeInstances: [{id: " + id + "}]}}" }
	for _, tc := range []struct {
		name, action, global string
		want                 selected
	}{
		{"the lists are joined, the higher one's elements first",
			"{" + pathB + "}", "{" + pathA + "}",
			selected{Implementation: impl("b"), Rule: by(0, "ACTION")}},
		{"what the higher one cannot satisfy is left to the lower one",
			"{implementationConstraints: {path: cap.implementation.none}}", "{" + pathA + "}",
			selected{Implementation: impl("a"), Rule: by(1, "GLOBAL")}},
		{"the same constraints are one element, at the higher one's place",
			"{" + pathB + "}, {" + pathA + "}", "{" + pathA + "}, {" + pathB + "}",
			selected{Implementation: impl("b"), Rule: by(0, "ACTION", "GLOBAL")}},
		{"absent and empty are the same",
			"{}", "{implementationConstraints: {attributes: [], requires: [], path: ''}, inject: {requiredTypeInstances: [{id: a1}]}}",
			selected{Implementation: impl("a"), Rule: by(0, "ACTION", "GLOBAL"), Inject: injects(InjectedInstance{"one", "a1"})}},
		{"of TypeInstances of one Type the higher one's", required("a1"), required("a2"),
			selected{Implementation: impl("a"), Rule: by(0, "ACTION", "GLOBAL"), Inject: injects(InjectedInstance{"one", "a1"})}},
		{"those of other Types are joined", required("b2"), required("a2"),
			selected{Implementation: impl("a"), Rule: by(0, "ACTION", "GLOBAL"), Inject: injects(InjectedInstance{"one", "a2"}, InjectedInstance{"two", "b2"})}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s, results := selectOne(t, join(mergeHub, layer("GLOBAL", tc.global), layer("ACTION", tc.action)))
			got := selected{Implementation: s.Implementation, Rule: s.Rule, Inject: s.Inject}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("-want +got:\n%s\n%s", diff, strings.Join(results, "\n"))
			}
		})
	}
}

func impl(name string) *struct{ Path, Revision, Name string } {
	return &struct{ Path, Revision, Name string }{prefix + name, "0.1.0", name}
}

func by(oneOf int, from ...string) *struct {
	Interface string
	OneOf     *int `yaml:"oneOf"`
	From      []string
} {
	s := selected{}
	s.Rule = &struct {
		Interface string
		OneOf     *int `yaml:"oneOf"`
		From      []string
	}{"cap.interface.db", &oneOf, from}
	return s.Rule
}

func injects(required ...InjectedInstance) (inject struct {
	RequiredTypeInstances []InjectedInstance `yaml:"requiredTypeInstances"`
	AdditionalParameters  []struct {
		Name  string
		Value any
	} `yaml:"additionalParameters"`
	AdditionalTypeInstances []InjectedInstance `yaml:"additionalTypeInstances"`
}) {
	inject.RequiredTypeInstances = required
	return inject
}

// The order of lists in constraints does not matter, nor do duplicates.
func TestSameConstraints(t *testing.T) {
	a := manifest.Constraints{Attributes: []manifest.RefMatch{{Path: "a"}, {Path: "b", Revision: "0.1.0"}}, Requires: []manifest.RefMatch{{Path: "c"}, {Path: "d"}}}
	b := manifest.Constraints{Attributes: []manifest.RefMatch{{Path: "b", Revision: "0.1.0"}, {Path: "a"}, {Path: "a"}}, Requires: []manifest.RefMatch{{Path: "d"}, {Path: "c"}}}
	if constraintsKey(a) != constraintsKey(b) {
		t.Errorf("%q and %q differ", constraintsKey(a), constraintsKey(b))
	}
	for _, other := range []manifest.Constraints{
		{Attributes: a.Attributes}, {Requires: a.Requires}, {Path: "p", Attributes: a.Attributes, Requires: a.Requires},
		{Attributes: a.Requires, Requires: a.Attributes},
		{Attributes: []manifest.RefMatch{{Path: "a"}, {Path: "b"}}, Requires: a.Requires},
	} {
		if constraintsKey(other) == constraintsKey(a) {
			t.Errorf("%+v is used as the same as %+v", other, a)
		}
	}
}

// Parameters are merged by name: maps deeply, everything else is replaced.
func TestMergeParameters(t *testing.T) {
	element := func(parameters string) string {
		return "{inject: {requiredTypeInstances: [{id: a1}], additionalParameters: [" + parameters + "]}}"
	}
	s, results := selectOne(t, join(mergeHub,
		layer("GLOBAL", element("{name: params, value: {region: eu, net: {cidr: a, zones: [1, 2]}, kept: 1, gone: 1}}, {name: more, value: 1}")),
		layer("ACTION", element("{name: params, value: {region: us, net: {zones: [3]}, gone: null, added: true}}"))))
	got := map[string]any{}
	for _, p := range s.Inject.AdditionalParameters {
		got[p.Name] = p.Value
	}
	want := map[string]any{
		"params": map[string]any{"region": "us", "net": map[string]any{"cidr": "a", "zones": []any{3}}, "kept": 1, "gone": nil, "added": true},
		"more":   1,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s\n%s", diff, strings.Join(results, "\n"))
	}
}

// Of several rules that were probably meant the first one is named.
func TestAlmost(t *testing.T) {
	for range 20 {
		m := &Merged{rules: map[manifest.RefMatch]*MergedRule{}}
		for _, revision := range []string{"0.3.0", "0.1.0", "0.4.0", "0.2.0"} {
			m.rules[manifest.RefMatch{Path: "cap.interface.db", Revision: revision}] = &MergedRule{Interface: manifest.RefMatch{Revision: revision}}
		}
		if got := m.almost(manifest.Ref{Path: "cap.interface.db", Revision: "1.0.0"}); got == nil || got.Interface.Revision != "0.1.0" {
			t.Fatalf("got %+v", got)
		}
	}
}

// Additional TypeInstances are joined by their Types.
func TestMergeAdditionalTypeInstances(t *testing.T) {
	element := func(instances string) string {
		return "{inject: {requiredTypeInstances: [{id: a1}], additionalTypeInstances: [" + instances + "]}}"
	}
	s, results := selectOne(t, join(mergeHub,
		layer("GLOBAL", element("{name: extra, id: a2}, {name: spare, id: b2}")), layer("ACTION", element("{name: extra, id: a1}"))))
	if diff := cmp.Diff([]InjectedInstance{{"extra", "a1"}, {"spare", "b2"}}, s.Inject.AdditionalTypeInstances); diff != "" {
		t.Errorf("-want +got:\n%s\n%s", diff, strings.Join(results, "\n"))
	}
}

// A rule's own TypeInstance comes before the default of its Type, and the default
// of a higher policy before that of a lower one.
func TestDefaults(t *testing.T) {
	withDefault := func(scope, ids, oneOf string) string {
		return policyOf(scope, "interface: {default: {inject: {requiredTypeInstances: ["+ids+"]}}, rules: [{interface: {path: cap.interface.db}, oneOf: ["+oneOf+"]}]}")
	}
	for _, tc := range []struct {
		name, action, global string
		want                 []InjectedInstance
	}{
		{"the default", withDefault("ACTION", "{id: a1}", "{}"), "", []InjectedInstance{{"one", "a1"}}},
		{"the element's", withDefault("ACTION", "{id: a1}, {id: b1}", "{inject: {requiredTypeInstances: [{id: a2}]}}"), "", []InjectedInstance{{"one", "a2"}, {"two", "b1"}}},
		{"the higher default", withDefault("ACTION", "{id: a2}", "{}"), withDefault("GLOBAL", "{id: a1}, {id: b1}", "{}"), []InjectedInstance{{"one", "a2"}, {"two", "b1"}}},
		{"the lower policy's element before the higher default", withDefault("ACTION", "{id: a2}", ""), layer("GLOBAL", "{inject: {requiredTypeInstances: [{id: a1}]}}"), []InjectedInstance{{"one", "a1"}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			items := join(mergeHub, tc.action)
			if tc.global != "" {
				items = join(items, tc.global)
			}
			s, results := selectOne(t, items)
			if diff := cmp.Diff(tc.want, s.Inject.RequiredTypeInstances); diff != "" {
				t.Errorf("-want +got:\n%s\n%s", diff, strings.Join(results, "\n"))
			}
		})
	}
}

// A denial that a lower policy undoes is reported; the other way round is not.
func TestDenyLost(t *testing.T) {
	const lost = `warning policy/deny-lost Policy/action spec.interface.rules[0].oneOf allowed-by="Policy global"`
	element := "{inject: {requiredTypeInstances: [{id: a1}]}}"
	for _, tc := range []struct{ name, action, global, chosen, warning string }{
		{"lost", "", element, "a:0.1.0", lost},
		{"the higher one allows", element, "", "a:0.1.0", ""},
		{"both deny", "", "", "Denied", ""},
	} {
		s, results := selectOne(t, join(mergeHub, layer("GLOBAL", tc.global), layer("ACTION", tc.action)))
		reported := ""
		for _, r := range results {
			if strings.Contains(r, "deny-lost") {
				reported = r
			}
		}
		if s.chosen() != tc.chosen || reported != tc.warning {
			t.Errorf("%s: got %s and %q", tc.name, s.chosen(), reported)
		}
	}
}

// Every denial that is lost is reported once, not only the highest.
func TestDenialsLost(t *testing.T) {
	element := "{inject: {requiredTypeInstances: [{id: a1}]}}"
	inner := strings.Replace(layer("WORKFLOW", element), "name: workflow", "name: inner", 1)
	_, results := evaluate(t, functiontest.List(configOf("references: [{name: db, interface: {path: cap.interface.db}, workflowPolicies: [workflow, inner]}]"),
		join(mergeHub, layer("GLOBAL", ""), layer("ACTION", ""), layer("WORKFLOW", element), inner)))
	var lost []string
	for _, r := range only(results, "warning") {
		if strings.HasSuffix(r, `allowed-by="Policy workflow"`) {
			lost = append(lost, strings.Fields(r)[2])
		}
	}
	if diff := cmp.Diff([]string{"Policy/action", "Policy/global"}, lost); diff != "" {
		t.Errorf("-want +got:\n%s\n%s", diff, strings.Join(results, "\n"))
	}
}

// The order of the policies is configured, in both forms.
func TestPolicyOrder(t *testing.T) {
	a, b := "{implementationConstraints: {path: cap.implementation.a}, inject: {requiredTypeInstances: [{id: a1}]}}", "{implementationConstraints: {path: cap.implementation.b}, inject: {requiredTypeInstances: [{id: a1}]}}"
	items := join(mergeHub, layer("GLOBAL", a), layer("ACTION", b))
	data := func(order string) string {
		return "{apiVersion: v1, kind: ConfigMap, metadata: {name: select}, data: {policyOrder: '" + order + "'}}"
	}
	for _, tc := range []struct{ config, want, unused string }{
		{"", "b:0.1.0", ""},
		{configOf(""), "b:0.1.0", ""},
		{configOf("policyOrder: [GLOBAL, ACTION, WORKFLOW]"), "a:0.1.0", ""},
		{configOf("policyOrder: [GLOBAL]"), "a:0.1.0", "policy/unused Policy/action spec.scope"},
		{data("GLOBAL,ACTION"), "a:0.1.0", ""},
		{data("ACTION, GLOBAL"), "b:0.1.0", ""},
	} {
		output, results := evaluate(t, functiontest.List(tc.config, items))
		if got := selections(t, output)["cap.interface.db-1.0.0"].chosen(); got != tc.want {
			t.Errorf("%s: got %s, want %s", tc.config, got, tc.want)
		}
		if text := strings.Join(results, "\n"); strings.Contains(text, "policy/unused") != (tc.unused != "") || !strings.Contains(text, tc.unused) {
			t.Errorf("%s:\n%s", tc.config, text)
		}
	}
}

// WORKFLOW policies hold for the references that name them, the outer before the
// inner, and come last.
func TestWorkflowPolicies(t *testing.T) {
	workflow := func(name, implementation string) string {
		return resource("Policy", name, "scope: WORKFLOW\ninterface: {rules: [{interface: {path: cap.interface.db}, oneOf: [{implementationConstraints: {path: cap.implementation."+implementation+"}}]}]}\n")
	}
	hub := join(dbInterface, implementation("a", ""), implementation("b", ""), workflow("outer", "a"), workflow("inner", "b"))
	reference := func(name, policies string) string {
		return "{name: " + name + ", interface: {path: cap.interface.db}, workflowPolicies: [" + policies + "]}"
	}
	config := configOf("references: [" + strings.Join([]string{reference("outer-first", "outer, inner"), reference("inner-first", "inner, outer"), reference("inner-only", "inner"), reference("none", "")}, ", ") + "], onNotSelected: warning")
	output, _ := evaluate(t, functiontest.List(config, hub))
	got := map[string]string{}
	for name, s := range selections(t, output) {
		got[name] = s.chosen()
		if s.Rule != nil {
			got[name] += " " + strings.Join(s.Rule.From, "+")
		}
	}
	want := map[string]string{"outer-first": "a:0.1.0 WORKFLOW", "inner-first": "b:0.1.0 WORKFLOW", "inner-only": "b:0.1.0 WORKFLOW", "none": "NoRule"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	// Below the others, unless the order says otherwise.
	hub = join(hub, layer("GLOBAL", "{implementationConstraints: {path: cap.implementation.b}}"))
	for order, want := range map[string]string{"": "b:0.1.0", ", policyOrder: [WORKFLOW, GLOBAL]": "a:0.1.0"} {
		output, _ := evaluate(t, functiontest.List(configOf("references: ["+reference("db", "outer")+"]"+order), hub))
		if got := selections(t, output)["db"].chosen(); got != want {
			t.Errorf("%q: got %s, want %s", order, got, want)
		}
	}
}

// A typeInstance has no place in a WORKFLOW policy: it is dropped, and reported.
func TestWorkflowTypeInstance(t *testing.T) {
	items := join(dbInterface, implementation("a", ""), instance("store", "cap.core.type.hub.storage.neo4j"),
		resource("Policy", "step", "scope: WORKFLOW\n"+rulesOf(anyRule)+"\ntypeInstance: {rules: [{typeRef: {path: cap.*}, backend: {id: store}}]}\n"))
	output, results := evaluate(t, functiontest.List(configOf("references: [{name: db, interface: {path: cap.interface.db}, workflowPolicies: [step]}]"), items))
	if b := selections(t, output)["db"].Backends; len(b) != 1 || b[0].Via != "built-in" {
		t.Errorf("got %+v", b)
	}
	if results[1] != "warning policy/ignored-field Policy/step spec.typeInstance" {
		t.Errorf("got %s", results)
	}
}
