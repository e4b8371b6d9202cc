package schema

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kptdev/krm-functions-sdk/go/fn"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/function/functiontest"
)

// evaluate runs the function over YAML documents. config is the functionConfig
// in flow style, "" for none.
func evaluate(t *testing.T, config, documents string) function.Outcome {
	t.Helper()
	_, outcome := functiontest.Evaluate(t, Function(), functiontest.List(config, documents))
	return outcome
}

// spec is a functionConfig of the function's own kind.
func spec(fields string) string {
	return "{apiVersion: fn.kpt.dev/v1alpha1, kind: ValidatePackValues, metadata: {name: config}, spec: {" + fields + "}}"
}

// data is a functionConfig in a ConfigMap.
func data(fields string) string {
	return "{apiVersion: v1, kind: ConfigMap, metadata: {name: config}, data: {" + fields + "}}"
}

// described is results in full, one line each: severity, resource, file, field,
// tags but for the rule, which ends the message.
func described(results fn.Results) []string {
	var all []string
	for _, r := range results {
		parts := []string{string(r.Severity)}
		if r.ResourceRef != nil {
			parts = append(parts, r.ResourceRef.Kind+"/"+r.ResourceRef.Name)
		}
		if r.File != nil {
			parts = append(parts, fmt.Sprintf("%s#%d", r.File.Path, r.File.Index))
		}
		if r.Field != nil {
			parts = append(parts, r.Field.Path)
			if r.Field.CurrentValue != nil {
				parts = append(parts, fmt.Sprintf("(now %v)", r.Field.CurrentValue))
			}
		}
		for _, tag := range slices.Sorted(maps.Keys(r.Tags)) {
			if tag != "rule" {
				parts = append(parts, tag+"="+r.Tags[tag])
			}
		}
		all = append(all, strings.Join(parts, " ")+": "+r.Message)
	}
	return all
}

// krmCase is a list and what the function says of it.
type krmCase struct {
	name, config, items string
	want                []string
}

func (tc krmCase) run(t *testing.T) {
	t.Run(tc.name, func(t *testing.T) {
		outcome := evaluate(t, tc.config, tc.items)
		if diff := cmp.Diff(tc.want, described(outcome.Results)); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		failed := slices.ContainsFunc(outcome.Results, func(r *fn.Result) bool { return r.Severity == fn.Error })
		if outcome.Failed != failed {
			t.Errorf("failed is %v", outcome.Failed)
		}
	})
}

// everyRule has one finding of each rule that values can break, in both forms.
const everyRuleSchema = `
    a.required: {schema: '{{ required | hints "where it runs" "as a name" }}'}
    a.readonly: {schema: '{{ readonly }}'}
    registry.port: {schema: '{{ format "${number:[5000-5005]}" | hints "registry port" }}'}
    registry.hosts.$[]: {schema: '{{ format "${ipv4}" }}'}
    registry.type: {schema: '{{ format "${list:[PACK,GIT]}" }}'}
    a.unknown: {schema: '{{ format "${strng}" }}'}
    a.macro: {schema: '{{ format "${number}" }}'}
    a.nowhere: {schema: '{{ format "${number}" }}'}
    a.broken: {schema: '{{ requird }}'}
`
const everyRuleValues = `
    a:
      required: ""
      readonly: 1
      unknown: x
      macro: "{{ .spectro.var.X }}"
      twice: 1
      twice: 1
      broken: 1
    registry:
      port: 70000
      hosts: [10.0.0.1, 10.0.0.256]
      type: pack
`
const everyRuleOverride = `---
apiVersion: v1
kind: ConfigMap
metadata:
  name: more
  annotations:
    packs.kpt.dev/values-of: vault
    internal.config.kubernetes.io/path: cluster/values.yaml
    internal.config.kubernetes.io/index: "2"
data:
  values.yaml: |
    # mine
    a: {readonly: 2}
    registri: {}
`

func TestMessages(t *testing.T) {
	for _, tc := range []krmCase{
		{"a ConfigMap", spec("unknownKeys: warning"), `
apiVersion: v1
kind: ConfigMap
metadata:
  name: vault-pack
  annotations:
    config.kubernetes.io/path: vault/pack.yaml
    config.kubernetes.io/index: "1"
data:
  pack.json: '{"name": "vault"}'
  schema.yaml: |` + everyRuleSchema + "  values.yaml: |" + everyRuleValues + everyRuleOverride, []string{
			`error ConfigMap/more cluster/values.yaml#2 data[values.yaml] column=15 key=a.readonly line=2 pack=vault: a.readonly: is read-only, but differs from the pack's own value: remove it here (values.yaml line 2) [values/readonly]`,
			`warning ConfigMap/more cluster/values.yaml#2 data[values.yaml] column=1 key=registri line=3 pack=vault: registri: is known neither to the schema nor to the pack's own values (did you mean "registry"?) (values.yaml line 3) [values/unknown-key]`,
			`error ConfigMap/vault-pack vault/pack.yaml#1 data[values.yaml] column=13 key=a.required line=2 pack=vault: a.required: is required, but empty: set it (values.yaml line 2): "where it runs", "as a name" [values/required]`,
			`info ConfigMap/vault-pack vault/pack.yaml#1 data[values.yaml] column=10 key=a.macro line=5 pack=vault: a.macro: holds a macro, so its format (a decimal number) is judged once the macro is resolved (values.yaml line 5) [values/deferred]`,
			`warning ConfigMap/vault-pack vault/pack.yaml#1 data[schema.yaml] column=1 key=a.unknown line=6 pack=vault: a.unknown: the schema's format has the unknown type "strng", so any value is accepted there; known are string, password, number, boolean, list, ipv4, version (did you mean "string"?) (schema.yaml line 6) [values/unknown-format]`,
			`error ConfigMap/vault-pack vault/pack.yaml#1 data[values.yaml] column=3 key=a.twice line=7 pack=vault: a.twice: the key stands on line 6 and again on line 7; remove one (values.yaml) [values/duplicate-key]`,
			`warning ConfigMap/vault-pack vault/pack.yaml#1 data[schema.yaml] column=1 key=a.nowhere line=8 pack=vault: a.nowhere: stands in the schema, but no values have it, so it checks nothing (schema.yaml line 8) [values/key-not-in-values]`,
			`error ConfigMap/vault-pack vault/pack.yaml#1 data[schema.yaml] column=20 key=a.broken line=9 pack=vault: a.broken: its template is wrong at character 4: unknown stage "requird" (did you mean "required"?): want required, readonly, format "..." or hints "..." (schema.yaml line 9) [schema/invalid]`,
			`error ConfigMap/vault-pack vault/pack.yaml#1 data[values.yaml] (now 70000) column=9 key=registry.port line=10 pack=vault: registry.port: got 70000, want number in [5000-5005] (values.yaml line 10): "registry port" [values/format]`,
			`error ConfigMap/vault-pack vault/pack.yaml#1 data[values.yaml] (now 10.0.0.256) column=21 key=registry.hosts[1] line=11 pack=vault: registry.hosts[1]: got 10.0.0.256, want IPv4 address (values.yaml line 11) [values/format]`,
			`error ConfigMap/vault-pack vault/pack.yaml#1 data[values.yaml] column=9 key=registry.type line=12 pack=vault: registry.type: got text of 4 characters, want one of PACK, GIT (did you mean "PACK"?); use the same letter case (values.yaml line 12) [values/format]`,
		}},
		{"a Pack", spec("unknownKeys: warning"), `
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: vault}
spec:
  schema:` + everyRuleSchema + "  values:" + everyRuleValues + `---
apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata: {name: more}
spec:
  packRef: {name: vault}
  values:
    a: {readonly: 2}
    registri: {}
`, []string{
			`warning Pack/vault spec.schema.a.unknown key=a.unknown pack=vault: a.unknown: the schema's format has the unknown type "strng", so any value is accepted there; known are string, password, number, boolean, list, ipv4, version (did you mean "string"?) (spec.schema) [values/unknown-format]`,
			`warning Pack/vault spec.schema.a.nowhere key=a.nowhere pack=vault: a.nowhere: stands in the schema, but no values have it, so it checks nothing (spec.schema) [values/key-not-in-values]`,
			`error Pack/vault spec.schema.a.broken key=a.broken pack=vault: a.broken: its template is wrong at character 4: unknown stage "requird" (did you mean "required"?): want required, readonly, format "..." or hints "..." (spec.schema) [schema/invalid]`,
			`error Pack/vault spec.values.a.required key=a.required pack=vault: a.required: is required, but empty: set it (spec.values): "where it runs", "as a name" [values/required]`,
			`info Pack/vault spec.values.a.macro key=a.macro pack=vault: a.macro: holds a macro, so its format (a decimal number) is judged once the macro is resolved (spec.values) [values/deferred]`,
			`error Pack/vault spec.values.a.twice key=a.twice pack=vault: a.twice: the key stands twice; remove one (spec.values) [values/duplicate-key]`,
			`error Pack/vault spec.values.registry.port (now 70000) key=registry.port pack=vault: registry.port: got 70000, want number in [5000-5005] (spec.values): "registry port" [values/format]`,
			`error Pack/vault spec.values.registry.hosts[1] (now 10.0.0.256) key=registry.hosts[1] pack=vault: registry.hosts[1]: got 10.0.0.256, want IPv4 address (spec.values) [values/format]`,
			`error Pack/vault spec.values.registry.type key=registry.type pack=vault: registry.type: got text of 4 characters, want one of PACK, GIT (did you mean "PACK"?); use the same letter case (spec.values) [values/format]`,
			`error PackValues/more spec.values.a.readonly key=a.readonly pack=vault: a.readonly: is read-only, but differs from the pack's own value: remove it here (spec.values) [values/readonly]`,
			`warning PackValues/more spec.values.registri key=registri pack=vault: registri: is known neither to the schema nor to the pack's own values (did you mean "registry"?) (spec.values) [values/unknown-key]`,
		}},
		{"no baseline", "", `
apiVersion: v1
kind: ConfigMap
metadata: {name: vault}
data:
  pack.json: '{"name": "vault"}'
  schema.yaml: "a: {schema: '{{ readonly }}'}"
---
apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata: {name: more}
spec: {packRef: {name: vault}, values: {a: 1}}
`, []string{
			`warning ConfigMap/vault data[schema.yaml] column=1 key=a line=1 pack=vault: a: is read-only, but there is no baseline: no values of the pack's own to compare with (schema.yaml line 1) [values/no-baseline]`,
		}},
		{"a schema's key twice", "", `
apiVersion: v1
kind: ConfigMap
metadata: {name: vault}
data:
  pack.json: '{"name": "vault"}'
  schema.yaml: |
    a: {schema: '{{ required }}'}

    a: {schema: '{{ required }}'}
---
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: consul}
spec:
  schema:
    a: {schema: '{{ required }}'}
    a: {schema: '{{ required }}'}
`, []string{
			`error Pack/consul spec.schema.a key=a pack=consul: a: stands twice; remove one (spec.schema) [schema/invalid]`,
			`error ConfigMap/vault data[schema.yaml] column=1 key=a line=3 pack=vault: a: stands on line 1 and again on line 3; remove one (schema.yaml line 3) [schema/invalid]`,
		}},
	} {
		tc.run(t)
	}
}

func TestNothingToDo(t *testing.T) {
	for _, tc := range []krmCase{
		{"no packs", "", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n", []string{
			"info: the list holds no packs: a pack is a ConfigMap with the key pack.json, or a Pack (packs.kpt.dev/v1alpha1); a selector of the function may hide it [nothing-to-do]",
		}},
		{"a pack without a schema", "", "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: a}\nspec: {values: {a: 1}}\n", nil},
		{"an empty schema", "", "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: a}\nspec: {schema: '# none', values: {a: 1}}\n", nil},
	} {
		tc.run(t)
	}
}
