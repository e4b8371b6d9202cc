package values

import (
	"go.yaml.in/yaml/v3"
)

// dealias returns what an alias stands for, and any other node itself.
func dealias(n *yaml.Node) *yaml.Node {
	if n != nil && n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// isMergeKey says whether a key is "<<", whose value is merged into its map.
func isMergeKey(key *yaml.Node) bool {
	return key.Kind == yaml.ScalarNode && key.Value == "<<" && (key.Tag == "" || key.Tag == "!" || key.ShortTag() == mergeTag)
}

// pair is a key of a map with its value, alias not followed.
type pair struct {
	key, value *yaml.Node
	merged     bool // it stands in another map and comes from there by a merge key
}

// lookup finds a key of a map. Where the key stands more than once the last
// one wins; keys that merge keys bring come after the map's own.
func lookup(m *yaml.Node, key string) (pair, bool) {
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
			return pair{key: m.Content[i], value: m.Content[i+1]}, true
		}
	}
	if !merges {
		return pair{}, false
	}
	for _, p := range mergedPairs(m) {
		if keyText(p.key) == key && dealias(p.key).Kind == yaml.ScalarNode {
			return p, true
		}
	}
	return pair{}, false
}

// mergedPairs returns the pairs that merge keys bring into m, the ones that
// win first. A map that is merged in several ways is visited once.
func mergedPairs(m *yaml.Node) []pair {
	var pairs []pair
	seen := map[*yaml.Node]bool{m: true}
	var from func(m *yaml.Node)
	visit := func(m *yaml.Node) {
		if m == nil || m.Kind != yaml.MappingNode || seen[m] {
			return
		}
		seen[m] = true
		for i := len(m.Content) - 2; i >= 0; i -= 2 {
			if !isMergeKey(m.Content[i]) {
				pairs = append(pairs, pair{key: m.Content[i], value: m.Content[i+1], merged: true})
			}
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
	return pairs
}

// hasMergeKey says whether m merges other maps.
func hasMergeKey(m *yaml.Node) bool {
	for i := 0; i+1 < len(m.Content); i += 2 {
		if isMergeKey(m.Content[i]) {
			return true
		}
	}
	return false
}

// pairs returns the keys of a map as they read: each key once, merge keys
// expanded, a key that stands more than once at its first place with its last
// value. Keys that are not scalars are all kept.
func pairs(m *yaml.Node) []pair {
	all := make([]pair, 0, len(m.Content)/2)
	index := make(map[string]int, len(m.Content)/2)
	merges := false
	for i := 0; i+1 < len(m.Content); i += 2 {
		if isMergeKey(m.Content[i]) {
			merges = true
			continue
		}
		p := pair{key: m.Content[i], value: m.Content[i+1]}
		if key := dealias(p.key); key.Kind == yaml.ScalarNode {
			if at, ok := index[key.Value]; ok {
				all[at] = p
				continue
			}
			index[key.Value] = len(all)
		}
		all = append(all, p)
	}
	if !merges {
		return all
	}
	for _, p := range mergedPairs(m) {
		if key := dealias(p.key); key.Kind == yaml.ScalarNode {
			if _, ok := index[key.Value]; ok {
				continue
			}
			index[key.Value] = len(all)
		}
		all = append(all, p)
	}
	return all
}

// keyIndex finds the keys of one map many times.
type keyIndex struct {
	m      *yaml.Node
	index  map[string]int // entries by key; nil for small maps
	merges bool           // known for large maps only
}

func newKeyIndex(m *yaml.Node) keyIndex {
	k := keyIndex{m: m}
	if entries(m) > manyKeys {
		k.index = make(map[string]int, entries(m))
		k.merges = hasMergeKey(m)
		for i := 0; i < entries(m); i++ {
			if key := dealias(m.Content[2*i]); key.Kind == yaml.ScalarNode && !isMergeKey(key) {
				k.index[key.Value] = i
			}
		}
	}
	return k
}

// explicit returns the last entry with the key, merge keys aside; -1 when
// there is none.
func (k keyIndex) explicit(key string) int {
	if k.index == nil {
		return explicitIndex(k.m, key)
	}
	if i, ok := k.index[key]; ok {
		return i
	}
	return -1
}

// counterpart returns the pair of the map with a key equal to key.
func (k keyIndex) counterpart(key *yaml.Node) (pair, bool) {
	if key.Kind == yaml.ScalarNode {
		if i := k.explicit(key.Value); i >= 0 {
			return pair{key: k.m.Content[2*i], value: k.m.Content[2*i+1]}, true
		}
		if k.index != nil && !k.merges {
			return pair{}, false
		}
		return lookup(k.m, key.Value)
	}
	for _, p := range pairs(k.m) {
		if dealias(p.key).Kind == key.Kind && Equal(p.key, key) {
			return p, true
		}
	}
	return pair{}, false
}
