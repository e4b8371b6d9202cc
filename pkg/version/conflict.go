package version

import (
	"math/bits"
	"slices"
)

// searchSteps bounds the search for the smallest set of demands, in versions: about a
// tenth of a second. After that, the result is a set from which no demand can be
// removed.
const searchSteps = 20_000_000

// Conflict returns the smallest set of demands, by their indexes in order, that no
// version of the catalog satisfies together; nil when some version satisfies all of them.
// One demand alone may be the set. With very many demands that conflict in very many ways
// the set may not be the smallest, but no demand can be removed from it.
func (c *Catalog) Conflict(demands ...Demand) []int {
	s := newSearch(c.versions, demands)
	if s == nil {
		return nil
	}
	best := s.irreducible()
	// A smaller set is searched size by size, the sizes that are cheap first.
	for size := 1; size < len(best) && s.steps < searchSteps; size++ {
		if found := s.cover(s.all(), nil, size); found != nil {
			best = found
			break
		}
	}
	slices.Sort(best)
	return best
}

// search looks for demands that together refuse every version.
type search struct {
	// refused are the versions that a demand refuses.
	refused []set
	// refusers are the demands that refuse a version.
	refusers [][]int
	steps    int
}

// newSearch returns nil when a version satisfies all demands. Versions that the
// same demands refuse are one.
func newSearch(versions []Version, demands []Demand) *search {
	s := &search{refused: make([]set, len(demands))}
	known := map[string]bool{}
	for _, v := range versions {
		var refusers []int
		key := make([]byte, len(demands))
		for i, accepts := range demands {
			if !accepts(v) {
				refusers, key[i] = append(refusers, i), 1
			}
		}
		if len(refusers) == 0 {
			return nil
		}
		if !known[string(key)] {
			known[string(key)] = true
			s.refusers = append(s.refusers, refusers)
		}
	}
	for i := range s.refused {
		s.refused[i] = newSet(len(s.refusers))
	}
	for version, refusers := range s.refusers {
		for _, i := range refusers {
			s.refused[i].add(version)
		}
	}
	return s
}

func (s *search) all() set {
	all := newSet(len(s.refusers))
	for i := range s.refusers {
		all.add(i)
	}
	return all
}

// cover returns demands that refuse what is left, at most size of them, in addition to
// those chosen; nil when there are none or the search takes too long.
func (s *search) cover(left set, chosen []int, size int) []int {
	s.steps++
	if left.isEmpty() {
		return slices.Clone(chosen)
	}
	if size == 0 || s.steps >= searchSteps {
		return nil
	}
	// One of its refusers must be chosen, so the version with the fewest has the least to
	// try.
	var branch []int
	left.each(func(version int) {
		s.steps++
		if branch == nil || len(s.refusers[version]) < len(branch) {
			branch = s.refusers[version]
		}
	})
	for _, demand := range branch {
		if found := s.cover(left.without(s.refused[demand]), append(chosen, demand), size-1); found != nil {
			return found
		}
	}
	return nil
}

// irreducible returns demands that refuse every version and from which none can be
// removed. It chooses those that refuse the most, then removes what is not needed.
func (s *search) irreducible() []int {
	var chosen []int
	for left := s.all(); !left.isEmpty(); {
		most, count := 0, 0
		for demand := range s.refused {
			if n := left.common(s.refused[demand]); n > count {
				most, count = demand, n
			}
		}
		chosen, left = append(chosen, most), left.without(s.refused[most])
	}
	for i := 0; i < len(chosen); {
		rest := slices.Delete(slices.Clone(chosen), i, i+1)
		left := s.all()
		for _, demand := range rest {
			left = left.without(s.refused[demand])
		}
		if left.isEmpty() {
			chosen = rest
		} else {
			i++
		}
	}
	return chosen
}

// set is a set of small numbers.
type set []uint64

func newSet(size int) set { return make(set, (size+63)/64) }

func (s set) add(n int) { s[n/64] |= 1 << (n % 64) }

func (s set) isEmpty() bool {
	return !slices.ContainsFunc(s, func(word uint64) bool { return word != 0 })
}

// without returns the numbers of s that are not in t.
func (s set) without(t set) set {
	rest := slices.Clone(s)
	for i := range rest {
		rest[i] &^= t[i]
	}
	return rest
}

// common returns how many numbers are in both.
func (s set) common(t set) int {
	n := 0
	for i := range s {
		n += bits.OnesCount64(s[i] & t[i])
	}
	return n
}

func (s set) each(do func(int)) {
	for i, word := range s {
		for ; word != 0; word &= word - 1 {
			do(i*64 + bits.TrailingZeros64(word))
		}
	}
}
