package schema

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function/functiontest"
)

const releases = `
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: mapping
  namespace: east
  labels: {team: a, tier: web}
  annotations: {config.kubernetes.io/path: releases.yaml, config.kubernetes.io/index: "0"}
spec:
  values: {registry: {port: x}}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: text
  namespace: west
  labels: {team: b}
spec:
  values: |
    registry:
      port: x
---
apiVersion: helm.toolkit.fluxcd.io/v2beta1
kind: HelmRelease
metadata: {name: absent, namespace: west, labels: {team: c}}
spec: {}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: other, namespace: east}
`

// target is a functionConfig of one target with a schema of registry.port.
func target(selector, path string) string {
	return spec(`targets: [{selector: {` + selector + `}, path: ` + path + `, schema: {registry.port: {schema: '{{ required | format "${number}" }}'}}}]`)
}

// optional is a target whose schema asks for nothing.
func optional(selector, path string) string {
	return strings.Replace(target(selector, path), "required | ", "", 1)
}

func TestTarget(t *testing.T) {
	for _, tc := range []krmCase{
		{"a map, a text, and none", target("kind: HelmRelease", "spec.values"), releases, []string{
			`error values/format HelmRelease/west/text spec.values key=registry.port at=2:9 got="a string of 1 character" want="a decimal number"`,
			"error values/required HelmRelease/west/absent spec.values.registry.port key=registry.port missing=",
			`error values/format HelmRelease/east/mapping releases.yaml#0 spec.values.registry.port key=registry.port got="a string of 1 character" want="a decimal number"`,
		}},
		{"absent from a text", target("name: text", "spec.values"), strings.Replace(releases, "  port: x\n---\n", "  prot: x\n---\n", 1), []string{
			"error values/required HelmRelease/west/text spec.values key=registry.port missing= near=prot",
		}},
		{"a schema that is text", spec(`targets: [{selector: {name: mapping}, path: spec.values, schema: "registry.port: {schema: '{{ readonly | format \"${number}\" }}'}"}]`), releases, []string{
			"warning values/no-baseline ValidatePackValues/config spec.targets[0].schema key=registry.port at=1:1",
			`error values/format HelmRelease/east/mapping releases.yaml#0 spec.values.registry.port key=registry.port got="a string of 1 character" want="a decimal number"`,
		}},
		{"values that are not a map", target("name: list", "spec.values"), "apiVersion: a/v1\nkind: A\nmetadata: {name: list}\nspec: {values: [1]}\n", []string{
			"error values/invalid-yaml A/list spec.values",
		}},
		{"text that is not YAML", target("name: text", "spec.values"), "apiVersion: a/v1\nkind: A\nmetadata: {name: text}\nspec:\n  values: |\n    a: {{ .x }}\n", []string{
			"error values/invalid-yaml A/text spec.values at=1:4",
		}},
		{"a key twice", target("name: twice", "spec.values"), "apiVersion: a/v1\nkind: A\nmetadata: {name: twice}\nspec: {values: {registry: {port: 1, port: 2}}}\n", []string{
			"error values/duplicate-key A/twice spec.values.registry.port key=registry.port duplicate-of=4:30",
		}},
		{"elements of a list", target("kind: A", "'spec.$[].values'"), "apiVersion: a/v1\nkind: A\nmetadata: {name: a}\nspec: [{values: {registry: {port: 1}}}, {values: {registry: {port: x}}}]\n", []string{
			`error values/format A/a spec[1].values.registry.port key=registry.port got="a string of 1 character" want="a decimal number"`,
		}},
		{"no list where the path has one", target("kind: A", "'spec.$[].values'"), "apiVersion: a/v1\nkind: A\nmetadata: {name: a}\nspec: {values: {registry: {port: x}}}\n", []string{
			"error values/required A/a spec.registry.port key=registry.port missing=",
			"info nothing-to-do ValidatePackValues/config spec.targets[0].path",
		}},
		{"a key in brackets, as in messages", target("kind: ConfigMap", "'data[config.yaml]'"), "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  config.yaml: |\n    registry:\n      port: x\n", []string{
			`error values/format ConfigMap/a data.config.yaml key=registry.port at=2:9 got="a string of 1 character" want="a decimal number"`,
		}},
		{"an element in brackets, as in messages", target("kind: A", "'spec[1].values'"), "apiVersion: a/v1\nkind: A\nmetadata: {name: a}\nspec: [{values: {registry: {port: x}}}, {values: {registry: {port: x}}}]\n", []string{
			`error values/format A/a spec[1].values.registry.port key=registry.port got="a string of 1 character" want="a decimal number"`,
		}},
		{"a path with a bracket that no message has", target("kind: A", "'spec.$[1].values'"), releases, []string{
			"error config/invalid ValidatePackValues/config spec.targets[0].path",
		}},
		{"a path that is none", target("kind: A", "spec..values"), releases, []string{
			"error config/invalid ValidatePackValues/config spec.targets[0].path",
		}},
		{"a path that no resource has", optional("kind: HelmRelease", "spec.foo"), releases, []string{
			"info nothing-to-do ValidatePackValues/config spec.targets[0].path",
			"warning values/key-not-in-values ValidatePackValues/config spec.targets[0].schema.registry.port key=registry.port",
		}},
		{"a path that the only resource does not have", optional("name: absent", "spec.values"), releases, []string{
			"info nothing-to-do ValidatePackValues/config spec.targets[0].path",
			"warning values/key-not-in-values ValidatePackValues/config spec.targets[0].schema.registry.port key=registry.port",
		}},
		{"a path that is misspelt, and nothing of what follows", target("kind: HelmRelease", "spec.vlaues"), releases, []string{
			"error config/invalid ValidatePackValues/config spec.targets[0].path near=values",
		}},
		{"a field that is misspelt in one resource", optional("kind: HelmRelease", "spec.values"), strings.Replace(releases, "spec: {}", "spec: {value: {}}", 1), []string{
			"info nothing-to-do ValidatePackValues/config spec.targets[0].path near=value",
			"warning values/key-not-in-values ValidatePackValues/config spec.targets[0].schema.registry.port key=registry.port",
			`error values/format HelmRelease/west/text spec.values key=registry.port at=2:9 got="a string of 1 character" want="a decimal number"`,
			`error values/format HelmRelease/east/mapping releases.yaml#0 spec.values.registry.port key=registry.port got="a string of 1 character" want="a decimal number"`,
		}},
		{"a field that some have", optional("namespace: west", "spec.values"), strings.Replace(strings.Replace(releases, "spec: {}", "spec: {valuesFrom: []}", 1), "port: x\n---", "port: 1\n---", 1), []string{
			"warning values/key-not-in-values ValidatePackValues/config spec.targets[0].schema.registry.port key=registry.port",
		}},
		{"nothing chosen", target("kind: A, labelSelector: 'a=b'", "spec.values"), releases, []string{
			"info nothing-to-do ValidatePackValues/config spec.targets[0]",
		}},
		{"a schema with faults, where the rest counts", spec(`targets: [{selector: {name: mapping}, path: spec.values, schema: {registry.port: {schema: '{{ format "${number}" }}'}, a: {schema: 'required'}}}]`), releases, []string{
			`error schema/invalid ValidatePackValues/config spec.targets[0].schema.a key=a got="\"required\" at character 1 of the template" want="a template in braces: {{ required }}"`,
			`error values/format HelmRelease/east/mapping releases.yaml#0 spec.values.registry.port key=registry.port got="a string of 1 character" want="a decimal number"`,
		}},
		{"a schema that is not YAML", spec(`targets: [{selector: {name: mapping}, path: spec.values, schema: "a: {{ x }}"}]`), releases, []string{
			"error schema/invalid ValidatePackValues/config spec.targets[0].schema at=1:4",
		}},
		{"fields missing", spec("targets: [{selektor: {kind: A}}]"), releases, []string{
			"error config/invalid ValidatePackValues/config spec.targets[0].path missing=",
			"error config/invalid ValidatePackValues/config spec.targets[0].schema missing=",
			`error config/invalid ValidatePackValues/config spec.targets[0].selektor unknown="field \"selektor\"" want="selector, path or schema" near=selector`,
		}},
		{"not in a ConfigMap", data("targets: x"), releases, []string{
			"error config/invalid ConfigMap/config data.targets",
			"info nothing-to-do",
		}},
	} {
		tc.run(t)
	}
}

// Every part of a selector narrows the choice.
func TestTargetSelector(t *testing.T) {
	for _, tc := range []struct{ selector, want string }{
		{"kind: HelmRelease", "text absent mapping"},
		{"apiVersion: helm.toolkit.fluxcd.io/v2", "text mapping"},
		{"name: text", "text"},
		{"namespace: west", "text absent"},
		{"namespace: west, apiVersion: helm.toolkit.fluxcd.io/v2", "text"},
		{"kind: HelmRelease, labelSelector: 'team in (a, b)'", "text mapping"},
		{"labelSelector: 'team=a,tier=web'", "mapping"},
		{"labelSelector: '!tier', kind: HelmRelease", "text absent"},
		{"labelSelector: {matchLabels: {team: b}}", "text"},
		{"labelSelector: {matchExpressions: [{key: team, operator: In, values: [a, c]}]}", "absent mapping"},
		{"labelSelector: {matchLabels: {team: a}, matchExpressions: [{key: tier, operator: Exists}]}", "mapping"},
		{"labelSelector: {matchExpressions: [{key: team, operator: Exists}, {key: tier, operator: DoesNotExist}]}", "text absent"},
		{"labelSelector: {matchExpressions: [{key: team, operator: Exists}, {key: team, operator: NotIn, values: [a]}]}", "text absent"},
	} {
		t.Run(tc.selector, func(t *testing.T) {
			var names []string
			for _, f := range functiontest.Run(t, Function(), target(tc.selector, "spec.values"), releases).Findings {
				names = append(names, f.Resource().Name)
			}
			if diff := cmp.Diff(tc.want, strings.Join(names, " ")); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// Clients send the functionConfig's file among the items, too.
func TestConfigIsNoTarget(t *testing.T) {
	config := target("kind: ValidatePackValues", "spec.values")
	another := strings.Replace(config, "name: config", "name: another", 1)
	krmCase{"", config, config + "\n---\n" + another, []string{
		"error values/required ValidatePackValues/another spec.values.registry.port key=registry.port missing=",
		"info nothing-to-do ValidatePackValues/config spec.targets[0].path",
	}}.run(t)
}

// The values of a target may be a list: keys of the schema then start with "$[]".
func TestTargetOfList(t *testing.T) {
	config := spec(`targets: [{selector: {kind: A}, path: spec.values, schema: {"$[].port": {schema: '{{ required | format "${number}" }}'}}}]`)
	resource := func(spec string) string { return "apiVersion: a/v1\nkind: A\nmetadata: {name: a}\nspec: " + spec }
	for _, tc := range []krmCase{
		{"a list", config, resource("{values: [{port: 1}, {port: x}, {prot: 1}]}\n"), []string{
			"error values/required A/a spec.values[2].port key=[2].port missing= near=prot",
			`error values/format A/a spec.values[1].port key=[1].port got="a string of 1 character" want="a decimal number"`,
		}},
		{"text", config, resource("\n  values: |\n    - port: 1\n    - port: x\n"), []string{
			`error values/format A/a spec.values key=[1].port at=2:9 got="a string of 1 character" want="a decimal number"`,
		}},
		{"empty", config, resource("{values: []}\n"), []string{`error values/required A/a spec.values missing="an empty list"`}},
		{"text that is empty", config, resource("{values: ''}\n"), []string{"error values/required A/a spec.values missing="}},
		{"absent", config, resource("{}\n"), []string{
			`error values/required A/a spec.values missing="an empty list"`,
			"info nothing-to-do ValidatePackValues/config spec.targets[0].path",
		}},
		{"no list", config, resource("{values: {port: 1}}\n"), []string{`error values/format A/a spec.values got="a map" want="a list"`}},
		{"a list that no key of the schema starts with", target("kind: A", "spec.values"), resource("{values: [{port: 1}]}\n"), []string{"error values/invalid-yaml A/a spec.values"}},
	} {
		tc.run(t)
	}
}

// A pack without values, whose schema takes them as a list.
func TestListInPack(t *testing.T) {
	krmCase{"empty", "", `
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: vault}
spec: {name: vault, version: 1.0.0, values: "", schema: {"$[].a": {schema: '{{ required }}'}}}
`, []string{"error values/required Pack/vault spec.values missing= pack=vault"}}.run(t)
}

// A target can choose a pack; then both its schema and the pack's are checked.
func TestTargetThatIsAPack(t *testing.T) {
	krmCase{"", target("kind: Pack", "spec.values"), `
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: vault}
spec: {schema: {a: {schema: '{{ required }}'}}, values: {}}
`, []string{
		"error values/required Pack/vault spec.values.a key=a missing= pack=vault",
		"error values/required Pack/vault spec.values.registry.port key=registry.port missing=",
	}}.run(t)
}
