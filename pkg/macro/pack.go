package macro

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/internal/template"
	"github.com/krm-packs/functions/pkg/values"
)

// Pack is a pack that macros can refer to.
type Pack struct {
	// Name is the NAME of `.spectro.pack.NAME.PATH`: the name in pack.json.
	Name string
	// Resource identifies the pack in messages, when several have one name.
	Resource diag.Resource
	// Values are the effective values, or nil if the pack has none.
	Values *values.Tree
	// Unreadable reports whether the values cannot be read. A reference to them is an error, and
	// not an undefined name.
	Unreadable bool
	// Reported reports whether the caller reports the faults of the values, because it resolves
	// them as well. A macro that reads such a value stays in place, without a finding. Cycles are
	// reported at every macro that leads to them.
	Reported bool
	// Result returns the value that an earlier run put into the place of a node of Values, or nil
	// for a node that is no source. The value is read if its source cannot be resolved, because a
	// fact is not in this run. Result may be nil.
	Result func(*yaml.Node) *yaml.Node
}

// packReference returns the value of a pack reference. rest is the name after
// `.spectro.pack.`.
func (r *Resolver) packReference(full, rest string) reading {
	name, path := r.splitPackName(rest)
	if name == "" {
		first, _, _ := strings.Cut(rest, ".")
		f := diag.NotFound("pack", first, r.similar(first, func() []string { return slices.Sorted(maps.Keys(r.packs)) }))
		out := unresolved(f)
		out.missing.Unseen, out.missing.absent = f.Unseen, true
		return out
	}
	packs := r.packs[name]
	if len(packs) > 1 {
		out := invalid(ambiguous(full, packs))
		out.fault.absent = true
		return out
	}
	return r.packValue(full, packs[0], path)
}

// packValue returns the value at a path in a pack.
func (r *Resolver) packValue(full string, p Pack, path string) reading {
	if p.Unreadable {
		out := invalid(diag.Say("the values of pack %q cannot be read", p.Name))
		out.fault.silent = p.Reported
		return out
	}
	parsed, err := values.ParsePath(path)
	if err != nil {
		return invalid(diag.Say("%v", err))
	}
	var match values.Match // a pack without values has none
	if p.Values != nil {
		var ok bool
		if match, ok = r.find(p.Values, path, parsed); !ok {
			return invalid(diag.Say("the macros of this run search for too many values that do not exist"))
		}
	}
	node := match.Node
	text := values.Source(node)
	switch {
	case match.State != values.Present || values.IsNull(node) || node.Kind == yaml.ScalarNode && text == "":
		f := diag.Say("pack %q has no value at %s", p.Name, path)
		if match.State == values.Absent && p.Values != nil {
			f.Nearest = r.similarPath(p.Values.Root(), path)
		}
		return unresolved(f)
	case node.Kind == yaml.MappingNode:
		return invalid(diag.Got("a map at "+full, "a single value").Saying("%s is a map, but a macro needs a single value", full).Do("name a key of the map"))
	case node.Kind == yaml.SequenceNode:
		return invalid(diag.Got("a list at "+full, "a single value").Saying("%s is a list, but a macro needs a single value", full).Do("name an element, as in " + full + ".0"))
	case len(text) > MaxResult:
		return invalid(tooLong(full, text))
	case !template.HasMacro(text):
		return reading{text: text} // the source text
	}
	v := r.chained[node]
	if v == nil {
		v = &chained{label: p.Name + "." + path, text: text, reported: p.Reported}
		if p.Result != nil {
			v.result = p.Result(node)
		}
		r.chained[node] = v
	}
	return reading{chained: v}
}

// maxSimilarKeys is the number of keys above which a map is not searched for a near
// one.
const maxSimilarKeys = 1000

// similarPath returns the path of a single value that a path probably means: one key of it is
// misspelt. It is "" if there is none.
func (r *Resolver) similarPath(n *yaml.Node, path string) string {
	above, step, below := "", path, ""
	for more := true; more; {
		step, below, more = strings.Cut(path[len(above):], ".")
		next := values.Field(n, step)
		if next == nil {
			break
		}
		n, above = next, above+step+"."
	}
	fits := func(key string) bool {
		p, err := values.ParsePath(strings.TrimSuffix(key+"."+below, "."))
		if err != nil {
			return false
		}
		match := values.Find(n, p)[0]
		return match.State == values.Present && match.Node.Kind == yaml.ScalarNode && !values.IsNull(match.Node)
	}
	known := r.similar(step, func() []string {
		var keys []string
		if n != nil && len(n.Content) > 2*maxSimilarKeys {
			return nil
		}
		for _, pair := range values.Pairs(n) {
			if key, ok := pair.Name(); ok && fits(key) {
				keys = append(keys, key)
			}
		}
		return keys
	})
	key := nearest.Name(step, known)
	if key == "" {
		return ""
	}
	return strings.TrimSuffix(above+key+"."+below, ".")
}

// ambiguous makes a finding of a reference to several packs.
func ambiguous(full string, packs []Pack) diag.Finding {
	names := make([]string, len(packs))
	for i, p := range packs {
		if names[i] = p.Resource.String(); p.Resource.File != "" {
			names[i] += " in " + p.Resource.File
		}
	}
	return diag.Got(fmt.Sprintf("%d packs for %s (%s)", len(packs), full, diag.AllOf(names)), "one").
		Saying("%s is ambiguous, because %d packs are named %q: %s", full, len(packs), packs[0].Name, diag.AllOf(names)).Do("give each pack its own name")
}

// splitPackName splits the name after `.spectro.pack.` into the longest name of a
// pack and the path after it.
func (r *Resolver) splitPackName(rest string) (name, path string) {
	for end := strings.LastIndexByte(rest, '.'); end > 0; end = strings.LastIndexByte(rest[:end], '.') {
		if len(r.packs[rest[:end]]) > 0 {
			return rest[:end], rest[end+1:]
		}
	}
	return "", ""
}
