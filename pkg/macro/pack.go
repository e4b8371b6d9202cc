package macro

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// Pack is a pack that macros can refer to.
type Pack struct {
	// Name is the NAME of `.spectro.pack.NAME.PATH`: that of pack.json.
	Name string
	// Label says which pack it is where several have one name: the object and
	// the file it comes from.
	Label string
	// Values are the effective values, nil when the pack has none.
	Values *values.Tree
	// Broken says that the values can not be read: a reference to them is a
	// problem, and not an undefined name.
	Broken bool
}

// packReference returns what `.spectro.pack.` and rest come to.
func (r *Resolver) packReference(full, rest string) reading {
	name, path := r.splitPackName(rest)
	if name == "" {
		first, _, _ := strings.Cut(rest, ".")
		hint := r.hint(first, func() []string { return sortedKeys(r.packs) })
		return reading{missing: &missing{message: "there is no pack for " + shown(full) + hint + " (a selector may hide it)"}}
	}
	packs := r.packs[name]
	if len(packs) > 1 {
		labels := make([]string, len(packs))
		for i, p := range packs {
			labels[i] = p.Label
		}
		return faulty(RuleInvalid, "%s can be any of %d packs of the name %s: %s; want one", shown(full), len(packs), name, shown(strings.Join(labels, ", ")))
	}
	if packs[0].Broken {
		return faulty(RuleInvalid, "the values of pack %s can not be read, which %s needs", name, shown(full))
	}
	p, err := values.ParsePath(path)
	if err != nil {
		return faulty(RuleInvalid, "%s has no path that values can have: it is too long", shown(full))
	}
	undefined := reading{missing: &missing{message: shown(full) + " is not defined in the values of pack " + name}}
	if packs[0].Values == nil {
		return undefined
	}
	match, ok := r.find(packs[0].Values, path, p)
	switch {
	case !ok:
		return faulty(RuleInvalid, "%s can not be looked up: the macros of this run look for too much that is not there", shown(full))
	case match.State != values.Present || values.IsNull(match.Node):
		return undefined
	case match.Node.Kind == yaml.MappingNode:
		return faulty(RuleInvalid, "%s is a map, want a single value: name a key in it", shown(full))
	case match.Node.Kind == yaml.SequenceNode:
		return faulty(RuleInvalid, "%s is a list, want a single value: name an element, as in %s.0", shown(full), shown(full))
	}
	return r.value(full, name+"."+path, match.Node, undefined)
}

// splitPackName splits what stands behind `.spectro.pack.` into the longest
// name of a pack and the path behind it.
func (r *Resolver) splitPackName(rest string) (name, path string) {
	for end := strings.LastIndexByte(rest, '.'); end > 0; end = strings.LastIndexByte(rest[:end], '.') {
		if len(r.packs[rest[:end]]) > 0 {
			return rest[:end], rest[end+1:]
		}
	}
	return "", ""
}

// value returns what a scalar of a pack's values comes to: its source text
// (rule M5), and where that holds macros what these resolve to.
func (r *Resolver) value(full, label string, node *yaml.Node, undefined reading) reading {
	text := values.Source(nil, node)
	switch {
	case text == "":
		return undefined
	case len(text) > MaxResult:
		return faulty(RuleInvalid, "%s is larger than 1 MiB", shown(full))
	case !holdsMacro(text):
		return reading{text: text}
	}
	v := r.chained[node]
	if v == nil {
		v = &chained{label: label, text: text}
		r.chained[node] = v
	}
	return reading{chained: v}
}
