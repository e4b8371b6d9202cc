package dependency

import "testing"

// What can not be read is told with its place, and hides nothing else.
func TestUnreadableBundles(t *testing.T) {
	const needs = `
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: last}
spec: {constraints: {dependencies: [{packName: absent, type: required}]}}
`
	const missing = `error Pack/last … [dependency/missing]`
	for _, tc := range []krmCase{
		{"a document of several", "", `
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data:
  bundle.yaml: |
    schema: olm.bundle
    name: a.v1.0.0
    ---
    schema: olm.bundle
    name: [
    ---
    - 1
    ---
    schema: olm.bundel
    ---
    schema: olm.channel
    ---
    name: b
    ---
    schema: olm.bundle
    name: c.v1.0.0
    name: d
    properties: 5
---
`[1:] + needs[1:], []string{
			missing,
			`error ConfigMap/a data[bundle.yaml] line=5: bundle.yaml can not be read: line 5: did not find expected node content [input/invalid]`,
			`error ConfigMap/a data[bundle.yaml] column=1 line=7: bundle.yaml: got a list, want a bundle: a mapping with schema, name and properties (bundle.yaml line 7) [input/invalid]`,
			`error ConfigMap/a data[bundle.yaml] column=1 key=schema line=9: bundle.yaml: schema: got "olm.bundel", want olm.bundle (did you mean "olm.bundle"?) (bundle.yaml line 9) [input/invalid]`,
			`error ConfigMap/a data[bundle.yaml] column=1 key=schema line=13: bundle.yaml: schema: got "", want olm.bundle (bundle.yaml line 13) [input/invalid]`,
			`error ConfigMap/a data[bundle.yaml] column=1 key=name line=17: bundle.yaml: the key "name" stands on line 16 and again on line 17; remove one [input/invalid]`,
			`error ConfigMap/a data[bundle.yaml] column=13 key=properties line=18: bundle.yaml: properties: got a number, want a list of entries with type and value (bundle.yaml line 18) [input/invalid]`,
		}},
		{"misspelt keys", "", `
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data:
  bundle.yaml: |
    schema: olm.bundle
    name: a.v1.0.0
    proprties: []
    package: a
---
apiVersion: operators.coreos.com/v2
kind: Constraint
metadata: {name: c}
spec: {constraint: '[]', Properties: '[]', properties: '[]', note: a}
---
`[1:] + needs[1:], []string{
			`error Constraint/c spec.constraint: Constraint c: spec.constraint: unknown field (did you mean "constraints"?) [cluster-constraint/invalid]`,
			missing,
			`error ConfigMap/a data[bundle.yaml] column=1 key=proprties line=3: bundle.yaml: proprties: unknown field (did you mean "properties"?) (bundle.yaml line 3) [input/invalid]`,
		}},
		{"files of the wrong kind", "", `
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data: {bundle.yaml: {schema: olm.bundle}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: b}
data: {properties.yaml: [1], dependencies.yaml: 'dependencys: []', annotations.yaml: 'a: ['}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: c}
data: {properties.yaml: '[', dependencies.yaml: 'dependencies: {}'}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: not-a-bundle, annotations: {about: properties.yaml and bundle.yaml}}
data: {a: b}
---
`[1:] + needs[1:], []string{
			missing,
			`error ConfigMap/a data[bundle.yaml]: data[bundle.yaml]: got a mapping, want text: a file in a ConfigMap is a block of text (bundle.yaml: |) [input/invalid]`,
			`error ConfigMap/b data[properties.yaml]: data[properties.yaml]: got a list, want text: a file in a ConfigMap is a block of text (properties.yaml: |) [input/invalid]`,
			`error ConfigMap/b data[annotations.yaml] … [input/invalid]`,
			`error ConfigMap/b data[dependencies.yaml] column=1 line=1: dependencies.yaml: has no key "dependencies" (dependencies.yaml line 1) [input/invalid]`,
			`error ConfigMap/c data[properties.yaml] … [input/invalid]`,
			`error ConfigMap/c data[dependencies.yaml] column=15 key=dependencies line=1: dependencies.yaml: dependencies: got a mapping, want a list of entries with type and value (dependencies.yaml line 1) [input/invalid]`,
		}},
		{"ClusterServiceVersions", "", `
apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata: {name: a.v1.0.0, annotations: {operatorframework.io/properties: '{"properties": [}'}}
spec:
  customresourcedefinitions:
    owned: [{name: nogroup, version: v1, kind: A}, 5]
    required: {}
  apiservicedefinitions:
    owned: [{group: g}]
---
`[1:] + needs[1:], []string{
			`error ClusterServiceVersion/a.v1.0.0 metadata.annotations[operatorframework.io/properties] column=17 line=1: the annotation operatorframework.io/properties can not be read: line 1, offset 16: invalid character '}' looking for beginning of value [input/invalid]`,
			`error ClusterServiceVersion/a.v1.0.0 spec.customresourcedefinitions.owned[0] key=[0]: spec.customresourcedefinitions.owned: [0]: want name (plural.group), version and kind (spec.customresourcedefinitions.owned) [input/invalid]`,
			`error ClusterServiceVersion/a.v1.0.0 spec.customresourcedefinitions.owned[1] key=[1]: spec.customresourcedefinitions.owned: [1]: want name (plural.group), version and kind (spec.customresourcedefinitions.owned) [input/invalid]`,
			`error ClusterServiceVersion/a.v1.0.0 spec.customresourcedefinitions.required: spec.customresourcedefinitions.required: got a mapping, want a list (spec.customresourcedefinitions.required) [input/invalid]`,
			`error ClusterServiceVersion/a.v1.0.0 spec.apiservicedefinitions.owned[0] key=[0]: spec.apiservicedefinitions.owned: [0]: want group, version and kind (spec.apiservicedefinitions.owned) [input/invalid]`,
			missing,
		}},
		{"ClusterServiceVersions of other shapes", "", `
apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata: {name: a.v1.0.0}
spec: 5
---
apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata: {name: b.v1.0.0, annotations: {operatorframework.io/properties: '5'}}
spec: {version: [1]}
---
`[1:] + needs[1:], []string{
			`error ClusterServiceVersion/a.v1.0.0 spec: spec: got a number, want a mapping [input/invalid]`,
			`error ClusterServiceVersion/b.v1.0.0 spec.version: spec.version: got a list, want text [input/invalid]`,
			`error ClusterServiceVersion/b.v1.0.0 metadata.annotations[operatorframework.io/properties] … [input/invalid]`,
			missing,
		}},
		{"cluster constraints", "", `
apiVersion: operators.coreos.com/v2
kind: Constraint
metadata: {name: a}
spec: {constraints: "[{\"type\": \"olm.constraint\",\n}]", properties: [{type: a, value: b}]}
---
apiVersion: operators.coreos.com/v1
kind: constraint
metadata: {name: b}
spec: {constraints: '{}', properties: '[] x'}
---
apiVersion: operators.coreos.com/v1
kind: Constraint
metadata: {name: empty}
spec: {constraints: '', properties: null}
---
apiVersion: operators.coreos.com/v3
kind: Constraint
metadata: {name: c}
spec: {}
---
`[1:] + needs[1:], []string{
			`error constraint/b spec.constraints column=1 line=1: constraint b: spec.constraints: got a mapping, want a list of entries with type and value [cluster-constraint/invalid]`,
			`error constraint/b spec.properties column=4 line=1: constraint b: spec.properties is not JSON, so nothing of it counts: line 1, offset 3: invalid character 'x' after top-level value [cluster-constraint/invalid]`,
			`error Constraint/a spec.properties: Constraint a: spec.properties: got a list, want JSON text of a list: quote it ('[…]') [cluster-constraint/invalid]`,
			`error Constraint/a spec.constraints column=1 line=2: Constraint a: spec.constraints is not JSON, so nothing of it counts: line 2, offset 28: invalid character '}' looking for beginning of object key string [cluster-constraint/invalid]`,
			`error Constraint/c apiVersion: Constraint c: got the version "operators.coreos.com/v3", want operators.coreos.com/v1 or operators.coreos.com/v2 [input/invalid]`,
			missing,
		}},
	} {
		tc.run(t)
	}
}
