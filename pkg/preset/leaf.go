package preset

import (
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// site is a leaf that presets set or remove, with the index of the preset that has the
// last word on it.
type site struct {
	steps  []string
	path   string
	preset int
}

// walkLeaves visits the leaves that differ between two trees, in the order of the first.
// A leaf is a value that is not a map in the second tree, or an empty map there; nil is an
// absent value.
func walkLeaves(a, b *yaml.Node, at []string, visit func(at []string, a, b *yaml.Node)) {
	a, b = values.Resolve(a), values.Resolve(b)
	switch {
	case a == b:
	case isBranch(a, b, at):
		inA, inB := fields(a), fields(b)
		for _, name := range names(a, b) {
			walkLeaves(inA[name], inB[name], append(at[:len(at):len(at)], name), visit)
		}
	case !values.Equal(a, b):
		visit(at, a, b)
	}
}

// isBranch reports whether the leaves of a value are below it.
func isBranch(a, b *yaml.Node, at []string) bool {
	return isMap(b) && (isMap(a) || len(b.Content) > 0 || len(at) == 0)
}

// names returns the keys of two maps, each once; none of what is not a map.
func names(maps ...*yaml.Node) []string {
	var all []string
	seen := map[string]bool{}
	for _, m := range maps {
		for _, e := range values.Pairs(m) {
			if name, ok := e.Name(); ok && !seen[name] {
				seen[name] = true
				all = append(all, name)
			}
		}
	}
	return all
}

// sites returns the leaves that presets, applied in their order, set or remove in values,
// and what the values become. Of several presets that set a leaf, or one above another, the
// last one has it. In a layer null and absent count as equal.
func sites(root *yaml.Node, presets []pack.Preset, isLayer bool) ([]site, *yaml.Node, error) {
	want, err := outcome(root, presets)
	if err != nil {
		return nil, nil, err
	}
	each := make([][]site, len(presets))
	tries := make([]trie, len(presets))
	now := root
	for i, p := range presets {
		after, err := outcome(now, presets[i:i+1])
		if err != nil {
			return nil, nil, err
		}
		visit := func(at []string, _, _ *yaml.Node) {
			s := site{at, pathText(at), i}
			each[i] = append(each[i], s)
			tries[i].add(at)
		}
		walkLeaves(now, after, nil, func(at []string, a, b *yaml.Node) {
			if !isLayer || !isSame(a, b) {
				visit(at, a, b)
			}
		})
		var known reader
		walkLeaves(nil, added(p), nil, func(at []string, a, n *yaml.Node) {
			// An empty map changes nothing of another one.
			if !isMap(n) || !isMap(known.at(now, at)) {
				visit(at, a, n)
			}
		})
		now = after
	}
	var all []site
	var claimed trie
	claim := func(s site) {
		claimed.add(s.steps)
		all = append(all, s)
	}
	walkLeaves(root, want, nil, func(at []string, a, b *yaml.Node) {
		if isLayer && isSame(a, b) {
			return
		}
		last := len(presets) - 1
		for last > 0 && !tries[last].overlaps(at) {
			last--
		}
		claim(site{at, pathText(at), last})
	})
	for i := len(each) - 1; i >= 0; i-- {
		for _, s := range each[i] {
			if !claimed.overlaps(s.steps) {
				claim(s)
			}
		}
	}
	return all, want, nil
}

// reader finds values in maps, also in very large ones.
type reader struct {
	maps map[*yaml.Node]map[string]*yaml.Node
}

// at returns the value at the keys of maps, nil if it is absent.
func (r *reader) at(n *yaml.Node, steps []string) *yaml.Node {
	for _, step := range steps {
		if n = values.Resolve(n); !isMap(n) {
			return nil
		}
		known, ok := r.maps[n]
		if !ok {
			if r.maps == nil {
				r.maps = map[*yaml.Node]map[string]*yaml.Node{}
			}
			known = fields(n)
			r.maps[n] = known
		}
		n = known[step]
	}
	return values.Resolve(n)
}

// nearest returns the value at the keys of maps, or the lowest one above it that exists.
func (r *reader) nearest(n *yaml.Node, steps []string) *yaml.Node {
	found := r.at(n, steps)
	for len(steps) > 0 && found == nil {
		steps = steps[:len(steps)-1]
		found = r.at(n, steps)
	}
	return found
}

// settle returns values with the leaves of others that isSet names.
func settle(now, want *yaml.Node, at []string, isSet func(path string) bool) *yaml.Node {
	now, want = values.Resolve(now), values.Resolve(want)
	switch {
	case now == want:
		return now
	case isBranch(now, want, at):
		var left []values.Pair
		changed := false
		wants := fields(want)
		add := func(key, value *yaml.Node, name string) {
			next := settle(value, wants[name], append(at[:len(at):len(at)], name), isSet)
			changed = changed || next != values.Resolve(value)
			if next != nil {
				left = append(left, values.Pair{Key: key, Value: next})
			}
		}
		seen := map[string]bool{}
		if isMap(now) {
			for _, e := range values.Pairs(now) {
				name, ok := e.Name()
				if !ok {
					left = append(left, e)
					continue
				}
				seen[name] = true
				add(e.Key, e.Value, name)
			}
		}
		for _, e := range values.Pairs(want) {
			if name, ok := e.Name(); ok && !seen[name] {
				add(e.Key, nil, name)
			}
		}
		if !changed && (isMap(now) || len(want.Content) > 0) {
			return now
		}
		return mapOf(want, left)
	case values.Equal(now, want):
		return now
	case isSet(pathText(at)):
		return want
	}
	return now
}
