// Package capacity says whether the machine pools of a cluster can carry its
// packs: the resource constraints of the pack constraints document.
//
// A pack asks for something in `constraints.resources` of its pack.json: a
// minLimit for each worker pool, or components whose requests and replicas
// stand in its values. A pool has its size times what a node has left.
//
//	pools, problems := capacity.Pools(machinePools, instanceTypes)
//	findings := capacity.Check(packs, pools)
//
// All arithmetic is exact. Units are those of Kubernetes quantities; a minLimit
// is a bare number of millicores, of Mi, or of GB, which are 10⁹ bytes.
//
// A pool that has enough in total may still be unable to place everything, as
// pods do not fit into the gaps of nodes. What is checked is necessary, not
// sufficient: the totals, and that each single request fits into one node.
package capacity
