package pack

import (
	"bytes"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/values"
)

// isGroup reports whether an apiVersion has the group of the content kinds, or one that is
// a near miss.
func isGroup(apiVersion string) bool {
	group, _, _ := strings.Cut(apiVersion, "/")
	return group == Group || nearest.IsMisspelt(group, Group)
}

// IsConfigMap reports whether an item is a ConfigMap, even if its kind or version is misspelt.
func IsConfigMap(item *list.Item) bool {
	return !strings.Contains(item.APIVersion(), "/") && (item.Kind() == "ConfigMap" || nearest.IsMisspelt(item.Kind(), "ConfigMap"))
}

// isNearCluster reports whether an item is a ClusterContext but for a near miss in its
// kind or group.
func isNearCluster(item *list.Item) bool {
	const kind = ClusterContextKind
	return isGroup(item.APIVersion()) && !IsCluster(item) && (item.Kind() == kind || nearest.IsMisspelt(item.Kind(), kind)) && !InCluster(item)
}

// MayHaveFile reports whether the text of an item may contain one of the named files, even if
// the name of the file is misspelt. Call it before parsing an item; it may report true for an
// item without the file.
func MayHaveFile(item *list.Item, names ...string) bool {
	return slices.ContainsFunc(names, item.Mentions) || hasKey(item, names)
}

// hasKey reports whether the text of an item may have a key that is almost one of some names: a
// word before a colon. It saves parsing other items.
func hasKey(item *list.Item, names []string) bool {
	text := item.Text()
	for {
		colon := bytes.IndexByte(text, ':')
		if colon < 0 {
			return false
		}
		word := bytes.TrimRight(text[:colon], `"' `)
		word = word[bytes.LastIndexAny(word, " \t\r\n\"'{,")+1:]
		for _, name := range names {
			if nearest.IsMisspelt(string(word), name) {
				return true
			}
		}
		text = text[colon+1:]
	}
}

// fields iterates over the keys and values of a map; there are none in anything else.
func fields(n *yaml.Node) func(yield func(key, value *yaml.Node) bool) {
	return func(yield func(key, value *yaml.Node) bool) {
		if n = values.Resolve(n); n == nil || n.Kind != yaml.MappingNode {
			return
		}
		for at := 0; at+1 < len(n.Content); at += 2 {
			if !yield(values.Resolve(n.Content[at]), values.Resolve(n.Content[at+1])) {
				return
			}
		}
	}
}

// Misspelt returns the keys of a map that are probably misspellings of a field that the map does
// not have (see nearest.IsTypo). Packs and bundles may have any field, but a misspelt one that
// is not read would let everything pass.
func Misspelt(n *yaml.Node, field string) []*yaml.Node {
	return KeysLike(n, field, func(key string, _ *yaml.Node) bool { return nearest.IsTypo(key, field) })
}

// KeysLike returns the keys of a map for which like reports true, for a field that the map
// does not have. If the map has the field, or is not a map, it returns nil. Call it to find a
// field under another name.
func KeysLike(n *yaml.Node, field string, like func(key string, value *yaml.Node) bool) []*yaml.Node {
	if values.Field(n, field) != nil {
		return nil
	}
	var keys []*yaml.Node
	for key, value := range fields(n) {
		if like(key.Value, value) {
			keys = append(keys, key)
		}
	}
	return keys
}

// metadataFields are the fields of pack.json that identify a pack.
var metadataFields = []string{"name", "version", "layer"}

// misspelt reports keys that are a slip of a field that is not there, and returns the
// fields: an unread schema would let everything pass.
func (l *loader) misspelt(origin *diag.Origin, n *yaml.Node, known ...string) (found []string) {
	for _, field := range known {
		for _, key := range Misspelt(n, field) {
			f := diag.Unknown("field", key.Value, nil).In(origin, key.Value, values.At(key))
			f.Nearest = field
			l.invalid(f)
			found = append(found, field)
		}
	}
	return found
}

// misplaced reports the lists of constraints that are next to constraints, where no
// function reads them. A Pack has a field dependencies for other entries there.
//
// misspelt are the fields that were reported as misspelt.
func (l *loader) misplaced(origin *diag.Origin, root *yaml.Node, misspelt []string) {
	for name, entryFields := range map[string][]string{
		"dependencies": {"packName", "minVersion", "maxVersion"},
		"resources":    {"minLimit", "components"},
	} {
		if slices.Contains(misspelt, name) {
			continue
		}
		for key, value := range fields(root) {
			if key.Value != name && !nearest.IsMisspelt(key.Value, name) || value.Kind != yaml.SequenceNode {
				continue
			}
			isConstraint := func(entry *yaml.Node) bool {
				return slices.ContainsFunc(entryFields, func(field string) bool { return values.Field(entry, field) != nil })
			}
			if slices.ContainsFunc(value.Content, isConstraint) {
				l.invalid(diag.Say("is not in constraints, so it is not read").Do("move it to constraints."+name).In(origin, key.Value, values.At(key)))
			}
		}
	}
}
