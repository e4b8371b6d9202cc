package upgrade

import (
	"cmp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/node"
	"github.com/krm-packs/functions/pkg/values"
)

// versions are the values of one path in three versions, nil where they are absent: the
// older version without edits, the package, and the newer version.
type versions struct{ base, user, next *yaml.Node }

// roots are the values of three documents, empty mappings where there are none.
func roots(base, user, next *values.Document) versions {
	root := func(d *values.Document) *yaml.Node {
		return cmp.Or(d.Root(), node.Map())
	}
	return versions{root(base), root(user), root(next)}
}

// merge carries the edits of a package over to a newer version: what differs between base
// and user is laid on next. Mappings are compared key by key, all else as a whole. A value
// that the user has removed is removed, also if the newer version has changed it.
type merge struct{ edits []edit }

// edit is the edit of a value.
type edit struct {
	// keys are the steps to the value.
	keys []string
	// key is the key in the package, nil where it has none: the user has removed it.
	key *yaml.Node
	// isOrphan is true if the newer version has no place for the value.
	isOrphan bool
	// blocked is the path where the newer version contains something that cannot hold the value,
	// or nil if the value is carried over.
	blocked []string
}

// below returns the place of a key of a mapping.
func (p edit) below(name string, key *yaml.Node) edit {
	p.keys, p.key = append(slices.Clip(p.keys), name), key
	return p
}

// value returns the value of the upgraded package, and notes an edit.
func (m *merge) value(at edit, v versions) *yaml.Node {
	if v.base != nil {
		at.isOrphan = v.next == nil
	}
	switch {
	// If only the user has keys there, they are one edit unless there is room for them.
	case isMapping(v.user) && (isMapping(v.next) || isMapping(v.base) && (len(v.base.Content) > 0 || values.IsNull(v.next))):
		return m.mapping(at, v)
	case values.Equal(v.base, v.user), v.user == nil && v.next == nil:
		return v.next
	}
	m.edits = append(m.edits, at)
	return v.user
}

// mapping returns the mapping of the newer version with the edits: next itself without any.
func (m *merge) mapping(at edit, v versions) *yaml.Node {
	if !isMapping(v.next) && !values.IsNull(v.next) && at.blocked == nil {
		at.blocked = slices.Clip(at.keys)
	}
	base, user, next := byName(v.base), byName(v.user), byName(v.next)
	var content []*yaml.Node
	isChanged := false
	add := func(name string, key *yaml.Node) {
		now := next[name].Value
		got := m.value(at.below(name, user[name].Key), versions{base[name].Value, user[name].Value, now})
		isChanged = isChanged || got != now
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
	return node.Map(content...)
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
