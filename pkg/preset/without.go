package preset

import (
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
		if left, err := remove(rest, p); err == nil { // apply-preset reports what cannot be removed
			rest = left
		}
		rest = withoutLeaves(rest, added(p))
	}
	return withoutEmpty(rest), touched
}

// withoutLeaves returns values without the leaves of others, and without what is in the place
// of a map of them.
func withoutLeaves(n, leaves *yaml.Node) *yaml.Node {
	n, leaves = values.Resolve(n), values.Resolve(leaves)
	switch {
	case leaves == nil:
		return n
	case !isMap(leaves) || !isMap(n) || len(leaves.Content) == 0:
		return nil
	}
	below := values.ByName(leaves)
	var left []values.Pair
	for _, e := range values.Pairs(n) {
		if name, ok := e.Name(); ok && below[name] != nil {
			if e.Value = withoutLeaves(e.Value, below[name]); e.Value == nil {
				continue
			}
		}
		left = append(left, e)
	}
	return mapOf(n, left)
}

// withoutEmpty returns values without empty maps, nil for one.
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
