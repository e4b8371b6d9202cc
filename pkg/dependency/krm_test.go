package dependency

import (
	"os"
	"testing"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/function/functiontest"
)

func TestMain(m *testing.M) { os.Exit(functiontest.Main(m, "dependency")) }

// The cases are in testdata/cases.
func TestCases(t *testing.T) { functiontest.Cases(t, Function()) }

// evaluate runs the function over YAML documents, which must come back as they were.
func evaluate(t testing.TB, config, documents string) function.Outcome {
	t.Helper()
	list := functiontest.List(config, documents)
	output, outcome := functiontest.Evaluate(t, Function(), list)
	if output != list {
		t.Errorf("the list was changed:\n%s", output)
	}
	return outcome
}

// data is a functionConfig in a ConfigMap.
func data(fields string) string {
	return "{apiVersion: v1, kind: ConfigMap, metadata: {name: config}, data: {" + fields + "}}"
}

const (
	stack = `
apiVersion: v1
kind: ConfigMap
metadata: {name: stack}
data:
  pack.json: |
    {"name": "elastic-stack", "version": "0.19.0", "layer": "addon",
     "constraints": {"dependencies": [
       {"packName": "elastic-operator", "minVersion": "3.3.2", "maxVersion": "", "layer": "addon", "type": "required"}
     ]}}
---
`
	operator = `
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: elastic-operator, annotations: {config.kubernetes.io/path: operator.yaml}}
spec: {version: 3.0.0, constraints: {dependencies: [{packName: vault, minVersion: 1.2, type: required}]}}
---
`
	vault = `
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: vault}
spec: {version: 1.2.0}
---
`
)
