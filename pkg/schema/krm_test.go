package schema

import (
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
)

func TestMain(m *testing.M) { os.Exit(functiontest.Main(m, "schema")) }

// spec is a functionConfig of the function's own kind.
func spec(fields string) string {
	return "{apiVersion: fn.kpt.dev/v1alpha1, kind: ValidatePackValues, metadata: {name: config}, spec: {" + fields + "}}"
}

// data is a functionConfig in a ConfigMap.
func data(fields string) string {
	return "{apiVersion: v1, kind: ConfigMap, metadata: {name: config}, data: {" + fields + "}}"
}

// krmCase is a list and the findings of the function.
type krmCase struct {
	name, config, items string
	want                []string
}

func (tc krmCase) run(t *testing.T) {
	t.Run(tc.name, func(t *testing.T) {
		outcome := functiontest.Run(t, Function(), tc.config, tc.items)
		if diff := cmp.Diff(tc.want, functiontest.Facts(outcome.Findings)); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		failed := slices.ContainsFunc(outcome.Findings, func(f diag.Finding) bool { return f.Level() == diag.Error })
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
			`error values/readonly ConfigMap/more cluster/values.yaml#2 data[values.yaml] key=a.readonly at=2:15 got="another value" want="the pack's own value (the key is read-only)" pack=vault`,
			`warning values/unknown-key ConfigMap/more cluster/values.yaml#2 data[values.yaml] key=registri at=3:1 unknown="key \"registri\"" want="a or registry" near=registry pack=vault`,
			"error values/required ConfigMap/vault-pack vault/pack.yaml#1 data[values.yaml] key=a.required at=2:13 missing=empty pack=vault",
			"info values/deferred ConfigMap/vault-pack vault/pack.yaml#1 data[values.yaml] key=a.macro at=5:10 pack=vault",
			`warning values/unknown-format ConfigMap/vault-pack vault/pack.yaml#1 data[schema.yaml] key=a.unknown at=6:1 unknown="type \"strng\"" want="string, password, number, boolean, list, ipv4 or version" near=string pack=vault`,
			"error values/duplicate-key ConfigMap/vault-pack vault/pack.yaml#1 data[values.yaml] key=a.twice at=7:3 duplicate-of=6:3 pack=vault",
			"warning values/key-not-in-values ConfigMap/vault-pack vault/pack.yaml#1 data[schema.yaml] key=a.nowhere at=8:1 pack=vault",
			`error schema/invalid ConfigMap/vault-pack vault/pack.yaml#1 data[schema.yaml] key=a.broken at=9:20 unknown="stage \"requird\" at character 4 of the template" want="required, readonly, format \"...\" or hints \"...\"" near=required pack=vault`,
			`error values/format ConfigMap/vault-pack vault/pack.yaml#1 data[values.yaml] key=registry.port at=10:9 got=70000 want="a number from 5000 to 5005" now=70000 pack=vault`,
			`error values/format ConfigMap/vault-pack vault/pack.yaml#1 data[values.yaml] key=registry.hosts[1] at=11:21 got=10.0.0.256 want="an IPv4 address" now=10.0.0.256 pack=vault`,
			`error values/format ConfigMap/vault-pack vault/pack.yaml#1 data[values.yaml] key=registry.type at=12:9 got="a string of 4 characters" want="PACK or GIT" near=PACK propose=PACK pack=vault`,
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
			`warning values/unknown-format Pack/vault spec.schema.a.unknown key=a.unknown unknown="type \"strng\"" want="string, password, number, boolean, list, ipv4 or version" near=string pack=vault`,
			"warning values/key-not-in-values Pack/vault spec.schema.a.nowhere key=a.nowhere pack=vault",
			`error schema/invalid Pack/vault spec.schema.a.broken key=a.broken unknown="stage \"requird\" at character 4 of the template" want="required, readonly, format \"...\" or hints \"...\"" near=required pack=vault`,
			"error values/required Pack/vault spec.values.a.required key=a.required missing=empty pack=vault",
			"info values/deferred Pack/vault spec.values.a.macro key=a.macro pack=vault",
			"error values/duplicate-key Pack/vault spec.values.a.twice key=a.twice duplicate-of=21:9 pack=vault",
			`error values/format Pack/vault spec.values.registry.port key=registry.port got=70000 want="a number from 5000 to 5005" now=70000 pack=vault`,
			`error values/format Pack/vault spec.values.registry.hosts[1] key=registry.hosts[1] got=10.0.0.256 want="an IPv4 address" now=10.0.0.256 pack=vault`,
			`error values/format Pack/vault spec.values.registry.type key=registry.type got="a string of 4 characters" want="PACK or GIT" near=PACK propose=PACK pack=vault`,
			`error values/readonly PackValues/more spec.values.a.readonly key=a.readonly got="another value" want="the pack's own value (the key is read-only)" pack=vault`,
			`warning values/unknown-key PackValues/more spec.values.registri key=registri unknown="key \"registri\"" want="a or registry" near=registry pack=vault`,
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
			"warning values/no-baseline ConfigMap/vault data[schema.yaml] key=a at=1:1 pack=vault",
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
			"error schema/invalid Pack/consul spec.schema.a key=a duplicate-of=6:7 pack=consul",
			"error schema/invalid ConfigMap/vault data[schema.yaml] key=a at=3:1 duplicate-of=1:1 pack=vault",
		}},
	} {
		tc.run(t)
	}
}

func TestNothingToDo(t *testing.T) {
	for _, tc := range []krmCase{
		{"no packs", "", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n", []string{
			"info nothing-to-do",
		}},
		{"a pack without a schema", "", "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: a}\nspec: {values: {a: 1}}\n", nil},
		{"an empty schema", "", "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: a}\nspec: {schema: '# none', values: {a: 1}}\n", nil},
	} {
		tc.run(t)
	}
}
