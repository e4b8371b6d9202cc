package version

import "slices"

// Conflict returns demands, by their indexes in order, that no version of the catalog satisfies
// together, and from which none can be removed: one alone, or a pair. Only demands that are not
// ranges may be more. It is nil if some version satisfies all of them.
func (c *Catalog) Conflict(demands ...Demand) []int {
	if one := slices.IndexFunc(demands, func(d Demand) bool { return len(accepted(c.versions, d)) == 0 }); one >= 0 && len(c.versions) > 0 {
		return []int{one}
	}
	var conflict []int
	for left := c.versions; len(left) > 0; {
		last := exhausts(left, demands)
		if last < 0 {
			return nil
		}
		conflict, left = append(conflict, last), accepted(left, demands[last])
		demands = demands[:last]
		if pair := slices.IndexFunc(demands, func(d Demand) bool { return len(accepted(left, d)) == 0 }); pair >= 0 && len(left) > 0 {
			conflict, left = append(conflict, pair), nil
		}
	}
	slices.Sort(conflict)
	return conflict
}

// exhausts returns the index of the demand that refuses the last of the versions that the demands
// before it accept, or -1 if there is none.
func exhausts(versions []Version, demands []Demand) int {
	return slices.IndexFunc(demands, func(d Demand) bool {
		versions = accepted(versions, d)
		return len(versions) == 0
	})
}

// accepted returns the versions that a demand accepts.
func accepted(versions []Version, accepts Demand) []Version {
	var all []Version
	for _, v := range versions {
		if accepts(v) {
			all = append(all, v)
		}
	}
	return all
}
