package schema

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/nearest"
	"github.com/krm-packs/functions/pkg/values"
)

// Unknown returns the keys of the values that neither the schema nor the pack's
// own values nor its presets know: an override that is misspelt takes effect
// nowhere. What the pack ships is known by that, except for a key that reads
// like one of the schema's that no values have. Below a list, or a map that the
// pack ships empty, any key may stand.
//
// Without a baseline the schema alone says what is known.
func (s *Schema) Unknown(v Values) []Finding {
	u := unknowns{schema: s}
	if v.Own != nil {
		u.known = append(u.known, v.Own.Root())
	}
	for _, added := range v.Added {
		u.known = append(u.known, added.Root())
	}
	for layer, document := range v.Layers {
		u.layer = layer
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
	layer    int
	findings []Finding
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
			u.report(key, below, u.siblings(known, path))
		case slices.ContainsFunc(next, isFree):
		default:
			u.walk(n.Content[at+1], next, below)
		}
	}
}

// isFree reports whether keys of any name may stand below a known value: it
// ships none that a key could be compared with.
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
	return names
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

// misspelt reports keys of the pack's own values that the schema does not know
// and that read like a key of the schema that no values have.
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
				u.add(key, path(name), fmt.Sprintf("is unknown to the schema, which has %s, that no values have%s", e.Key, nearest.Hint(name, steps[at:at+1])))
				break
			}
		}
	}
}

func (u *unknowns) report(key *yaml.Node, path string, names []string) {
	hint := nearest.Hint(key.Value, names)
	if hint == "" && len(names) == 0 {
		hint = "; nothing is known there"
	}
	u.add(key, path, "is known neither to the schema nor to the pack's own values"+hint)
}

func (u *unknowns) add(key *yaml.Node, path, detail string) {
	if slices.ContainsFunc(u.findings, func(f Finding) bool { return f.Key == path && f.Layer == u.layer }) {
		return
	}
	u.findings = append(u.findings, Finding{
		Rule:     RuleUnknownKey,
		Key:      path,
		Detail:   detail,
		Layer:    u.layer,
		Position: values.At(key),
	})
}
