package policy

import (
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/function/functiontest"
)

// Bad input is told with its place, all of it together, and the selections that do
// not depend on it are made.
func TestBadInput(t *testing.T) {
	good := join(resource("Interface", "good", "{path: cap.interface.good, revision: 1.0.0}"),
		resource("Implementation", "good", "{path: cap.implementation.good, revision: 1.0.0, implements: [{path: cap.interface.good, revision: 1.0.0}]}"))
	goodPolicy := policyOf("GLOBAL", rulesOf(anyRule))
	for _, tc := range []struct {
		name, items string
		want        []string // the beginnings of the errors
		made        bool     // the good selection is made
	}{
		{"a number as a revision", join(resource("Interface", "bad", "{path: cap.interface.bad, revision: 0.1}"), goodPolicy),
			[]string{"error Interface bad spec.revision | spec.revision: got a number, want text: put it in quotes"}, true},
		{"revisions that are no versions", join(
			resource("Interface", "bad", "{path: cap.interface.bad, revision: v1.0.0, output: {typeInstances: {x: {typeRef: {path: cap.type.x, revision: one}}}}}"),
			resource("Implementation", "bad", "{path: cap.implementation.bad, revision: 1.0, attributes: {cap.attribute.x: {revision: '1'}}, implements: [{path: cap.interface.x, revision: '2'}], requires: {cap.type: {allOf: [{name: x, revision: '3'}]}}, additionalInput: {parameters: {p: {typeRef: {path: cap.type.x, revision: '4'}}}, typeInstances: {t: {typeRef: {path: cap.type.x, revision: '5'}}}}, additionalOutput: {typeInstances: {o: {typeRef: {path: cap.type.x, revision: '6'}}}}}"),
			resource("Type", "bad", "{path: cap.type.bad, revision: ''}"), resource("Attribute", "bad", "{path: cap.attribute.bad, revision: x}"), goodPolicy),
			[]string{
				`error Attribute bad spec.revision | spec.revision: got "x", want a semantic version such as "0.1.0"`,
				`error Implementation bad spec.revision | spec.revision: got a number`,
				`error Implementation bad spec.attributes.cap.attribute.x.revision | `,
				`error Implementation bad spec.implements[0].revision | `,
				`error Implementation bad spec.requires.cap.type.allOf[0].revision | `,
				`error Implementation bad spec.additionalInput.parameters.p.typeRef.revision | `,
				`error Implementation bad spec.additionalInput.typeInstances.t.typeRef.revision | `,
				`error Implementation bad spec.additionalOutput.typeInstances.o.typeRef.revision | `,
				`error Interface bad spec.revision | `,
				`error Interface bad spec.output.typeInstances.x.typeRef.revision | `,
				`error Type bad spec.revision | spec.revision: is required`,
			}, false},
		{"wrong types", join(resource("Implementation", "bad", "{path: cap.implementation.bad, revision: 1.0.0, implements: {path: a}, requires: [a], action: 5}"), resource("Type", "bad", "[a]"), goodPolicy),
			[]string{"error Implementation bad spec.implements | spec.implements: got a mapping, want a list", "error Implementation bad spec.requires | spec.requires: got a list, want a mapping of prefixes to oneOf, allOf and anyOf", "error Type bad spec | spec: got a list, want a mapping"}, false},
		{"an Implementation that matters", join(resource("Implementation", "bad", "{path: cap.implementation.bad, revision: 1.0.0, implements: [{path: cap.interface.good, revision: 1.0.0}], requires: {cap.type: {allOf: [{name: a, revision: 1}]}}}"), goodPolicy),
			[]string{"error Implementation bad spec.requires.cap.type.allOf[0].revision | "}, false},
		{"an Interface that matters", join(resource("Interface", "first", "{path: cap.interface.good, revision: 1.0.0, output: {typeInstances: {x: {typeRef: {path: cap.type.x}}}}}"), goodPolicy),
			[]string{"error Interface first spec.output.typeInstances.x.typeRef.revision | spec.output.typeInstances.x.typeRef.revision: is required"}, false},
		{"an Implementation of something else", join(resource("Implementation", "bad", "{path: cap.implementation.bad, revision: 1.0.0, implements: [{path: cap.interface.x, revision: 1.0.0}], requires: {cap.type: {allOf: [{name: a, revision: 1}]}}}"), goodPolicy),
			[]string{"error Implementation bad spec.requires.cap.type.allOf[0].revision | "}, true},
		{"an alias twice", join(resource("Implementation", "bad", "{path: cap.implementation.bad, revision: 1.0.0, implements: [], requires: {cap.type: {allOf: [{name: a, revision: 1.0.0, alias: x}], oneOf: [{name: b, revision: 1.0.0, alias: x}]}}}"), goodPolicy),
			[]string{`error Implementation bad spec.requires.cap.type.allOf[0].alias | spec.requires.cap.type.allOf[0].alias: got "x", which is the alias of spec.requires.cap.type.oneOf[0] already; give each requirement an alias of its own`}, false},
		{"a TypeInstance without a Type", join(resource("TypeInstance", "bad", "{}"), goodPolicy), []string{"error TypeInstance bad spec.typeRef | spec.typeRef: is required"}, false},
		{"an id twice", join(instance("a", "cap.type.a"), resource("TypeInstance", "b", "{id: a, typeRef: {path: cap.type.b, revision: 0.1.0}}"), resource("Implementation", "x", "{path: cap.implementation.x, revision: 1.0.0, implements: [{path: cap.interface.x, revision: 1.0.0}], requires: {cap.type: {allOf: [{name: a, revision: 0.1.0}, {name: b, revision: 0.1.0}]}}}"), goodPolicy),
			[]string{`error TypeInstance b spec.id | spec.id: the id "a" is that of TypeInstance a already, which is of another Type; give each TypeInstance an id of its own`}, false},
		{"a scope", resource("Policy", "bad", "{scope: GLOBL}"), []string{`error Policy bad spec.scope | spec.scope: got "GLOBL", want GLOBAL, ACTION or WORKFLOW (did you mean "GLOBAL"?)`}, false},
		{"no scope", resource("Policy", "bad", "{}"), []string{`error Policy bad spec.scope | spec.scope: is required`}, false},
		{"no spec", "apiVersion: ocf.capact.io/v1alpha1\nkind: Policy\nmetadata:\n  name: bad\n", []string{`error Policy bad spec | spec: is required`}, false},
		{"two GLOBAL policies", join(goodPolicy, resource("Policy", "second", "scope: GLOBAL\n"+rulesOf(anyRule)+"\n")),
			[]string{"error Policy second spec.scope | spec.scope: Policy second and Policy global are both of scope GLOBAL, of which one at most can hold; merge them, or remove one [policy/invalid]"}, false},
		{"two ACTION policies", join(resource("Policy", "a", "{scope: ACTION}"), resource("Policy", "b", "{scope: ACTION}"), goodPolicy),
			[]string{"error Policy b spec.scope | spec.scope: Policy b and Policy a are both of scope ACTION"}, false},
		{"unsupported patterns", policyOf("GLOBAL", rulesOf(anyRule)+"\ntypeInstance: {rules: [{typeRef: {path: cap.type.*.x}, backend: {id: s}}, {typeRef: {path: 'cap.*', revision: '0.*'}, backend: {id: s}}]}") + "---\n" + instance("s", "cap.core.type.hub.storage.neo4j"),
			[]string{`error Policy global spec.typeInstance.rules[0].typeRef.path | spec.typeInstance.rules[0].typeRef.path: got "cap.type.*.x", want a path, or a path with .* at its end as in cap.type.aws.*; no other wildcard is supported [policy/invalid]`,
				`error Policy global spec.typeInstance.rules[1].typeRef.revision | `}, false},
		{"a Type with two backends", policyOf("GLOBAL", rulesOf(anyRule)+"\ntypeInstance: {rules: [{typeRef: {path: cap.type.x}, backend: {id: s}}, {typeRef: {path: cap.type.x}, backend: {id: u}}]}") + "---\n" + instance("s", "cap.core.type.hub.storage.neo4j") + "---\n" + instance("u", "cap.core.type.hub.storage.neo4j"),
			[]string{`error Policy global spec.typeInstance.rules[1].typeRef | spec.typeInstance.rules[1].typeRef: cap.type.x has another backend in spec.typeInstance.rules[0]; remove one of them`}, false},
		{"a rule for something else", policyOf("GLOBAL", rulesOf(anyRule, "{interface: {path: cap.interface.x}, oneOf: [null, {implementationConstraints: {path: 5}}]}")),
			[]string{`error Policy global spec.interface.rules[1].oneOf[0] | spec.interface.rules[1].oneOf[0]: got nothing: fill the entry or remove it`, `error Policy global spec.interface.rules[1].oneOf[1].implementationConstraints.path | `}, true},
		{"the rule that counts", policyOf("GLOBAL", rulesOf("{interface: {path: cap.*}, oneOf: [{implementationConstraints: {path: 5}}]}")),
			[]string{`error Policy global spec.interface.rules[0].oneOf[0].implementationConstraints.path | `}, false},
		{"a rule for nobody knows what", policyOf("GLOBAL", rulesOf(anyRule, "{interface: {path: 5}, oneOf: []}")),
			[]string{`error Policy global spec.interface.rules[1].interface.path | `}, false},
		{"bad constraints", policyOf("GLOBAL", rulesOf(anyRule, "{interface: {path: cap.interface.x, revision: '1'}, oneOf: [{implementationConstraints: {path: 'cap.*', attributes: [{path: a b}, {path: cap.a, revision: '1'}], requires: [{path: .a}, {revision: 1.0.0}]}}]}")),
			[]string{
				`error Policy global spec.interface.rules[1].interface.revision | `,
				`error Policy global spec.interface.rules[1].oneOf[0].implementationConstraints.path | `,
				`error Policy global spec.interface.rules[1].oneOf[0].implementationConstraints.attributes[0].path | `,
				`error Policy global spec.interface.rules[1].oneOf[0].implementationConstraints.attributes[1].revision | `,
				`error Policy global spec.interface.rules[1].oneOf[0].implementationConstraints.requires[0].path | `,
				`error Policy global spec.interface.rules[1].oneOf[0].implementationConstraints.requires[1].path | `,
			}, false},
		{"a parameter that is too large", policyOf("GLOBAL", rulesOf("{interface: {path: cap.interface.x}, oneOf: [{inject: {additionalParameters: [{name: a, value: [&a ["+strings.Repeat("x, ", 200)+"x], &b ["+strings.Repeat("*a, ", 60)+"*a], *b]}]}}]}", anyRule)),
			[]string{"error Policy global spec.interface.rules[0].oneOf[0].inject.additionalParameters[0].value | spec.interface.rules[0].oneOf[0].inject.additionalParameters[0].value: holds more than 10000 keys and values"}, true},
		{"unknown ids everywhere", policyOf("GLOBAL", "interface: {default: {inject: {requiredTypeInstances: [{id: nope}]}}, rules: ["+anyRule+"]}\ntypeInstance: {rules: [{typeRef: {path: cap.x}, backend: {id: none}}]}"),
			[]string{`error Policy global spec.interface.default.inject.requiredTypeInstances[0].id | spec.interface.default.inject.requiredTypeInstances[0].id: no TypeInstance in the list has the id "nope"`,
				`error Policy global spec.typeInstance.rules[0].backend.id | `}, false},
		{"a kind that is misspelt", join(resource("Polcy", "bad", "{}"), goodPolicy), []string{`error Polcy bad kind | kind: "Polcy" is no kind of ocf.capact.io/v1alpha1 (did you mean "Policy"?)`}, false},
		{"another version", join(strings.Replace(goodPolicy, "v1alpha1", "v1", 1), goodPolicy), []string{`error Policy global apiVersion | apiVersion: got "ocf.capact.io/v1", want ocf.capact.io/v1alpha1 [input/invalid]`}, false},
		{"a policy without a name", join(strings.Replace(policyOf("ACTION", rulesOf("{interface: {path: cap.interface.good}, oneOf: []}")), "  name: action\n", "  labels: {}\n", 1), goodPolicy), []string{"error Policy  metadata.name | a Policy without a name"}, false},
		{"no YAML", join(resource("Implementation", "bad", "  a: 1\n b: 2\n"), goodPolicy), []string{"error Implementation bad | Implementation bad can not be read: "}, false},
		{"other kinds of the group", join(resource("InterfaceGroup", "g", "{}"), resource("Vendor", "v", "{}"), resource("SomethingElse", "s", "{}"), goodPolicy), nil, true},
		{"what stands for an object in a cluster", join(strings.Replace(resource("Policy", "there", "{scope: 5}"), "  name: there\n", "  name: there\n  annotations: {packs.kpt.dev/source: cluster}\n", 1), goodPolicy), nil, true},
		{"unknown fields of manifests", join(resource("Implementation", "bad", "{path: cap.implementation.bad, revision: 1.0.0, appVersion: '1', imports: [a], implements: []}"), goodPolicy), nil, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			output, results := evaluate(t, functiontest.List("", join(good, tc.items)))
			errors := only(results, "error")
			if len(errors) != len(tc.want) {
				t.Errorf("got %d errors, want %d:\n%s", len(errors), len(tc.want), strings.Join(results, "\n"))
			}
			for n := range min(len(errors), len(tc.want)) {
				if !strings.HasPrefix(errors[n], tc.want[n]) {
					t.Errorf("got  %s\nwant %s", errors[n], tc.want[n])
				}
			}
			if _, made := selections(t, output)["cap.interface.good-1.0.0"]; made != tc.made {
				t.Errorf("the good selection is made: %v, want %v\n%s", made, tc.made, strings.Join(results, "\n"))
			}
		})
	}
}

// A field of a policy that is not known is told: a misspelt oneOf denies all.
func TestUnknownFieldsOfPolicies(t *testing.T) {
	_, results := evaluate(t, functiontest.List(configOf("onNotSelected: warning"), join(dbInterface, implementation("a", ""), policyOf("GLOBAL", rulesOf("{interface: {path: cap.interface.db}, oneof: [{}]}")))))
	want := []string{
		`warning Policy global spec.interface.rules[0].oneOf | all Implementations of cap.interface.db:1.0.0 are denied by the rule for cap.interface.db (from GLOBAL), whose oneOf is empty`,
		`warning Policy global spec.interface.rules[0].oneof | spec.interface.rules[0].oneof: unknown field; known are interface, oneOf (did you mean "oneOf"?) [policy/ignored-field]`,
	}
	for _, w := range want {
		if !strings.Contains("\n"+strings.Join(results, "\n"), "\n"+w) {
			t.Errorf("got  %s\nwant %s", strings.Join(results, "\n"), w)
		}
	}
}

// Manifests that stand twice are told, and the first by name counts.
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
		"warning Interface b spec.path | spec.path: cap.interface.db:1.0.0 stands in Interface a too, and that one counts; give one of them another path or revision [policy/duplicate]",
		`warning TypeInstance u spec.id | spec.id: the id "t" is that of TypeInstance t too; remove one of them [policy/duplicate]`,
		"warning Type b spec.path | spec.path: cap.type.x:1.0.0 stands in Type a too, and that one counts; give one of them another path or revision [policy/duplicate]",
	} {
		if !strings.Contains(strings.Join(results, "\n"), want) {
			t.Errorf("got %s, want %s", strings.Join(results, "\n"), want)
		}
	}
}

// Two WORKFLOW policies of one name can not be told apart.
func TestWorkflowPoliciesOfOneName(t *testing.T) {
	items := join(dbInterface, implementation("a", ""), resource("Policy", "step", "{scope: WORKFLOW}"), strings.Replace(resource("Policy", "step", "{scope: WORKFLOW}"), "  name: step", "  name: step\n  namespace: b", 1))
	output, results := evaluate(t, functiontest.List(configOf("references: [{name: db, interface: {path: cap.interface.db}, workflowPolicies: [step]}]"), items))
	if len(only(results, "error")) != 1 || !strings.Contains(results[0], "references can not tell them apart") || len(selections(t, output)) != 0 {
		t.Errorf("got %s", results)
	}
}
