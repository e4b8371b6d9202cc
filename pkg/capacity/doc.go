// Package capacity compares the requests of packs with the machine pools of a cluster. The requests
// are the resource constraints of the pack constraints document: a minLimit of each worker pool, or
// components with requests and replicas in the pack's values.
//
// [Demands] returns the requests of a pack, and [Pools] the machine pools of a cluster.
// [Compare] returns what is short, and a summary of each pool. The example shows all three.
//
// All arithmetic is exact, and the units are the units of Kubernetes quantities. A pool that passes
// can still be too small: only sums are compared, and whether each single request fits one node,
// but pods leave gaps on nodes.
//
// The files follow the data. constraint.go reads the constraints, limit.go a minLimit, and
// reference.go the values that components refer to. pool.go reads machine pools, and both
// use quantity.go and suspicious.go. compare.go compares, and shortage.go words what is
// short. krm.go adapts the package to the function check-resources.
package capacity
