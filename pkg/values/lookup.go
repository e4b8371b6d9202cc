package values

import (
	"sync"

	"go.yaml.in/yaml/v3"
)

// dealias returns the node that an alias refers to, and any other node itself.
func dealias(n *yaml.Node) *yaml.Node {
	if n != nil && n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// isMergeKey reports whether a key is "<<", whose value is merged into its map.
func isMergeKey(key *yaml.Node) bool {
	return key.Kind == yaml.ScalarNode && key.Value == "<<" && (key.Tag == "" || key.Tag == "!" || key.ShortTag() == mergeTag)
}

// Pair is a key of a map with its value.
type Pair struct {
	// Key is as written: it may be an alias. See Name.
	Key *yaml.Node
	// Value is never an alias.
	Value *yaml.Node
	// Merged: a merge key brings the pair from another map.
	Merged bool
}

// Name returns the text of the key. It is false for a key that is a map or a
// list: no path leads there.
func (p Pair) Name() (string, bool) {
	key := dealias(p.Key)
	return key.Value, key.Kind == yaml.ScalarNode
}

// Pairs returns the pairs of a map as every reader of this package sees them:
// each key once, merge keys ("<<") expanded, aliases followed. It returns nil for
// anything but a map.
//
// Of a duplicate key the last value counts, at the place of the first. The pairs that
// merge keys bring come after the map's own, which win over them; of several
// merged maps the first one wins, and of several merge keys the last. A pair whose
// key is a map or a list is always kept.
func Pairs(n *yaml.Node) []Pair {
	if n = dealias(n); n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	all := pairs(n)
	for i := range all {
		all[i].Value = dealias(all[i].Value)
	}
	return all
}

// ByName returns the values of a map by the texts of their keys, as [Pairs] has them; none
// of anything else.
func ByName(n *yaml.Node) map[string]*yaml.Node {
	all := Pairs(n)
	byName := make(map[string]*yaml.Node, len(all))
	for _, p := range all {
		if name, ok := p.Name(); ok {
			byName[name] = p.Value
		}
	}
	return byName
}

// lookup finds a key of a map. Where the key occurs more than once the last
// one wins; keys that merge keys bring come after the map's own.
func lookup(m *yaml.Node, key string) (Pair, bool) {
	merges := false
	for i := len(m.Content) - 2; i >= 0; i -= 2 {
		k := m.Content[i]
		if k.Kind == yaml.AliasNode {
			k = k.Alias
		}
		if k.Kind != yaml.ScalarNode {
			continue
		}
		if len(k.Value) == 2 && isMergeKey(k) {
			merges = true
			continue
		}
		if k.Value == key {
			return Pair{Key: m.Content[i], Value: m.Content[i+1]}, true
		}
	}
	if !merges {
		return Pair{}, false
	}
	for _, p := range mergedPairs(m) {
		if dealias(p.Key).Kind == yaml.ScalarNode && keyText(p.Key) == key {
			return p, true
		}
	}
	return Pair{}, false
}

// mergedPairs returns the pairs that merge keys bring into m, the ones that
// win first. A map that is merged in several ways is visited once.
func mergedPairs(m *yaml.Node) []Pair {
	var all []Pair
	seen := map[*yaml.Node]bool{m: true}
	var from func(m *yaml.Node)
	visit := func(m *yaml.Node) {
		if m == nil || m.Kind != yaml.MappingNode || seen[m] {
			return
		}
		seen[m] = true
		for _, p := range ownPairs(m) {
			p.Merged = true
			all = append(all, p)
		}
		from(m)
	}
	from = func(m *yaml.Node) {
		for i := len(m.Content) - 2; i >= 0; i -= 2 {
			if !isMergeKey(m.Content[i]) {
				continue
			}
			value := dealias(m.Content[i+1])
			if value.Kind == yaml.SequenceNode {
				for _, item := range value.Content {
					visit(dealias(item))
				}
			} else {
				visit(value)
			}
		}
	}
	from(m)
	return all
}

// hasMergeKey reports whether m merges other maps.
func hasMergeKey(m *yaml.Node) bool {
	for i := 0; i+1 < len(m.Content); i += 2 {
		if isMergeKey(m.Content[i]) {
			return true
		}
	}
	return false
}

// pairs is Pairs with the values as written.
func pairs(m *yaml.Node) []Pair {
	all := ownPairs(m)
	if !hasMergeKey(m) {
		return all
	}
	known := make(map[string]bool, len(all))
	for _, p := range all {
		if name, ok := p.Name(); ok {
			known[name] = true
		}
	}
	for _, p := range mergedPairs(m) {
		if name, ok := p.Name(); ok {
			if known[name] {
				continue
			}
			known[name] = true
		}
		all = append(all, p)
	}
	return all
}

// ownPairs returns the pairs of a map without the pairs of merge keys, each key once.
func ownPairs(m *yaml.Node) []Pair {
	all := make([]Pair, 0, len(m.Content)/2)
	maybe := repeated(m)
	index := map[string]int{}
	for i := 0; i+1 < len(m.Content); i += 2 {
		if isMergeKey(m.Content[i]) {
			continue
		}
		p := Pair{Key: m.Content[i], Value: m.Content[i+1]}
		if name, ok := p.Name(); ok && maybe.has(name) {
			if at, ok := index[name]; ok {
				all[at] = p
				continue
			}
			index[name] = len(all)
		}
		all = append(all, p)
	}
	return all
}

// index finds keys of large maps many times. It is safe for concurrent use. Nil searches
// without an index.
type index struct {
	// mu guards maps and lists.
	mu   sync.Mutex
	maps map[*yaml.Node]keyIndex
	// lists are the elements that paths ending in "$[]" lead to, by path.
	lists map[string]*elements
}

// isFor reports whether the keys of a map are indexed.
func (x *index) isFor(m *yaml.Node) bool { return x != nil && entries(m) > manyKeys }

// lookup finds a key of a map.
func (x *index) lookup(m *yaml.Node, key string) (Pair, bool) {
	if !x.isFor(m) {
		return lookup(m, key)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	k, ok := x.maps[m]
	if !ok {
		if x.maps == nil {
			x.maps = map[*yaml.Node]keyIndex{}
		}
		k = newKeyIndex(m)
		x.maps[m] = k
	}
	return k.find(key)
}

// follow returns the value at steps, as [Follow] does.
func (x *index) follow(n *yaml.Node, steps []Step) *yaml.Node {
	n = dealias(n)
	for _, s := range steps {
		switch {
		case n == nil:
			return nil
		case !s.IsIndex && n.Kind == yaml.MappingNode:
			found, _ := x.lookup(n, s.Key)
			n = dealias(found.Value)
		case !s.IsIndex || n.Kind != yaml.SequenceNode || s.Index < 0 || s.Index >= len(n.Content):
			return nil
		default:
			n = dealias(n.Content[s.Index])
		}
	}
	return n
}

// keyIndex finds the keys of one map many times.
type keyIndex struct {
	// m is the map.
	m      *yaml.Node
	index  map[string]int  // entries by key, or nil for small maps
	merged map[string]Pair // what merge keys bring, or nil for small maps
}

// newKeyIndex indexes the keys of a map. Of duplicate keys the last one counts.
func newKeyIndex(m *yaml.Node) keyIndex {
	k := keyIndex{m: m}
	if entries(m) <= manyKeys {
		return k
	}
	k.index = make(map[string]int, entries(m))
	for i := 0; i < entries(m); i++ {
		if key := dealias(m.Content[2*i]); key.Kind == yaml.ScalarNode && !isMergeKey(key) {
			k.index[key.Value] = i
		}
	}
	if !hasMergeKey(m) {
		return k
	}
	k.merged = map[string]Pair{}
	for _, p := range mergedPairs(m) {
		if name, ok := p.Name(); ok {
			if _, known := k.merged[name]; !known {
				k.merged[name] = p
			}
		}
	}
	return k
}

// explicit returns the last entry with the key, merge keys aside, or -1 if there is none.
func (k keyIndex) explicit(key string) int {
	if k.index == nil {
		return explicitIndex(k.m, key)
	}
	if i, ok := k.index[key]; ok {
		return i
	}
	return -1
}

// find is lookup by the index.
func (k keyIndex) find(key string) (Pair, bool) {
	if i := k.explicit(key); i >= 0 {
		return Pair{Key: k.m.Content[2*i], Value: k.m.Content[2*i+1]}, true
	}
	if k.index != nil {
		p, ok := k.merged[key]
		return p, ok
	}
	return lookup(k.m, key)
}

// counterpart returns the pair of the map with a key equal to key.
func (k keyIndex) counterpart(key *yaml.Node) (Pair, bool) {
	if key.Kind == yaml.ScalarNode {
		return k.find(key.Value)
	}
	for _, p := range pairs(k.m) {
		if dealias(p.Key).Kind == key.Kind && Equal(p.Key, key) {
			return p, true
		}
	}
	return Pair{}, false
}

// Elements returns the elements of a list, or none for anything else.
func Elements(n *yaml.Node) []*yaml.Node {
	if n = Resolve(n); n == nil || n.Kind != yaml.SequenceNode {
		return nil
	}
	return n.Content
}

// Field returns the value below a map's keys, or nil if there is none: no such key, or no map on
// the way. Aliases and merge keys are followed.
func Field(n *yaml.Node, keys ...string) *yaml.Node {
	n = dealias(n)
	for _, key := range keys {
		if n == nil || n.Kind != yaml.MappingNode {
			return nil
		}
		found, ok := lookup(n, key)
		if !ok {
			return nil
		}
		n = dealias(found.Value)
	}
	return n
}

// Follow returns the value at steps, or nil if there is nothing: no such key or element, or no map
// or list on the way. Aliases and merge keys are followed.
func Follow(n *yaml.Node, steps []Step) *yaml.Node { return (*index)(nil).follow(n, steps) }

// Text returns the text of a scalar as written, and "" for anything else, null
// included.
func Text(n *yaml.Node) string {
	if n = dealias(n); n == nil || n.Kind != yaml.ScalarNode || isNull(n) {
		return ""
	}
	return n.Value
}

// IsNull reports whether n is absent or null, also by an alias.
func IsNull(n *yaml.Node) bool {
	n = dealias(n)
	return n == nil || isNull(n)
}

// Resolve returns the node that n means: what an alias refers to, and
// otherwise n itself.
func Resolve(n *yaml.Node) *yaml.Node { return dealias(n) }
