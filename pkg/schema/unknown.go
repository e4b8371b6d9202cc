package schema

import (
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// Unknown returns a finding for each key of the values that is neither in the schema
// nor in the pack's own values nor in its presets: a misspelt override has no effect.
// The pack's own keys are known, except one that is near a key of the schema that is
// in no values. Below a list, or a map that the pack ships empty, any key is
// accepted.
//
// Without a baseline only the keys of the schema are known.
func (s *Schema) Unknown(v Values) []diag.Finding {
	var findings []diag.Finding
	s.unknown(v, func(f diag.Finding) { findings = append(findings, f) })
	return findings
}

// unknown is Unknown that keeps no findings.
func (s *Schema) unknown(v Values, found func(diag.Finding)) {
	(&overrides{schema: s, values: v, found: found, unknown: true, reported: map[place]bool{}}).judge()
}

// overrides looks for keys and values of overrides that have no effect, or another one
// than they seem to have.
type overrides struct {
	// unknown asks for each unknown key, and slips for what is probably a mistake: see
	// slip.go.
	unknown, slips bool

	schema *Schema
	keys   *keyTree
	values Values
	// origin is the place of the current layer.
	origin *diag.Origin
	// reported are the places of findings that were made, those of others included.
	reported map[place]bool
	comparer comparer
	found    func(diag.Finding)
}

// place is a key of a layer.
type place struct {
	layer *diag.Origin
	key   string
}

// judge walks the layers.
func (u *overrides) judge() {
	u.keys = u.schema.keys()
	var own *yaml.Node
	var known []*yaml.Node
	if u.values.Own != nil {
		own = u.values.Own.Root()
		known = append(known, own)
	}
	for _, added := range u.values.Added {
		known = append(known, added.Root())
	}
	for _, document := range u.values.Layers {
		u.origin = document.Origin()
		switch {
		case document != u.values.Own:
			u.walk(document.Root(), own, known, u.keys, "")
		case u.unknown:
			u.misspelt()
		}
	}
}

// walk reports the topmost unknown keys below n, at a path. own is the pack's own value
// there, known are it and those of presets, and keys those of the schema.
func (u *overrides) walk(n, own *yaml.Node, known []*yaml.Node, keys *keyTree, path string) {
	below := map[string][]*yaml.Node{} // the known values by their keys
	for _, k := range known {
		for _, p := range values.Pairs(k) {
			if name, ok := p.Name(); ok {
				below[name] = append(below[name], p.Value)
			}
		}
	}
	var names []string
	for _, p := range values.Pairs(n) {
		name, ok := p.Name()
		if !ok {
			continue
		}
		next, covered, at := below[name], keys.find(name), diag.Join(path, name)
		if u.slips && (covered == nil || !covered.isJudged) {
			u.typeChanged(p.Value, u.own(own, name), next, at)
		}
		switch {
		case covered != nil && covered.isEntry || slices.ContainsFunc(next, isFree):
		case covered != nil || len(next) > 0:
			u.walk(p.Value, u.own(own, name), next, covered, at)
		case u.slips && u.misplaced(p.Key, name, own, path):
		case u.slips && !u.unknown:
			u.nearKey(p.Key, name, n, own, path)
		case u.unknown:
			if names == nil {
				names = slices.Collect(maps.Keys(below))
				if keys != nil {
					names = slices.AppendSeq(names, maps.Keys(keys.below))
				}
				slices.Sort(names)
				names = slices.Compact(names)
			}
			f := diag.Unknown("key", name, nil)
			if u.comparer.may(names) {
				f = diag.Unknown("key", name, names)
			}
			u.add(f.Of(rule.ValuesUnknownKey), p.Key, at)
		}
	}
}

// own returns the value at keys below a node of the pack's own values.
func (u *overrides) own(n *yaml.Node, keys ...string) *yaml.Node {
	if u.values.Own == nil {
		return nil
	}
	return u.values.Own.Follow(n, values.Keys(keys...))
}

// isFree reports whether a known value accepts keys of any name: it has none that a
// key could be compared with.
func isFree(n *yaml.Node) bool { return n.Kind != yaml.MappingNode || len(n.Content) == 0 }

// misspelt reports keys of the pack's own values that are not in the schema, and are
// near a key of the schema that is in no values.
func (u *overrides) misspelt() {
	for _, e := range u.schema.Entries {
		if u.values.have(e.Path) {
			continue
		}
		steps := keySteps(e.Path)
		at, name := u.comparer.nearKey(u.values.Own, steps, u.keys)
		if name == "" {
			continue
		}
		f := diag.Say("is not in the schema, whose key %s is in no values", e.Key)
		f.Nearest = steps[at].Key
		path := ""
		for _, step := range append(steps[:at:at], values.Key(name)) {
			path = diag.Join(path, step.Key)
		}
		for _, p := range values.Pairs(values.Follow(u.values.Own.Root(), steps[:at])) {
			if found, ok := p.Name(); ok && found == name {
				u.add(f.Of(rule.ValuesUnknownKey), p.Key, path)
			}
		}
	}
}

// add reports a finding at a node of the current layer, unless one is there.
func (u *overrides) add(f diag.Finding, n *yaml.Node, path string) {
	if at := (place{u.origin, path}); !u.reported[at] {
		u.reported[at] = true
		u.found(f.In(u.origin, path, values.At(n)))
	}
}
