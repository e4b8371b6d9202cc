package capacity

import "slices"

// Need is what a machine pool must have for demands.
type Need struct {
	// Role is that of the pool.
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
