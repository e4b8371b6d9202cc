package schema

import (
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// layering reports how the overrides of a pack are laid over each other: values that a later
// one of the same scope replaces, and values that an override with the strategy replace
// drops. An override below the last of those does not count at all.
func layering(p *pack.Pack, e *pack.Effective, found func(diag.Finding)) {
	first, counts := len(e.Documents)-len(p.Overrides), 0
	var below []values.Layer
	for i, o := range p.Overrides {
		if o.Replace {
			below = nil
			for _, document := range e.Documents[counts : first+i] {
				below = append(below, values.Layer{Document: document})
			}
			counts = first + i
		}
	}
	if len(below) > 0 {
		drops(values.Merge(below...).Root(), e.Documents[counts].Root(), p.Overrides[counts-first], found)
	}
	later := map[pack.Scope]map[string]winner{pack.ScopeProfile: {}, pack.ScopeCluster: {}}
	for i := len(p.Overrides) - 1; i >= max(counts-first, 0); i-- {
		o := p.Overrides[i]
		duplicates(o, e.Documents[first+i].Root(), "", later[o.Scope], found)
	}
}

// winner is a value that counts, and the override that has it.
type winner struct {
	// value is the value, and by the override.
	value *yaml.Node
	by    *pack.Override
}

// duplicates reports the values below n that a later override sets to others, and adds
// the rest to those.
func duplicates(o *pack.Override, n *yaml.Node, path string, later map[string]winner, found func(diag.Finding)) {
	for _, p := range values.Pairs(n) {
		name, ok := p.Name()
		if !ok {
			continue
		}
		at := diag.Join(path, name)
		if p.Value.Kind == yaml.MappingNode && len(p.Value.Content) > 0 {
			duplicates(o, p.Value, at, later, found)
			continue
		}
		wins, isSet := later[at]
		if !isSet {
			later[at] = winner{p.Value, o}
			continue
		}
		if values.Equal(wins.value, p.Value) {
			continue
		}
		f := diag.Say("has no effect: %s sets the same key, and takes precedence because overrides of one scope are applied in the order of their names", wins.by.Values.Resource.InFile()).
			Do("change the scope of one override, or remove the key from one")
		found(f.In(o.Values.Origin, at, values.At(p.Value)).Of(rule.OverrideDuplicate))
	}
}

// drops reports the values below an override that replaces them and does not have them.
func drops(below, over *yaml.Node, o *pack.Override, found func(diag.Finding)) {
	var keys []string // the topmost ones
	count := 0
	var walk func(below, over *yaml.Node, path string)
	walk = func(below, over *yaml.Node, path string) {
		for _, p := range values.Pairs(below) {
			name, ok := p.Name()
			if !ok {
				continue
			}
			at := diag.Join(path, name)
			switch other := values.Field(over, name); {
			case other == nil:
				count += leaves(p.Value)
				keys = append(keys, at)
			case p.Value.Kind == yaml.MappingNode && other.Kind == yaml.MappingNode:
				walk(p.Value, other, at)
			}
		}
	}
	walk(below, over, "")
	if count == 0 {
		return
	}
	f := diag.Say("strategy: replace drops %s of the pack: %s", diag.Count(count, "value"), diag.SomeOf(keys))
	found(f.Do("to keep them, set strategy: merge").About(o.Values.Resource, "spec.strategy").Of(rule.OverrideDrops))
}

// leaves counts the values below n that are not maps.
func leaves(n *yaml.Node) int {
	pairs := values.Pairs(n)
	if len(pairs) == 0 {
		return 1
	}
	count := 0
	for _, p := range pairs {
		count += leaves(p.Value)
	}
	return count
}
