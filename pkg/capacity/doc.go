// Package capacity checks that the machine pools of a cluster have what its packs
// request: the resource constraints of the pack constraints document.
//
// A pack says in `constraints.resources` of its pack.json what it requests: a minLimit
// of each worker pool, or components with requests and replicas in its values. A pool
// has its size times what each node has left.
//
//	vault := &pack.Pack{
//		Name:     "vault",
//		Metadata: pack.File("pack.json", packJSON),
//		Values:   pack.File("values.yaml", valuesYAML),
//	}
//	demands, findings := capacity.Demands(vault)
//	pools, faults := capacity.Pools(clusterContext)
//	for _, f := range capacity.Compare(demands, pools) {
//		f.Message() // pool "workers" (2 × small): packs need 4500m of cpu, but the pool has 4000m …
//	}
//
// Findings carry the rule, the document and the place in it; their order is that of the
// work. All arithmetic is exact, and units are those of Kubernetes quantities.
//
// The comparison is necessary, not sufficient: it adds up totals and checks that each
// single request fits one node, but pods leave gaps on nodes.
//
// The files follow the data. constraint.go reads the constraints, limit.go a minLimit,
// and reference.go the values that components refer to. pool.go reads machine pools, and
// both use quantity.go and suspicious.go. compare.go compares, and shortage.go words what
// is short. krm.go makes the function check-resources of it.
package capacity
