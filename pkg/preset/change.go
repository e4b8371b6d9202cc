package preset

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// Kind says what became of a value.
type Kind int

// The kinds of changes of effective values.
const (
	Added Kind = iota
	Set
	Removed
	// Replaced is a change that does not last: a later preset makes another
	// value of it, or the one that was there before.
	Replaced
)

// Change is a change of an effective value. What it holds may be a secret and is
// not told.
type Change struct {
	// Preset is the index of the preset that makes the change.
	Preset int
	// Path is the highest place that changes, `server.ha`.
	Path string
	Kind Kind
	// By is the index of the later preset of a change that is Replaced.
	By int
}

// changes returns what each preset changes of the values as they were, and what
// later ones replace of that. states are the values, and what they come to after
// each of the presets. layered says that null counts as absent: it is how a layer hides
// what is below it.
func changes(states []*yaml.Node, presets []pack.Preset, layered bool) []Change {
	c := changer{states: states, layered: layered}
	last := states[len(states)-1]
	for i := range presets {
		c.preset = i
		known := len(c.found)
		c.within(step{states[0], states[i], states[i+1], last}, nil)
		if len(c.found) > known || i+1 == len(presets) {
			continue
		}
		// The values were as the preset has them. They may not be so any more.
		if again, err := outcomes(last, presets[i:i+1]); err == nil {
			c.within(step{again[1], again[0], again[1], again[0]}, nil)
		}
	}
	return c.found
}

// step is what a preset makes of a value: what it was at first, before the
// preset and after it, and what it comes to in the end. Nil is absent.
type step struct{ first, before, after, last *yaml.Node }

func (s step) field(name string) step {
	return step{values.Field(s.first, name), values.Field(s.before, name), values.Field(s.after, name), values.Field(s.last, name)}
}

type changer struct {
	states  []*yaml.Node
	layered bool
	preset  int
	found   []Change
}

// within looks at the keys of a value that the preset changes.
func (c *changer) within(s step, path []string) {
	known := map[string]bool{}
	for _, n := range []*yaml.Node{s.before, s.after} {
		for _, e := range entries(n) {
			if name, ok := e.name(); ok && !known[name] {
				known[name] = true
				c.value(s.field(name), append(path[:len(path):len(path)], name))
			}
		}
	}
}

func (c *changer) value(s step, path []string) {
	switch {
	case c.equal(s.before, s.after):
	case isMap(s.before) && isMap(s.after):
		c.within(s, path)
	case !c.equal(s.after, s.last) && isMap(s.last) && (len(entries(s.after)) > 0 || s.after == nil && isMap(s.before)):
		known := len(c.found)
		c.within(s, path)
		within := c.found[known:]
		lasts := slices.ContainsFunc(within, func(change Change) bool { return change.Kind != Replaced })
		switch {
		case !lasts && isMap(s.after) && s.first == nil: // that it is a map
			c.report(Added, path)
		case !lasts && isMap(s.after) && !isMap(s.first):
			c.report(Set, path)
		case len(within) == 0:
			c.report(Replaced, path)
		}
	case !c.equal(s.after, s.last) && !(isMap(s.last) && isMap(s.after)):
		c.report(Replaced, path)
	case c.equal(s.first, s.after): // a preset before this one had changed it
	case isMap(s.first) && len(entries(s.after)) > 0:
		c.within(s, path)
	case s.first == nil:
		c.report(Added, path)
	case s.after == nil:
		c.report(Removed, path)
	default:
		c.report(Set, path)
	}
}

func (c *changer) equal(a, b *yaml.Node) bool {
	if a == nil || b == nil {
		return a == b || c.layered && (a == nil || isNull(a)) && (b == nil || isNull(b))
	}
	return values.Equal(a, b)
}

func (c *changer) report(kind Kind, path []string) {
	change := Change{Preset: c.preset, Path: strings.Join(path, "."), Kind: kind}
	if kind == Replaced {
		change.By = c.replacedBy(path)
	}
	c.found = append(c.found, change)
}

// replacedBy returns the last preset that changes the value at a path.
func (c *changer) replacedBy(path []string) int {
	for i := len(c.states) - 2; i > c.preset; i-- {
		if !c.equal(values.Field(c.states[i], path...), values.Field(c.states[i+1], path...)) {
			return i
		}
	}
	return c.preset
}
