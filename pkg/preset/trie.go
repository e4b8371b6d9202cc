package preset

// trie is a set of paths that finds those which overlap: equal, or one above the other.
// Paths share their steps, because a hostile one can have very many.
type trie struct {
	below map[string]*trie
	path  string // of the leaf that ends here
	ends  bool
}

// add adds a path, by the text that names it.
func (t *trie) add(steps []string, path string) {
	for _, step := range steps {
		if t.below == nil {
			t.below = map[string]*trie{}
		}
		if t.below[step] == nil {
			t.below[step] = &trie{}
		}
		t = t.below[step]
	}
	t.path, t.ends = path, true
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
func (t *trie) overlapping(steps []string) []string {
	var found []string
	for _, step := range steps {
		if t.ends {
			found = append(found, t.path)
		}
		if t = t.below[step]; t == nil {
			return found
		}
	}
	return t.collect(found)
}

// collect adds all paths to found.
func (t *trie) collect(found []string) []string {
	if t.ends {
		found = append(found, t.path)
	}
	for _, next := range t.below {
		found = next.collect(found)
	}
	return found
}
