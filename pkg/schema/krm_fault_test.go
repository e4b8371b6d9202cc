package schema

import "testing"

// Rule V19: the resource at fault is the one that supplies the value, and the
// pack if none does.
func TestResourceAtFault(t *testing.T) {
	const pack = `
apiVersion: v1
kind: ConfigMap
metadata: {name: pack}
data:
  pack.json: '{"name": "vault"}'
  schema.yaml: "a: {schema: '{{ required | format \"${number}\" }}'}"
  values.yaml: 'a: 1'
---
`
	const override = `
apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata: {name: more}
`
	for _, tc := range []krmCase{
		{"an override empties it", "", pack + override[1:] + "spec: {packRef: {name: vault}, values: {a: ''}}\n", []string{
			"error values/required PackValues/more spec.values.a key=a missing=empty pack=vault",
		}},
		{"an override's text", "", pack + override[1:] + "spec:\n  packRef: {name: vault}\n  values: |\n    # mine\n    a: x\n", []string{
			`error values/format PackValues/more spec.values key=a at=2:4 got="a string of 1 character" want="a decimal number" pack=vault`,
		}},
		{"an override replaces what has it", "", pack + override[1:] + "spec: {packRef: {name: vault}, strategy: replace, values: {b: 1}}\n", []string{
			"info override/drops PackValues/more spec.strategy pack=vault",
			"error values/required ConfigMap/pack data[values.yaml] key=a missing= pack=vault",
		}},
		{"absent from a Pack", "", "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: vault}\nspec: {schema: {a.b: {schema: '{{ required }}'}}, values: {a: {}}}\n", []string{
			"error values/required Pack/vault spec.values.a.b key=a.b missing= pack=vault",
		}},
		{"absent from a pack without values", "", `
apiVersion: v1
kind: ConfigMap
metadata: {name: pack}
data:
  pack.json: '{"name": "vault"}'
  schema.yaml: "a: {schema: '{{ required }}'}"
`, []string{"error values/required ConfigMap/pack data[values.yaml] key=a missing= pack=vault"}},
		{"the rest of a schema is checked, and other packs", "", `
apiVersion: v1
kind: ConfigMap
metadata: {name: pack}
data:
  pack.json: '{"name": "vault"}'
  schema.yaml: |
    a: {schema: 'required'}
    b: {schema: '{{ required }}'}
  values.yaml: 'a: 1'
---
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: consul}
spec: {schema: "a: {{ x }}", values: {}}
---
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: nomad}
spec: {schema: '- a', values: {}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: unreadable}
data: {pack.json: '[]', schema.yaml: "a: {schema: '{{ required }}'}"}
`, []string{
			"error input/invalid ConfigMap/unreadable data[pack.json] at=1:1",
			"error schema/invalid Pack/consul spec.schema at=1:4 pack=consul",
			`error schema/invalid Pack/nomad spec.schema at=1:1 got="a list" want="a map of paths to {schema: '{{ … }}'}" pack=nomad`,
			"error values/required ConfigMap/pack data[values.yaml] key=b missing= pack=vault",
			`error schema/invalid ConfigMap/pack data[schema.yaml] key=a at=1:13 got="\"required\" at character 1 of the template" want="a template in braces: {{ required }}" pack=vault`,
		}},
		{"two packs of one schema", "", pack + `
apiVersion: v1
kind: ConfigMap
metadata: {name: another}
data:
  pack.json: '{"name": "consul"}'
  schema.yaml: "a: {schema: '{{ required | format \"${number}\" }}'}"
  values.yaml: 'a: x'
`[1:], []string{
			`error values/format ConfigMap/another data[values.yaml] key=a at=1:4 got="a string of 1 character" want="a decimal number" pack=consul`,
		}},
		{"two packs whose schemas are maps, after an empty text", "", `
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: none}
spec: {schema: '', values: {}}
---
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: one}
spec: {schema: {a: {schema: '{{ required }}'}}, values: {}}
---
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: two}
spec: {schema: {b: {schema: '{{ required }}'}}, values: {}}
`, []string{
			"error values/required Pack/one spec.values.a key=a missing= pack=one",
			"error values/required Pack/two spec.values.b key=b missing= pack=two",
		}},
		{"two packs of one broken schema", "", `
apiVersion: v1
kind: ConfigMap
metadata: {name: one}
data: {pack.json: '{"name": "vault"}', schema.yaml: "a: 1"}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: two}
data: {pack.json: '{"name": "consul"}', schema.yaml: "a: 1"}
`, []string{
			`error schema/invalid ConfigMap/one data[schema.yaml] key=a at=1:4 got="a number" want="schema: with a template such as '{{ required | format \"${string}\" }}'" pack=vault`,
			`error schema/invalid ConfigMap/two data[schema.yaml] key=a at=1:4 got="a number" want="schema: with a template such as '{{ required | format \"${string}\" }}'" pack=consul`,
		}},
	} {
		tc.run(t)
	}
}

// If values cannot be read, the schema and the other packs are checked.
func TestUnreadableValues(t *testing.T) {
	const broken = `
apiVersion: v1
kind: ConfigMap
metadata: {name: pack}
data:
  pack.json: '{"name": "vault"}'
  schema.yaml: "a: {schema: 'x'}\nb: {schema: '{{ required }}'}"
  values.yaml: |
    c: 1
    name: {{ .Values.name }}
---
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: consul}
spec: {schema: {a: {schema: '{{ required }}'}}, values: {}}
`
	for _, tc := range []krmCase{
		{"its own", "", broken, []string{
			"error values/required Pack/consul spec.values.a key=a missing= pack=consul",
			`error schema/invalid ConfigMap/pack data[schema.yaml] key=a at=1:13 got="\"x\" at character 1 of the template" want="a template in braces: {{ required }}" pack=vault`,
			"error values/invalid-yaml ConfigMap/pack data[values.yaml] at=2:7 pack=vault",
		}},
		{"an override's", "", `
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: vault}
spec: {schema: {a: {schema: '{{ required }}'}}, values: {}}
---
apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata: {name: more}
spec:
  packRef: {name: vault}
  values: |
    a: 1
    --- #
    b: 1
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: most
  annotations: {packs.kpt.dev/values-of: vault}
data: {values.yaml: "- a"}
`, []string{
			"error values/invalid-yaml PackValues/more spec.values at=3:1 pack=vault",
			"error values/invalid-yaml ConfigMap/most data[values.yaml] at=1:1 pack=vault",
		}},
		{"a duplicate key, and the last one is checked", "", `
apiVersion: v1
kind: ConfigMap
metadata: {name: pack}
data:
  pack.json: '{"name": "vault"}'
  schema.yaml: "a.b: {schema: '{{ format \"${number}\" }}'}"
  values.yaml: |
    a:
      b: 1

      b: x
`, []string{
			"error values/duplicate-key ConfigMap/pack data[values.yaml] key=a.b at=4:3 duplicate-of=2:3 pack=vault",
			`error values/format ConfigMap/pack data[values.yaml] key=a.b at=4:6 got="a string of 1 character" want="a decimal number" pack=vault`,
		}},
		{"a key of an override twice", "", `
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: vault}
spec: {}
---
apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata: {name: more}
spec: {packRef: {name: vault}, values: "a: 1\na: 2"}
`, []string{
			"error values/duplicate-key PackValues/more spec.values key=a at=2:1 duplicate-of=1:1 pack=vault",
		}},
	} {
		tc.run(t)
	}
}

// A value that is absent may be in an override that cannot be read. Everything else is
// checked.
func TestUnreadOverride(t *testing.T) {
	krmCase{"", "", `
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: vault}
spec:
  schema: {a: {schema: '{{ required }}'}, b: {schema: '{{ format "${number}" }}'}, c: {schema: '{{ readonly }}'}, d: {schema: '{{ required }}'}}
  values: {b: x, d: ""}
---
apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata: {name: more}
spec: {packRef: {name: vault}, valeus: {a: 1}}
`, []string{
		`error input/invalid PackValues/more spec.valeus unknown="field \"valeus\"" want="packRef, scope, strategy or values" near=values`,
		`error values/format Pack/vault spec.values.b key=b got="a string of 1 character" want="a decimal number" pack=vault`,
		`error values/required Pack/vault spec.values.d key=d missing=empty pack=vault`,
	}}.run(t)
}
