// Package inventory lists the content of packs: their values with the constraints of the schema,
// their presets and macros, and the origin of a value.
//
// Values that may be secrets are masked, as in messages.
//
// why.go finds the origin of a value: the layers that set it, and the presets and references that read
// it. chart.go and schema.go make JSON Schemas for editors, outdated.go compares versions with those
// in sources, and cluster.go makes a ClusterContext for the user to fill in.
package inventory

import (
	"cmp"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/hydration"
	"github.com/krm-packs/functions/pkg/internal/secret"
	"github.com/krm-packs/functions/pkg/internal/template"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/shown"
	"github.com/krm-packs/functions/pkg/preset"
	"github.com/krm-packs/functions/pkg/schema"
	"github.com/krm-packs/functions/pkg/values"
)

// Value is a value of a pack, or a key that its schema knows.
type Value struct {
	// Key is its path.
	Key string
	// Node is the value in the pack's own values, or nil if it is absent.
	Node *yaml.Node
	// Entry is the schema entry of the value, or nil if there is none.
	Entry *schema.Entry
	// Presets are the names of the presets that set or remove it.
	Presets []string
}

// Values returns the pack's own values and the keys of its schema, in the order of the
// values; keys without a value come last.
func Values(p *pack.Pack) ([]Value, error) {
	document, err := mapping(p.Values)
	if err != nil {
		return nil, err
	}
	var all []Value
	at := map[string][]int{}
	for i, leaf := range leaves(document.Root(), "") {
		all = append(all, Value{Key: leaf.path, Node: leaf.node})
		at[leaf.path] = append(at[leaf.path], i)
	}
	entries, err := EntriesOf(p)
	if err != nil {
		return nil, err
	}
	for i := range entries.all {
		e := &entries.all[i]
		found := false
		for _, m := range document.Present(e.Path) {
			list, _, _ := strings.Cut(m.Path, "[") // a list is one value
			for _, key := range []string{m.Path, list} {
				for _, n := range at[key] {
					all[n].Entry, found = e, true
				}
			}
		}
		if !found {
			all = append(all, Value{Key: e.Key, Entry: e})
		}
	}
	presets, _ := p.ReadPresets()
	sets := NewSetters(presets)
	for i := range all {
		for _, one := range sets.Of(all[i].Key) {
			all[i].Presets = append(all[i].Presets, preset.FullName(presets[one]))
		}
	}
	return all, nil
}

// Entries are the entries of the schema of a pack. The zero value has no entries.
type Entries struct {
	// all are in the order of the schema, and byKey has them by key.
	all   []schema.Entry
	byKey map[string]*schema.Entry
	// named are the paths of the values that a field beside them names like secrets.
	named map[string]bool
}

// EntriesOf returns the entries of the schema of a pack. It returns no entries if the pack has no
// schema.
func EntriesOf(p *pack.Pack) (Entries, error) {
	entries := Entries{named: namedSecrets(p)}
	if p.Schema == nil {
		return entries, nil
	}
	document, err := mapping(p.Schema)
	if err != nil {
		return entries, err
	}
	parsed, _ := schema.Parse(document)
	entries.all, entries.byKey = parsed.Entries, make(map[string]*schema.Entry, len(parsed.Entries))
	for i := range entries.all {
		entries.byKey[entries.all[i].Key] = &entries.all[i]
	}
	return entries, nil
}

// namedSecrets returns the paths of the values of a pack that a field beside them names like secrets, in one of its
// layers or in the effective values:
//
//	env:
//	- name: DB_PASSWORD
//	  value: x # env[0].value
func namedSecrets(p *pack.Pack) map[string]bool {
	var roots []*yaml.Node
	if effective, _ := p.Effective(); effective != nil {
		roots = append(roots, effective.Tree.Root())
		for _, document := range effective.Documents {
			roots = append(roots, document.Root())
		}
	} else if own, err := mapping(p.Values); err == nil {
		roots = append(roots, own.Root())
	}
	paths := map[string]bool{}
	for _, root := range roots {
		if named := secret.NamedBeside(root); len(named) > 0 {
			walk(root, "", func(path string, n *yaml.Node) {
				if named[n] {
					paths[path] = true
				}
			})
		}
	}
	return paths
}

// All returns the entries in their order.
func (all Entries) All() []schema.Entry { return all.all }

// Has reports whether the schema has a key.
func (all Entries) Has(key string) bool { return all.byKey[key] != nil }

// Of returns the entry for the value at a key, such as `hosts[0].port` or `hosts.0.port`, or nil
// if there is none. It also reports whether that entry, or the entry of a parent, marks the value
// as a secret, or a field beside it names it like one.
func (all Entries) Of(key string) (found *schema.Entry, isSecret bool) {
	isSecret = all.named[key]
	steps := strings.FieldsFunc(key, func(r rune) bool { return r == '.' || r == '[' || r == ']' })
	for i, step := range steps {
		if step == "$" || strings.Trim(step, "0123456789") == "" {
			steps[i] = values.Wildcard
		}
	}
	any := strings.Join(steps, ".")
	for _, path := range []string{key, any} {
		for end := range len(path) + 1 {
			if end == len(path) || path[end] == '.' {
				isSecret = isSecret || isSecretEntry(all.byKey[path[:end]])
			}
		}
	}
	return cmp.Or(all.byKey[key], all.byKey[any]), isSecret
}

// mapping returns the document of a source that is a map, an empty one for nil.
func mapping(source *pack.Source) (*values.Document, error) {
	if source == nil {
		return values.Parse("")
	}
	document, err := source.Mapping()
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", source.Resource.File, source.Name, err)
	}
	return document, nil
}

// leaf is a scalar, or an empty map or list, with its path.
type leaf struct {
	path string
	node *yaml.Node
}

// leaves returns the values of a tree: scalars, lists and empty mappings.
func leaves(n *yaml.Node, path string) (all []leaf) {
	pairs := values.Pairs(n)
	if len(pairs) == 0 && path != "" {
		return []leaf{{path, n}}
	}
	for _, pair := range pairs {
		if name, ok := pair.Name(); ok {
			all = append(all, leaves(pair.Value, diag.Join(path, name))...)
		}
	}
	return all
}

// Setters finds the presets that set or remove values.
type Setters struct {
	// at are the presets by the paths that they set or remove, and below by the paths above these.
	at, below map[string][]int
}

// NewSetters returns what finds presets in a list, by their indexes.
func NewSetters(presets []pack.Preset) *Setters {
	s := &Setters{map[string][]int{}, map[string][]int{}}
	for i, one := range presets {
		paths := preset.Added(one)
		for _, path := range one.Remove {
			paths = append(paths, path.String())
		}
		for _, path := range paths {
			add(s.at, path, i)
			for above := range above(path) {
				add(s.below, above, i)
			}
		}
	}
	return s
}

// add adds an index, which is not smaller than those before it, once.
func add(to map[string][]int, path string, i int) {
	if all := to[path]; len(all) == 0 || all[len(all)-1] != i {
		to[path] = append(all, i)
	}
}

// Of returns the presets that set or remove a value, or a part of it, in their order.
func (s *Setters) Of(key string) []int {
	found := slices.Concat(s.at[key], s.below[key])
	for above := range above(key) {
		found = append(found, s.at[above]...)
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// above yields the paths above a path: `a` and `a.b` of `a.b[0]`.
func above(path string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for end := range len(path) {
			if (path[end] == '.' || path[end] == '[') && !yield(path[:end]) {
				return
			}
		}
	}
}

// maxShown is the length, in code points, up to which a value is shown that not all are to see.
const maxShown = 200

// Show returns the value of a key as lists show it to an audience.
func (all Entries) Show(key string, n *yaml.Node, audience diag.Audience) string {
	return all.show(key, n, false, audience)
}

// show returns a value as an audience may see it, on one line.
func (all Entries) show(key string, n *yaml.Node, isNamed bool, audience diag.Audience) string {
	n = values.Resolve(n)
	switch {
	case n == nil:
		return "(absent)"
	case values.IsNull(n):
		return "null"
	case n.Kind == yaml.MappingNode:
		if len(n.Content) == 0 {
			return "{}"
		}
		return "a map"
	case n.Kind == yaml.SequenceNode:
		if len(n.Content) == 0 {
			return "[]"
		}
		return fmt.Sprintf("a list of %d", len(n.Content))
	case n.Value == "":
		return `""`
	}
	entry, isSecret := all.Of(key)
	class := schema.Context{Context: secret.Context{Path: key, IsSecret: isSecret || isNamed}, Entry: entry}.ClassOf(n)
	text := []rune(diag.OneLine(n.Value))
	switch {
	case !audience.Sees(class):
		return shown.Hidden
	case audience != diag.All && len(text) > maxShown:
		return string(text[:maxShown]) + "…"
	}
	return string(text)
}

// Accepted returns the constraint of a schema entry, such as `required, number in [1-10]`.
func Accepted(entry *schema.Entry) string {
	if entry == nil {
		return ""
	}
	var parts []string
	if entry.Template.Required {
		parts = append(parts, "required")
	}
	if entry.Template.ReadOnly {
		parts = append(parts, "read-only")
	}
	if entry.Template.Format != nil {
		parts = append(parts, entry.Template.Format.String())
	}
	return strings.Join(parts, ", ")
}

// Macro is a macro in the values of a pack.
type Macro struct {
	// Key is the path of the value that has it, in Source.
	Key string
	// Source is the document of the layer: the values of the pack, or of an override.
	Source *pack.Source
	// Position is the position of the value in the source, or of the comment that keeps the
	// macro.
	Position diag.Position
	// IsKept is true if the macro is resolved: a comment keeps the macro, and the value is its
	// result.
	IsKept bool
	// Names are the names that the macro reads, such as `.spectro.var.HOST`. Other parts of the
	// macro may contain values.
	Names []string
}

// MacroName matches a name that a macro reads, such as `.spectro.var.HOST`.
var MacroName = regexp.MustCompile(`\.spectro\.[A-Za-z0-9_.-]*[A-Za-z0-9_]`)

// Macros returns the macros in all layers of a pack's values, including resolved macros that
// comments keep.
func Macros(p *pack.Pack) ([]Macro, error) {
	var all []Macro
	for _, layer := range p.Layers() {
		sources, err := layer.Sources(hydration.Partly)
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", layer.Resource.File, layer.Name, err)
		}
		walk(sources.Values(), "", func(path string, n *yaml.Node) {
			var names []string
			for _, action := range template.Actions(n.Value) {
				if action.Macro {
					names = append(names, MacroName.FindAllString(action.Code, -1)...)
				}
			}
			if len(names) > 0 {
				slices.Sort(names)
				all = append(all, Macro{path, layer, values.At(n), sources.Result(n) != nil, slices.Compact(names)})
			}
		})
	}
	return all, nil
}

// walk visits all scalars below a node.
func walk(n *yaml.Node, path string, visit func(string, *yaml.Node)) {
	n = values.Resolve(n)
	switch {
	case n == nil:
	case n.Kind == yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			walk(n.Content[i+1], diag.Join(path, n.Content[i].Value), visit)
		}
	case n.Kind == yaml.SequenceNode:
		for i, child := range n.Content {
			walk(child, fmt.Sprintf("%s[%d]", path, i), visit)
		}
	default:
		visit(path, n)
	}
}
