package dependency

import "testing"

// The files of catalogs in ConfigMaps, in YAML and JSON.
func TestCatalogKeys(t *testing.T) {
	const head = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: red}\ndata:\n  "
	const requires = `    schema: olm.bundle
    name: red.v1.0.0
    properties:
    - {type: olm.package.required, value: {packageName: blue, versionRange: '>=1.0.0'}}
`
	const json = `    {"schema": "olm.bundle", "name": "blue.v0.9.0", "properties": []}
    {
      "schema": "olm.bundle", "name": "red.v1.0.0",
      "properties": [{"type": "olm.package.required", "value": {"packageName": "blue", "versionRange": ">=1.0.0"}}]
    }
`
	for _, tc := range []krmCase{
		{"catalog.yaml", "", head + "catalog.yaml: |\n" + requires, []string{`error requirement/unsatisfied ConfigMap/red data[catalog.yaml] key=properties[0].value at=4:39 bundle=red.v1.0.0`}},
		{"index.yaml", "", head + "index.yaml: |\n" + requires, []string{`error requirement/unsatisfied ConfigMap/red data[index.yaml] key=properties[0].value at=4:39 bundle=red.v1.0.0`}},
		{"catalog.json", "", head + "catalog.json: |\n" + json, []string{`error requirement/unsatisfied ConfigMap/red data[catalog.json] key=properties[0].value at=4:60 bundle=red.v1.0.0`}},
		{"bundle.json, and bundle.yaml with another", "", head + "bundle.json: |\n" + json + "  bundle.yaml: |\n    schema: olm.bundle\n    name: blue.v1.0.0\n", []string{`warning provider/duplicate ConfigMap/red bundle=blue.v1.0.0`}},
		{"objects in JSON in bundle.yaml", "", head + "bundle.yaml: |\n" + json, []string{`error requirement/unsatisfied ConfigMap/red data[bundle.yaml] key=properties[0].value at=4:60 bundle=red.v1.0.0`}},
		{"an index of Helm", "", head + "index.yaml: |\n    apiVersion: v1\n    entries: {olm.a: []}\n", []string{`info nothing-to-do`}},
		{"a catalog in JSON for advice", data(`catalog: '{"schema": "olm.bundle", "name": "blue.v1.0.0"} {"schema": "olm.bundle", "name": "blue.v1.2.0"}'`), head + "catalog.yaml: |\n" + requires, []string{
			`error requirement/unsatisfied ConfigMap/red data[catalog.yaml] key=properties[0].value at=4:39 bundle=red.v1.0.0 package=blue version=1.2.0`}},
	} {
		tc.run(t)
	}
}

// A spelling of another place is told with the one of this place.
func TestSpellings(t *testing.T) {
	const head = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: red}\ndata:\n  dependencies.yaml: |\n    dependencies:\n    "
	for _, tc := range []krmCase{
		{"that of the cluster", "", head + "- type: olm.constraint\n      value: {evaluator: {id: cel}, rule: 'true', message: needs gpu, action: {id: require}}\n", []string{
			`error constraint/invalid ConfigMap/red data[dependencies.yaml] key=dependencies[0].value.evaluator at=3:22 bundle=red`}},
		{"that of the cluster, excluded", "", head + "- type: olm.constraint\n      value: {evaluator: {id: cel}, rule: 'true', action: {id: conflict}}\n", []string{
			`error constraint/invalid ConfigMap/red data[dependencies.yaml] key=dependencies[0].value.evaluator at=3:22 bundle=red`}},
		{"a rule in a part", "", head + "- type: olm.constraint\n      value: {all: {constraints: [{rule: 'true'}]}}\n", []string{
			`error constraint/invalid ConfigMap/red data[dependencies.yaml] key=dependencies[0].value.all.constraints[0].rule at=3:38 bundle=red`}},
		{"beside the type", "", head + "- {type: olm.package, packageName: blue, version: '>=1.0.0'}\n    - {type: olm.label, label: a}\n", []string{
			`error constraint/invalid ConfigMap/red data[dependencies.yaml] key=dependencies[0].packageName at=2:36 bundle=red`,
			`error constraint/invalid ConfigMap/red data[dependencies.yaml] key=dependencies[1].label at=3:28 bundle=red`}},
	} {
		tc.run(t)
	}
}
