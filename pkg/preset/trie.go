package preset

import "slices"

// trie is a set of paths that finds those which overlap: equal, or one above the other.
// Paths share their steps, because a hostile one can have very many.
type trie struct {
	below map[string]*trie
	ends  bool // a path ends here
}

// add adds a path.
func (t *trie) add(steps []string) {
	for _, step := range steps {
		if t.below == nil {
			t.below = map[string]*trie{}
		}
		if t.below[step] == nil {
			t.below[step] = &trie{}
		}
		t = t.below[step]
	}
	t.ends = true
}

// overlaps reports whether a path overlaps with one of the set.
func (t *trie) overlaps(steps []string) bool {
	for _, step := range steps {
		if t.ends {
			return true
		}
		if t = t.below[step]; t == nil {
			return false
		}
	}
	return t.ends || len(t.below) > 0
}

// overlapping returns the paths of the set that overlap with one.
func (t *trie) overlapping(steps []string) [][]string {
	var found [][]string
	for i, step := range steps {
		if t.ends {
			found = append(found, steps[:i])
		}
		if t = t.below[step]; t == nil {
			return found
		}
	}
	return t.collect(steps[:len(steps):len(steps)], found)
}

// collect adds all paths to found. They begin with some steps.
func (t *trie) collect(at []string, found [][]string) [][]string {
	if t.ends {
		found = append(found, slices.Clone(at))
	}
	for step, next := range t.below {
		found = next.collect(append(at, step), found)
	}
	return found
}
