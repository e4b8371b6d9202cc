package pack

import (
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/nearest"
	"github.com/krm-packs/functions/pkg/values"
)

// Slips returns the keys of a mapping that are a slip of a field that is not there
// (see nearest.IsSlip). Packs and bundles may have any field, but a misspelt one
// that is not read would let everything pass.
func Slips(n *yaml.Node, field string) []*yaml.Node {
	return KeysLike(n, field, func(key string, _ *yaml.Node) bool { return nearest.IsSlip(key, field) })
}

// KeysLike returns the keys of a mapping that like takes for a field that is not
// there, by the key and its value.
func KeysLike(n *yaml.Node, field string, like func(key string, value *yaml.Node) bool) []*yaml.Node {
	if n = values.Resolve(n); n == nil || n.Kind != yaml.MappingNode || values.Field(n, field) != nil {
		return nil
	}
	var keys []*yaml.Node
	for at := 0; at+1 < len(n.Content); at += 2 {
		if key := values.Resolve(n.Content[at]); like(key.Value, values.Resolve(n.Content[at+1])) {
			keys = append(keys, key)
		}
	}
	return keys
}
