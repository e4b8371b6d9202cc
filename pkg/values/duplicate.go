package values

import (
	"hash/maphash"
	"math/bits"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Duplicate is a key that occurs more than once in one map. YAML readers
// disagree on which one counts (this package: the last), so it is always a
// mistake.
type Duplicate struct {
	Path string // the dotted path, the key included
	// Key is the text of the key.
	Key           string
	First, Second Position // of the first key and of a later one
}

// manyKeys is the size from which a map is searched through an index instead
// of key by key.
const manyKeys = 16

// duplicateFinder walks a tree and collects the duplicate keys.
type duplicateFinder struct {
	// found are the duplicates so far, and path the steps to the current node.
	found []Duplicate
	path  []Step
}

// findDuplicates returns the duplicate keys below a node, in the order of the text.
func findDuplicates(root *yaml.Node) []Duplicate {
	if root == nil {
		return nil
	}
	var f duplicateFinder
	f.node(root)
	return f.found
}

// node visits the entries of a map or a list. It does not follow aliases.
func (f *duplicateFinder) node(n *yaml.Node) {
	switch n.Kind {
	case yaml.SequenceNode:
		for i, item := range n.Content {
			f.below(Element(i), item)
		}
	case yaml.MappingNode:
		f.mapping(n)
	}
}

// below visits the value of an entry that has entries itself.
func (f *duplicateFinder) below(s Step, n *yaml.Node) {
	if len(n.Content) == 0 {
		return
	}
	f.path = append(f.path, s)
	f.node(n)
	f.path = f.path[:len(f.path)-1]
}

// mapping finds the duplicate keys of a map. It indexes only the keys whose hashes occur twice, which
// saves most of the memory.
func (f *duplicateFinder) mapping(n *yaml.Node) {
	maybe := repeated(n)
	var index map[string]*yaml.Node
	if entries(n) > manyKeys {
		index = map[string]*yaml.Node{}
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := dealias(n.Content[i])
		if key.Kind == yaml.ScalarNode {
			var first *yaml.Node
			if index == nil {
				first = earlierKey(n, i, key.Value)
			} else if maybe.has(key.Value) {
				if first = index[key.Value]; first == nil {
					index[key.Value] = n.Content[i]
				}
			}
			if first != nil {
				f.add(key.Value, first, n.Content[i])
			}
		} else {
			f.below(Step{Key: keyText(key)}, key)
		}
		f.below(Step{Key: keyText(key)}, n.Content[i+1])
	}
}

// repeats are the hashes of keys that may occur more than once in a map: of all keys of a small one.
// For a large one they take ten bytes for each key, where an index of all keys would take fifty.
type repeats struct {
	// seed is the seed of the hashes.
	seed  maphash.Seed
	twice []uint64 // a set of bits, nil for a small map
}

// repeated returns the hashes of the keys that may occur more than once in a map.
func repeated(m *yaml.Node) repeats {
	if entries(m) <= manyKeys {
		return repeats{}
	}
	size := 1 << bits.Len(uint(entries(m)/4)) // words, at least 16 bits for each key
	r, once := repeats{maphash.MakeSeed(), make([]uint64, size)}, make([]uint64, size)
	for i := 0; i+1 < len(m.Content); i += 2 {
		if key := dealias(m.Content[i]); key.Kind == yaml.ScalarNode {
			word, bit := r.at(key.Value)
			r.twice[word] |= once[word] & bit
			once[word] |= bit
		}
	}
	return r
}

func (r repeats) at(key string) (word int, bit uint64) {
	hash := maphash.String(r.seed, key)
	return int(hash>>6) & (len(r.twice) - 1), 1 << (hash & 63)
}

// has reports whether a key may occur more than once.
func (r repeats) has(key string) bool {
	if r.twice == nil {
		return true
	}
	word, bit := r.at(key)
	return r.twice[word]&bit != 0
}

// earlierKey returns the first key of n before position end that reads as
// text.
func earlierKey(n *yaml.Node, end int, text string) *yaml.Node {
	for i := 0; i < end; i += 2 {
		if key := dealias(n.Content[i]); key.Kind == yaml.ScalarNode && key.Value == text {
			return n.Content[i]
		}
	}
	return nil
}

// add adds a duplicate with its path.
func (f *duplicateFinder) add(key string, first, second *yaml.Node) {
	f.found = append(f.found, Duplicate{
		Path:   pathText(append(f.path, Step{Key: key})),
		Key:    key,
		First:  At(first),
		Second: At(second),
	})
}

// keyText is the text of a key in a path; keys that are maps or
// lists have none.
func keyText(key *yaml.Node) string {
	if key = dealias(key); key.Kind == yaml.ScalarNode {
		return key.Value
	}
	return "?"
}

// pathText writes steps as a dotted path with list indexes in brackets.
func pathText(steps []Step) string {
	var b strings.Builder
	for i, s := range steps {
		switch {
		case s.IsIndex:
			b.WriteByte('[')
			b.WriteString(strconv.Itoa(s.Index))
			b.WriteByte(']')
		case i > 0:
			b.WriteByte('.')
			b.WriteString(s.Key)
		default:
			b.WriteString(s.Key)
		}
	}
	return b.String()
}
