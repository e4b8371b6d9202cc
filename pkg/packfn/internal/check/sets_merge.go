package check

import "slices"

// withClusters adds a combined set for sets that share one ClusterContext. It does not combine
// sets that contain packs with the same name, or values for the same pack in the same scope,
// because they are for different clusters.
func (t *tree) withClusters(sets []*fileSet) []*fileSet {
	of := map[*source][]*fileSet{}
	for _, s := range sets {
		for _, one := range s.sources {
			if one.has[need{kind: needCluster}] {
				of[one] = append(of[one], s)
			}
		}
	}
	for _, cluster := range t.sources {
		shared := of[cluster]
		if len(shared) < 2 {
			continue
		}
		all, isOne := newSet(cluster.dir), true
		for _, s := range shared {
			for _, one := range s.sources {
				isOne = isOne && !all.isAtOdds(one) && !all.hasPackOf(one)
				all.add(one)
			}
		}
		if isOne {
			t.complete(all)
			sets = append(sets, all)
		}
	}
	return sets
}

// hasPackOf reports whether a set already contains a pack with the same name as a pack of the
// source.
func (s *fileSet) hasPackOf(one *source) bool {
	if s.in[one] {
		return false
	}
	for n := range one.has {
		if n.kind == needPack && s.has[n] {
			return true
		}
	}
	return false
}

// withoutParts returns the sets that are not a subset of another one.
func withoutParts(sets []*fileSet) []*fileSet {
	of := map[*source][]int{}
	for i, s := range sets {
		for _, one := range s.sources {
			of[one] = append(of[one], i)
		}
	}
	isPart := make([]bool, len(sets))
	for i, s := range sets {
		rarest := of[s.sources[0]]
		for _, one := range s.sources {
			if len(of[one]) < len(rarest) {
				rarest = of[one]
			}
		}
		for _, j := range rarest {
			larger := sets[j]
			isSame := len(larger.sources) == len(s.sources)
			if i == j || isPart[j] || isSame && j > i {
				continue
			}
			isPart[i] = isPart[i] || !slices.ContainsFunc(s.sources, func(one *source) bool { return !larger.in[one] })
		}
	}
	var kept []*fileSet
	for i, s := range sets {
		if !isPart[i] {
			kept = append(kept, s)
		}
	}
	return kept
}
