package variant

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/nearest"
	"github.com/krm-packs/functions/pkg/values"
)

// reader reads a document of which not all fields are known: those that are have
// to be of their types, and all faults are collected.
type reader struct{ problems []Problem }

// field is a value with the path that leads to it; its node is nil when it is
// absent.
type field struct {
	node *yaml.Node
	path string
}

func (f field) child(key string) field {
	return field{values.Field(f.node, key), join(f.path, key)}
}

func (f field) element(i int, n *yaml.Node) field {
	return field{values.Resolve(n), fmt.Sprintf("%s[%d]", f.path, i)}
}

func (f field) given() bool { return !values.IsNull(f.node) }

func (r *reader) fail(f field, format string, args ...any) {
	r.problems = append(r.problems, Problem{Rule: RuleInvalid, Path: f.path, Message: fmt.Sprintf(format, args...), Position: values.At(f.node)})
}

// isMapping reports whether f is a mapping, and says when it is not.
func (r *reader) isMapping(f field, want string) bool {
	switch {
	case !f.given():
		r.fail(f, "is required: want %s", want)
	case f.node.Kind != yaml.MappingNode:
		r.fail(f, "got %s, want %s", kindOf(f.node), want)
	default:
		return true
	}
	return false
}

// known warns of fields that are most probably misspelt. Others may be of a
// newer version, and are left alone.
func (r *reader) known(f field, names ...string) {
	given := map[string]bool{}
	for i := 0; i+1 < len(f.node.Content); i += 2 {
		given[values.Text(f.node.Content[i])] = true
	}
	var free []string
	for _, name := range names {
		if !given[name] {
			free = append(free, name)
		}
	}
	for i := 0; i+1 < len(f.node.Content); i += 2 {
		key := values.Text(f.node.Content[i])
		if slices.Contains(names, key) || key == "" {
			continue
		}
		if hint := nearest.Hint(key, free); hint != "" {
			r.problems = append(r.problems, Problem{
				Rule: RuleInvalid, Warning: true, Path: join(f.path, key), Position: values.At(f.node.Content[i]),
				Message: fmt.Sprintf("unknown field, which does nothing%s; known are %s", hint, strings.Join(names, ", ")),
			})
		}
	}
}

func isText(n *yaml.Node) bool {
	return n != nil && n.Kind == yaml.ScalarNode && n.ShortTag() == "!!str"
}

// text returns a text, "" when it is absent or none.
func (r *reader) text(f field, required bool) string {
	switch {
	case !f.given():
		if required {
			r.fail(f, "is required")
		}
		return ""
	case !isText(f.node):
		hint := ""
		if f.node.Kind == yaml.ScalarNode {
			hint = ": put it in quotes"
		}
		r.fail(f, "got %s, want text%s", kindOf(f.node), hint)
		return ""
	case f.node.Value == "" && required:
		r.fail(f, "is empty; fill it")
	}
	return f.node.Value
}

// optional returns a text that may be absent, which is not the same as empty.
func (r *reader) optional(f field) *string {
	if !f.given() {
		return nil
	}
	text := r.text(f, false)
	if !isText(f.node) {
		return nil
	}
	return &text
}

// revision takes numbers too: Porch's newer versions write them so.
func (r *reader) revision(f field) string {
	if f.given() && f.node.Kind == yaml.ScalarNode && f.node.ShortTag() == "!!int" {
		return f.node.Value
	}
	return r.text(f, false)
}

func (r *reader) oneOf(f field, names ...string) string {
	text := r.text(f, false)
	if text != "" && !slices.Contains(names, text) {
		r.fail(f, "got %q, want %s%s", text, function.OneOf(names), nearest.Hint(text, names))
	}
	return text
}

// list returns the elements of a list, none when it is absent or none.
func (r *reader) list(f field, want string) []*yaml.Node {
	if !f.given() {
		return nil
	}
	if f.node.Kind != yaml.SequenceNode {
		r.fail(f, "got %s, want %s", kindOf(f.node), want)
		return nil
	}
	return f.node.Content
}

// texts returns a mapping of texts, and its keys as they were written.
func (r *reader) texts(f field) (map[string]string, []string) {
	if !f.given() {
		return nil, nil
	}
	if f.node.Kind != yaml.MappingNode {
		r.fail(f, "got %s, want a mapping of texts", kindOf(f.node))
		return nil, nil
	}
	all := map[string]string{}
	var order []string
	for _, e := range entries(f.node) {
		at := field{values.Resolve(e.value), join(f.path, e.key)}
		if !at.given() {
			r.fail(at, "got nothing, want text")
			continue
		}
		all[e.key] = r.text(at, false)
		order = append(order, e.key)
	}
	return all, order
}

// entry is a key of a mapping with its value.
type entry struct {
	key   string
	value *yaml.Node
}

// entries returns the entries of a mapping, those of its merge keys included;
// of a key that stands more than once the last one.
func entries(n *yaml.Node) []entry {
	n = values.Resolve(n)
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	var all []entry
	place := map[string]int{}
	put := func(e entry, over bool) {
		if at, there := place[e.key]; there {
			if over {
				all[at] = e
			}
			return
		}
		place[e.key] = len(all)
		all = append(all, e)
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if key := values.Resolve(n.Content[i]); key.Kind == yaml.ScalarNode && key.ShortTag() != "!!merge" {
			put(entry{key.Value, n.Content[i+1]}, true)
		}
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if values.Resolve(n.Content[i]).ShortTag() != "!!merge" {
			continue
		}
		merged := values.Resolve(n.Content[i+1])
		parts := []*yaml.Node{merged}
		if merged.Kind == yaml.SequenceNode {
			parts = merged.Content
		}
		for _, part := range parts {
			for _, e := range entries(part) {
				put(e, false)
			}
		}
	}
	return all
}
