package preset

import (
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// Without returns values without everything that presets add and remove, and the touched
// values by their paths. Maps that become empty are left out, because a preset may have made
// them.
func Without(root *yaml.Node, presets []pack.Preset) (rest *yaml.Node, touched map[string][]*yaml.Node) {
	touched, rest = map[string][]*yaml.Node{}, root
	var all removals // by the last presets, which are not in rest yet
	for _, p := range presets {
		for _, path := range p.Remove {
			touched[path.String()] = nil
			for _, match := range values.Find(root, path) {
				if match.State == values.Present {
					touched[path.String()] = append(touched[path.String()], match.Node)
				}
			}
		}
		walkLeaves(nil, added(p), nil, func(at []string, _, _ *yaml.Node) {
			touched[strings.Join(at, ".")] = nil
			if n := values.Follow(root, values.Keys(at...)); n != nil {
				touched[strings.Join(at, ".")] = []*yaml.Node{n}
			}
		})
		if slices.ContainsFunc(p.Remove, isOfList) {
			rest = all.from(rest)
			all = removals{}
			if left, err := remove(rest, p); err == nil { // apply-preset reports what cannot be removed
				rest = left
			}
		} else {
			all.paths = append(all.paths, p.Remove...)
		}
		all.leaves.add(added(p))
	}
	return withoutEmpty(all.from(rest)), touched
}

// isOfList reports whether a path may lead to an element of a list. What such a path addresses depends on what was
// removed before.
func isOfList(path values.Path) bool {
	return slices.ContainsFunc(path.Steps(), func(step string) bool {
		_, err := strconv.Atoi(step)
		return err == nil || step == values.Wildcard
	})
}

// removals are what several presets remove and add, which leaves values in one walk: each walk takes time in
// their size.
type removals struct {
	// paths are the removed paths, and leaves the added values.
	paths  []values.Path
	leaves leaves
}

// from returns values without what presets remove or add.
func (r *removals) from(n *yaml.Node) *yaml.Node {
	if len(r.paths) > 0 {
		n, _ = remove(n, pack.Preset{Remove: r.paths}) // only what is in lists can fail
	}
	return r.leaves.from(n)
}

// leaves are the leaves of several trees: a leaf, or the leaves below each key. The zero value
// represents no tree.
type leaves struct {
	// isLeaf is true for a leaf, and below are the leaves below each key.
	isLeaf bool
	below  map[string]*leaves
}

// add adds the leaves of a tree.
func (l *leaves) add(n *yaml.Node) {
	n = values.Resolve(n)
	switch {
	case n == nil || l.isLeaf:
		return
	case !isMap(n) || len(n.Content) == 0:
		l.isLeaf = true
		return
	}
	for name, value := range values.ByName(n) {
		if l.below == nil {
			l.below = map[string]*leaves{}
		}
		if l.below[name] == nil {
			l.below[name] = &leaves{}
		}
		l.below[name].add(value)
	}
}

// from returns values without the leaves, and without values that replace a map of leaves.
func (l *leaves) from(n *yaml.Node) *yaml.Node {
	n = values.Resolve(n)
	switch {
	case l.isLeaf:
		return nil
	case l.below == nil:
		return n
	case !isMap(n):
		return nil
	}
	var left []values.Pair
	for _, e := range values.Pairs(n) {
		if name, ok := e.Name(); ok && l.below[name] != nil {
			if e.Value = l.below[name].from(e.Value); e.Value == nil {
				continue
			}
		}
		left = append(left, e)
	}
	return mapOf(n, left)
}

// withoutEmpty returns values without empty maps, or nil for one.
func withoutEmpty(n *yaml.Node) *yaml.Node {
	if n = values.Resolve(n); !isMap(n) {
		return n
	}
	var left []values.Pair
	for _, e := range values.Pairs(n) {
		if e.Value = withoutEmpty(e.Value); e.Value != nil {
			left = append(left, e)
		}
	}
	if len(left) == 0 {
		return nil
	}
	return mapOf(n, left)
}
