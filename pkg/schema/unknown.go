package schema

import (
	"maps"
	"slices"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// overrides looks for keys and values of overrides that have no effect, or another one than
// they seem to have.
//
// If unknown keys are asked for, there is a finding for each that is neither in the schema
// nor in the pack's own values nor in its presets: a misspelt override has no effect.
// The pack's own keys are known, except one that is near a key of the schema that is
// in no values. Below a list, or a map that the pack ships empty, any key is
// accepted. Without a baseline only the keys of the schema are known.
func (c *checker) overrides() {
	var known []*yaml.Node
	if c.own != nil {
		known = append(known, c.own)
	}
	for _, added := range c.values.Added {
		known = append(known, added.Root())
	}
	for _, document := range c.values.Layers {
		switch {
		case document != c.values.Own:
			l := &layer{c, document.Origin()}
			l.walk(document.Root(), c.own, known, c.schema.keys, "")
		case c.unknown:
			c.misspeltKeys()
		}
	}
}

// layer is a layer that is checked for unknown keys and slips.
type layer struct {
	*checker
	// origin is the document of the layer.
	origin *diag.Origin
}

// walk reports the topmost unknown keys below n, at a path. own is the pack's own value at the
// path, known are own and the values of presets, and keys are the keys of the schema.
func (l *layer) walk(n, own *yaml.Node, known []*yaml.Node, keys *keyTree, path string) {
	below := map[string][]*yaml.Node{} // the known values by their keys
	for _, k := range known {
		for _, p := range values.Pairs(k) {
			if name, ok := p.Name(); ok {
				below[name] = append(below[name], p.Value)
			}
		}
	}
	names := sync.OnceValue(func() []string {
		all := slices.Collect(maps.Keys(below))
		if keys != nil {
			all = slices.AppendSeq(all, maps.Keys(keys.below))
		}
		slices.Sort(all)
		return slices.Compact(all)
	})
	for _, p := range values.Pairs(n) {
		name, ok := p.Name()
		if !ok {
			continue
		}
		next, covered, at := below[name], keys.find(name), diag.Join(path, name)
		if covered == nil || !covered.isChecked {
			l.typeChanged(p.Value, l.ownBelow(own, name), next, at)
		}
		if covered != nil && covered.isEntry || slices.ContainsFunc(next, isFree) {
			continue
		}
		if covered != nil || len(next) > 0 {
			l.walk(p.Value, l.ownBelow(own, name), next, covered, at)
			continue
		}
		l.misplaced(p.Key, name, own, path)
		switch {
		case !l.unknown:
			l.nearKey(p.Key, name, n, own, path)
		case l.comparer.may(len(names())):
			l.add(diag.Unknown("key", name, names()).Of(rule.ValuesUnknownKey), l.origin, at, p.Key)
		default:
			l.add(diag.Unknown("key", name, nil).Of(rule.ValuesUnknownKey), l.origin, at, p.Key)
		}
	}
}

// ownBelow returns the value at keys below a node of the pack's own values.
func (c *checker) ownBelow(n *yaml.Node, keys ...string) *yaml.Node {
	if n == nil {
		return nil
	}
	return c.values.Own.Follow(n, values.Keys(keys...))
}

// isFree reports whether a known value accepts keys of any name: it has none that a
// key could be compared with.
func isFree(n *yaml.Node) bool { return n.Kind != yaml.MappingNode || len(n.Content) == 0 }

// misspeltKeys reports keys of the pack's own values that are not in the schema, and are
// near a key of the schema that is in no values.
func (c *checker) misspeltKeys() {
	for _, e := range c.schema.Entries {
		if c.have(e.Path) {
			continue
		}
		steps := keySteps(e.Path)
		at, name := c.comparer.nearKey(c.values.Own, steps, c.schema.keys)
		if name == "" {
			continue
		}
		f := diag.Say("is not in the schema, whose key %s is in no values", e.Key)
		f.Nearest = steps[at].Key
		found := values.Below(steps[:at], values.Key(name))
		c.add(f.Of(rule.ValuesUnknownKey), c.values.Own.Origin(), keyOf(found), keyAt(c.values.Own, found))
	}
}
