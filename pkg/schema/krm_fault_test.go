package schema

import "testing"

// Rule V19: the resource at fault is the one that supplies the value, and the
// pack for a value that nobody supplies.
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
			`error PackValues/more spec.values.a key=a pack=vault: a: is required, but empty: set it (spec.values) [values/required]`,
		}},
		{"an override's text", "", pack + override[1:] + "spec:\n  packRef: {name: vault}\n  values: |\n    # mine\n    a: x\n", []string{
			`error PackValues/more spec.values column=4 key=a line=2 pack=vault: a: got text of 1 character, want a decimal number (spec.values line 2) [values/format]`,
		}},
		{"an override replaces what has it", "", pack + override[1:] + "spec: {packRef: {name: vault}, strategy: replace, values: {b: 1}}\n", []string{
			`error ConfigMap/pack data[values.yaml] key=a pack=vault: a: is required, but absent: set it (values.yaml) [values/required]`,
		}},
		{"absent from a Pack", "", "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: vault}\nspec: {schema: {a.b: {schema: '{{ required }}'}}, values: {a: {}}}\n", []string{
			`error Pack/vault spec.values.a.b key=a.b pack=vault: a.b: is required, but absent: set it (spec.values) [values/required]`,
		}},
		{"absent from a pack without values", "", `
apiVersion: v1
kind: ConfigMap
metadata: {name: pack}
data:
  pack.json: '{"name": "vault"}'
  schema.yaml: "a: {schema: '{{ required }}'}"
`, []string{`error ConfigMap/pack key=a pack=vault: a: is required, but absent: set it [values/required]`}},
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
			`error Pack/consul spec.schema column=4 line=1 pack=consul: spec.schema: is not YAML that can be read: line 1, column 4: the value starts with {{ and is not quoted: put quotes around it [schema/invalid]`,
			`error Pack/nomad spec.schema column=1 line=1 pack=nomad: spec.schema: is not a mapping of dotted paths to {schema: '{{ … }}'} (spec.schema line 1) [schema/invalid]`,
			`error ConfigMap/pack data[values.yaml] key=b pack=vault: b: is required, but absent: set it (values.yaml) [values/required]`,
			`error ConfigMap/pack data[schema.yaml] column=13 key=a line=1 pack=vault: a: its template is wrong at character 1: found "required", want a template in braces: {{ required }} (schema.yaml line 1) [schema/invalid]`,
			`error ConfigMap/unreadable data[pack.json] column=1 line=1: pack.json can not be read: line 1, column 1: got a list, want a mapping of keys to values [input/invalid]`,
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
			`error ConfigMap/another data[values.yaml] column=4 key=a line=1 pack=consul: a: got text of 1 character, want a decimal number (values.yaml line 1) [values/format]`,
		}},
		{"two packs whose schemas are mappings, after an empty text", "", `
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
			`error Pack/one spec.values.a key=a pack=one: a: is required, but absent: set it (spec.values) [values/required]`,
			`error Pack/two spec.values.b key=b pack=two: b: is required, but absent: set it (spec.values) [values/required]`,
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
			`error ConfigMap/one data[schema.yaml] column=4 key=a line=1 pack=vault: a: wants a template as text, schema: '{{ required | format "${string}" }}' (schema.yaml line 1) [schema/invalid]`,
			`error ConfigMap/two data[schema.yaml] column=4 key=a line=1 pack=consul: a: wants a template as text, schema: '{{ required | format "${string}" }}' (schema.yaml line 1) [schema/invalid]`,
		}},
	} {
		tc.run(t)
	}
}

// Values that can not be read leave the schema and the other packs checked.
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
	const quote = `can not be read as values: line 2, column 7: the value starts with {{ and is not quoted: put quotes around it; the pack's values are not judged until this is mended [values/invalid-yaml]`
	for _, tc := range []krmCase{
		{"its own", "", broken, []string{
			`error Pack/consul spec.values.a key=a pack=consul: a: is required, but absent: set it (spec.values) [values/required]`,
			`error ConfigMap/pack data[schema.yaml] column=13 key=a line=1 pack=vault: a: its template is wrong at character 1: found "x", want a template in braces: {{ required }} (schema.yaml line 1) [schema/invalid]`,
			`error ConfigMap/pack data[values.yaml] column=7 line=2 pack=vault: values.yaml: ` + quote,
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
			`error PackValues/more spec.values column=1 line=3 pack=vault: spec.values: can not be read as values: line 3, column 1: a second document starts here, want one document; the pack's values are not judged until this is mended [values/invalid-yaml]`,
			`error ConfigMap/most data[values.yaml] column=1 line=1 pack=vault: values.yaml: can not be read as values: line 1, column 1: got a list, want a mapping of keys to values; the pack's values are not judged until this is mended [values/invalid-yaml]`,
		}},
		{"a key twice, and judged all the same", "", `
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
			`error ConfigMap/pack data[values.yaml] column=3 key=a.b line=4 pack=vault: a.b: the key stands on line 2 and again on line 4; remove one (values.yaml) [values/duplicate-key]`,
			`error ConfigMap/pack data[values.yaml] column=6 key=a.b line=4 pack=vault: a.b: got text of 1 character, want a decimal number (values.yaml line 4) [values/format]`,
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
			`error PackValues/more spec.values column=1 key=a line=2 pack=vault: a: the key stands on line 1 and again on line 2; remove one (spec.values) [values/duplicate-key]`,
		}},
	} {
		tc.run(t)
	}
}
