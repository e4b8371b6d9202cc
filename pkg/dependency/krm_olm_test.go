package dependency

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function/functiontest"
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
			`error constraint/unsatisfied ConfigMap/bundles data[bundle.yaml] key=properties[0].value.all.constraints[0].package at=13:18 bundle=red.v1.0.0`,
		}},
		{"a catalog of bundles", data(`catalog: "{schema: olm.bundle, name: blue.v1.9.0}\n---\n{schema: olm.bundle, name: blue.v2.1.0}"`), documentsOf(red, blue, green), []string{
			`error constraint/unsatisfied ConfigMap/bundles data[bundle.yaml] key=properties[0].value.all.constraints[0].package at=13:18 bundle=red.v1.0.0 package=blue version=1.9.0`,
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
			`error dependency/below-min Pack/blue spec.version key=version got=1.4 want="1.5.0 to 1.7, which pack \"needs\" (Pack needs) requires" now=1.4 propose=1.6.0 pack=blue dependency=constraints.dependencies[0].minVersion requirer=needs`,
			`error constraint/unsatisfied ConfigMap/bundles data[bundle.yaml] key=properties[0].value.all.constraints[0].package at=13:18 bundle=red.v1.0.0 package=blue version=1.6.0`,
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
			`error dependency/below-min Pack/blue spec.version key=version got=1.9.0 want="2.5.0 or newer, the only versions that pack \"needs\" (Pack needs) works with" now=1.9.0 pack=blue dependency=constraints.dependencies[0].minVersion requirer=needs`,
			`warning constraint/scope-differs ConfigMap/bundles data[bundle.yaml] key=properties[0].value.all at=12:7 bundle=red.v1.0.0`,
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
			`error requirement/unsatisfied Pack/vault spec.dependencies[1].value key=[1].value pack=vault`,
			`error requirement/unsatisfied ConfigMap/files data[dependencies.yaml] key=dependencies[0].value at=2:26 pack=consul`,
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
			`error constraint/unsatisfied ConfigMap/bundles data[bundle.yaml] key=properties[0].value.all.constraints[0].package at=13:18 bundle=red.v1.0.0`,
		}},
		{"the scope bundle", data("scope: bundle"), documentsOf(strings.Replace(red, ">=1.5.0", ">=1.0.0", 1), blue, green), []string{
			`warning constraint/scope-differs ConfigMap/bundles data[bundle.yaml] key=properties[0].value.all at=12:7 bundle=red.v1.0.0`,
			`error constraint/unsatisfied ConfigMap/bundles data[bundle.yaml] key=properties[0].value.all at=12:7 bundle=red.v1.0.0`,
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
			`error requirement/unsatisfied ClusterServiceVersion/a.v1.0.0 metadata.annotations[operatorframework.io/properties] key=properties[0].value at=1:59 bundle=a.v1.0.0`,
			`error requirement/unsatisfied ClusterServiceVersion/a.v1.0.0 spec.customresourcedefinitions.required[0] key=[0] bundle=a.v1.0.0`,
			`error requirement/unsatisfied ClusterServiceVersion/a.v1.0.0 spec.apiservicedefinitions.required[0] key=[0] bundle=a.v1.0.0`,
		}},
		{"faulty APIs of a ClusterServiceVersion", "", `
apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata: {name: a.v1.0.0}
spec:
  customresourcedefinitions:
    required:
    -
    - {version: v1, kind: A}
    - {name: as, version: v1, kind: A}
    - text
  apiservicedefinitions:
    required: [null, {group: g, kind: C}]
    owned: [{group: g, version: v1, kind: C}]
`[1:], []string{
			`error input/invalid ClusterServiceVersion/a.v1.0.0 spec.apiservicedefinitions.required[0] key=[0] got=null want="a map with version and kind"`,
			`error input/invalid ClusterServiceVersion/a.v1.0.0 spec.customresourcedefinitions.required[0] key=[0] got=null want="a map with version and kind"`,
			"error input/invalid ClusterServiceVersion/a.v1.0.0 spec.customresourcedefinitions.required[1].name key=[1].name missing= want=plural.group",
			`error input/invalid ClusterServiceVersion/a.v1.0.0 spec.customresourcedefinitions.required[2].name key=[2].name got="\"as\"" want=plural.group`,
			`error input/invalid ClusterServiceVersion/a.v1.0.0 spec.customresourcedefinitions.required[3] key=[3] got="a string" want="a map"`,
			"error input/invalid ClusterServiceVersion/a.v1.0.0 spec.apiservicedefinitions.required[1].version key=[1].version missing=",
		}},
		{"documents that end", "", `
apiVersion: v1
kind: ConfigMap
metadata: {name: two}
data:
  bundle.yaml: |
    schema: olm.channel
    ...
    # a comment
    ---
    schema: olm.bundle
    name: a.v1.0.0
    properties:
    - {type: olm.package.required, value: {packageName: b, versionRange: 1.x}}
    ...
    schema: olm.bundle
    name: c.v1.0.0
    properties:
    - {type: olm.package.required, value: {packageName: d, versionRange: 1.x}}
`[1:], []string{
			"error requirement/unsatisfied ConfigMap/two data[bundle.yaml] key=properties[0].value at=8:39 bundle=a.v1.0.0",
			"error requirement/unsatisfied ConfigMap/two data[bundle.yaml] key=properties[0].value at=13:39 bundle=c.v1.0.0",
		}},
		{"an annotation without properties", "", `
apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata: {name: a.v1.0.0, annotations: {operatorframework.io/properties: 'null'}}
spec: {}
---
apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata: {name: b.v1.0.0, annotations: {operatorframework.io/properties: '{}'}}
spec: {}
---
apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata: {name: c.v1.0.0, annotations: {operatorframework.io/properties: '{"properties": {}}'}}
spec: {}
`[1:], []string{
			"error input/invalid ClusterServiceVersion/b.v1.0.0 metadata.annotations[operatorframework.io/properties] key=properties at=1:1 missing=",
			`error input/invalid ClusterServiceVersion/c.v1.0.0 metadata.annotations[operatorframework.io/properties] key=properties at=1:16 got="a map" want="a list of entries with type and value"`,
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
			`error constraint/invalid ConfigMap/two data[bundle.yaml] key=properties[0].value.package at=10:5 duplicate-of=9:5 bundle=a.v1.0.0`,
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
			`error constraint/invalid ConfigMap/bad data[bundle.yaml] key=properties[0].value.none at=4:34 unknown="field \"none\"" want="failureMessage, gvk, package, cel, all, any or not" near=not bundle=bad.v1.0.0`,
			`error constraint/invalid ConfigMap/bad data[bundle.yaml] key=properties[1].value at=5:33 got="a string" want="a map with one of gvk, package, cel, all, any or not" bundle=bad.v1.0.0`,
			`error constraint/invalid ConfigMap/bad data[bundle.yaml] key=properties[2].value.cel.rule at=6:46 bundle=bad.v1.0.0`,
			`error requirement/unsatisfied ConfigMap/bad data[bundle.yaml] key=properties[3].value at=7:39 bundle=bad.v1.0.0`,
			`warning constraint/scope-differs ConfigMap/bundles data[bundle.yaml] key=properties[0].value.all at=12:7 bundle=red.v1.0.0`,
		}},
	} {
		tc.run(t)
	}
}

// Which of several providers is reported does not depend on the order of the items.
func TestDuplicatesInAnyOrder(t *testing.T) {
	item := func(file, name string) string {
		return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x, annotations: {config.kubernetes.io/path: " + file + "}}\ndata:\n" +
			"  bundle.yaml: '{schema: olm.bundle, name: " + name + ", properties: [{type: olm.gvk, value: {group: b, version: v1, kind: B}}]}'\n---\n"
	}
	items := []string{item("blue.yaml", "blue.v1.4.0"), item("b2.yaml", "blue.v1.5.0"), item("c.yaml", "c.v1.0.0")}
	want := []string{
		"warning provider/duplicate ConfigMap/x blue.yaml#0 bundle=blue.v1.4.0",
		"warning provider/duplicate ConfigMap/x c.yaml#0 bundle=c.v1.0.0",
	}
	for _, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		got := functiontest.Facts(evaluate(t, "", documentsOf(items[order[0]], items[order[1]], items[order[2]])).Findings)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%v: -want +got:\n%s", order, diff)
		}
	}
}

// Advice considers alternatives, the cluster, and what the catalog says about a version.
func TestAdvice(t *testing.T) {
	one := func(name, version, properties string) string {
		return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + "}\ndata:\n  bundle.yaml: |\n    schema: olm.bundle\n    name: " + name + ".v" + version + "\n    properties:\n" +
			"    - {type: olm.package, value: {packageName: " + name + ", version: " + version + "}}\n" + properties + "---\n"
	}
	requires := func(value string) string { return "    - {type: olm.constraint, value: " + value + "}\n" }
	needsBlue := func(versions string) string {
		return requires("{package: {packageName: blue, versionRange: '" + versions + "'}}")
	}
	orA := func(versions string) string {
		return requires("{any: {constraints: [{package: {packageName: blue, versionRange: '" + versions + "'}}, {gvk: {group: a, version: v1, kind: A}}]}}")
	}
	var offers []string
	for _, version := range []string{"0.9.0", "1.4.0", "1.5.0", "2.0.0", "2.5.0", "3.0.0", "4.0.0-rc.1"} {
		offers = append(offers, "{schema: olm.bundle, name: blue.v"+version+", package: blue}")
	}
	catalog := func(more ...string) string {
		return data("catalog: \"" + strings.Join(append(more, offers...), "\\n---\\n") + "\"")
	}
	const cluster = `
apiVersion: operators.coreos.com/v2
kind: Constraint
metadata: {name: cc}
spec: {constraints: '[{"type": "olm.constraint", "value": {"not": {"constraints": [{"package": {"packageName": "blue", "versionRange": "RANGE"}}]}}}]'}
---
`
	const packs = `
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: a}
spec: {constraints: {dependencies: [{packName: b, minVersion: "2.0", type: required}]}}
---
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: b}
spec: {version: 1.0.0}
---
`
	const c = `
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: c}
spec: {version: 1.30.0}
---
`
	const cluster126 = `
apiVersion: packs.kpt.dev/v1alpha1
kind: ClusterContext
metadata: {name: c}
spec: {system: {kubernetes: {version: 1.26.3}}}
---
`
	proposed := func(version string) string {
		return `error dependency/below-min Pack/b spec.version key=version got=1.0.0 want="2.0 or newer, which pack \"a\" (Pack a) requires" now=1.0.0 propose=` + version + ` pack=b dependency=constraints.dependencies[0].minVersion requirer=a`
	}
	for _, tc := range []krmCase{
		{"an alternative that holds", catalog(), documentsOf(one("red", "1.0.0", needsBlue(">=2.1.0")), one("pink", "1.0.0", orA("<3.0.0")), one("blue", "2.0.0", "")), []string{
			`error constraint/unsatisfied ConfigMap/red data[bundle.yaml] key=properties[1].value.package at=5:43 bundle=red.v1.0.0 package=blue version=2.5.0`,
		}},
		{"an alternative that fails", catalog(), documentsOf(one("red", "1.0.0", needsBlue(">=2.1.0")), one("pink", "1.0.0", orA("<3.0.0")), one("blue", "3.0.0", "")), []string{
			`error constraint/unsatisfied ConfigMap/pink data[bundle.yaml] key=properties[1].value.any at=5:39 bundle=pink.v1.0.0 package=blue version=2.5.0`,
		}},
		{"an alternative that conflicts", catalog(), documentsOf(one("red", "1.0.0", orA("2.x")), one("pink", "1.0.0", needsBlue("<2.0.0")), one("blue", "1.4.0", "")), []string{
			`error constraint/unsatisfied ConfigMap/red data[bundle.yaml] key=properties[1].value.any at=5:39 bundle=red.v1.0.0`,
		}},
		{"what the cluster forbids", catalog(), documentsOf(one("red", "1.0.0", needsBlue(">=2.1.0")), one("blue", "2.0.0", ""), strings.Replace(cluster, "RANGE", ">=3.0.0", 1)), []string{
			`error constraint/unsatisfied ConfigMap/red data[bundle.yaml] key=properties[1].value.package at=5:43 bundle=red.v1.0.0 package=blue version=2.5.0`,
		}},
		{"everything is forbidden", catalog(), documentsOf(one("red", "1.0.0", needsBlue(">=2.1.0")), one("blue", "2.0.0", ""), strings.Replace(cluster, "RANGE", ">=2.1.0", 1)), []string{
			`error constraint/unsatisfied ConfigMap/red data[bundle.yaml] key=properties[1].value.package at=5:43 bundle=red.v1.0.0`,
		}},
		{"what a version of the catalog requires", data(`catalog: "{name: b, version: 2.0.0}\n---\n{name: b, version: 2.1.0, constraints: {dependencies: [{packName: zzz, minVersion: '9', type: required}]}}"`), documentsOf(packs), []string{
			proposed("2.0.0"),
		}},
		{"what all versions of the catalog require", data(`catalog: "{name: b, version: 2.1.0, constraints: {dependencies: [{packName: a, minVersion: '9', type: notSupported}, {packName: zzz, minVersion: '9', type: required}]}}"`), documentsOf(packs), []string{
			`error dependency/below-min Pack/b spec.version key=version got=1.0.0 want="2.0 or newer, which pack \"a\" (Pack a) requires" now=1.0.0 pack=b dependency=constraints.dependencies[0].minVersion requirer=a`,
		}},
		{"what a version of the catalog requires of packs", data(`catalog: "{name: b, version: 2.0.0}\n---\n{name: b, version: 2.1.0, constraints: {dependencies: [{packName: kubernetes, minVersion: '1.26', type: required}, {packName: c, minVersion: '1.30', type: required}]}}\n---\n{name: b, version: 2.2.0, constraints: {dependencies: [{packName: zzz, type: required}]}}"`), documentsOf(packs, c, cluster126), []string{proposed("2.1.0")}},
		{"a Kubernetes that a version of the catalog does not support", data(`catalog: "{name: b, version: 2.0.0}\n---\n{name: b, version: 2.1.0, constraints: {dependencies: [{packName: kubernetes, minVersion: '1.27', type: required}]}}"`), documentsOf(packs, cluster126), []string{proposed("2.0.0")}},
		{"a pack kubernetes goes before the cluster", data(`catalog: "{name: b, version: 2.0.0}\n---\n{name: b, version: 2.1.0, constraints: {dependencies: [{packName: kubernetes, minVersion: '1.30', type: required}]}}"`),
			documentsOf(packs, strings.NewReplacer("{name: c}", "{name: kubernetes}").Replace(c), cluster126), []string{proposed("2.1.0")}},
		{"an API of two packages of the catalog", catalog("{schema: olm.bundle, name: yellow.v1.0.0, properties: [{type: olm.gvk, value: {group: a, version: v1, kind: A}}]}", "{schema: olm.bundle, name: amber.v1.0.0, properties: [{type: olm.gvk, value: {group: a, version: v1, kind: A}}]}"),
			documentsOf(one("red", "1.0.0", requires("{gvk: {group: a, version: v1, kind: A}}"))), []string{
				`error constraint/unsatisfied ConfigMap/red data[bundle.yaml] key=properties[1].value.gvk at=5:39 bundle=red.v1.0.0 package=amber version=1.0.0`,
			}},
		{"an API of the catalog", catalog("{schema: olm.bundle, name: orange.v1.0.0, properties: [{type: olm.gvk, value: {group: a, version: v1, kind: A}}, {type: olm.package.required, value: {packageName: none, versionRange: 1.x}}]}",
			"{schema: olm.bundle, name: yellow.v1.0.0, properties: [{type: olm.gvk, value: {group: a, version: v1, kind: A}}]}"),
			documentsOf(one("red", "1.0.0", requires("{gvk: {group: a, version: v1, kind: A}}"))), []string{
				`error constraint/unsatisfied ConfigMap/red data[bundle.yaml] key=properties[1].value.gvk at=5:39 bundle=red.v1.0.0 package=yellow version=1.0.0`,
			}},
	} {
		tc.run(t)
	}
}

// A ClusterServiceVersion and the metadata folder of its bundle are one bundle.
func TestHalvesOfABundle(t *testing.T) {
	const version = `
apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata: {name: shop-operator.v1.0.0, annotations: {config.kubernetes.io/path: FILE}}
spec:
  version: 1.0.0
  minKubeVersion: 1.28.0
  customresourcedefinitions: {owned: [{name: shops.example.com, version: v1, kind: Shop}]}
---
`
	const metadata = `
apiVersion: v1
kind: ConfigMap
metadata: {name: shop, annotations: {config.kubernetes.io/path: FILE}}
data:
  annotations.yaml: 'annotations: {operators.operatorframework.io.bundle.package.v1: PACKAGE}'
  properties.yaml: 'properties: [{type: certified, value: true}]'
  dependencies.yaml: 'dependencies: [{type: olm.label, value: {label: none}}]'
---
`
	at := func(document, file string) string { return strings.Replace(document, "FILE", file, 1) }
	of := func(document, name string) string { return strings.Replace(document, "PACKAGE", name, 1) }
	const older = `
apiVersion: packs.kpt.dev/v1alpha1
kind: ClusterContext
metadata: {name: c}
spec: {system: {kubernetes: {version: VERSION}}}
---
`
	const tooOld = `error requirement/unsatisfied ClusterServiceVersion/shop-operator.v1.0.0 csv.yaml#0 spec.minKubeVersion bundle=shop-operator.v1.0.0`
	for _, tc := range []krmCase{
		{"the same package", "", documentsOf(at(version, "csv.yaml"), of(at(metadata, "meta.yaml"), "shop-operator"), certified), []string{
			`error requirement/unsatisfied ConfigMap/shop meta.yaml#0 data[dependencies.yaml] key=dependencies[0].value at=1:41 bundle=shop-operator.v1.0.0`,
		}},
		{"the same folder", "", documentsOf(at(version, "a/manifests/csv.yaml"), of(at(metadata, "a/metadata/meta.yaml"), "store"), certified), []string{
			`error requirement/unsatisfied ConfigMap/shop a/metadata/meta.yaml#0 data[dependencies.yaml] key=dependencies[0].value at=1:41 bundle=shop-operator.v1.0.0`,
		}},
		{"properties alone", "", documentsOf(at(version, "csv.yaml"), of(at(strings.Replace(metadata, "dependencies.yaml", "other.yaml", 1), "meta.yaml"), "shop-operator"), certified), nil},
		{"dependencies alone", "", documentsOf(at(version, "csv.yaml"), of(at(strings.Replace(metadata, "properties.yaml", "other.yaml", 1), "meta.yaml"), "shop-operator")), []string{
			`error requirement/unsatisfied ConfigMap/shop meta.yaml#0 data[dependencies.yaml] key=dependencies[0].value at=1:41 bundle=shop-operator.v1.0.0`,
		}},
		{"the folder before the name", "", documentsOf(at(strings.Replace(version, "shop-operator", "store", 1), "a/manifests/csv.yaml"), of(at(metadata, "a/metadata/meta.yaml"), "shop-operator"), at(version, "csv.yaml")), []string{
			"error requirement/unsatisfied ConfigMap/shop a/metadata/meta.yaml#0 data[dependencies.yaml] key=dependencies[0].value at=1:41 bundle=store.v1.0.0",
			"warning provider/duplicate ClusterServiceVersion/shop-operator.v1.0.0 csv.yaml#0 bundle=shop-operator.v1.0.0",
		}},
		{"a pack in the place of the metadata", "", documentsOf(at(version, "a/manifests/csv.yaml"), at(strings.Replace(metadata, "data:\n", "data:\n  pack.json: '{\"name\": \"consul\", \"version\": \"1.0.0\"}'\n", 1), "a/metadata/meta.yaml")), []string{
			`error requirement/unsatisfied ConfigMap/shop a/metadata/meta.yaml#0 data[dependencies.yaml] key=dependencies[0].value at=1:41 pack=consul`,
		}},
		{"a bundle in the place of the metadata", "", documentsOf(at(version, "a/manifests/csv.yaml"), at(strings.Replace(metadata, "data:\n", "data:\n  bundle.yaml: '{schema: olm.bundle, name: consul.v1.0.0}'\n", 1), "a/metadata/meta.yaml")), nil},
		{"an unreadable package beside the manifests", "", documentsOf(at(version, "a/manifests/csv.yaml"), at(strings.Replace(metadata, "'annotations: {operators.operatorframework.io.bundle.package.v1: PACKAGE}'", "'{'", 1), "a/metadata/meta.yaml"), certified), []string{
			`error input/invalid ConfigMap/shop a/metadata/meta.yaml#0 data[annotations.yaml] at=1:0`,
			`error requirement/unsatisfied ConfigMap/shop a/metadata/meta.yaml#0 data[dependencies.yaml] key=dependencies[0].value at=1:41 bundle=shop-operator.v1.0.0`,
		}},
		{"a note on the package", "", documentsOf(at(version, "csv.yaml"), of(at(metadata, "meta.yaml"), "shop-operator"), of(strings.NewReplacer("name: shop,", "name: note,", "FILE", "note.yaml", "properties.yaml: '", "note: 'see properties.yaml ", "dependencies.yaml: '", "more: '").Replace(metadata), "shop-operator"), certified), []string{
			`error requirement/unsatisfied ConfigMap/shop meta.yaml#0 data[dependencies.yaml] key=dependencies[0].value at=1:41 bundle=shop-operator.v1.0.0`,
		}},
		{"the metadata first", "", documentsOf(of(at(metadata, "meta.yaml"), "shop-operator"), at(version, "csv.yaml"), certified), []string{
			`error requirement/unsatisfied ConfigMap/shop meta.yaml#0 data[dependencies.yaml] key=dependencies[0].value at=1:41 bundle=shop-operator.v1.0.0`,
		}},
		{"another package in another folder", "", documentsOf(at(version, "a/manifests/csv.yaml"), of(at(metadata, "b/metadata/meta.yaml"), "store"), certified), []string{
			`error cluster-constraint/unsatisfied ClusterServiceVersion/shop-operator.v1.0.0 a/manifests/csv.yaml#0 bundle=shop-operator.v1.0.0 constraint="Constraint certified" constraintKey=[0].value.rule`,
			`error requirement/unsatisfied ConfigMap/shop b/metadata/meta.yaml#0 data[dependencies.yaml] key=dependencies[0].value at=1:41 bundle=shop`,
		}},
		{"two candidates", "", documentsOf(at(version, "csv.yaml"), at(strings.ReplaceAll(version, "1.0.0", "1.1.0"), "csv2.yaml"), of(at(metadata, "meta.yaml"), "shop-operator")), []string{
			`warning provider/duplicate ClusterServiceVersion/shop-operator.v1.1.0 csv2.yaml#0 bundle=shop-operator.v1.1.0`,
			`warning provider/duplicate ConfigMap/shop meta.yaml#0 bundle=shop`,
			`error requirement/unsatisfied ConfigMap/shop meta.yaml#0 data[dependencies.yaml] key=dependencies[0].value at=1:41 bundle=shop`,
		}},
		{"an older cluster", "", documentsOf(at(version, "csv.yaml"), strings.Replace(older, "VERSION", "1.27.9", 1)), []string{tooOld}},
		{"a newer cluster", "", documentsOf(at(version, "csv.yaml"), strings.Replace(older, "VERSION", "v1.28.0-eks-1", 1)), nil},
		{"a cluster of an unreadable version", "", documentsOf(at(version, "csv.yaml"), strings.Replace(older, "VERSION", "none", 1)), []string{
			`error constraint/invalid ClusterServiceVersion/shop-operator.v1.0.0 csv.yaml#0 spec.minKubeVersion bundle=shop-operator.v1.0.0`,
		}},
		{"a cluster of an unreadable version, and any version", "", documentsOf(at(strings.Replace(version, "  minKubeVersion: 1.28.0\n", "", 1), "csv.yaml"), strings.Replace(older, "VERSION", "none", 1)), nil},
		{"an unreadable version", "", documentsOf(at(strings.Replace(version, "1.28.0", "latest", 1), "csv.yaml")), []string{
			`error input/invalid ClusterServiceVersion/shop-operator.v1.0.0 csv.yaml#0 spec.minKubeVersion got="\"latest\"" want="a version like 1.2.3, 1.2 or 1.2.3-rc.1"`,
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
		functiontest.Run(t, Function(), tc.config, tc.items)
		outcome := evaluate(t, tc.config, tc.items)
		got := map[string]int{}
		for _, f := range outcome.Findings {
			got[f.Rule.ID+" "+f.Resource().Name]++
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s\n%s", tc.name, diff, strings.Join(functiontest.Facts(outcome.Findings), "\n"))
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
			for _, f := range outcome.Findings {
				got += f.Rule.ID
			}
			if got != want {
				t.Errorf("%s: %d blanks: got %q, want %q\n%.500s", name, blanks, got, want, strings.Join(functiontest.Facts(outcome.Findings), "\n"))
			}
			if strings.HasSuffix(name, "bundle.yaml") && want != "" && outcome.Findings[0].Position.Line != 4 {
				t.Errorf("got %s, want line 4", outcome.Findings[0].Position)
			}
		}
	}
}
