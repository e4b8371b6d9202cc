package policy

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/rule"
)

// Bad input is reported with its place, all of it in one run, and the selections that do
// not depend on it are made.
func TestBadInput(t *testing.T) {
	good := join(resource("Interface", "good", "{path: cap.interface.good, revision: 1.0.0}"),
		resource("Implementation", "good", "{path: cap.implementation.good, revision: 1.0.0, implements: [{path: cap.interface.good, revision: 1.0.0}]}"))
	goodPolicy := policyOf("GLOBAL", rulesOf(anyRule))
	for _, tc := range []struct {
		name, items string
		want        []string // the errors
		made        bool     // the good selection is made
	}{
		{"a number as a revision", join(resource("Interface", "bad", "{path: cap.interface.bad, revision: 0.1}"), goodPolicy),
			[]string{`error policy/invalid Interface/bad spec.revision got="a number" want="a string"`}, true},
		{"revisions that are not versions", join(
			resource("Interface", "bad", "{path: cap.interface.bad, revision: v1.0.0, output: {typeInstances: {x: {typeRef: {path: cap.type.x, revision: one}}}}}"),
			resource("Implementation", "bad", "{path: cap.implementation.bad, revision: 1.0, attributes: {cap.attribute.x: {revision: '1'}}, implements: [{path: cap.interface.x, revision: '2'}], requires: {cap.type: {allOf: [{name: x, revision: '3'}]}}, additionalInput: {parameters: {p: {typeRef: {path: cap.type.x, revision: '4'}}}, typeInstances: {t: {typeRef: {path: cap.type.x, revision: '5'}}}}, additionalOutput: {typeInstances: {o: {typeRef: {path: cap.type.x, revision: '6'}}}}}"),
			resource("Type", "bad", "{path: cap.type.bad, revision: ''}"), resource("Attribute", "bad", "{path: cap.attribute.bad, revision: x}"), goodPolicy),
			[]string{
				`error policy/invalid Attribute/bad spec.revision got="\"x\"" want="a semantic version such as \"0.1.0\""`,
				`error policy/invalid Implementation/bad spec.additionalInput.parameters.p.typeRef.revision got="\"4\"" want="a semantic version such as \"0.1.0\""`,
				`error policy/invalid Implementation/bad spec.additionalInput.typeInstances.t.typeRef.revision got="\"5\"" want="a semantic version such as \"0.1.0\""`,
				`error policy/invalid Implementation/bad spec.additionalOutput.typeInstances.o.typeRef.revision got="\"6\"" want="a semantic version such as \"0.1.0\""`,
				`error policy/invalid Implementation/bad spec.attributes.cap.attribute.x.revision got="\"1\"" want="a semantic version such as \"0.1.0\""`,
				`error policy/invalid Implementation/bad spec.implements[0].revision got="\"2\"" want="a semantic version such as \"0.1.0\""`,
				`error policy/invalid Implementation/bad spec.requires.cap.type.allOf[0].revision got="\"3\"" want="a semantic version such as \"0.1.0\""`,
				`error policy/invalid Implementation/bad spec.revision got="a number" want="a string"`,
				`error policy/invalid Interface/bad spec.output.typeInstances.x.typeRef.revision got="\"one\"" want="a semantic version such as \"0.1.0\""`,
				`error policy/invalid Interface/bad spec.revision got="\"v1.0.0\"" want="a semantic version such as \"0.1.0\""`,
				"error policy/invalid Type/bad spec.revision missing=empty",
			}, false},
		{"wrong types", join(resource("Implementation", "bad", "{path: cap.implementation.bad, revision: 1.0.0, implements: {path: a}, requires: [a], action: 5}"), resource("Type", "bad", "[a]"), goodPolicy),
			[]string{
				`error policy/invalid Implementation/bad spec.implements got="a map" want="a list"`,
				`error policy/invalid Implementation/bad spec.requires got="a list" want="a map of prefixes to oneOf, allOf and anyOf"`,
				`error policy/invalid Type/bad spec got="a list" want="a map"`,
			}, false},
		{"an Implementation that matters", join(resource("Implementation", "bad", "{path: cap.implementation.bad, revision: 1.0.0, implements: [{path: cap.interface.good, revision: 1.0.0}], requires: {cap.type: {allOf: [{name: a, revision: 1}]}}}"), goodPolicy),
			[]string{`error policy/invalid Implementation/bad spec.requires.cap.type.allOf[0].revision got="a number" want="a string"`}, false},
		{"an Interface that matters", join(resource("Interface", "first", "{path: cap.interface.good, revision: 1.0.0, output: {typeInstances: {x: {typeRef: {path: cap.type.x}}}}}"), goodPolicy),
			[]string{"error policy/invalid Interface/first spec.output.typeInstances.x.typeRef.revision missing="}, false},
		{"an Implementation of something else", join(resource("Implementation", "bad", "{path: cap.implementation.bad, revision: 1.0.0, implements: [{path: cap.interface.x, revision: 1.0.0}], requires: {cap.type: {allOf: [{name: a, revision: 1}]}}}"), goodPolicy),
			[]string{`error policy/invalid Implementation/bad spec.requires.cap.type.allOf[0].revision got="a number" want="a string"`}, true},
		{"an alias twice", join(resource("Implementation", "bad", "{path: cap.implementation.bad, revision: 1.0.0, implements: [], requires: {cap.type: {allOf: [{name: a, revision: 1.0.0, alias: x}], oneOf: [{name: b, revision: 1.0.0, alias: x}]}}}"), goodPolicy),
			[]string{`error policy/invalid Implementation/bad spec.requires.cap.type.allOf[0].alias got="\"x\"" want="a unique alias"`}, true},
		{"a TypeInstance without a Type", join(resource("TypeInstance", "bad", "{}"), goodPolicy), []string{"error policy/invalid TypeInstance/bad spec.typeRef missing="}, false},
		{"a TypeInstance with an invalid revision", join(resource("TypeInstance", "bad", "{typeRef: {path: cap.type.x, revision: latest}}"), goodPolicy), []string{`error policy/invalid TypeInstance/bad spec.typeRef.revision got="\"latest\"" want="a semantic version such as \"0.1.0\""`}, false},
		{"an id twice", join(instance("a", "cap.type.a"), resource("TypeInstance", "b", "{id: a, typeRef: {path: cap.type.b, revision: 0.1.0}}"), resource("Implementation", "x", "{path: cap.implementation.x, revision: 1.0.0, implements: [{path: cap.interface.x, revision: 1.0.0}], requires: {cap.type: {allOf: [{name: a, revision: 0.1.0}, {name: b, revision: 0.1.0}]}}}"), goodPolicy),
			[]string{`error policy/invalid TypeInstance/b spec.id first="TypeInstance a"`}, false},
		{"a scope", resource("Policy", "bad", "{scope: GLOBL}"), []string{`error policy/invalid Policy/bad spec.scope got="\"GLOBL\"" want="GLOBAL, ACTION or WORKFLOW" near=GLOBAL`}, false},
		{"no scope", resource("Policy", "bad", "{}"), []string{"error policy/invalid Policy/bad spec.scope missing="}, false},
		{"no spec", "apiVersion: ocf.capact.io/v1alpha1\nkind: Policy\nmetadata:\n  name: bad\n", []string{"error policy/invalid Policy/bad spec missing="}, false},
		{"two GLOBAL policies", join(goodPolicy, resource("Policy", "second", "scope: GLOBAL\n"+rulesOf(anyRule)+"\n")),
			[]string{"error policy/invalid Policy/second spec.scope"}, false},
		{"two ACTION policies", join(resource("Policy", "a", "{scope: ACTION}"), resource("Policy", "b", "{scope: ACTION}"), goodPolicy),
			[]string{"error policy/invalid Policy/b spec.scope"}, false},
		{"unsupported patterns", policyOf("GLOBAL", rulesOf(anyRule)+"\ntypeInstance: {rules: [{typeRef: {path: cap.type.*.x}, backend: {id: s}}, {typeRef: {path: 'cap.*', revision: '0.*'}, backend: {id: s}}]}") + "---\n" + instance("s", "cap.core.type.hub.storage.neo4j"),
			[]string{
				`error policy/invalid Policy/global spec.typeInstance.rules[0].typeRef.path got="\"cap.type.*.x\"" want="a path, or a path that ends in .* as in cap.type.aws.* (no other wildcard is supported)"`,
				`error policy/invalid Policy/global spec.typeInstance.rules[1].typeRef.revision got="\"0.*\"" want="a semantic version such as \"0.1.0\""`,
			}, false},
		{"a Type with two backends", policyOf("GLOBAL", rulesOf(anyRule)+"\ntypeInstance: {rules: [{typeRef: {path: cap.type.x}, backend: {id: s}}, {typeRef: {path: cap.type.x}, backend: {id: u}}]}") + "---\n" + instance("s", "cap.core.type.hub.storage.neo4j") + "---\n" + instance("u", "cap.core.type.hub.storage.neo4j"),
			[]string{"error policy/invalid Policy/global spec.typeInstance.rules[1].typeRef"}, false},
		{"a rule for something else", policyOf("GLOBAL", rulesOf(anyRule, "{interface: {path: cap.interface.x}, oneOf: [null, {implementationConstraints: {path: 5}}]}")),
			[]string{
				`error policy/invalid Policy/global spec.interface.rules[1].oneOf[0] got=null want="a map"`,
				`error policy/invalid Policy/global spec.interface.rules[1].oneOf[1].implementationConstraints.path got="a number" want="a string"`,
			}, true},
		{"the rule that counts", policyOf("GLOBAL", rulesOf("{interface: {path: cap.*}, oneOf: [{implementationConstraints: {path: 5}}]}")),
			[]string{`error policy/invalid Policy/global spec.interface.rules[0].oneOf[0].implementationConstraints.path got="a number" want="a string"`}, false},
		{"a rule for an unknown Interface", policyOf("GLOBAL", rulesOf(anyRule, "{interface: {path: 5}, oneOf: []}")),
			[]string{`error policy/invalid Policy/global spec.interface.rules[1].interface.path got="a number" want="a string"`}, false},
		{"bad constraints", policyOf("GLOBAL", rulesOf(anyRule, "{interface: {path: cap.interface.x, revision: '1'}, oneOf: [{implementationConstraints: {path: 'cap.*', attributes: [{path: a b}, {path: cap.a, revision: '1'}], requires: [{path: .a}, {revision: 1.0.0}]}}]}")),
			[]string{
				`error policy/invalid Policy/global spec.interface.rules[1].interface.revision got="\"1\"" want="a semantic version such as \"0.1.0\""`,
				`error policy/invalid Policy/global spec.interface.rules[1].oneOf[0].implementationConstraints.attributes[0].path got="\"a b\"" want="names of letters, digits, - and _ with dots between them"`,
				`error policy/invalid Policy/global spec.interface.rules[1].oneOf[0].implementationConstraints.attributes[1].revision got="\"1\"" want="a semantic version such as \"0.1.0\""`,
				`error policy/invalid Policy/global spec.interface.rules[1].oneOf[0].implementationConstraints.path got="\"cap.*\"" want="names of letters, digits, - and _ with dots between them"`,
				`error policy/invalid Policy/global spec.interface.rules[1].oneOf[0].implementationConstraints.requires[0].path got="\".a\"" want="names separated by single dots (as in cap.type.aws.auth.credentials)"`,
				"error policy/invalid Policy/global spec.interface.rules[1].oneOf[0].implementationConstraints.requires[1].path missing=",
			}, false},
		{"a parameter that is too large", policyOf("GLOBAL", rulesOf("{interface: {path: cap.interface.x}, oneOf: [{inject: {additionalParameters: [{name: a, value: [&a ["+strings.Repeat("x, ", 200)+"x], &b ["+strings.Repeat("*a, ", 60)+"*a], *b]}]}}]}", anyRule)),
			[]string{"error policy/invalid Policy/global spec.interface.rules[0].oneOf[0].inject.additionalParameters[0].value"}, true},
		{"unknown ids everywhere", policyOf("GLOBAL", "interface: {default: {inject: {requiredTypeInstances: [{id: nope}]}}, rules: ["+anyRule+"]}\ntypeInstance: {rules: [{typeRef: {path: cap.x}, backend: {id: none}}]}"),
			[]string{
				`error policy/invalid Policy/global spec.interface.default.inject.requiredTypeInstances[0].id no="TypeInstance has the id \"nope\""`,
				`error policy/invalid Policy/global spec.typeInstance.rules[0].backend.id no="TypeInstance has the id \"none\""`,
			}, false},
		{"a kind that is misspelt", join(resource("Polcy", "bad", "{}"), goodPolicy), []string{`error input/invalid Polcy/bad kind got="\"Polcy\"" want="a kind of ocf.capact.io/v1alpha1" near=Policy now=Polcy propose=Policy`}, false},
		{"another version", join(strings.Replace(goodPolicy, "v1alpha1", "v1", 1), goodPolicy), []string{`error input/invalid Policy/global apiVersion got="\"ocf.capact.io/v1\"" want=ocf.capact.io/v1alpha1 near=ocf.capact.io/v1alpha1 now=ocf.capact.io/v1 propose=ocf.capact.io/v1alpha1`}, false},
		{"a policy without a name", join(strings.Replace(policyOf("ACTION", rulesOf("{interface: {path: cap.interface.good}, oneOf: []}")), "  name: action\n", "  labels: {}\n", 1), goodPolicy), []string{"error input/invalid Policy metadata.name missing="}, false},
		{"no YAML", join(resource("Implementation", "bad", "  a: 1\n b: 2\n"), goodPolicy), []string{"error input/invalid Implementation/bad"}, false},
		{"other kinds of the group", join(resource("InterfaceGroup", "g", "{}"), resource("Vendor", "v", "{}"), resource("SomethingElse", "s", "{}"), goodPolicy), nil, true},
		{"an object of a cluster", join(strings.Replace(resource("Policy", "there", "{scope: 5}"), "  name: there\n", "  name: there\n  annotations: {packs.kpt.dev/source: cluster}\n", 1), goodPolicy), nil, true},
		{"a group that is misspelt", join(strings.Replace(goodPolicy, "ocf.capact.io", "ocf.capct.io", 1), goodPolicy), []string{`error input/invalid Policy/global apiVersion got="\"ocf.capct.io/v1alpha1\"" want=ocf.capact.io/v1alpha1 near=ocf.capact.io/v1alpha1 now=ocf.capct.io/v1alpha1 propose=ocf.capact.io/v1alpha1`}, false},
		{"a policy of another group", join(strings.Replace(resource("Policy", "other", "{scope: 5}"), "ocf.capact.io", "kyverno.io", 1), goodPolicy), nil, true},
		{"unknown fields of manifests", join(resource("Implementation", "bad", "{path: cap.implementation.bad, revision: 1.0.0, appVersion: '1', imports: [a], implements: []}"), goodPolicy), nil, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			output, results := evaluate(t, functiontest.List("", join(good, tc.items)))
			if diff := cmp.Diff(tc.want, only(results, "error")); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if _, made := selections(t, output)["cap.interface.good-1.0.0"]; made != tc.made {
				t.Errorf("the good selection is made: %v, want %v\n%s", made, tc.made, strings.Join(results, "\n"))
			}
		})
	}
}

// An unknown field of a policy is reported: a misspelt oneOf would deny all, so nothing
// is selected by its rule.
func TestUnknownFieldsOfPolicies(t *testing.T) {
	for _, tc := range []struct{ name, rule, want string }{
		{"misspelt", "{interface: {path: cap.interface.db}, oneof: [{}]}", `error policy/invalid Policy/global spec.interface.rules[0].oneof unknown="field \"oneof\"" want="interface or oneOf" near=oneOf`},
		{"of something else", "{interface: {path: cap.interface.db}, oneOf: [{}], comment: x}", `warning policy/ignored-field Policy/global spec.interface.rules[0].comment unknown="field \"comment\"" want="interface or oneOf"`},
	} {
		output, results := evaluate(t, functiontest.List(configOf("onNotSelected: warning"), join(dbInterface, implementation("a", ""), policyOf("GLOBAL", rulesOf(tc.rule)))))
		isError := strings.HasPrefix(tc.want, "error")
		if got := results[0]; got != tc.want || isError != (len(selections(t, output)) == 0) {
			t.Errorf("%s: got %s", tc.name, results)
		}
	}
}

// A misspelt field of a manifest: an error if it decides what is selected, and then
// nothing is selected that could rest on it; a warning otherwise.
func TestMisspeltFieldsOfManifests(t *testing.T) {
	iface := func(more string) string {
		return resource("Interface", "it", "{path: cap.interface.it, revision: 1.0.0"+more+"}")
	}
	impl := func(more string) string {
		return resource("Implementation", "it", "{path: cap.implementation.it, revision: 1.0.0, implements: [{path: cap.interface.it, revision: 1.0.0}]"+more+"}")
	}
	const invalid, ignored = "error policy/invalid ", "warning policy/ignored-field "
	for _, tc := range []struct{ name, items, want string }{
		{"requires", join(iface(""), impl(", require: {cap.type: {allOf: [{name: a, revision: 0.1.0}]}}")), invalid + "Implementation/it spec.require near=requires"},
		{"an operator", join(iface(""), impl(", requires: {cap.type: {allof: [{name: a, revision: 0.1.0}]}}")), invalid + "Implementation/it spec.requires.cap.type.allof near=allOf"},
		{"an alias", join(iface(""), impl(", requires: {cap.type: {oneOf: [{name: a, revision: 0.1.0, allias: x}]}}")), invalid + "Implementation/it spec.requires.cap.type.oneOf[0].allias near=alias"},
		{"attributes", join(iface(""), impl(", atributes: {cap.attribute.x: {revision: 0.1.0}}")), invalid + "Implementation/it spec.atributes near=attributes"},
		{"implements, which is not missing then", join(iface(""), resource("Implementation", "it", "{path: cap.implementation.it, revision: 1.0.0, implement: [{path: cap.interface.it, revision: 1.0.0}]}")), invalid + "Implementation/it spec.implement near=implements"},
		{"a path, which is not missing then", join(iface(""), impl(""), resource("TypeInstance", "x", "{typeref: {path: cap.type.x, revision: 0.1.0}}")), invalid + "TypeInstance/x spec.typeref near=typeRef"},
		{"the spec", join(iface(""), impl(""), strings.Replace(impl(""), "spec:", "spce:", 1)), "error input/invalid Implementation/it spce near=spec"},
		{"output", join(iface(", outputs: {}"), impl("")), ignored + "Interface/it spec.outputs near=output"},
		{"an output of the Implementation", join(iface(""), impl(", additionalOutputs: {}")), ignored + "Implementation/it spec.additionalOutputs near=additionalOutput"},
		{"additionalRefs", join(iface(""), impl(""), resource("Type", "x", "{path: cap.type.x, revision: 0.1.0, additionalRef: []}")), ignored + "Type/x spec.additionalRef near=additionalRefs"},
		{"fields that the function does not read", join(iface(", input: {}, abstract: true"), impl(", imports: [], appVersion: 8.x.x, outputTypeInstanceRelations: {}")), ""},
	} {
		output, outcome := functiontest.RunList(t, Function(), functiontest.List("", join(tc.items, policyOf("GLOBAL", rulesOf(anyRule)))))
		got := ""
		for _, f := range outcome.Findings {
			if f.Rule != rule.PolicySelected {
				got += fmt.Sprintf("%s %s %s %s near=%s", f.Level(), f.Rule.ID, strings.ReplaceAll(f.Resource().String(), " ", "/"), f.Path(), f.Nearest)
			}
		}
		if made := len(selections(t, output)) == 1; got != tc.want || made != !strings.HasPrefix(tc.want, "error") {
			t.Errorf("%s: got %s, and a selection: %v", tc.name, got, made)
		}
	}
}

// Duplicate manifests are reported, and the first by name counts.
func TestDuplicates(t *testing.T) {
	items := join(
		resource("Interface", "b", "{path: cap.interface.db, revision: 1.0.0}"), resource("Interface", "a", "{path: cap.interface.db, revision: 1.0.0, output: {typeInstances: {x: {typeRef: {path: cap.type.x, revision: 0.1.0}}}}}"),
		resource("Type", "b", "{path: cap.type.x, revision: 1.0.0}"), resource("Type", "a", "{path: cap.type.x, revision: 1.0.0}"),
		instance("t", "cap.type.t"), resource("TypeInstance", "u", "{id: t, typeRef: {path: cap.type.t, revision: 0.1.0}}"),
		implementation("it", ""), policyOf("GLOBAL", rulesOf(anyRule)))
	output, results := evaluate(t, functiontest.List("", items))
	if s := selections(t, output)["cap.interface.db-1.0.0"]; len(s.Backends) != 1 {
		t.Errorf("got %+v", s)
	}
	for _, want := range []string{
		`warning policy/duplicate Interface/b spec.path first="Interface a"`,
		`warning policy/duplicate TypeInstance/u spec.id first="TypeInstance t"`,
		`warning policy/duplicate Type/b spec.path first="Type a"`,
	} {
		if !strings.Contains(strings.Join(results, "\n"), want) {
			t.Errorf("got %s, want %s", strings.Join(results, "\n"), want)
		}
	}
}

// Two WORKFLOW policies of one name cannot be distinguished.
func TestWorkflowPoliciesOfOneName(t *testing.T) {
	items := join(dbInterface, implementation("a", ""), resource("Policy", "step", "{scope: WORKFLOW}"), strings.Replace(resource("Policy", "step", "{scope: WORKFLOW}"), "  name: step", "  name: step\n  namespace: b", 1))
	output, results := evaluate(t, functiontest.List(configOf("references: [{name: db, interface: {path: cap.interface.db}, workflowPolicies: [step]}]"), items))
	want := []string{"error policy/invalid Policy/b/step metadata.name"}
	if !slices.Equal(results, want) || len(selections(t, output)) != 0 {
		t.Errorf("got %s", results)
	}
}
