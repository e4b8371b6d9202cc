package policy

import (
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// pair is a key of a mapping with its value.
type pair struct{ key, value *yaml.Node }

// pairs returns the pairs of a mapping as they read: its own, then what merge keys
// bring that it does not have.
func pairs(n *yaml.Node) []pair {
	var all []pair
	seen, open := map[string]bool{}, map[*yaml.Node]bool{}
	var collect func(n *yaml.Node)
	collect = func(n *yaml.Node) {
		if n = values.Resolve(n); n == nil || open[n] {
			return
		}
		open[n] = true
		if n.Kind == yaml.SequenceNode {
			for _, child := range n.Content {
				collect(child)
			}
			return
		}
		var merged []*yaml.Node
		for at := 0; at+1 < len(n.Content); at += 2 {
			key := values.Resolve(n.Content[at])
			switch {
			case key.ShortTag() == "!!merge":
				merged = append(merged, n.Content[at+1])
			case key.Kind != yaml.ScalarNode || !seen[key.Value]:
				seen[key.Value] = true
				all = append(all, pair{n.Content[at], n.Content[at+1]})
			}
		}
		for _, m := range merged {
			collect(m)
		}
	}
	collect(n)
	return all
}
