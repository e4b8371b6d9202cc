package contract

import (
	"strings"
	"testing"
)

// needy is a pack that requests more than the pool of small has, and less than that of
// large.
var (
	needy = files("needy", "pack.json", `{"name": "needy", "constraints": {"resources": [{"type": "cpu", "components": [{"resourceRequestParamRef": "cpu", "replicaCountParamRef": "replicas", "scheduleType": "worker"}]}]}}`+"\n", "values.yaml", `cpu: 1500m # each
replicas: 3
`)
	small = clusterOf("size: 2")
	large = clusterOf("size: 3")
)

func clusterOf(size string) string {
	return `apiVersion: packs.kpt.dev/v1alpha1
kind: ClusterContext
metadata:
  name: cluster
  annotations:
    internal.config.kubernetes.io/path: 'cluster.yaml'
spec:
  machinePools:
  - name: workers
    role: worker
    ` + size + ` # nodes
    capacity: {cpu: 2}
`
}

// A pool that is too small fails the run with one line that proposes a size, and every
// item comes back as it was.
func TestResources(t *testing.T) {
	input := list(deployment, needy, small)
	got := start(t, "check-resources", input)
	line, isOne := strings.CutSuffix(got.stderr, " [resources/insufficient]\n")
	isOne = isOne && !strings.Contains(line, "\n") && strings.HasPrefix(line, "error: cluster.yaml: ClusterContext cluster: spec.machinePools[0].size: ") && strings.Contains(line, "(size 3)")
	if got.exit != 1 || !isOne || !strings.HasPrefix(got.stdout, input) {
		t.Errorf("exit %d, standard error %q, output:\n%s", got.exit, got.stderr, got.stdout)
	}
	wants(t, got.results(t), "resources/summary", "cluster", "113%")
	input = list(deployment, needy, large)
	got = start(t, "check-resources", input)
	if got.exit != 0 || got.stderr != "" || !strings.HasPrefix(got.stdout, input) {
		t.Errorf("exit %d, standard error %q, output:\n%s", got.exit, got.stderr, got.stdout)
	}
	wants(t, got.results(t), "resources/summary", "cluster", "75%")
}

// A malformed input hides nothing: neither the pool that is too small, nor the pack that
// requests too much.
func TestResourcesBesideMalformed(t *testing.T) {
	broken := files("broken", "pack.json", `{"name": "broken", "constraints": {"resources": [{"type": "cpu", "minLimit": "1e999999999"}, 5]}}`+"\n")
	unread := files("unread", "pack.json", "{\n")
	got := start(t, "check-resources", list(broken, unread, needy, small))
	results := got.results(t)
	if got.exit != 1 {
		t.Errorf("exit %d", got.exit)
	}
	wants(t, results, "resources/invalid", "broken", "resources[0].minLimit")
	wants(t, results, "resources/invalid", "broken", "resources[1]")
	wants(t, results, "input/invalid", "unread", "pack.json")
	wants(t, results, "resources/insufficient", "cluster", "size 3")
}
