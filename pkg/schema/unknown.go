package schema

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/nearest"
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
	u := unknowns{schema: s}
	if v.Own != nil {
		u.known = append(u.known, v.Own.Root())
	}
	for _, added := range v.Added {
		u.known = append(u.known, added.Root())
	}
	for _, document := range v.Layers {
		u.origin = document.Origin()
		if document == v.Own {
			u.misspelt(v)
			continue
		}
		u.walk(document.Root(), u.known, "")
	}
	return u.findings
}

type unknowns struct {
	schema *Schema
	// known are the roots of the values whose keys are known.
	known    []*yaml.Node
	origin   *diag.Origin
	findings []diag.Finding
}

// walk reports the topmost unknown keys below n; known are the nodes at the
// same path of the values that are known.
func (u *unknowns) walk(n *yaml.Node, known []*yaml.Node, path string) {
	n = values.Resolve(n)
	if n == nil || n.Kind != yaml.MappingNode {
		return
	}
	for at := 0; at+1 < len(n.Content); at += 2 {
		key := n.Content[at]
		if key.Tag == "!!merge" {
			u.walk(n.Content[at+1], known, path)
			continue
		}
		below := key.Value
		if path != "" {
			below = path + "." + key.Value
		}
		var next []*yaml.Node
		for _, k := range known {
			if found := values.Field(k, key.Value); found != nil {
				next = append(next, found)
			}
		}
		covered := u.schema.covers(below)
		switch {
		case len(next) == 0 && !covered:
			u.add(diag.Unknown("key", key.Value, u.siblings(known, path)), key, below)
		case slices.ContainsFunc(next, isFree):
		default:
			u.walk(n.Content[at+1], next, below)
		}
	}
}

// isFree reports whether a known value accepts keys of any name: it has none that a
// key could be compared with.
func isFree(n *yaml.Node) bool { return n.Kind != yaml.MappingNode || len(n.Content) == 0 }

// siblings returns the keys that are known at a path.
func (u *unknowns) siblings(known []*yaml.Node, path string) []string {
	var names []string
	for _, k := range known {
		if k != nil && k.Kind == yaml.MappingNode {
			names = append(names, keysOf(k)...)
		}
	}
	for _, e := range u.schema.Entries {
		if rest, ok := below(e.Key, path); ok {
			names = append(names, rest)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// below returns the first step of a dotted key below a path.
func below(key, path string) (string, bool) {
	if path != "" {
		if len(key) <= len(path) || key[:len(path)] != path || key[len(path)] != '.' {
			return "", false
		}
		key = key[len(path)+1:]
	}
	for i := range len(key) {
		if key[i] == '.' {
			return key[:i], true
		}
	}
	return key, true
}

// misspelt reports keys of the pack's own values that are not in the schema, and are
// near a key of the schema that is in no values.
func (u *unknowns) misspelt(v Values) {
	for _, e := range u.schema.Entries {
		if v.have(e.Path) {
			continue
		}
		parent, at := deepest(v.Own.Root(), e.Path)
		if parent == nil {
			continue
		}
		steps := e.Path.Steps()
		path := func(key string) string { return strings.Join(append(slices.Clone(steps[:at]), key), ".") }
		candidates := slices.DeleteFunc(keysOf(parent), func(key string) bool { return u.schema.covers(path(key)) })
		name := nearest.Name(steps[at], candidates)
		for i := 0; name != "" && i+1 < len(parent.Content); i += 2 {
			if key := parent.Content[i]; key.Value == name {
				f := diag.Say("is not in the schema, whose key %s is in no values", e.Key)
				f.Nearest = steps[at]
				u.add(f, key, path(name))
				break
			}
		}
	}
}

func (u *unknowns) add(f diag.Finding, key *yaml.Node, path string) {
	if !slices.ContainsFunc(u.findings, func(f diag.Finding) bool { return f.Key == path && f.Origin == u.origin }) {
		u.findings = append(u.findings, f.In(u.origin, path, values.At(key)).Of(RuleUnknownKey))
	}
}
