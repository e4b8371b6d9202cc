package values

import "go.yaml.in/yaml/v3"

type Pair struct {
	Key, Value *yaml.Node
	Merged     bool
}

func (p Pair) Name() (string, bool) {
	key := dealias(p.Key)
	return key.Value, key.Kind == yaml.ScalarNode
}

func Pairs(n *yaml.Node) []Pair {
	if n = dealias(n); n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	var all []Pair
	for _, p := range pairs(n) {
		all = append(all, Pair{p.key, dealias(p.value), p.merged})
	}
	return all
}
