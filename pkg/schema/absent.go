package schema

import (
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// replaced reports, once, the value of an override that replaces a map of the pack in
// which a required value would be.
func (c *checker) replaced(m *values.Match) bool {
	n, own := c.values.Tree.Root(), c.own
	for i, step := range m.Steps {
		if n == nil {
			return false
		}
		if n.Kind == yaml.MappingNode && !step.IsIndex {
			n, own = c.values.Tree.Follow(n, m.Steps[i:i+1]), c.ownBelow(own, step.Key)
			continue
		}
		layer := slices.IndexFunc(c.values.Layers, func(d *values.Document) bool { return values.Follow(d.Root(), m.Steps[:i]) == n })
		if own == nil || own.Kind != yaml.MappingNode || layer < 0 {
			return false
		}
		f := diag.Got(values.KindOf(n)+" that replaces the pack's map", "a map with the required key "+step.Key)
		c.add(f.Of(rule.ValuesRequired), c.values.Layers[layer].Origin(), keyOf(m.Steps[:i]), n)
		return true
	}
	return false
}

// maxSearched limits for how many missing values one check searches all overrides.
const maxSearched = 200

// elsewhere reports a key of an override that would be the required value if it were indented
// differently.
func (c *checker) elsewhere(m *values.Match) bool {
	last := len(m.Steps) - 1
	if c.searched++; c.searched > maxSearched || c.values.Own == nil || last < 0 || m.Steps[last].IsIndex {
		return false
	}
	key := m.Steps[last:]
	for _, layer := range slices.Backward(c.values.Layers) {
		if layer == c.values.Own {
			continue
		}
		for i := last - 1; i >= 0 && !m.Steps[i].IsIndex; i-- { // nothing can be indented below a list
			if c.holds(layer, m.Steps[:i], key) {
				f := diag.Say("%s is required, but missing: this key is not below %s", m.Path, keyOf(m.Steps[i:last]))
				return c.misindented(f.Do("indent it below "+keyOf(m.Steps[i:last])), layer, values.Below(m.Steps[:i], key...))
			}
		}
		for _, p := range values.Pairs(values.Follow(layer.Root(), m.Steps[:last])) {
			name, ok := p.Name()
			if below := values.Below(m.Steps[:last], values.Key(name)); ok && c.holds(layer, below, key) {
				f := diag.Say("%s is required, but missing: this key is below %s", m.Path, name)
				return c.misindented(f.Do("indent it like "+name), layer, values.Below(below, key...))
			}
		}
	}
	return false
}

// misindented reports the key of a layer at steps.
func (c *checker) misindented(f diag.Finding, layer *values.Document, steps []values.Step) bool {
	c.emit(f.In(layer.Origin(), keyOf(steps), values.At(keyAt(layer, steps))).Of(rule.ValuesRequired))
	return true
}

// keyAt returns the key of a layer at steps, or nil if there is none.
func keyAt(layer *values.Document, steps []values.Step) *yaml.Node {
	last := len(steps) - 1
	for _, p := range values.Pairs(values.Follow(layer.Root(), steps[:last])) {
		if name, ok := p.Name(); ok && name == steps[last].Key {
			return p.Key
		}
	}
	return nil
}

// holds reports whether a layer has a key at steps where neither the pack's own values nor
// the schema have it.
func (c *checker) holds(layer *values.Document, steps, key []values.Step) bool {
	at := values.Below(steps, key...)
	n := values.Follow(layer.Root(), at)
	return !values.IsNull(n) && !isEmpty(n) && values.Follow(c.own, at) == nil && c.schema.keys.follow(at) == nil
}

// keyOf returns steps as a finding has them.
func keyOf(steps []values.Step) string {
	var path string
	for _, step := range steps {
		if step.IsIndex {
			path += fmt.Sprintf("[%d]", step.Index)
			continue
		}
		path = diag.Join(path, step.Key)
	}
	return path
}
