package set

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/nearest"
	"github.com/krm-packs/functions/pkg/values"
)

// reader reads a resource of a foreign kind: wrong types are faults, and fields
// that it does not know are not.
type reader struct{ faults }

// object is a mapping with its place.
type object struct {
	reader *reader
	node   *yaml.Node
	path   string
	// given says that there is a mapping, which may be empty.
	given bool
	// others are the fields that are not known, key and value in turn.
	others []*yaml.Node
}

// element is an element of a list with its place.
type element struct {
	node *yaml.Node
	path string
}

// object takes a mapping whose fields are known. Null counts as absent.
func (r *reader) object(n *yaml.Node, path string, known ...string) object {
	o := r.open(n, path, known...)
	for at := 0; at < len(o.others); at += 2 {
		name := o.others[at].Value
		r.faults = append(r.faults, Fault{
			Rule: RuleInvalid, Path: o.at(name), Warning: true,
			Message: fmt.Sprintf("unknown field, which has no effect; known are %s%s", strings.Join(known, ", "), nearest.Hint(name, known)),
		})
	}
	return o
}

// open is object for a mapping that may have other fields too.
func (r *reader) open(n *yaml.Node, path string, known ...string) object {
	o := object{reader: r, path: path}
	if values.IsNull(n) {
		return o
	}
	n = values.Resolve(n)
	if n.Kind != yaml.MappingNode {
		r.invalid(path, "got %s, want a mapping with %s", function.KindOf(n), strings.Join(known, ", "))
		return o
	}
	o.node, o.given = n, true
	seen := map[string]bool{}
	for at := 0; at+1 < len(n.Content); at += 2 {
		key := values.Resolve(n.Content[at])
		switch {
		case key.ShortTag() == "!!merge":
		case seen[key.Value]:
			r.invalid(o.at(key.Value), "is given twice")
		case !slices.Contains(known, key.Value):
			o.others = append(o.others, key, n.Content[at+1])
		}
		seen[key.Value] = true
	}
	return o
}

func (o object) at(name string) string { return o.path + "." + name }

func (o object) field(name string) *yaml.Node {
	if !o.given {
		return nil
	}
	return values.Resolve(values.Field(o.node, name))
}

// object takes a field that is a mapping.
func (o object) object(name string, known ...string) object {
	return o.reader.object(o.field(name), o.at(name), known...)
}

// text takes a field that is text, nil when it is absent.
func (o object) text(name string) *string {
	return o.reader.text(o.field(name), o.at(name))
}

// string is text with "" for what is absent.
func (o object) string(name string) string {
	if text := o.text(name); text != nil {
		return *text
	}
	return ""
}

func (r *reader) text(n *yaml.Node, path string) *string {
	switch {
	case values.IsNull(n):
		return nil
	case n.Kind != yaml.ScalarNode:
		r.invalid(path, "got %s, want text", function.KindOf(n))
		return nil
	case n.ShortTag() != "!!str":
		r.invalid(path, "got %s, want text: put it in quotes", function.KindOf(n))
		return nil
	}
	return &n.Value
}

// list takes a field that is a list, nil when it is absent. Elements that can not
// be read keep their places: paths count them.
func (o object) list(name string) []element {
	n := o.field(name)
	if values.IsNull(n) {
		return nil
	}
	if n.Kind != yaml.SequenceNode {
		o.reader.invalid(o.at(name), "got %s, want a list", function.KindOf(n))
		return nil
	}
	all := []element{}
	for i, e := range n.Content {
		path := fmt.Sprintf("%s[%d]", o.at(name), i)
		if values.IsNull(e) {
			o.reader.invalid(path, "got nothing: fill the entry or remove it")
		}
		all = append(all, element{values.Resolve(e), path})
	}
	return all
}

// listOrOne is list for a field in which a single mapping stands for a list of
// one.
func (o object) listOrOne(name string) []element {
	n := o.field(name)
	if values.IsNull(n) || n.Kind != yaml.MappingNode {
		return o.list(name)
	}
	o.reader.add(RuleAlias, o.at(name), "a single mapping is read as a list of one: write a list")
	return []element{{n, o.at(name)}}
}

// strings takes a field that is a list of texts, nil when it is absent.
func (o object) strings(name string) []string {
	elements := o.list(name)
	if elements == nil {
		return nil
	}
	all := []string{}
	for _, e := range elements {
		text := ""
		if read := o.reader.text(e.node, e.path); read != nil {
			text = *read
		}
		all = append(all, text)
	}
	return all
}

// stringMap takes a field that maps texts to texts, nil when it is absent.
func (o object) stringMap(name string) map[string]string {
	n := o.field(name)
	if values.IsNull(n) {
		return nil
	}
	path := o.at(name)
	if n.Kind != yaml.MappingNode {
		o.reader.invalid(path, "got %s, want a mapping", function.KindOf(n))
		return nil
	}
	all := map[string]string{}
	o.reader.fill(all, n, path)
	return all
}

// fill takes the entries of a mapping, those of merge keys first.
func (r *reader) fill(all map[string]string, n *yaml.Node, path string) {
	seen := map[string]bool{}
	for at := 0; at+1 < len(n.Content); at += 2 {
		key, value := values.Resolve(n.Content[at]), values.Resolve(n.Content[at+1])
		if key.ShortTag() != "!!merge" {
			continue
		}
		merged := []*yaml.Node{value}
		if value.Kind == yaml.SequenceNode {
			merged = slices.Clone(value.Content)
			slices.Reverse(merged) // the first counts
		}
		for _, m := range merged {
			if m = values.Resolve(m); m.Kind == yaml.MappingNode {
				r.fill(all, m, path)
			}
		}
	}
	for at := 0; at+1 < len(n.Content); at += 2 {
		key, value := values.Resolve(n.Content[at]), values.Resolve(n.Content[at+1])
		where := path + "." + key.Value
		switch {
		case key.ShortTag() == "!!merge":
			continue
		case key.Kind != yaml.ScalarNode:
			r.invalid(path, "a key is %s, want text", function.KindOf(key))
			continue
		case seen[key.Value]:
			r.invalid(where, "is given twice")
			continue
		case values.IsNull(value):
			r.invalid(where, `got nothing, want text: write "" for an empty one`)
			continue
		}
		seen[key.Value] = true
		if text := r.text(value, where); text != nil {
			all[key.Value] = *text
		}
	}
}
