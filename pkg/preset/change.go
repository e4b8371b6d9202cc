package preset

import (
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
)

// Change is a change of an effective value. What it holds may be a secret and is
// not told.
type Change struct {
	// Preset is the index of the preset that makes the change: the last one that
	// names the path.
	Preset int
	// Path is the highest place that changes, `server.ha`.
	Path string
	Kind Kind
}

// changes returns what the presets change between two states of the values.
// layered says that null counts as absent: it is how a layer hides what is below
// it.
func changes(before, after *yaml.Node, presets []pack.Preset, layered bool) []Change {
	var found []Change
	report := func(kind Kind, at []values.Step) {
		names := make([]string, len(at))
		for i, step := range at {
			names[i] = step.Key
		}
		found = append(found, Change{Preset: namedBy(before, at, presets), Path: strings.Join(names, "."), Kind: kind})
	}
	var walk func(before, after *yaml.Node, at []values.Step)
	walk = func(before, after *yaml.Node, at []values.Step) {
		for _, e := range entries(before) {
			name, ok := e.name()
			if !ok {
				continue
			}
			step, now := extended(at, values.Step{Key: name}), values.Field(after, name)
			switch {
			case layered && isNull(e.value) && now == nil:
			case now == nil:
				report(Removed, step)
			case isMap(e.value) && isMap(now):
				walk(e.value, now, step)
			case !values.Equal(e.value, now):
				report(Set, step)
			}
		}
		for _, e := range entries(after) {
			if name, ok := e.name(); ok && values.Field(before, name) == nil {
				report(Added, extended(at, values.Step{Key: name}))
			}
		}
	}
	walk(before, after, nil)
	return found
}

// namedBy returns the last preset that names a path of the values or one above
// or below it.
func namedBy(before *yaml.Node, path []values.Step, presets []pack.Preset) int {
	for i := len(presets) - 1; i > 0; i-- {
		if adds(presets[i], path) {
			return i
		}
		for _, gone := range presets[i].Remove {
			if left, err := remove(before, gone); err == nil && !values.Equal(at(left, path), at(before, path)) {
				return i
			}
		}
	}
	return 0
}

func adds(p pack.Preset, path []values.Step) bool {
	if p.Add == nil {
		return false
	}
	n := p.Add.Root()
	for _, step := range path {
		if !isMap(n) {
			break
		}
		n = values.Field(n, step.Key)
	}
	return n != nil
}
