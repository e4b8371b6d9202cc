package capacity

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
)

// Callers can give contexts that were not decoded: what has no name is reported.
func TestPoolsWithoutNames(t *testing.T) {
	size := int64(1)
	cluster := &pack.ClusterContext{
		MachinePools:  []pack.MachinePool{{Role: "worker", Size: &size, Capacity: pack.Capacity{CPU: "1"}}},
		InstanceTypes: []pack.InstanceType{{Capacity: pack.Capacity{CPU: "1"}}},
	}
	_, faults := Pools(nil, cluster)
	want := []string{"error input/invalid spec.instanceTypes[0].name missing=", "error input/invalid spec.machinePools[0].name missing="}
	if diff := cmp.Diff(want, functiontest.Facts(faults)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A pool whose role cannot be read may be the worker pool: what workers must have is not
// requested of the control plane meanwhile.
func TestPoolOfUnknownRole(t *testing.T) {
	one := int64(1)
	capacity := pack.Capacity{CPU: "1", Memory: "1Gi", DiskSize: "1Gi"}
	pools, findings := Pools(nil, &pack.ClusterContext{MachinePools: []pack.MachinePool{
		{Name: "cp", Role: "control-plane", SchedulesWorkloads: true, Size: &one, Capacity: capacity},
		{Name: "w", Role: "workr", Size: &one, Capacity: capacity},
	}})
	if len(findings) != 1 || findings[0].Nearest != "worker" {
		t.Fatalf("%v", findings)
	}
	requested := []Demand{{Pack: &pack.Pack{Name: "p"}, Type: CPU, Roles: Worker, Request: quantity(t, "8"), Replicas: 1}}
	isShort := func(pools []Pool) bool {
		return slices.ContainsFunc(Compare(requested, pools), func(f diag.Finding) bool { return f.Rule == rule.ResourcesInsufficient })
	}
	if isShort(pools) || !isShort(pools[:1]) {
		t.Errorf("the control plane is short beside the pool: %t, and alone: %t", isShort(pools), isShort(pools[:1]))
	}
}

// A pool is named with what is known of its nodes.
func TestPoolString(t *testing.T) {
	size := func(n int64) *int64 { return &n }
	for want, p := range map[string]Pool{
		`pool "a"`:                {Name: "a"},
		`pool "a" (m5.large)`:     {Name: "a", InstanceType: "m5.large"},
		`pool "a" (1 node)`:       {Name: "a", Size: size(1)},
		`pool "a" (0 nodes)`:      {Name: "a", Size: size(0)},
		`pool "a" (2 × m5.large)`: {Name: "a", Size: size(2), InstanceType: "m5.large"},
	} {
		if got := p.String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestRoleString(t *testing.T) {
	for role, want := range map[Role]string{Worker: "worker", ControlPlane: "control-plane", Worker | ControlPlane: "worker and control-plane"} {
		if got := role.String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
