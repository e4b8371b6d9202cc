package capacity

import (
	"fmt"
	"slices"

	"github.com/krm-packs/functions/pkg/pack"
)

// Demand is the request of one minLimit or component.
type Demand struct {
	// Pack is the pack that requests it.
	Pack *pack.Pack
	// Key is the path of the request in the pack's values, or "minLimit".
	Key string
	// Type is the resource that is requested.
	Type Type
	// Roles are the roles of the pools that must have it. Each pool must have all of
	// it.
	Roles Role
	// Request is what one replica requests. A minLimit is requested of a pool as a
	// whole.
	Request Amount
	// Replicas is the number of replicas, 1 for a minLimit.
	Replicas int64
	// Limit reports whether the demand is a minLimit.
	Limit bool
	// Doubtful reports whether the unit of the request is suspicious, so that Demands returned a
	// finding. Nothing is compared with the request, but the roles must have pools.
	Doubtful bool
	// Assumed reports whether the request replaces an invalid quantity whose meaning is certain.
	// Demands returned a finding for it.
	Assumed bool
}

// total is the demand of all replicas.
func (d Demand) total() Amount { return d.Request.times(d.Replicas) }

// isSingle reports whether the request is made by a pod, so that one node must satisfy it.
func (d Demand) isSingle() bool { return !d.Limit && d.Replicas > 0 }

// amount writes the demand for a message: `3 × 500m`.
func (d Demand) amount() string {
	text := d.Type.words(d.Request)
	if !d.Limit && d.Replicas != 1 {
		text = fmt.Sprintf("%d × %s", d.Replicas, text)
	}
	return text
}

// Need is the amount that a machine pool must have for demands.
type Need struct {
	// Role is the role of the pool.
	Role Role
	// Amounts are the totals of the types that are requested.
	Amounts map[Type]Amount
	// Packs are the names of the packs that request them, sorted.
	Packs []string
}

// Needs returns the pools that satisfy demands: one for each role that a demand asks for. It does
// the sums of [Compare], for machine pools that do not exist yet.
func Needs(demands []Demand) []Need {
	c := newComparison(demands)
	var needs []Need
	for _, role := range []Role{Worker, ControlPlane} {
		need := Need{Role: role, Amounts: map[Type]Amount{}}
		for _, t := range Types() {
			asking := c.demandsOf(t, role)
			for _, d := range asking {
				need.Packs = append(need.Packs, c.packName(d))
			}
			if len(asking) > 0 {
				need.Amounts[t] = c.need(t, role)
			}
		}
		if len(need.Amounts) > 0 {
			slices.Sort(need.Packs)
			need.Packs = slices.Compact(need.Packs)
			needs = append(needs, need)
		}
	}
	return needs
}
