package preset

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// walkLeaves visits the leaves that differ between two trees, in the order of the first.
// A leaf is a value that is not a map in the second tree, or an empty map there; nil is an
// absent value.
func walkLeaves(a, b *yaml.Node, at []string, visit func(at []string, a, b *yaml.Node)) {
	a, b = values.Resolve(a), values.Resolve(b)
	switch {
	case a == b:
	case isMap(b) && (isMap(a) || len(b.Content) > 0 || len(at) == 0):
		inA, inB := values.ByName(a), values.ByName(b)
		for _, name := range keysOf(a, b) {
			walkLeaves(inA[name], inB[name], append(at[:len(at):len(at)], name), visit)
		}
	case !values.Equal(a, b):
		visit(at, a, b)
	}
}

// keysOf returns the keys of several maps, each once. It ignores nodes that are not maps.
func keysOf(maps ...*yaml.Node) []string {
	var all []string
	seen := map[string]bool{}
	for _, m := range maps {
		for _, e := range values.Pairs(m) {
			if name, ok := e.Name(); ok && !seen[name] {
				seen[name] = true
				all = append(all, name)
			}
		}
	}
	return all
}

// touched are the values that a preset affects: the leaves that it adds, and the values that it
// removes, by their paths.
type touched struct {
	// added are the leaves, and removed the paths.
	added   map[string]*yaml.Node
	removed map[string]bool
}

func pathText(steps []string) string { return strings.Join(steps, "\x00") }

// allTouched returns what each preset affects in values. A list is one leaf.
func allTouched(presets []pack.Preset, root *yaml.Node) []touched {
	var all []touched
	for _, p := range presets {
		t := touched{map[string]*yaml.Node{}, map[string]bool{}}
		walkLeaves(nil, added(p), nil, func(at []string, _, n *yaml.Node) { t.added[pathText(at)] = n })
		for _, path := range p.Remove {
			for _, match := range values.Find(root, path) {
				var steps []string
				for _, step := range match.Steps {
					if step.IsIndex {
						break // a list is one leaf
					}
					steps = append(steps, step.Key)
				}
				t.removed[pathText(steps)] = true
			}
		}
		all = append(all, t)
	}
	return all
}

// has reports whether the preset contains a path, or a path above it.
func (t touched) has(at []string) bool {
	for n := range at {
		if path := pathText(at[:n+1]); t.added[path] != nil || t.removed[path] {
			return true
		}
	}
	return false
}

// changed returns what applying presets changes of what they had set in an earlier run, by the
// record: for each preset the paths of values that were edited, or that another definition of the
// preset sets. A value that another one of the presets, or of the record, adds is left out: it
// comes and goes with the steps of a pipeline.
func (t Target) changed(presets []pack.Preset, record Record, known []pack.Preset) ([][]string, error) {
	own, _, err := t.own()
	if err != nil {
		return nil, err
	}
	others := allTouched(slices.Concat(presets, record.find(known)), nil) // that may have added a value
	found := make([][]string, len(presets))
	seen := map[string]bool{}
	for _, below := range t.below() {
		before := overlay(below, own)
		after, err := outcome(before, presets)
		if err != nil {
			return nil, err
		}
		touches := allTouched(presets, before)
		walkLeaves(before, after, nil, func(at []string, a, b *yaml.Node) {
			path := pathText(at)
			last := len(presets) - 1
			for last >= 0 && !touches[last].has(at) {
				last--
			}
			isAdded := func(t touched) bool { return a != nil && t.added[path] != nil && values.Equal(t.added[path], a) }
			if last < 0 || seen[path] || !record.Has(presets[last]) || slices.ContainsFunc(others, isAdded) || below != nil && isSame(a, b) {
				return
			}
			seen[path] = true
			found[last] = append(found[last], strings.Join(at, "."))
		})
	}
	return found, nil
}

// left returns the paths of the values that a preset added and that presets which come after it
// leave as they are.
func (t Target) left(former pack.Preset, presets ...pack.Preset) ([]string, error) {
	own, _, err := t.own()
	if err != nil {
		return nil, err
	}
	var paths []string
	seen := map[string]bool{}
	for _, below := range t.below() {
		before := overlay(below, own)
		touches := allTouched(presets, before)
		walkLeaves(nil, added(former), nil, func(at []string, _, n *yaml.Node) {
			path := strings.Join(at, ".")
			isTouched := func(t touched) bool { return t.has(at) }
			if !seen[path] && values.Equal(values.Follow(before, values.Keys(at...)), n) && !slices.ContainsFunc(touches, isTouched) {
				seen[path] = true
				paths = append(paths, path)
			}
		})
	}
	return paths, nil
}
