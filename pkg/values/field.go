package values

import "go.yaml.in/yaml/v3"

// Field returns the value below a map's keys, nil when there is none: no such
// key, or no map on the way. Aliases and merge keys are followed.
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

// Follow returns the value at steps, nil when there is nothing: no such key or
// element, or no map or list on the way. Aliases and merge keys are followed.
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
