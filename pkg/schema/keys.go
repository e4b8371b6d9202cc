package schema

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/values"
)

// keyTree has the keys of a schema, step by step.
type keyTree struct {
	// below are the trees of the next steps.
	below map[string]*keyTree
	// isEntry reports whether the schema contains the key itself, and thereby everything below it.
	isEntry bool
	// isChecked reports whether the schema checks the type of the value, or makes it read-only.
	isChecked bool
}

// newKeyTree returns the tree of the keys of entries. Dots separate steps.
func newKeyTree(entries []Entry) *keyTree {
	root := &keyTree{}
	for _, e := range entries {
		t := root
		for step := range strings.SplitSeq(e.Key, ".") {
			next := t.below[step]
			if next == nil {
				if next = (&keyTree{}); t.below == nil {
					t.below = map[string]*keyTree{}
				}
				t.below[step] = next
			}
			t = next
		}
		t.isEntry = true
		t.isChecked = t.isChecked || e.Template.Format != nil || e.Template.ReadOnly
	}
	return root
}

// find returns the tree at a key, which may have dots, or nil if the schema has nothing there.
func (t *keyTree) find(key string) *keyTree {
	for step := range strings.SplitSeq(key, ".") {
		if t == nil || t.isEntry {
			return t
		}
		t = t.below[step]
	}
	return t
}

// follow returns the tree at steps.
func (t *keyTree) follow(steps []values.Step) *keyTree {
	for _, step := range steps {
		key := step.Key
		if step.IsIndex {
			key = "$[]"
		}
		t = t.find(key)
	}
	return t
}

// maxComparisons limits how many pairs of names are compared in one check to find near
// ones. Names beyond it have no nearest.
const maxComparisons = 100_000

// comparer finds near names up to maxComparisons.
type comparer struct {
	// done is the number of comparisons so far.
	done int
	// unmatched are the keys of maps that the schema does not have.
	unmatched map[*yaml.Node][]string
}

// may reports whether so many pairs of names may be compared, and counts them.
func (c *comparer) may(count int) bool {
	c.done += count
	return c.done <= maxComparisons
}

// nearKey returns the first of the steps that leads to nothing in values, and the key in its place
// that is near it and not in the schema, or "" if there is none.
func (c *comparer) nearKey(in searched, steps []values.Step, keys *keyTree) (at int, key string) {
	n, at := firstAbsent(in, steps)
	if at == len(steps) {
		return 0, ""
	}
	names, known := c.unmatched[n]
	if !known {
		t := keys.follow(steps[:at])
		for _, p := range values.Pairs(n) {
			if name, ok := p.Name(); ok && t.find(name) == nil {
				names = append(names, name)
			}
		}
		if c.unmatched == nil {
			c.unmatched = map[*yaml.Node][]string{}
		}
		c.unmatched[n] = names
	}
	if !c.may(len(names)) {
		return at, ""
	}
	return at, nearest.Name(steps[at].Key, names)
}

// firstAbsent returns the first of the steps that leads to nothing, and the node there.
func firstAbsent(in searched, steps []values.Step) (n *yaml.Node, at int) {
	n = in.Root()
	for at := range steps {
		next := in.Follow(n, steps[at:at+1])
		if next == nil {
			return n, at
		}
		n = next
	}
	return n, len(steps)
}

// nearPath is nearKey that also takes a key which is in the schema, if the rest of the steps
// leads to a value there: `regsitry.port` is near a registry with a port.
func (c *comparer) nearPath(in searched, steps []values.Step, keys *keyTree) (at int, key string) {
	if at, key = c.nearKey(in, steps, keys); key != "" {
		return at, key
	}
	n, at := firstAbsent(in, steps)
	if at+1 >= len(steps) || steps[at].IsIndex {
		return 0, ""
	}
	rest := steps[at+1:]
	if n == nil || !c.may(len(rest)+len(n.Content)/2) {
		return 0, ""
	}
	for _, p := range values.Pairs(n) {
		name, _ := p.Name()
		if nearest.IsMisspelt(steps[at].Key, name) && values.Follow(p.Value, rest) != nil {
			return at, name
		}
	}
	return 0, ""
}

// keySteps returns the steps of a path without indexes, one for each of its keys.
func keySteps(path values.Path) []values.Step { return values.Keys(path.Steps()...) }
