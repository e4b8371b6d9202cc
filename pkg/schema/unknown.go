package schema

import (
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
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
	u := unknowns{schema: s, keys: s.keys(), values: v, seen: map[string]bool{}, found: found}
	var known []*yaml.Node
	if v.Own != nil {
		known = append(known, v.Own.Root())
	}
	for _, added := range v.Added {
		known = append(known, added.Root())
	}
	for _, document := range v.Layers {
		u.origin = document.Origin()
		clear(u.seen)
		if document == v.Own {
			u.misspelt()
			continue
		}
		u.walk(document.Root(), known, u.keys, "")
	}
}

type unknowns struct {
	schema *Schema
	keys   *keyTree
	values Values
	// origin is the place of the current layer, and seen are the paths in it that were
	// reported.
	origin   *diag.Origin
	seen     map[string]bool
	comparer comparer
	found    func(diag.Finding)
}

// walk reports the topmost unknown keys below n, at a path. known are the values there
// whose keys are known, and keys those of the schema.
func (u *unknowns) walk(n *yaml.Node, known []*yaml.Node, keys *keyTree, path string) {
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
		next, covered := below[name], keys.find(name)
		switch {
		case covered != nil && covered.isEntry || slices.ContainsFunc(next, isFree):
		case covered != nil || len(next) > 0:
			u.walk(p.Value, next, covered, diag.Join(path, name))
		default:
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
			u.add(f, p.Key, diag.Join(path, name))
		}
	}
}

// isFree reports whether a known value accepts keys of any name: it has none that a
// key could be compared with.
func isFree(n *yaml.Node) bool { return n.Kind != yaml.MappingNode || len(n.Content) == 0 }

// misspelt reports keys of the pack's own values that are not in the schema, and are
// near a key of the schema that is in no values.
func (u *unknowns) misspelt() {
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
				u.add(f, p.Key, path)
			}
		}
	}
}

func (u *unknowns) add(f diag.Finding, key *yaml.Node, path string) {
	if !u.seen[path] {
		u.seen[path] = true
		u.found(f.In(u.origin, path, values.At(key)).Of(RuleUnknownKey))
	}
}
