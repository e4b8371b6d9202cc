package capacity

import (
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/pack"
)

// An amount that is whole in several units is told in that of its type: memory
// is bought in powers of two, disks in powers of ten.
func TestTextUnits(t *testing.T) {
	amount := whole(15625 << 20) // which is 16384 M
	for of, want := range map[Type]string{Memory: "15625Mi", DiskSize: "16384M", CPU: amount.value().String()[:11] + "000m"} {
		if got := of.Text(amount); got != want {
			t.Errorf("%s: got %s, want %s", of, got, want)
		}
	}
}

// A pool whose role is not understood may be the worker pool, so that nothing of
// workers is asked of the control plane meanwhile.
func TestPoolOfUnknownRole(t *testing.T) {
	one := int64(1)
	capacity := pack.Capacity{CPU: "1", Memory: "1Gi", DiskSize: "1Gi"}
	pools, problems := Pools([]pack.MachinePool{
		{Name: "cp", Role: "control-plane", SchedulesWorkloads: true, Size: &one, Capacity: capacity},
		{Name: "w", Role: "workr", Size: &one, Capacity: capacity},
	}, nil)
	if len(problems) != 1 {
		t.Fatalf("%v", problems)
	}
	asked := []Demand{{Type: CPU, Roles: Worker, Request: whole(8), Replicas: 1}}
	for _, f := range Compare([]Pack{{Name: "p"}}, asked, pools) {
		if f.Rule == RuleInsufficient {
			t.Errorf("asked of the control plane: %s", f.Message)
		}
	}
	if found := Compare([]Pack{{Name: "p"}}, asked, pools[:1]); len(found) == 0 || !strings.Contains(found[0].Message, "cp") {
		t.Errorf("without it the control plane is asked: %v", found)
	}
}
