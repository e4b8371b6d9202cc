package macro

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// wideMap is the number of keys from which a map is indexed. Package values reads
// the keys of a map one by one, which is quadratic in a pack of many thousand keys
// that refers to itself.
const wideMap = 64

// find returns what a path leads to, as values.Tree.Find does. ok is false when the run
// has searched for too many values that do not exist.
func (r *Resolver) find(tree *values.Tree, path string, p values.Path) (match values.Match, ok bool) {
	node, rest := values.Resolve(tree.Root()), path
	for node != nil && node.Kind == yaml.MappingNode {
		key, below, more := strings.Cut(rest, ".")
		next := r.key(node, key)
		if next == nil {
			break
		}
		if node, rest = values.Resolve(next), below; !more {
			// Every step is a key, which comes before all other ways.
			return values.Match{State: values.Present, Node: node}, true
		}
	}
	if node != nil {
		if !r.meter.Charge(len(node.Content)) {
			return values.Match{}, false
		}
	}
	return tree.Find(p)[0], true
}

// key returns the value of a key, or nil if it is absent.
func (r *Resolver) key(node *yaml.Node, key string) *yaml.Node {
	if len(node.Content) < 2*wideMap {
		return values.Field(node, key)
	}
	index, ok := r.indexes[node]
	if !ok {
		index = indexOf(node)
		r.indexes[node] = index
	}
	if index == nil {
		return values.Field(node, key)
	}
	return index[key]
}

// indexOf returns the keys of a map with their values, or nil if it has merge keys or keys that are
// not scalars: package values knows those.
func indexOf(node *yaml.Node) map[string]*yaml.Node {
	index := make(map[string]*yaml.Node, len(node.Content)/2)
	for i := 0; i+1 < len(node.Content); i += 2 {
		key := values.Resolve(node.Content[i])
		if key.Kind != yaml.ScalarNode || key.ShortTag() == "!!merge" {
			return nil
		}
		index[key.Value] = node.Content[i+1] // of duplicate keys the last one counts
	}
	return index
}
