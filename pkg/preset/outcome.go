package preset

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// Error says that a preset can not be applied to some values because of what
// the preset says.
type Error struct {
	Preset pack.Preset
	Reason string
}

func (e *Error) Error() string { return e.Reason }

// outcomes returns the values, and what they come to after each of the presets:
// each removes first and adds then (rule P1), in the given order.
func outcomes(root *yaml.Node, presets []pack.Preset) ([]*yaml.Node, error) {
	states := []*yaml.Node{root}
	var err error
	for _, p := range presets {
		for _, path := range p.Remove {
			if root, err = remove(root, path); err != nil {
				return nil, &Error{p, fmt.Sprintf("the path %s %v", path, err)}
			}
		}
		if p.Add != nil {
			root = overlay(root, p.Add.Root())
		}
		states = append(states, root)
	}
	// What is added may be what a path can not remove: the next run would fail.
	for _, p := range presets {
		for _, path := range p.Remove {
			if _, err := remove(root, path); err != nil {
				return nil, &Error{p, fmt.Sprintf("the path %s %v", path, err)}
			}
		}
	}
	return states, nil
}

// content returns what a layer has to hold so that, laid over below, it comes to
// want; own is what it holds now. Nil stands for absent. What comes to want
// already stays as it is, below and in own; what below would bring back is null,
// which counts as absent (rule P8).
func content(below, own, want *yaml.Node) *yaml.Node {
	if values.Equal(overlay(below, own), want) {
		return own
	}
	switch {
	case want == nil && below == nil:
		return nil
	case want == nil && isNull(below):
		if isNull(own) {
			return own
		}
		return nil
	case want == nil:
		return nullNode()
	case !isMap(want) || !isMap(below):
		return want
	}
	var layer []entry
	done := map[string]bool{}
	add := func(e entry) {
		name, ok := e.name()
		if !ok || done[name] {
			return
		}
		done[name] = true
		var ownValue *yaml.Node
		if isMap(own) {
			ownValue = values.Field(own, name)
		}
		if value := content(values.Field(below, name), ownValue, values.Field(want, name)); value != nil {
			layer = append(layer, entry{e.key, value})
		}
	}
	for _, n := range []*yaml.Node{own, want, below} {
		for _, e := range entries(n) {
			add(e)
			if _, ok := e.name(); !ok && n == own {
				layer = append(layer, e) // no path leads there
			}
		}
	}
	if len(layer) == 0 && own == nil {
		return nil
	}
	return mapOf(want, layer)
}

// same reports whether two values are equal where null and absent keys of maps
// count as equal.
func same(a, b *yaml.Node) bool {
	a, b = values.Resolve(a), values.Resolve(b)
	switch {
	case values.IsNull(a) || values.IsNull(b):
		return values.IsNull(a) && values.IsNull(b)
	case !isMap(a) || !isMap(b):
		return values.Equal(a, b)
	}
	for _, pair := range [][2]*yaml.Node{{a, b}, {b, a}} {
		for _, e := range entries(pair[0]) {
			if name, ok := e.name(); ok && !same(e.value, values.Field(pair[1], name)) {
				return false
			}
		}
	}
	return true
}
