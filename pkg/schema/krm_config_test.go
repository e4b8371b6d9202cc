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

// What packs ship and what presets add is known; the rest is for the tests of
// Unknown.
func TestUnknownKeys(t *testing.T) {
	const finding = ` PackValues/more spec.values.ports key=ports pack=vault: ports: is known neither to the schema nor to the pack's own values (did you mean "port"?) (spec.values) [values/unknown-key]`
	for _, tc := range []krmCase{
		{"nothing said", "", misspeltPack, nil},
		{"ignore", spec("unknownKeys: ignore"), misspeltPack, nil},
		{"warning", spec("unknownKeys: warning"), misspeltPack, []string{"warning" + finding}},
		{"error", spec("unknownKeys: error"), misspeltPack, []string{"error" + finding}},
		{"ignore, in a ConfigMap", data("unknownKeys: ignore"), misspeltPack, nil},
		{"warning, in a ConfigMap", data("unknownKeys: warning"), misspeltPack, []string{"warning" + finding}},
		{"error, in a ConfigMap", data("unknownKeys: error"), misspeltPack, []string{"error" + finding}},
		{"misspelt", data("unknownKeys: warn"), misspeltPack, []string{
			`error ConfigMap/config data.unknownKeys: data.unknownKeys: got "warn", want ignore, warning or error [config/invalid]`,
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

// A preset of the pack may add what the schema speaks of (rule V18).
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
		`warning ConfigMap/pack data[schema.yaml] column=1 key=removed line=2 pack=vault: removed: stands in the schema, but no values have it, so it checks nothing (schema.yaml line 2) [values/key-not-in-values]`,
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
	const required = ` Pack/vault spec.values.a key=a pack=vault: a: is required, but absent: set it (spec.values) [values/required]`
	const unknown = ` Pack/vault spec.schema.b key=b pack=vault: b: the schema's format has the unknown type "strng", so any value is accepted there; known are string, password, number, boolean, list, ipv4, version (did you mean "string"?) (spec.schema) [values/unknown-format]`
	for _, tc := range []krmCase{
		{"as it is", "", list, []string{"error" + required, "warning" + unknown}},
		{"changed", spec("severity: {values/unknown-format: error, values/required: info}"), list, []string{"info" + required, "error" + unknown}},
		{"off", spec("severity: {values/unknown-format: 'off', values/required: 'off'}"), list, nil},
		{"in a ConfigMap", data("severity: 'values/unknown-format=off,values/required=warning'"), list, []string{"warning" + required}},
		{"over unknownKeys", spec("unknownKeys: error, severity: {values/unknown-key: info}"), misspeltPack, []string{
			`info PackValues/more spec.values.ports key=ports pack=vault: ports: is known neither to the schema nor to the pack's own values (did you mean "port"?) (spec.values) [values/unknown-key]`,
		}},
		{"a rule misspelt", spec("severity: {values/require: info}"), list, []string{
			`error ValidatePackValues/config spec.severity.values/require: spec.severity.values/require: unknown rule "values/require" (did you mean "values/required"?); the function's README lists its rules [config/invalid]`,
			"error" + required, "warning" + unknown,
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
	const finding = `error Pack/consul spec.values.a key=a pack=consul: a: is required, but absent: set it (spec.values) [values/required]`
	for _, tc := range []krmCase{
		{"by the kind", spec("packs: [consul]"), list, []string{finding}},
		{"by a ConfigMap", data("packs: consul"), list, []string{finding}},
	} {
		tc.run(t)
	}
}
