package schema

import "testing"

const misspeltPack = `
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: vault}
spec:
  schema: {port: {schema: '{{ format "${number}" }}'}}
  values: {port: 1}
---
apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata: {name: more}
spec: {packRef: {name: vault}, values: {ports: 1}}
`

// Keys of packs and presets are known. The tests of Unknown have the other cases.
func TestUnknownKeys(t *testing.T) {
	const nearKey = `warning values/near-key PackValues/more spec.values.ports key=ports unknown="key \"ports\"" near=port pack=vault`
	for _, tc := range []krmCase{
		{"nothing said", "", misspeltPack, []string{nearKey}},
		{"ignore", spec("unknownKeys: ignore"), misspeltPack, []string{nearKey}},
		{"warning", spec("unknownKeys: warning"), misspeltPack, []string{`warning values/unknown-key PackValues/more spec.values.ports key=ports unknown="key \"ports\"" want=port near=port pack=vault`}},
		{"error", spec("unknownKeys: error"), misspeltPack, []string{`error values/unknown-key PackValues/more spec.values.ports key=ports unknown="key \"ports\"" want=port near=port pack=vault`}},
		{"ignore, in a ConfigMap", data("unknownKeys: ignore"), misspeltPack, []string{nearKey}},
		{"warning, in a ConfigMap", data("unknownKeys: warning"), misspeltPack, []string{`warning values/unknown-key PackValues/more spec.values.ports key=ports unknown="key \"ports\"" want=port near=port pack=vault`}},
		{"error, in a ConfigMap", data("unknownKeys: error"), misspeltPack, []string{`error values/unknown-key PackValues/more spec.values.ports key=ports unknown="key \"ports\"" want=port near=port pack=vault`}},
		{"misspelt", data("unknownKeys: warn"), misspeltPack, []string{
			`error config/invalid ConfigMap/config data.unknownKeys got="\"warn\"" want="ignore, warning or error" near=warning`,
			nearKey,
		}},
		{"a preset adds it", spec("unknownKeys: error"), `
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: vault}
spec:
  presets: [{name: a}, {name: b, add: {ports: 1}}, {nam: broken}]
  values: {port: 1}
---
apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata: {name: more}
spec: {packRef: {name: vault}, values: {ports: 1}}
`, nil},
	} {
		tc.run(t)
	}
}

// A preset of the pack can add a key of the schema.
func TestPresetAddsSchemaKey(t *testing.T) {
	krmCase{"", "", `
apiVersion: v1
kind: ConfigMap
metadata: {name: pack}
data:
  pack.json: '{"name": "vault"}'
  schema.yaml: |
    added: {schema: '{{ format "${number}" }}'}
    removed: {schema: '{{ format "${number}" }}'}
  presets.yaml: |
    presets:
    - {name: a, remove: [removed], add: "added: 1"}
  values.yaml: ''
`, []string{
		"warning values/key-not-in-values ConfigMap/pack data[schema.yaml] key=removed at=2:1 pack=vault",
	}}.run(t)
}

func TestSeverity(t *testing.T) {
	const list = `
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: vault}
spec:
  schema:
    a: {schema: '{{ required }}'}
    b: {schema: '{{ format "${strng}" }}'}
  values: {b: 1}
`
	for _, tc := range []krmCase{
		{"as it is", "", list, []string{"error values/required Pack/vault spec.values.a key=a missing= pack=vault", `warning values/unknown-format Pack/vault spec.schema.b key=b unknown="type \"strng\"" want="string, password, number, boolean, list, ipv4 or version" near=string pack=vault`}},
		{"changed", spec("severity: {values/unknown-format: error, values/required: info}"), list, []string{"info values/required Pack/vault spec.values.a key=a missing= pack=vault", `error values/unknown-format Pack/vault spec.schema.b key=b unknown="type \"strng\"" want="string, password, number, boolean, list, ipv4 or version" near=string pack=vault`}},
		{"off", spec("severity: {values/unknown-format: 'off', values/required: 'off'}"), list, nil},
		{"in a ConfigMap", data("severity: 'values/unknown-format=off,values/required=warning'"), list, []string{"warning values/required Pack/vault spec.values.a key=a missing= pack=vault"}},
		{"over unknownKeys", spec("unknownKeys: error, severity: {values/unknown-key: info}"), misspeltPack, []string{
			`info values/unknown-key PackValues/more spec.values.ports key=ports unknown="key \"ports\"" want=port near=port pack=vault`,
		}},
		{"a rule misspelt", spec("severity: {values/require: info}"), list, []string{
			`error config/invalid ValidatePackValues/config spec.severity.values/require unknown="rule \"values/require\"" want="values/required, values/deferred, values/near-key, values/readonly, values/inert and 22 more" near=values/required`,
			"error values/required Pack/vault spec.values.a key=a missing= pack=vault", `warning values/unknown-format Pack/vault spec.schema.b key=b unknown="type \"strng\"" want="string, password, number, boolean, list, ipv4 or version" near=string pack=vault`,
		}},
	} {
		tc.run(t)
	}
}

func TestChosenPacks(t *testing.T) {
	const list = `
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: vault}
spec: {schema: {a: {schema: '{{ required }}'}}, values: {}}
---
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: consul}
spec: {schema: {a: {schema: '{{ required }}'}}, values: {}}
`
	for _, tc := range []krmCase{
		{"by the kind", spec("packs: [consul]"), list, []string{"error values/required Pack/consul spec.values.a key=a missing= pack=consul"}},
		{"by a ConfigMap", data("packs: consul"), list, []string{"error values/required Pack/consul spec.values.a key=a missing= pack=consul"}},
	} {
		tc.run(t)
	}
}
