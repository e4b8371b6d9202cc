package preset

import (
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// entry is a key of a map with its value, aliases followed.
type entry struct {
	key, value *yaml.Node
}

// name is the key's text; keys that are maps or lists have none, and no path
// leads to them.
func (e entry) name() (string, bool) {
	key := values.Resolve(e.key)
	return key.Value, key.Kind == yaml.ScalarNode
}

// entries returns the entries of a map as they read, with those that merge keys
// bring after its own; none of anything else.
func entries(n *yaml.Node) []entry {
	n = values.Resolve(n)
	if !isMap(n) {
		return nil
	}
	all := make([]entry, 0, len(n.Content)/2)
	known := map[string]bool{}
	merges := false
	for i := 0; i+1 < len(n.Content); i += 2 {
		e := entry{n.Content[i], values.Resolve(n.Content[i+1])}
		if name, ok := e.name(); ok {
			if isMergeKey(e.key) {
				merges = true
				continue
			}
			known[name] = true
		}
		all = append(all, e)
	}
	if !merges {
		return all
	}
	for _, e := range merged(n, map[*yaml.Node]bool{}) {
		if name, ok := e.name(); ok && !known[name] {
			known[name] = true
			e.value = values.Field(n, name) // which knows who wins
			all = append(all, e)
		}
	}
	return all
}

// merged returns the entries of the maps that the merge keys of n refer to.
func merged(n *yaml.Node, seen map[*yaml.Node]bool) []entry {
	var all []entry
	visit := func(m *yaml.Node) {
		if m = values.Resolve(m); !isMap(m) || seen[m] {
			return
		}
		seen[m] = true
		for i := 0; i+1 < len(m.Content); i += 2 {
			if !isMergeKey(m.Content[i]) {
				all = append(all, entry{m.Content[i], m.Content[i+1]})
			}
		}
		all = append(all, merged(m, seen)...)
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if !isMergeKey(n.Content[i]) {
			continue
		}
		if value := values.Resolve(n.Content[i+1]); value.Kind == yaml.SequenceNode {
			for _, m := range value.Content {
				visit(m)
			}
		} else {
			visit(value)
		}
	}
	return all
}

func isMergeKey(key *yaml.Node) bool { return key.ShortTag() == "!!merge" }

func isMap(n *yaml.Node) bool { return n != nil && n.Kind == yaml.MappingNode }

func isList(n *yaml.Node) bool { return n != nil && n.Kind == yaml.SequenceNode }

// isNull reports whether n exists and is null.
func isNull(n *yaml.Node) bool { return n != nil && values.IsNull(n) }

func nullNode() *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"} }

// mapOf makes a map of entries, of the type of another map.
func mapOf(like *yaml.Node, all []entry) *yaml.Node {
	m := &yaml.Node{Kind: yaml.MappingNode, Tag: like.Tag, Style: like.Style & yaml.TaggedStyle}
	for _, e := range all {
		m.Content = append(m.Content, e.key, e.value)
	}
	return m
}

// overlay returns over laid on below (rule P3).
func overlay(below, over *yaml.Node) *yaml.Node {
	switch {
	case over == nil:
		return below
	case below == nil, !isMap(values.Resolve(below)), !isMap(values.Resolve(over)):
		return values.Resolve(over)
	}
	return values.Merge(values.Layer{Document: values.Of(below)}, values.Layer{Document: values.Of(over)}).Root()
}

// fields returns the values of a map by the names of their keys; none of anything else.
func fields(n *yaml.Node) map[string]*yaml.Node {
	all := entries(n)
	byName := make(map[string]*yaml.Node, len(all))
	for _, e := range all {
		if name, ok := e.name(); ok {
			byName[name] = e.value
		}
	}
	return byName
}

// extended returns the steps with one more, in memory of its own.
func extended(at []values.Step, step values.Step) []values.Step {
	return append(at[:len(at):len(at)], step)
}

// leaves returns the paths of the values below a path that are not maps with keys.
func leaves(n *yaml.Node, path string) []string {
	var paths []string
	for _, e := range entries(n) {
		if name, ok := e.name(); ok {
			paths = append(paths, leaves(e.value, path+"."+name)...)
		}
	}
	if len(paths) == 0 {
		return []string{path}
	}
	return paths
}
