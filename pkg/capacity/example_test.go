package capacity_test

import (
	"fmt"

	"github.com/krm-packs/functions/pkg/capacity"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

func ExampleCheck() {
	metadata, _ := values.Parse(`{"name": "vault", "constraints": {"resources": [
	  {"type": "memory", "minLimit": 2048},
	  {"type": "cpu", "components": [
	    {"resourceRequestParamRef": "server.cpu", "replicaCountParamRef": "server.replicas", "scheduleType": "worker"}
	  ]}
	]}}`)
	own, _ := values.Parse("server: {cpu: 1500m, replicas: 3}\n")
	size := int64(2)
	pools, problems := capacity.Pools(
		[]pack.MachinePool{{Name: "workers", Role: "worker", Size: &size, InstanceType: "small"}},
		[]pack.InstanceType{{Name: "small", Capacity: pack.Capacity{CPU: "2", Memory: "4Gi"}}},
	)
	fmt.Println(len(problems), "problems")
	for _, f := range capacity.Check([]capacity.Pack{{
		Name: "vault", Metadata: metadata, Values: values.Merge(values.Layer{Document: own}),
	}}, pools) {
		fmt.Printf("%s [%s]\n", f.Message, f.Rule)
	}
	// Output:
	// 0 problems
	// pool "workers" (2 × small): cpu: packs need 4500m, but it has 4000m (2 × 2000m), 500m too little; most is asked by vault server.cpu (3 × 1500m); 1 more node of this type would do (size 3) [resources/insufficient]
	// pool "workers" (2 × small): packs need cpu 4500m of 4000m (113%), memory 2Gi of 8Gi (25%) [resources/summary]
}
