package upgrade

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/values"
)

// renames finds the names that keys have in the newer version.
type renames struct {
	// base and next are the values of the versions.
	base, next *values.Document
	// known are the names of the keys that are gone from a mapping, by its path.
	known map[string]map[string]string
}

// of returns the path in the newer version of a value whose key is gone; nil if that is not
// clear. It is another name of the topmost key that is gone, in the same mapping: a key of
// another component with the same name is another value.
func (r *renames) of(keys []string) []string {
	base, next := r.base.Root(), r.next.Root()
	for i, name := range keys {
		inBase, inNext := r.base.Follow(base, values.Keys(name)), r.next.Follow(next, values.Keys(name))
		if inBase == nil || inNext != nil {
			base, next = inBase, inNext
			continue
		}
		other := r.names(keys[:i], base, next)[name]
		if other == "" {
			return nil
		}
		path := slices.Concat(keys[:i], []string{other}, keys[i+1:])
		if r.next.Follow(r.next.Root(), values.Keys(path...)) == nil {
			return nil
		}
		return path
	}
	return nil
}

// mostPairs bounds how many pairs of names are compared in one mapping.
const mostPairs = 10_000

// names returns the new names of the keys that are gone from a mapping. A key and its new
// name are each other's best match.
func (r *renames) names(path []string, base, next *yaml.Node) map[string]string {
	if found, known := r.known[joined(path)]; known {
		return found
	}
	gone, added := without(base, next), without(next, base)
	found := map[string]string{}
	if len(gone)*len(added) <= mostPairs {
		for _, g := range gone {
			if to := g.match(added); to != nil && to.match(gone) == g {
				found[g.name] = to.name
			}
		}
	}
	if r.known == nil {
		r.known = map[string]map[string]string{}
	}
	r.known[joined(path)] = found
	return found
}

// renamable is a key that only one version has.
type renamable struct {
	// name is the key, and node its value.
	name string
	node *yaml.Node
	// below are the paths of the values below a mapping.
	below map[string]bool
}

// without returns the keys of a mapping that another one does not have.
func without(mapping, other *yaml.Node) []*renamable {
	known := byName(other)
	var all []*renamable
	for _, p := range values.Pairs(mapping) {
		if name := nameOf(p); known[name].Value == nil {
			r := &renamable{name, p.Value, map[string]bool{}}
			if isMapping(p.Value) && len(p.Value.Content) > 0 {
				eachSet(edit{}, versions{user: p.Value}, func(at edit, _ *yaml.Node) { r.below[joined(at.keys)] = true })
			}
			all = append(all, r)
		}
	}
	return all
}

// match returns the key that a key most probably is in another version: the only one whose
// mapping is most alike, else the one with the nearest name. It is nil if there is none.
func (r *renamable) match(others []*renamable) *renamable {
	var best *renamable
	var most float64
	var isOnly bool
	var names []string
	byName := map[string]*renamable{}
	for _, other := range others {
		if !sameKind(r.node, other.node) {
			continue
		}
		byName[other.name] = other
		names = append(names, other.name)
		if alike := r.alike(other); alike >= most {
			isOnly = alike > most
			best, most = other, alike
		}
	}
	name := nearest.Name(r.name, names)
	slices.Reverse(names)
	isClear := nearest.Name(r.name, names) == name // of names that are as near, the first one is found
	if near := byName[name]; near != nil && isClear && r.alike(near) == most {
		return near
	}
	if isOnly && most >= enoughAlike {
		return best
	}
	return nil
}

// enoughAlike is the share of common values from which a mapping is another one's successor,
// whatever its name.
const enoughAlike = 0.5

// alike returns the share of the values of two mappings that both have.
func (r *renamable) alike(other *renamable) float64 {
	common := 0
	for path := range r.below {
		if other.below[path] {
			common++
		}
	}
	if common == 0 {
		return 0
	}
	return float64(common) / float64(len(r.below)+len(other.below)-common)
}

// sameKind reports whether a value may have become another one: a mapping stays a mapping.
func sameKind(a, b *yaml.Node) bool { return a.Kind == b.Kind || values.IsNull(a) || values.IsNull(b) }
