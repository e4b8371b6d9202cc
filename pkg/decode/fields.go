package decode

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/values"
)

// pair is an entry of a mapping.
type pair struct {
	name       string
	key, value *yaml.Node
}

// pairs returns the entries of a mapping, those that merge keys bring after its own,
// and reports duplicate keys. Of duplicates the first counts. The caller resets the stack, on which
// they are, when it is done.
func (d *decoder) pairs(n *yaml.Node, path string) []pair {
	from := len(d.stack)
	var merged *yaml.Node
	var seen keys
	for at := 0; at+1 < len(n.Content); at += 2 {
		key, value := values.Resolve(n.Content[at]), values.Resolve(n.Content[at+1])
		if key.Kind != yaml.ScalarNode {
			d.report(diag.Got(values.KindOf(key)+" as a key", "a string"), path, key)
			continue
		}
		if earlier := seen.add(key); earlier != nil {
			d.report(diag.Duplicate(values.At(earlier), values.At(key)), diag.Join(path, key.Value), key)
			continue
		}
		if key.ShortTag() == "!!merge" {
			merged = value
			continue
		}
		d.stack = append(d.stack, pair{key.Value, key, value})
	}
	if merged == nil {
		return d.stack[from:]
	}
	for _, source := range d.sources(merged, diag.Join(path, "<<")) {
		own := len(d.stack)
		for _, p := range d.pairs(source, path) { // each takes its own place, or one before it
			if seen.add(p.key) == nil {
				d.stack[own], own = p, own+1
			}
		}
		d.stack = d.stack[:own]
	}
	return d.stack[from:]
}

// keys are the keys of a mapping that were read. Most mappings have few, which are found without an
// index.
type keys struct {
	// few are the keys of a small mapping. A large one has many instead, by name.
	few   []*yaml.Node
	space [12]*yaml.Node // of few
	many  map[string]*yaml.Node
}

// add adds a key, unless there is an equal one, which it returns.
func (k *keys) add(key *yaml.Node) (earlier *yaml.Node) {
	if k.many == nil {
		for _, one := range k.few {
			if one.Value == key.Value {
				return one
			}
		}
		if len(k.few) < len(k.space) {
			k.few = append(k.space[:len(k.few)], key)
			return nil
		}
		k.many = map[string]*yaml.Node{}
		for _, one := range k.few {
			k.many[one.Value] = one
		}
	}
	if earlier = k.many[key.Value]; earlier == nil {
		k.many[key.Value] = key
	}
	return earlier
}

// sources returns the mappings that a merge key brings: one, or a list of them, of
// which earlier ones count more. merged is nil when there is no merge key.
func (d *decoder) sources(merged *yaml.Node, path string) []*yaml.Node {
	if merged == nil {
		return nil
	}
	all := []*yaml.Node{merged}
	if merged.Kind == yaml.SequenceNode {
		all = merged.Content
	}
	var sources []*yaml.Node
	for _, n := range all {
		if n = values.Resolve(n); n.Kind == yaml.MappingNode {
			sources = append(sources, n)
		} else {
			d.report(diag.Got(values.KindOf(n), "a map to merge"), path, n)
		}
	}
	return sources
}

// field is a field of a struct, where in it and of which type.
type field struct {
	// at is its place among the names of the set.
	at int
	// index leads to the field in the struct, kind is its type, and tag its tag.
	index []int
	kind  reflect.Type
	tag   reflect.StructTag
}

// fieldSet contains the fields that a struct accepts.
type fieldSet struct {
	// names are the names in the order of the struct, and byName the fields.
	names  []string
	byName map[string]field
	// spec is the field with the content of a resource, or nil if the struct does not require one.
	spec *field
	// unknown is the tag for unknown fields, see Node.
	unknown string
}

// fieldSets caches the fields of the types that were decoded, of which a program has few.
var fieldSets sync.Map

// fieldsOf returns the fields of a struct and of those embedded in it, in order.
func fieldsOf(t reflect.Type) *fieldSet {
	if set, known := fieldSets.Load(t); known {
		return set.(*fieldSet)
	}
	set := &fieldSet{byName: map[string]field{}}
	set.add(t, nil)
	if spec, ok := set.byName[specField]; ok && spec.tag.Get("required") == "true" {
		set.spec = &spec
	}
	fieldSets.Store(t, set)
	return set
}

// add adds the fields of a struct and of the structs that it embeds.
func (s *fieldSet) add(t reflect.Type, at []int) {
	for i := range t.NumField() {
		f, index := t.Field(i), append(slices.Clip(at), i)
		if f.Anonymous {
			s.add(f.Type, index)
			continue
		}
		if f.Name == "_" {
			s.unknown = f.Tag.Get("unknown")
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		s.byName[name] = field{len(s.names), index, f.Type, f.Tag}
		s.names = append(s.names, name)
	}
}

// specField is the field of a resource that holds its content.
const specField = "spec"

// metadataKeys are the fields of metadata. A field of a spec never has one of these names.
var metadataKeys = []string{"name", "generateName", "namespace", "labels", "annotations", "uid", "resourceVersion", "generation", "creationTimestamp",
	"deletionTimestamp", "deletionGracePeriodSeconds", "finalizers", "ownerReferences", "managedFields", "selfLink"}

// isOfSpec reports whether an unknown field may be one of the spec: one of its fields, or any
// other name for a spec that is decoded later.
func (s *fieldSet) isOfSpec(p pair) bool {
	of := s.spec.kind
	if of == nodeType {
		return nearest.Misspelt(p.name, s.names) == "" && nearest.Misspelt(p.name, metadataKeys) == ""
	}
	for of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	return of.Kind() == reflect.Struct && slices.Contains(fieldsOf(of).names, p.name)
}

// withoutSpec returns one finding for a resource that requires a spec, but has the fields of the
// spec elsewhere: beside the place of spec, or in metadata, if only the line "spec:" is missing. It
// returns nil for other resources.
//
//	metadata: {name: vault}
//	version: 1.2.3   # belongs below spec
func (s *fieldSet) withoutSpec(n *yaml.Node, unknown []pair) *diag.Finding {
	const indent, insert = "indent %s below it", "write spec: in the line before %s, which metadata has now"
	for action, all := range map[string][]pair{indent: unknown, insert: metadataPairs(n)} {
		var names []string
		var first *yaml.Node
		for _, p := range all {
			if s.isOfSpec(p) && (action == indent || !slices.Contains(metadataKeys, p.name)) {
				names = append(names, p.name)
				first = cmp.Or(first, p.key)
			}
		}
		if len(names) > 0 && (action == indent || !slices.ContainsFunc(unknown, s.isOfSpec)) {
			return new(diag.Missing("").Do(fmt.Sprintf(action, diag.AllOf(names))).At("", values.At(first)))
		}
	}
	return nil
}

// metadataPairs returns the entries of the metadata of a resource.
func metadataPairs(n *yaml.Node) []pair {
	metadata := values.Field(n, "metadata")
	if metadata == nil || metadata.Kind != yaml.MappingNode {
		return nil
	}
	return (&decoder{}).pairs(metadata, "")
}
