package upgrade

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/values"
)

// edit is a value that the user has set in the pack's own values, or has removed there.
type edit struct {
	keys []string
	// key is the key in the package, nil for a removed value.
	key *yaml.Node
	// isOrphan says that the newer version has no such key.
	isOrphan bool
	// blocked is the path at which the newer version has something that cannot hold the
	// value, nil if the value is carried over.
	blocked []string
}

// versions are the values of one path in three versions, nil where they are absent: the
// older version without edits, the package, and the newer version.
type versions struct{ base, user, next *yaml.Node }

// merge carries the edits of a package over to a newer version: what differs between base
// and user is laid on next. Mappings are compared key by key, all else as a whole. A value
// that the user has removed is removed, also if the newer version has changed it.
type merge struct{ edits []edit }

// place is what is known of the values above.
type place struct {
	keys []string
	key  *yaml.Node
	// isOrphan and blocked are those of an edit.
	isOrphan bool
	blocked  []string
}

// below returns the place of a key of a mapping.
func (p place) below(name string, key *yaml.Node) place {
	p.keys, p.key = append(slices.Clip(p.keys), name), key
	return p
}

// values returns the values of the newer version with the edits: next itself without any.
func (m *merge) values(v versions) *yaml.Node {
	empty := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	if v.base == nil {
		v.base = empty
	}
	if v.user == nil {
		v.user = empty
	}
	return m.mapping(place{}, v)
}

func (m *merge) value(at place, v versions) *yaml.Node {
	if v.base != nil {
		at.isOrphan = v.next == nil
	}
	// Only the user has keys there.
	isFilled := isMapping(v.base) && len(v.base.Content) == 0 && !isMapping(v.next) && !values.IsNull(v.next)
	switch {
	case isMapping(v.user) && (isMapping(v.base) && !isFilled || isMapping(v.next) && (v.base == nil || len(v.user.Content) > 0)):
		return m.mapping(at, v)
	case values.Equal(v.base, v.user), v.user == nil && v.next == nil:
		return v.next
	}
	m.edits = append(m.edits, edit(at))
	return v.user
}

func (m *merge) mapping(at place, v versions) *yaml.Node {
	if !isMapping(v.next) && !values.IsNull(v.next) && at.blocked == nil {
		at.blocked = slices.Clip(at.keys)
	}
	base, user, next := byName(v.base), byName(v.user), byName(v.next)
	var content []*yaml.Node
	isChanged := false
	add := func(name string, key *yaml.Node) {
		own, now := user[name], next[name]
		got := m.value(at.below(name, own.Key), versions{base[name].Value, own.Value, now.Value})
		isChanged = isChanged || got != now.Value
		if got != nil {
			content = append(content, key, got)
		}
	}
	for _, p := range values.Pairs(v.next) {
		add(nameOf(p), p.Key)
	}
	for _, p := range values.Pairs(v.user) {
		if name := nameOf(p); next[name].Value == nil {
			add(name, p.Key)
		}
	}
	if !isChanged || at.blocked != nil {
		return v.next
	}
	return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: content}
}

func isMapping(n *yaml.Node) bool { return n != nil && n.Kind == yaml.MappingNode }

// byName returns the pairs of a mapping by their names, none for all else.
func byName(n *yaml.Node) map[string]values.Pair {
	all := map[string]values.Pair{}
	for _, p := range values.Pairs(n) {
		all[nameOf(p)] = p
	}
	return all
}

// nameOf returns the name of a key: its text, or the JSON of a key that is a collection.
func nameOf(p values.Pair) string {
	name, ok := p.Name()
	if !ok {
		name, _ = values.JSON(p.Key)
	}
	return name
}

// pathOf writes keys as a path.
func pathOf(keys []string) string {
	path := ""
	for _, key := range keys {
		path = diag.Join(path, key)
	}
	return path
}

// joined makes one text of keys, which may have dots.
func joined(keys []string) string { return strings.Join(keys, "\x00") }
