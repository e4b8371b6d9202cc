package foreign

import (
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// Entry is a key of a mapping with its value.
type Entry struct {
	Key   string
	Value *yaml.Node
}

// Entries returns the entries of a mapping, those of its merge keys included;
// of a key that stands more than once the last one.
func Entries(n *yaml.Node) []Entry {
	n = values.Resolve(n)
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	var all []Entry
	place := map[string]int{}
	put := func(e Entry, over bool) {
		if at, there := place[e.Key]; there {
			if over {
				all[at] = e
			}
			return
		}
		place[e.Key] = len(all)
		all = append(all, e)
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if key := values.Resolve(n.Content[i]); key.Kind == yaml.ScalarNode && key.ShortTag() != "!!merge" {
			put(Entry{key.Value, n.Content[i+1]}, true)
		}
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if values.Resolve(n.Content[i]).ShortTag() != "!!merge" {
			continue
		}
		merged := values.Resolve(n.Content[i+1])
		parts := []*yaml.Node{merged}
		if merged.Kind == yaml.SequenceNode {
			parts = merged.Content
		}
		for _, part := range parts {
			for _, e := range Entries(part) {
				put(e, false)
			}
		}
	}
	return all
}
