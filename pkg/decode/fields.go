package decode

import (
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/values"
)

// pair is an entry of a mapping.
type pair struct {
	name       string
	key, value *yaml.Node
}

// pairs returns the entries of a mapping, those that merge keys bring after its own,
// and reports duplicate keys. Of duplicates the first counts.
func (d *decoder) pairs(n *yaml.Node, path string) []pair {
	var all []pair
	var merged *yaml.Node
	first := map[string]*yaml.Node{}
	for at := 0; at+1 < len(n.Content); at += 2 {
		key, value := values.Resolve(n.Content[at]), values.Resolve(n.Content[at+1])
		if key.Kind != yaml.ScalarNode {
			d.report(diag.Got(values.KindOf(key)+" as a key", "text"), path, key)
			continue
		}
		if earlier := first[key.Value]; earlier != nil {
			d.report(diag.Duplicate(values.At(earlier), values.At(key)), diag.Join(path, key.Value), key)
			continue
		}
		first[key.Value] = key
		if key.ShortTag() == "!!merge" {
			merged = value
			continue
		}
		all = append(all, pair{key.Value, key, value})
	}
	for _, source := range d.sources(merged, diag.Join(path, "<<")) {
		for _, p := range d.pairs(source, path) {
			if first[p.name] == nil {
				first[p.name] = p.key
				all = append(all, p)
			}
		}
	}
	return all
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
			d.report(diag.Got(values.KindOf(n), "a mapping to merge"), path, n)
		}
	}
	return sources
}

type field struct {
	value reflect.Value
	tag   reflect.StructTag
}

// fieldSet is what a struct takes.
type fieldSet struct {
	names  []string
	byName map[string]field
	// unknown is what unknown fields get, see Node.
	unknown string
}

// fieldsOf returns the fields of a struct and of those embedded in it, in order.
func fieldsOf(out reflect.Value) fieldSet {
	set := fieldSet{byName: map[string]field{}}
	var add func(reflect.Value)
	add = func(v reflect.Value) {
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if f.Anonymous {
				add(v.Field(i))
				continue
			}
			if f.Name == "_" {
				set.unknown = f.Tag.Get("unknown")
				continue
			}
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if name == "" || name == "-" {
				continue
			}
			set.names = append(set.names, name)
			set.byName[name] = field{v.Field(i), f.Tag}
		}
	}
	add(out)
	return set
}
