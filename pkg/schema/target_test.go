package schema

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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
		{"a mapping, a text, and none", target("kind: HelmRelease", "spec.values"), releases, []string{
			`error HelmRelease/text spec.values column=9 key=registry.port line=2: registry.port: got text of 1 character, want a decimal number (spec.values line 2) [values/format]`,
			`error HelmRelease/absent spec.values.registry.port key=registry.port: registry.port: is required, but absent: set it (spec.values) [values/required]`,
			`error HelmRelease/mapping releases.yaml#0 spec.values.registry.port key=registry.port: registry.port: got text of 1 character, want a decimal number (spec.values) [values/format]`,
		}},
		{"absent from a text", target("name: text", "spec.values"), strings.Replace(releases, "  port: x\n---\n", "  prot: x\n---\n", 1), []string{
			`error HelmRelease/text spec.values key=registry.port: registry.port: is required, but absent: set it (spec.values) [values/required]`,
		}},
		{"a schema that is text", spec(`targets: [{selector: {name: mapping}, path: spec.values, schema: "registry.port: {schema: '{{ readonly | format \"${number}\" }}'}"}]`), releases, []string{
			`warning ValidatePackValues/config spec.targets[0].schema column=1 key=registry.port line=1: registry.port: is read-only, but there is no baseline: no values of the pack's own to compare with (spec.targets[0].schema line 1) [values/no-baseline]`,
			`error HelmRelease/mapping releases.yaml#0 spec.values.registry.port key=registry.port: registry.port: got text of 1 character, want a decimal number (spec.values) [values/format]`,
		}},
		{"values that are no mapping", target("name: list", "spec.values"), "apiVersion: a/v1\nkind: A\nmetadata: {name: list}\nspec: {values: [1]}\n", []string{
			`error A/list spec.values: spec.values: can not be read as values: got a list, want a mapping of keys to values; the values are not judged until this is mended [values/invalid-yaml]`,
		}},
		{"text that is not YAML", target("name: text", "spec.values"), "apiVersion: a/v1\nkind: A\nmetadata: {name: text}\nspec:\n  values: |\n    a: {{ .x }}\n", []string{
			`error A/text spec.values column=4 line=1: spec.values: can not be read as values: line 1, column 4: the value starts with {{ and is not quoted: put quotes around it; the values are not judged until this is mended [values/invalid-yaml]`,
		}},
		{"a key twice", target("name: twice", "spec.values"), "apiVersion: a/v1\nkind: A\nmetadata: {name: twice}\nspec: {values: {registry: {port: 1, port: 2}}}\n", []string{
			`error A/twice spec.values.registry.port key=registry.port: registry.port: the key stands twice; remove one (spec.values) [values/duplicate-key]`,
		}},
		{"elements of a list", target("kind: A", "'spec.$[].values'"), "apiVersion: a/v1\nkind: A\nmetadata: {name: a}\nspec: [{values: {registry: {port: 1}}}, {values: {registry: {port: x}}}]\n", []string{
			`error A/a spec[1].values.registry.port key=registry.port: registry.port: got text of 1 character, want a decimal number (spec[1].values) [values/format]`,
		}},
		{"a path that is none", target("kind: A", "spec..values"), releases, []string{
			`error ValidatePackValues/config spec.targets[0].path: spec.targets[0].path: path "spec..values" has an empty step after "spec": remove the extra dot [config/invalid]`,
		}},
		{"a path that no resource has", optional("kind: HelmRelease", "spec.foo"), releases, []string{
			`info: spec.targets[0].path: none of the 3 resources that are chosen has spec.foo, which is judged as empty values [nothing-to-do]`,
			"warning ValidatePackValues/config spec.targets[0].schema.registry.port key=registry.port: registry.port: stands in the schema, but no values have it, so it checks nothing (spec.targets[0].schema) [values/key-not-in-values]",
		}},
		{"a path that the only resource does not have", optional("name: absent", "spec.values"), releases, []string{
			`info: spec.targets[0].path: HelmRelease west/absent, the only resource that is chosen, has no spec.values, which is judged as empty values [nothing-to-do]`,
			"warning ValidatePackValues/config spec.targets[0].schema.registry.port key=registry.port: registry.port: stands in the schema, but no values have it, so it checks nothing (spec.targets[0].schema) [values/key-not-in-values]",
		}},
		{"a path that is misspelt", optional("kind: HelmRelease", "spec.vlaues"), releases, []string{
			`info: spec.targets[0].path: HelmRelease east/mapping has no vlaues, but values; write it the same in both, or it is judged as empty values [nothing-to-do]`,
			"warning ValidatePackValues/config spec.targets[0].schema.registry.port key=registry.port: registry.port: stands in the schema, but no values have it, so it checks nothing (spec.targets[0].schema) [values/key-not-in-values]",
		}},
		{"a field that is misspelt in one resource", optional("kind: HelmRelease", "spec.values"), strings.Replace(releases, "spec: {}", "spec: {value: {}}", 1), []string{
			`info: spec.targets[0].path: HelmRelease west/absent has no values, but value; write it the same in both, or it is judged as empty values [nothing-to-do]`,
			"warning ValidatePackValues/config spec.targets[0].schema.registry.port key=registry.port: registry.port: stands in the schema, but no values have it, so it checks nothing (spec.targets[0].schema) [values/key-not-in-values]",
			`error HelmRelease/text spec.values column=9 key=registry.port line=2: registry.port: got text of 1 character, want a decimal number (spec.values line 2) [values/format]`,
			`error HelmRelease/mapping releases.yaml#0 spec.values.registry.port key=registry.port: registry.port: got text of 1 character, want a decimal number (spec.values) [values/format]`,
		}},
		{"a field that some have", optional("namespace: west", "spec.values"), strings.Replace(strings.Replace(releases, "spec: {}", "spec: {valuesFrom: []}", 1), "port: x\n---", "port: 1\n---", 1), []string{
			"warning ValidatePackValues/config spec.targets[0].schema.registry.port key=registry.port: registry.port: stands in the schema, but no values have it, so it checks nothing (spec.targets[0].schema) [values/key-not-in-values]",
		}},
		{"nothing chosen", target("kind: A, labelSelector: 'a=b'", "spec.values"), releases, []string{
			`info: spec.targets[0]: no resource is chosen by kind=A, labels a=b; a selector of the function may hide it [nothing-to-do]`,
		}},
		{"a schema with faults, the rest of which counts", spec(`targets: [{selector: {name: mapping}, path: spec.values, schema: {registry.port: {schema: '{{ format "${number}" }}'}, a: {schema: 'required'}}}]`), releases, []string{
			"error ValidatePackValues/config spec.targets[0].schema.a key=a: a: its template is wrong at character 1: found \"required\", want a template in braces: {{ required }} (spec.targets[0].schema) [schema/invalid]",
			`error HelmRelease/mapping releases.yaml#0 spec.values.registry.port key=registry.port: registry.port: got text of 1 character, want a decimal number (spec.values) [values/format]`,
		}},
		{"a schema that is not YAML", spec(`targets: [{selector: {name: mapping}, path: spec.values, schema: "a: {{ x }}"}]`), releases, []string{
			`error ValidatePackValues/config spec.targets[0].schema column=4 line=1: spec.targets[0].schema: is not YAML that can be read: line 1, column 4: the value starts with {{ and is not quoted: put quotes around it [schema/invalid]`,
		}},
		{"fields missing", spec("targets: [{selektor: {kind: A}}]"), releases, []string{
			`error ValidatePackValues/config spec.targets[0].path: spec.targets[0].path: is required [config/invalid]`,
			`error ValidatePackValues/config spec.targets[0].schema: spec.targets[0].schema: is required [config/invalid]`,
			`error ValidatePackValues/config spec.targets[0].selector: spec.targets[0].selector: is required [config/invalid]`,
			`error ValidatePackValues/config spec.targets[0].selektor: spec.targets[0].selektor: unknown field; known are selector, path, schema (did you mean "selector"?) [config/invalid]`,
		}},
		{"not in a ConfigMap", data("targets: x"), releases, []string{
			`info: the list holds no packs: a pack is a ConfigMap with the key pack.json, or a Pack (packs.kpt.dev/v1alpha1); a selector of the function may hide it [nothing-to-do]`,
			`error ConfigMap/config data.targets: data.targets: can not be given in a ConfigMap: use the kind ValidatePackValues (fn.kpt.dev/v1alpha1) [config/invalid]`,
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
			for _, r := range evaluate(t, target(tc.selector, "spec.values"), releases).Results {
				if r.ResourceRef == nil {
					t.Fatalf("got %s", r.Message)
				}
				names = append(names, r.ResourceRef.Name)
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
		`info: spec.targets[0].path: ValidatePackValues another, the only resource that is chosen, has no spec.values, which is judged as empty values [nothing-to-do]`,
		`error ValidatePackValues/another spec.values.registry.port key=registry.port: registry.port: is required, but absent: set it (spec.values) [values/required]`,
	}}.run(t)
}

// A target may choose what is a pack too; both are judged.
func TestTargetThatIsAPack(t *testing.T) {
	krmCase{"", target("kind: Pack", "spec.values"), `
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: vault}
spec: {schema: {a: {schema: '{{ required }}'}}, values: {}}
`, []string{
		`error Pack/vault spec.values.a key=a pack=vault: a: is required, but absent: set it (spec.values) [values/required]`,
		`error Pack/vault spec.values.registry.port key=registry.port: registry.port: is required, but absent: set it (spec.values) [values/required]`,
	}}.run(t)
}
