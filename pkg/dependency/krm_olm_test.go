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
)

func documentsOf(documents ...string) string {
	var all []string
	for _, d := range documents {
		all = append(all, strings.TrimSuffix(strings.TrimPrefix(d, "\n"), "---\n"))
	}
	return strings.Join(all, "---\n")
}

// Which of several providers is reported does not depend on the order of the items.
func TestDuplicatesInAnyOrder(t *testing.T) {
	item := func(file, name string) string {
		return `apiVersion: v1
kind: ConfigMap
metadata: {name: x, annotations: {config.kubernetes.io/path: ` + file + `}}
data:
  bundle.yaml: '{schema: olm.bundle, name: ` + name + `, properties: [{type: olm.gvk, value: {group: b, version: v1, kind: B}}]}'
---
`
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

// The size of a constraint in JSON is the length of its text, blanks included.
func TestJSONSize(t *testing.T) {
	const value = `{"cel":BLANKS{"rule":"true"}}`
	for name, item := range map[string]string{
		"cluster-constraint/invalid": `apiVersion: operators.coreos.com/v1
kind: Constraint
metadata: {name: large}
spec:
  constraints: '[{"type":"olm.constraint","value":` + value + "}]'\n",
		"constraint/invalid annotation": `apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata:
  name: a.v1.0.0
  annotations:
    operatorframework.io/properties: '{"properties":[{"type":"olm.constraint","value":` +
			value + `}]}'
spec: {version: 1.0.0}
`,
		"constraint/invalid wrapped": `apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata:
  name: a.v1.0.0
  annotations:
    operatorframework.io/properties: '{"properties":[{"property":{"type":"olm.constraint","value":` +
			value + `}}]}'
spec: {version: 1.0.0}
`,
		"constraint/invalid bundle.yaml": `apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data:
  bundle.yaml: |
    schema: olm.channel
    ---
    {"schema":"olm.bundle","name":"a.v1.0.0",
    "properties":[{"type":"olm.constraint","value":` + value + "}]}\n",
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
