package capacity

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/rule"
)

func TestMain(m *testing.M) { os.Exit(functiontest.Main(m, "capacity")) }

func TestCases(t *testing.T) { functiontest.Cases(t, Function()) }

// evaluate runs the function over a list, which must come back as it was.
func evaluate(t *testing.T, documents string) []diag.Finding {
	t.Helper()
	list := functiontest.List("", documents)
	output, outcome := functiontest.Evaluate(t, Function(), list)
	if output != list {
		t.Errorf("the list was changed:\n%s", output)
	}
	return slices.DeleteFunc(outcome.Findings, func(f diag.Finding) bool { return f.Rule == rule.ResourcesSummary })
}

// typed makes a Pack with resource constraints in flow style, and values.
func typed(name, resources, values string) string {
	text := `apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: ` + name + `}
spec:
  constraints: {resources: ` + resources + "}\n"
	if values != "" {
		text += "  values: " + values + "\n"
	}
	return text
}

// cluster makes a ClusterContext of a spec in flow style.
func cluster(spec string) string {
	return `apiVersion: packs.kpt.dev/v1alpha1
kind: ClusterContext
metadata: {name: c}
spec: ` + spec + "\n"
}

const (
	oneWorker = "{machinePools: [{name: w, role: worker, size: 2, capacity: {cpu: 2, memory: 4Gi, diskSize: 50G}}]}"
	files     = `apiVersion: v1
kind: ConfigMap
metadata: {name: vault, annotations: {config.kubernetes.io/path: vault.yaml}}
data:
  pack.json: |
    {
      "name": "vault",
      "constraints": {"resources": [
        {"type": "cpu", "components": [
          {"resourceRequestParamRef": "server.cpu", "replicaCountParamRef": "server.replicas", "scheduleType": "worker"}
        ]}
      ]}
    }
  values.yaml: |
    server:
      cpu: 900m
      replicas: 5
`
)

// The author of a pack wrote its pack.json and the constraints of a Pack, but not the values:
// tools change only these.
func TestAuthored(t *testing.T) {
	for _, tc := range []struct{ items, path string }{
		{typed("a", "[{type: cpus, minLimit: 1}]", ""), "spec.constraints.resources[0].type"},
		{strings.Replace(files, `"constraints"`, `"constraint"`, 1), "data[pack.json]"},
		{strings.Replace(files, `"cpu"`, `"cpus"`, 1), "data[pack.json]"},
		{strings.Replace(files, "cpu: 900m", "cpu: 900mb", 1), ""},
		{typed("a", "[{type: cpu, components: [{resourceRequestParamRef: cpu}]}]", "{cpu: 900mb}"), ""},
	} {
		var paths []string
		for _, f := range evaluate(t, tc.items+"---\n"+cluster(oneWorker)) {
			if f.Rule == rule.ResourcesInvalid && f.Origin.Authored {
				paths = append(paths, f.Path())
			}
		}
		if got := strings.Join(paths, " "); got != tc.path {
			t.Errorf("%s\ngot %q, want %q", tc.items, got, tc.path)
		}
	}
}

// A value that a reference leads to by mistake is not shown.
func TestSecrets(t *testing.T) {
	const secret = "hunter2-S3cr3t"
	items := typed("a", "[{type: cpu, components: [{resourceRequestParamRef: token}, {resourceRequestParamRef: cpu, replicaCountParamRef: token}, {resourceRequestParamRef: macro}]}]",
		"{token: "+secret+", cpu: 1, macro: '{{ .spectro.var.X | default \""+secret+"\" }}'}") + "---\n" + cluster(oneWorker)
	functiontest.Run(t, Function(), "", items) // for the golden list
	got := evaluate(t, items)
	if len(got) != 3 {
		t.Errorf("got %d findings: %v", len(got), got)
	}
	for _, f := range got {
		if all := fmt.Sprint(f.Message(), f); strings.Contains(all, "hunter2") {
			t.Errorf("the secret is shown: %s", all)
		}
	}
}
