package upgrade

import (
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// eachSet calls visit for each value that an override sets: a scalar, a list or an empty mapping.
// isOrphan is set if the newer version has no place for the value, because the part of its path
// that the older version contains is gone. For example, `nodeSelector.disk` has no place without
// `nodeSelector`, even if that was empty.
func eachSet(at edit, v versions, visit func(at edit, n *yaml.Node)) {
	if v.base != nil {
		at.isOrphan = v.next == nil
	}
	if !isMapping(v.user) || len(v.user.Content) == 0 {
		visit(at, v.user)
		return
	}
	base, next := byName(v.base), byName(v.next)
	for _, p := range values.Pairs(v.user) {
		name := nameOf(p)
		eachSet(at.below(name, p.Key), versions{base[name].Value, p.Value, next[name].Value}, visit)
	}
}

// differences are what the newer version changes and adds.
type differences struct {
	// edited are the paths, joined, of values that the user sets: theirs stay.
	edited map[string]bool
	// changed is called for each default that changes, and added for each mapping of both
	// versions with the keys that only the newer one has.
	changed func(at edit, v versions)
	// added is not called for mappings that only one version has.
	added func(at edit, pairs []values.Pair)
	// dropped is called in place of added for a mapping that the user removed, or replaced by
	// another value: the package does not get its new keys.
	dropped func(at edit, pairs []values.Pair)
}

// walk compares the values at a key and below.
func (d *differences) walk(at edit, v versions) {
	isBoth := isMapping(v.base) && isMapping(v.next)
	switch {
	case v.next == nil:
		return
	case d.edited[joined(at.keys)]:
		if isBoth {
			below := differences{changed: func(edit, versions) {}, added: d.dropped}
			below.walk(at, versions{base: v.base, next: v.next})
		}
		return
	case !isBoth:
		if !values.Equal(v.base, v.next) {
			d.changed(at, v)
		}
		return
	}
	base, user, next := byName(v.base), byName(v.user), byName(v.next)
	for _, p := range values.Pairs(v.base) {
		name := nameOf(p)
		d.walk(at.below(name, user[name].Key), versions{p.Value, user[name].Value, next[name].Value})
	}
	var added []values.Pair
	for _, p := range values.Pairs(v.next) {
		if name := nameOf(p); base[name].Value == nil && user[name].Value == nil && !d.edited[joined(at.below(name, nil).keys)] {
			added = append(added, p)
		}
	}
	if len(added) > 0 {
		d.added(at, added)
	}
}

// size counts the values of a tree: scalars, lists and empty mappings.
func size(n *yaml.Node) int {
	if n = values.Resolve(n); !isMapping(n) || len(n.Content) == 0 {
		return 1
	}
	count := 0
	for _, p := range values.Pairs(n) {
		count += size(p.Value)
	}
	return count
}
