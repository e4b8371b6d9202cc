package dependency

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	// red requires blue in a range that the list does not have.
	red = `
apiVersion: v1
kind: ConfigMap
metadata: {name: bundles}
data:
  bundle.yaml: |
    schema: olm.channel
    name: stable
    ---
    schema: olm.bundle
    name: red.v1.0.0
    package: red
    properties:
    - type: olm.constraint
      value:
        failureMessage: for colors
        all:
          constraints:
          - package: {packageName: blue, versionRange: '>=1.5.0 <2.0.0'}
          - gvk: {group: g.example.com, version: v1, kind: Green}
---
`
	blue = `
apiVersion: v1
kind: ConfigMap
metadata: {name: blue}
data:
  annotations.yaml: |
    annotations: {operators.operatorframework.io.bundle.package.v1: blue}
  properties.yaml: |
    properties:
    - {type: olm.package, value: {packageName: blue, version: 1.4.0}}
---
`
	green = `
apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata: {name: green.v0.1.0}
spec:
  version: 0.1.0
  customresourcedefinitions:
    owned: [{name: greens.g.example.com, version: v1, kind: Green}]
---
`
	certified = `
apiVersion: operators.coreos.com/v2
kind: Constraint
metadata: {name: certified}
spec:
  constraints: '[{"type":"olm.constraint","value":{"evaluator":{"id":"cel"},"rule":"properties.exists(p, p.type == \"certified\")","message":"certified only","action":{"id":"require"}}}]'
---
`
)

func documentsOf(documents ...string) string {
	var all []string
	for _, d := range documents {
		all = append(all, strings.TrimSuffix(strings.TrimPrefix(d, "\n"), "---\n"))
	}
	return strings.Join(all, "---\n")
}

func TestBundles(t *testing.T) {
	for _, tc := range []krmCase{
		{"a bundle.yaml of several documents", "", documentsOf(red, blue, green), []string{
			`error ConfigMap/bundles data[bundle.yaml] bundle=red.v1.0.0 column=18 key=properties[0].value.all.constraints[0].package line=13: bundle "red.v1.0.0" (ConfigMap bundles, bundle.yaml line 13) requires package "blue" in range >=1.5.0 <2.0.0, but bundle "blue" (ConfigMap blue) is 1.4.0 (failureMessage: "for colors") [constraint/unsatisfied]`,
		}},
		{"a catalog", data(`catalog: "{schema: olm.bundle, name: blue.v1.9.0}\n---\n{schema: olm.bundle, name: blue.v2.1.0}"`), documentsOf(red, blue, green), []string{
			`error ConfigMap/bundles data[bundle.yaml] (to be 1.9.0) … (failureMessage: "for colors"); take 1.9.0, the newest in the catalog that suits all who need it [constraint/unsatisfied]`,
		}},
		{"demands of packs and bundles on one package", data(`catalog: "{name: blue, version: 1.9.0}\n---\n{name: blue, version: 1.6.0}"`), documentsOf(red, green, `
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: needs}
spec: {constraints: {dependencies: [{packName: blue, minVersion: 1.5.0, maxVersion: "1.7", type: required}]}}
---
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: blue}
spec: {version: "1.4"}
---
`), []string{
			`error Pack/needs spec.constraints.dependencies[0].minVersion (now 1.4) (to be 1.6.0) … [dependency/below-min]`,
			`error ConfigMap/bundles data[bundle.yaml] (to be 1.6.0) … [constraint/unsatisfied]`,
		}},
		{"demands that exclude each other", data(`catalog: "{name: blue, version: 1.9.0}"`), documentsOf(red, green, `
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: needs}
spec: {constraints: {dependencies: [{packName: blue, minVersion: 2.5.0, type: optional}, {packName: blue, minVersion: 0.5.0, type: optional}]}}
---
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: blue}
spec: {version: 1.9.0}
---
`), []string{
			`error Pack/needs spec.constraints.dependencies[0].minVersion (now 1.9.0) … the catalog has nothing that fits: "needs" (Pack needs) wants 2.5.0 or newer [dependency/below-min]`,
			`warning ConfigMap/bundles … [constraint/scope-differs]`,
		}},
		{"a pack is a bundle", "", documentsOf(`
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: vault}
spec:
  version: v1.2
  dependencies:
  - {type: olm.package, value: {packageName: vault, version: '>=1.2.0'}}
  - {type: olm.label, value: {label: secured}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: files}
data:
  pack.json: '{"name": "consul", "version": "1.0.0"}'
  dependencies.yaml: |
    dependencies:
    - {type: olm.gvk, value: {group: a, version: v1, kind: B}}
---
`), []string{
			`error Pack/vault spec.dependencies[1].value key=[1].value pack=vault: pack "vault" (Pack vault) requires label "secured", but nothing provides it; add it to the list, unless a selector of the function hides it [requirement/unsatisfied]`,
			`error ConfigMap/files data[dependencies.yaml] column=26 key=dependencies[0].value line=2 pack=consul: pack "consul" (ConfigMap files, dependencies.yaml line 2) requires API a/v1 B, but nothing provides it; add it to the list, unless a selector of the function hides it [requirement/unsatisfied]`,
		}},
		{"only chosen packs are checked, and all bundles", spec("packs: [other]"), documentsOf(`
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: vault}
spec: {dependencies: [{type: olm.label, value: {label: secured}}]}
---
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: other}
spec: {properties: [{type: olm.gvk, value: {group: g.example.com, version: v1, kind: Green}}]}
---
`, red, blue), []string{
			`error ConfigMap/bundles … [constraint/unsatisfied]`,
		}},
		{"scope", data("scope: bundle"), documentsOf(strings.Replace(red, ">=1.5.0", ">=1.0.0", 1), blue, green), []string{
			`warning ConfigMap/bundles … [constraint/scope-differs]`,
			`error ConfigMap/bundles … (failureMessage: "for colors"); several bundles satisfy it together, but none alone [constraint/unsatisfied]`,
		}},
		{"what a ClusterServiceVersion requires", "", `
apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata:
  name: a.v1.0.0
  annotations:
    operatorframework.io/properties: '{"properties": [{"type": "olm.package.required", "value": {"packageName": "b", "versionRange": ">=1.0.0"}}]}'
spec:
  customresourcedefinitions:
    required: [{name: as.g.example.com, version: v1, kind: A}]
  apiservicedefinitions:
    required: [{group: g, version: v1, kind: C}]
`[1:], []string{
			`error ClusterServiceVersion/a.v1.0.0 metadata.annotations[operatorframework.io/properties] bundle=a.v1.0.0 column=59 key=properties[0].value line=1: bundle "a.v1.0.0" (ClusterServiceVersion a.v1.0.0, the annotation operatorframework.io/properties line 1) requires package "b" in range >=1.0.0, but nothing provides it; add it to the list, unless a selector of the function hides it [requirement/unsatisfied]`,
			`error ClusterServiceVersion/a.v1.0.0 spec.customresourcedefinitions.required[0] bundle=a.v1.0.0 key=[0]: … [requirement/unsatisfied]`,
			`error ClusterServiceVersion/a.v1.0.0 spec.apiservicedefinitions.required[0] bundle=a.v1.0.0 key=[0]: … [requirement/unsatisfied]`,
		}},
		{"lines of a document count in the whole text", "", `
apiVersion: v1
kind: ConfigMap
metadata: {name: two}
data:
  bundle.yaml: |
    ---
    schema: olm.channel
    ---
    schema: olm.bundle
    name: a.v1.0.0
    properties:
    - type: olm.constraint
      value:
        package: {packageName: a, versionRange: 1.x}
        package: {packageName: b, versionRange: 1.x}
`[1:], []string{
			`error ConfigMap/two data[bundle.yaml] bundle=a.v1.0.0 column=5 key=properties[0].value.package line=10: … the key "package" stands on line 9 already; remove one [constraint/invalid]`,
		}},
		{"a malformed constraint hides nothing", "", documentsOf(`
apiVersion: v1
kind: ConfigMap
metadata: {name: bad}
data:
  bundle.yaml: |
    schema: olm.bundle
    name: bad.v1.0.0
    properties:
    - {type: olm.constraint, value: {none: {constraints: []}}}
    - {type: olm.constraint, value: '{"cel": {"rule": "true"}}'}
    - {type: olm.constraint, value: {cel: {rule: "1 +"}}}
    - {type: olm.package.required, value: {packageName: nowhere, versionRange: '>=1.0.0'}}
    - {type: olm.gvk, value: {group: g.example.com, version: v1, kind: Green}}
---
`, red, strings.Replace(blue, "1.4.0", "1.6.0", 1)), []string{
			`error ConfigMap/bad … [constraint/invalid]`,
			`error ConfigMap/bad … [constraint/invalid]`,
			`error ConfigMap/bad … [constraint/invalid]`,
			`error ConfigMap/bad data[bundle.yaml] … [requirement/unsatisfied]`,
			`warning ConfigMap/bundles … [constraint/scope-differs]`,
		}},
	} {
		tc.run(t)
	}
}

func TestClusters(t *testing.T) {
	const given = `
apiVersion: packs.kpt.dev/v1alpha1
kind: ClusterContext
metadata: {name: cluster-01}
spec:
  properties: [{type: olm.label, value: {label: secured}}, {value: 5}]
  constraints:
  - {type: olm.constraint, value: {failureMessage: no previews, not: {constraints: [{cel: {rule: 'properties.exists(p, p.type == "preview")'}}]}}}
  - {type: olm.constraint, value: {evaluator: {id: rego}, rule: 'true'}}
---
`
	const preview = `
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: vault}
spec:
  version: 1.2.0
  properties: [{type: preview, value: {}}]
  dependencies: [{type: olm.label, value: {label: secured}}]
---
`
	// Its version is known by its name alone.
	const named = `
apiVersion: v1
kind: ConfigMap
metadata: {name: teal}
data:
  bundle.yaml: |
    schema: olm.bundle
    name: teal.v1.4.0
    properties:
    - {type: preview, value: {}}
---
`
	for _, tc := range []struct {
		name, config, items string
		want                map[string]int
	}{
		{"what is installed by the name of a bundle is exempt", spec("installed: [{name: teal, version: 1.4.0}]"), documentsOf(given, named), map[string]int{
			"cluster-constraint/invalid cluster-01": 2,
		}},
		{"another version than that in the name is not", spec("installed: [{name: teal, version: 1.4.1}]"), documentsOf(given, named), map[string]int{
			"cluster-constraint/invalid cluster-01": 2, "cluster-constraint/unsatisfied teal": 1,
		}},
		{"every bundle alone", "", documentsOf(certified, preview, blue), map[string]int{
			"cluster-constraint/unsatisfied blue": 1, "cluster-constraint/unsatisfied vault": 1, "requirement/unsatisfied vault": 1,
		}},
		{"what is installed is exempt", spec("installed: [{name: vault, version: v1.2}, {name: blue, version: 1.4.0}]"), documentsOf(certified, given, preview, blue), map[string]int{
			"cluster-constraint/invalid cluster-01": 2,
		}},
		{"another name is not", spec("installed: [{name: other, version: 1.2.0}, {name: blue, version: 1.4.0}]"), documentsOf(given, preview, blue), map[string]int{
			"cluster-constraint/invalid cluster-01": 2, "cluster-constraint/unsatisfied vault": 1,
		}},
		{"another version is not", spec("installed: [{name: vault, version: 1.1.0}, {name: blue, version: 1.4.0}]"), documentsOf(given, preview, blue), map[string]int{
			"cluster-constraint/invalid cluster-01": 2, "cluster-constraint/unsatisfied vault": 1,
		}},
	} {
		outcome := evaluate(t, tc.config, tc.items)
		got := map[string]int{}
		for _, r := range outcome.Results {
			name := ""
			if r.ResourceRef != nil {
				name = r.ResourceRef.Name
			}
			got[fmt.Sprintf("%s %s", r.Tags["rule"], name)]++
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s\n%s", tc.name, diff, strings.Join(described(outcome.Results), "\n"))
		}
	}
}

// The value of a constraint in JSON counts as it is written, blanks included.
func TestJSONSize(t *testing.T) {
	const value = `{"cel":BLANKS{"rule":"true"}}`
	for name, item := range map[string]string{
		"cluster-constraint/invalid": "apiVersion: operators.coreos.com/v1\nkind: Constraint\nmetadata: {name: large}\nspec:\n  constraints: '[{\"type\":\"olm.constraint\",\"value\":" + value + "}]'\n",
		"constraint/invalid annotation": "apiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersion\nmetadata:\n  name: a.v1.0.0\n  annotations:\n    operatorframework.io/properties: '{\"properties\":[{\"type\":\"olm.constraint\",\"value\":" +
			value + "}]}'\nspec: {version: 1.0.0}\n",
		"constraint/invalid wrapped": "apiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersion\nmetadata:\n  name: a.v1.0.0\n  annotations:\n    operatorframework.io/properties: '{\"properties\":[{\"property\":{\"type\":\"olm.constraint\",\"value\":" +
			value + "}}]}'\nspec: {version: 1.0.0}\n",
		"constraint/invalid bundle.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  bundle.yaml: |\n    schema: olm.channel\n    ---\n    {\"schema\":\"olm.bundle\",\"name\":\"a.v1.0.0\",\n    \"properties\":[{\"type\":\"olm.constraint\",\"value\":" + value + "}]}\n",
	} {
		rule, _, _ := strings.Cut(name, " ")
		for blanks, want := range map[int]string{60_000: "", 66_000: rule} {
			outcome := evaluate(t, "", documentsOf(blue, strings.Replace(item, "BLANKS", strings.Repeat(" ", blanks), 1)))
			got := ""
			for _, r := range outcome.Results {
				got += r.Tags["rule"]
			}
			if got != want {
				t.Errorf("%s: %d blanks: got %q, want %q\n%.500s", name, blanks, got, want, strings.Join(described(outcome.Results), "\n"))
			}
			if strings.HasSuffix(name, "bundle.yaml") && want != "" && outcome.Results[0].Tags["line"] != "4" {
				t.Errorf("got line %s, want 4", outcome.Results[0].Tags["line"])
			}
		}
	}
}
