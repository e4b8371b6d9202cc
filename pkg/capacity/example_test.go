package capacity_test

import (
	"fmt"

	"github.com/krm-packs/functions/pkg/capacity"
	"github.com/krm-packs/functions/pkg/pack"
)

func Example() {
	vault := &pack.Pack{
		Name: "vault",
		Metadata: pack.File("pack.json", `{"name": "vault", "constraints": {"resources": [
		  {"type": "memory", "minLimit": 2048},
		  {"type": "cpu", "components": [
		    {"resourceRequestParamRef": "server.cpu", "replicaCountParamRef": "server.replicas", "scheduleType": "worker"},
		    {"resourceRequestParamRef": "agent.cpu", "scheduleType": "worker"}
		  ]}
		]}}`),
		Values: pack.File("values.yaml", `server: {cpu: 1500m, replicas: 3}
agent: {cpu: 100MB}
`),
	}
	size := int64(2)
	cluster := &pack.ClusterContext{
		MachinePools:  []pack.MachinePool{{Name: "workers", Role: "worker", Size: &size, InstanceType: "small"}},
		InstanceTypes: []pack.InstanceType{{Name: "small", Capacity: pack.Capacity{CPU: "2", Memory: "4Gi"}}},
	}

	demands, findings := capacity.Demands(vault, nil)
	pools, faults := capacity.Pools(nil, cluster)
	findings = append(append(findings, faults...), capacity.Compare(demands, pools)...)
	for _, f := range findings {
		fmt.Printf("%s: %s\n\n", f.Rule.ID, f.Message())
	}
	// Output:
	// resources/invalid: agent.cpu: must be a quantity of cores such as 500m or 1.5, got a number with the unit "MB" (values.yaml line 2). Did you mean "100m"?
	//
	// resources/insufficient: pool "workers" (2 × small), with the units that resources/suspicious-unit assumes: packs need 4600m of cpu, but the pool has 4000m (2 × 2000m): 600m short. Largest requests: vault server.cpu (3 × 1500m), vault agent.cpu (100m). Add 1 node (size 3)
	//
	// resources/summary: pool "workers" (2 × small): packs need cpu 4600m of 4000m (115%), memory 2Gi of 8Gi (25%)
}
