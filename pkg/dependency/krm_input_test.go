package dependency

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/rule"
)

// What cannot be read is reported with its place, and hides nothing else.
func TestUnreadableBundles(t *testing.T) {
	const needs = `
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: last}
spec: {constraints: {dependencies: [{packName: absent, type: required}]}}
`
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
			`error input/invalid ConfigMap/a data[bundle.yaml] at=5:0`,
			`error input/invalid ConfigMap/a data[bundle.yaml] at=7:1 got="a list" want="a bundle (a map with schema, name and properties)"`,
			`error input/invalid ConfigMap/a data[bundle.yaml] key=schema at=9:9 got="\"olm.bundel\"" want=olm.bundle near=olm.bundle`,
			`error input/invalid ConfigMap/a data[bundle.yaml] key=schema at=13:1 missing= want=olm.bundle`,
			`error input/invalid ConfigMap/a data[bundle.yaml] key=name at=17:1 duplicate-of=16:1`,
			`error input/invalid ConfigMap/a data[bundle.yaml] key=properties at=18:13 got="a number" want="a list of entries with type and value"`,
			`error dependency/missing Pack/last spec.constraints.dependencies[0].packName key=constraints.dependencies[0].packName no="pack named \"absent\"" pack=last`,
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
			`error input/invalid ConfigMap/a data[bundle.yaml] key=proprties at=3:1 unknown="field \"proprties\"" want="schema, name, package, image, properties, dependencies or relatedImages" near=properties`,
			`error cluster-constraint/invalid Constraint/c spec.constraint unknown="field \"constraint\"" near=constraints`,
			`error dependency/missing Pack/last spec.constraints.dependencies[0].packName key=constraints.dependencies[0].packName no="pack named \"absent\"" pack=last`,
		}},
		{"misspelt files", "", `
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data: {bundle.yml: '{schema: olm.bundle, name: a.v1.0.0}'}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: b}
data:
  properties.yaml: '[{type: olm.package, value: {packageName: b, version: 1.0.0}}]'
  dependencies.yml: '[{type: olm.label, value: {label: none}}]'
  annotation.yaml: '{}'
---
apiVersion: v1
kind: ConfigMap
metadata: {name: b2}
data: {properties.yaml: '{other: []}'}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: b3}
data:
  properties.yaml: '[]'
  annotations.yaml: '{annotations: {operators.operatorframework.io.bundle.packge.v1: b3}}'
---
apiVersion: v1
kind: ConfigMap
metadata: {name: c}
binaryData: {bundle.yaml: /w==}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: d}
data: {application.yml: '', annotation.yaml: '', settings: 'bundle.yml'}
---
`[1:] + needs[1:], []string{
			`error input/invalid ConfigMap/a data[bundle.yml] unknown="file \"bundle.yml\"" near=bundle.yaml`,
			`error input/invalid ConfigMap/b data[annotation.yaml] unknown="file \"annotation.yaml\"" near=annotations.yaml`,
			`error input/invalid ConfigMap/b data[dependencies.yml] unknown="file \"dependencies.yml\"" near=dependencies.yaml`,
			`error input/invalid ConfigMap/b2 data[properties.yaml] key=properties at=1:1 missing=`,
			`error input/invalid ConfigMap/b3 data[annotations.yaml] key=annotations.operators.operatorframework.io.bundle.packge.v1 at=1:16 unknown="annotation \"operators.operatorframework.io.bundle.packge.v1\"" near=operators.operatorframework.io.bundle.package.v1`,
			`error input/invalid ConfigMap/c binaryData[bundle.yaml] got="a file that is not UTF-8: byte 0xFF at offset 0, on line 1 of the file" want="a string in UTF-8"`,
			`error dependency/missing Pack/last spec.constraints.dependencies[0].packName key=constraints.dependencies[0].packName no="pack named \"absent\"" pack=last`,
		}},
		{"misspelt kinds and groups", "", `
apiVersion: operators.coreos.com/v2
kind: Constraints
metadata: {name: a}
---
apiVersion: operator.coreos.com/v2
kind: Constraint
metadata: {name: b}
---
apiVersion: operators.coreos.com/v1alpha1
kind: ClusterserviceVersion
metadata: {name: c}
---
apiVersion: operators.coreos.com/v1alpha1
kind: Subscription
metadata: {name: d}
---
`[1:] + needs[1:], []string{
			`error input/invalid Constraint/b apiVersion unknown="group \"operator.coreos.com\"" want=operators.coreos.com near=operators.coreos.com`,
			`error input/invalid ClusterserviceVersion/c kind unknown="kind \"ClusterserviceVersion\"" want=ClusterServiceVersion near=ClusterServiceVersion`,
			`error input/invalid Constraints/a kind unknown="kind \"Constraints\"" want=Constraint near=Constraint`,
			`error dependency/missing Pack/last spec.constraints.dependencies[0].packName key=constraints.dependencies[0].packName no="pack named \"absent\"" pack=last`,
		}},
		{"lists that are hard to recognize", "", `
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data:
  bundle.yaml: |
    {schema: olm.bundle, name: a.v1.0.0, property: [{type: olm.label.required, value: {label: none}}], mine: 5}
    ---
    {schema: olm.bundle, name: b.v1.0.0, propertys: [], dependencys: []}
    ---
    {schema: olm.bundle, name: [c.v1.0.0], properties: [], property: []}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: b}
data: {properties.yaml: 'property: [{type: olm.label.required, value: {label: none}}]'}
---
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: p}
spec: {property: [], dependency: [], prop: [], dependent: text}
---
`[1:] + needs[1:], []string{
			`error input/invalid Pack/p spec.property key=property unknown="field \"property\"" near=properties`,
			`error input/invalid Pack/p spec.dependency key=dependency unknown="field \"dependency\"" near=dependencies`,
			`error input/invalid ConfigMap/a data[bundle.yaml] key=property at=1:38 unknown="field \"property\"" want="schema, name, package, image, properties, dependencies or relatedImages" near=properties`,
			`error input/invalid ConfigMap/a data[bundle.yaml] key=propertys at=3:38 unknown="field \"propertys\"" want="schema, name, package, image, properties, dependencies or relatedImages" near=properties`,
			`error input/invalid ConfigMap/a data[bundle.yaml] key=dependencys at=3:53 unknown="field \"dependencys\"" want="schema, name, package, image, properties, dependencies or relatedImages" near=dependencies`,
			`error input/invalid ConfigMap/a data[bundle.yaml] key=name at=5:28 got="a list" want="a string"`,
			`error input/invalid ConfigMap/b data[properties.yaml] key=property at=1:1 unknown="field \"property\"" near=properties`,
			`error dependency/missing Pack/last spec.constraints.dependencies[0].packName key=constraints.dependencies[0].packName no="pack named \"absent\"" pack=last`,
			`warning provider/duplicate ConfigMap/a bundle=a.v1.0.0`,
			`warning provider/duplicate ConfigMap/b bundle=b`,
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
			`error input/invalid ConfigMap/a data[bundle.yaml] got="a map" want="a string with the content of a file"`,
			`error input/invalid ConfigMap/b data[properties.yaml] got="a list" want="a string with the content of a file"`,
			`error input/invalid ConfigMap/b data[annotations.yaml] at=1:0`,
			`error input/invalid ConfigMap/b data[dependencies.yaml] key=dependencys at=1:1 unknown="field \"dependencys\"" near=dependencies`,
			`error input/invalid ConfigMap/c data[properties.yaml] at=1:0`,
			`error input/invalid ConfigMap/c data[dependencies.yaml] key=dependencies at=1:15 got="a map" want="a list of entries with type and value"`,
			`error dependency/missing Pack/last spec.constraints.dependencies[0].packName key=constraints.dependencies[0].packName no="pack named \"absent\"" pack=last`,
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
			`error input/invalid ClusterServiceVersion/a.v1.0.0 metadata.annotations[operatorframework.io/properties] at=1:17`,
			`error input/invalid ClusterServiceVersion/a.v1.0.0 spec.customresourcedefinitions.owned[0].name key=[0].name got="\"nogroup\"" want=plural.group`,
			`error input/invalid ClusterServiceVersion/a.v1.0.0 spec.customresourcedefinitions.owned[1] key=[1] got="a number" want="a map"`,
			`error input/invalid ClusterServiceVersion/a.v1.0.0 spec.customresourcedefinitions.required got="a map" want="a list"`,
			`error input/invalid ClusterServiceVersion/a.v1.0.0 spec.apiservicedefinitions.owned[0].kind key=[0].kind missing=`,
			`error input/invalid ClusterServiceVersion/a.v1.0.0 spec.apiservicedefinitions.owned[0].version key=[0].version missing=`,
			`error dependency/missing Pack/last spec.constraints.dependencies[0].packName key=constraints.dependencies[0].packName no="pack named \"absent\"" pack=last`,
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
			`error input/invalid ClusterServiceVersion/a.v1.0.0 spec got="a number" want="a map"`,
			`error input/invalid ClusterServiceVersion/b.v1.0.0 metadata.annotations[operatorframework.io/properties] at=1:1 got="a number" want="a list of entries with type and value"`,
			`error input/invalid ClusterServiceVersion/b.v1.0.0 spec.version got="a list" want="a string"`,
			`error dependency/missing Pack/last spec.constraints.dependencies[0].packName key=constraints.dependencies[0].packName no="pack named \"absent\"" pack=last`,
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
spec: {constraints: '{}'}
---
`[1:] + needs[1:], []string{
			`error input/invalid Constraint/c apiVersion got="\"operators.coreos.com/v3\"" want="operators.coreos.com/v1 or operators.coreos.com/v2"`,
			`error cluster-constraint/invalid constraint/b spec.constraints at=1:1 got="a map" want="a string that contains a JSON list of entries with type and value"`,
			`error cluster-constraint/invalid constraint/b spec.properties at=1:4 want="a string that contains a JSON list of entries with type and value"`,
			`error cluster-constraint/invalid Constraint/a spec.properties got="a list" want="a string that contains a JSON list of entries with type and value"`,
			`error cluster-constraint/invalid Constraint/a spec.constraints at=1:27 want="a string that contains a JSON list of entries with type and value"`,
			`error dependency/missing Pack/last spec.constraints.dependencies[0].packName key=constraints.dependencies[0].packName no="pack named \"absent\"" pack=last`,
		}},
	} {
		tc.run(t)
	}
}

// Files, annotations and kinds of bundles under a wrong name are reported, since they
// would not be read: then everything passes. So are files that are not text.
func TestMisspeltBundles(t *testing.T) {
	configMap := func(data string) string {
		return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n" + data + "\n"
	}
	check := func(document, want, slip string) {
		t.Helper()
		_, outcome := functiontest.Evaluate(t, Function(), functiontest.List("", document))
		if !slices.ContainsFunc(outcome.Findings, func(f diag.Finding) bool { return f.Rule == rule.InputInvalid && f.Nearest == want }) {
			t.Errorf("%s for %s: got %q", slip, want, functiontest.Facts(outcome.Findings))
		}
	}
	for _, file := range []string{bundleFile, propertiesFile, dependenciesFile} {
		for _, slip := range functiontest.Misspellings(file) {
			check(configMap("data: {"+slip+": ''}"), file, slip)
		}
		outcome := functiontest.Run(t, Function(), "", configMap("binaryData: {"+file+": 6Q==}"))
		want := []string{"error input/invalid ConfigMap/a binaryData[" + file + "] got=\"a file that is not UTF-8: byte 0xE9 at offset 0, on line 1 of the file\" want=\"a string in UTF-8\""}
		if diff := cmp.Diff(want, functiontest.Facts(outcome.Findings)); diff != "" {
			t.Errorf("%s in binaryData: -want +got:\n%s", file, diff)
		}
	}
	for _, slip := range functiontest.Misspellings(annotationsFile) {
		check(configMap("data: {properties.yaml: 'properties: []', "+slip+": ''}"), annotationsFile, slip)
	}
	for _, slip := range functiontest.Misspellings(packageAnnotation) {
		check(configMap("data: {properties.yaml: 'properties: []', annotations.yaml: 'annotations: {"+slip+": a}'}"), packageAnnotation, slip)
	}
	for _, slip := range functiontest.Misspellings(propertiesAnnotation) {
		check("apiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersion\nmetadata: {name: a.v1.0.0, annotations: {"+slip+": '[]'}}\nspec: {}\n", propertiesAnnotation, slip)
	}
	for _, kind := range []string{"Constraint", "ClusterServiceVersion"} {
		for _, slip := range functiontest.Misspellings(kind) {
			if !strings.EqualFold(slip, "Constraint") { // which is read, too
				check("apiVersion: operators.coreos.com/v1\nkind: "+slip+"\nmetadata: {name: a}\nspec: {}\n", kind, slip)
			}
		}
		for _, slip := range functiontest.Misspellings(olmGroup) {
			check("apiVersion: "+slip+"/v1\nkind: "+kind+"\nmetadata: {name: a}\nspec: {}\n", olmGroup, slip)
		}
	}
	for _, other := range []string{"application.properties", "ca-bundle.crt", "README.md", "property.json", "annotation.yaml", "dependency.txt"} {
		outcome := functiontest.Run(t, Function(), "", configMap("data: {"+other+": ''}"))
		if want, got := []string{"info nothing-to-do"}, functiontest.Facts(outcome.Findings); !cmp.Equal(want, got) {
			t.Errorf("%s: got %q, want %q", other, got, want)
		}
	}
}

// Misspelt fields of a ClusterServiceVersion are not read, and then everything passes. Other
// fields are not ours.
func TestMisspeltFieldsOfCSVs(t *testing.T) {
	const head = "apiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersion\nmetadata: {name: a.v1.0.0}\nspec:\n  version: 1.0.0\n"
	for _, tc := range []struct{ spec, key, near string }{
		{"  minKubeVersions: 1.35.0\n", "spec.minKubeVersions", "minKubeVersion"},
		{"  customresourcedefinitions: {requires: [{name: bs.g, version: v1, kind: B}]}\n", "spec.customresourcedefinitions.requires", "required"},
		{"  customResourceDefinitions: {owned: []}\n", "spec.customResourceDefinitions", "customresourcedefinitions"},
		{"  apiservicedefinitions: {owned: [{group: g, version: v1, kind: B, gruop: h}]}\n", "", ""}, // group is given
		{"  apiservicedefinitions: {owned: [{gruop: g, version: v1, kind: B}]}\n", "spec.apiservicedefinitions.owned[0].gruop", "group"},
		{"  displayName: A\n  versions: x\n  webhookdefinitions: []\n  nativeAPIs: []\n  install: {}\n  customresourcedefinitions: {owned: [{name: bs.g, version: v1, kind: B, displayName: B, specDescriptors: []}]}\n", "", ""},
	} {
		var want []string
		if tc.key != "" {
			name := tc.key[strings.LastIndex(tc.key, ".")+1:]
			want = []string{"error input/invalid ClusterServiceVersion/a.v1.0.0 " + tc.key + ` unknown="field \"` + name + `\""`, "near=" + tc.near}
		}
		got := functiontest.Facts(functiontest.Run(t, Function(), "", head+tc.spec).Findings)
		switch {
		case want == nil && len(got) > 0, want != nil && len(got) != 1:
			t.Errorf("%s: got %q, want %q", tc.spec, got, want)
		case want != nil && (!strings.HasPrefix(got[0], want[0][:strings.Index(want[0], " unknown")]) || !strings.HasSuffix(got[0], want[1])):
			t.Errorf("%s: got %q, want %q", tc.spec, got, want)
		}
	}
}

// Kinds of OLM are recognized when the group, the kind or both are misspelt.
func TestMisspeltGroupAndKind(t *testing.T) {
	for head, want := range map[string]string{
		"apiVersion: operators.coreos.com/v1\nkind: Constrant":                   `error input/invalid Constrant/a kind unknown="kind \"Constrant\"" want=Constraint near=Constraint`,
		"apiVersion: operator.coreos.com/v1\nkind: Constraint":                   `error input/invalid Constraint/a apiVersion unknown="group \"operator.coreos.com\"" want=operators.coreos.com near=operators.coreos.com`,
		"apiVersion: operator.coreos.com/v1alpha1\nkind: ClusterServiceVersions": `error input/invalid ClusterServiceVersions/a apiVersion unknown="group and kind \"operator.coreos.com ClusterServiceVersions\"" want="operators.coreos.com ClusterServiceVersion" near="operators.coreos.com/v1alpha1 ClusterServiceVersion"`,
		"apiVersion: operator.coreos.com/v1\nkind: Subscription":                 "",
	} {
		got := functiontest.Facts(functiontest.Run(t, Function(), "", head+"\nmetadata: {name: a}\nspec: {}\n").Findings)
		if want == "" {
			want = "info nothing-to-do"
		}
		if diff := cmp.Diff([]string{want}, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", head, diff)
		}
	}
}

// A bundle that says in two ways what it is, and differently, is probably wrong.
func TestIdentityOfBundles(t *testing.T) {
	csv := func(name, version, annotation string) string {
		return "apiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersion\nmetadata: {name: " + name + ", annotations: {operatorframework.io/properties: '" + annotation + "'}}\nspec: {version: " + version + "}\n"
	}
	bundle := func(pkg, property string) string {
		return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\ndata:\n  bundle.yaml: |\n    schema: olm.bundle\n    name: b.v1.0.0\n    package: " + pkg + "\n    properties: [{type: olm.package, value: {" + property + "}}]\n"
	}
	for _, tc := range []struct {
		name, document string
		want           []string
	}{
		{"equal", csv("a.v1.0.0", "1.0.0", "[]") + "---\n" + bundle("b", "packageName: b, version: 1.0.0"), nil},
		{"a name without a version", csv("a", "1.0.0", "[]"), nil},
		{"name and version", csv("a.v1.0.1", "1.0.0", "[]"), []string{"warning constraint/invalid ClusterServiceVersion/a.v1.0.1 spec.version bundle=a.v1.0.1"}},
		{"the property of a ClusterServiceVersion", csv("a.v1.0.0", "1.0.0", `[{"type": "olm.package", "value": {"packageName": "a", "version": "1.1.0"}}]`), []string{
			"warning constraint/invalid ClusterServiceVersion/a.v1.0.0 spec.version bundle=a.v1.0.0",
			"warning constraint/invalid ClusterServiceVersion/a.v1.0.0 metadata.annotations[operatorframework.io/properties] key=[0].value.version at=1:67 bundle=a.v1.0.0",
		}},
		{"the package", bundle("b", "packageName: b-operator, version: 1.0.0"), []string{"warning constraint/invalid ConfigMap/b data[bundle.yaml] key=properties[0].value.packageName at=4:55 bundle=b.v1.0.0"}},
		{"the name of a bundle", bundle("b", "packageName: b, version: 2.0.0"), []string{"warning constraint/invalid ConfigMap/b bundle=b.v1.0.0"}},
		{"a pack", "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: p}\nspec: {version: '1.2', properties: [{type: olm.package, value: {packageName: q, version: 1.2.0}}]}\n", []string{
			"warning constraint/invalid Pack/p spec.properties[0].value.packageName key=[0].value.packageName pack=p"}},
	} {
		if diff := cmp.Diff(tc.want, functiontest.Facts(functiontest.Run(t, Function(), "", tc.document).Findings)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tc.name, diff)
		}
	}
}
