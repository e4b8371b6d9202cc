package values

import (
	"slices"

	"go.yaml.in/yaml/v3"
)

// End is the index after the last entry, for Insert.
const End = -1

// Insert returns the document with the entries of src, the elements of a list or the
// pairs of a map, before the entry at the index of the list or map at the steps;
// after the last one when the index is their number. Comments stay with the entries that
// they are about. Where nothing is, or null, or an empty map or list, src is set. An
// src without entries changes nothing. [End] is the index after the last entry.
//
// The error is an *EditError: something else is at the steps, the map has a key of
// src, the index is too large, or see Set.
//
// For example, with b at the index 1 of hosts:
//
//	hosts:      hosts:
//	- a # one   - a # one
//	- c         - b
//	            - c
func (d *Document) Insert(at []Step, index int, src *Document) (*Document, error) {
	if err := d.editable(); err != nil {
		return nil, err
	}
	src, err := d.source(src)
	if err != nil || src.Root() == nil || len(src.Root().Content) == 0 {
		return d, err
	}
	have := Follow(d.Root(), at)
	if have == nil || isNull(have) || have.Kind == src.Root().Kind && len(have.Content) == 0 {
		return d.Set(at, src)
	}
	over := src.Root()
	if have.Kind != over.Kind {
		return nil, reject(have, "this is %s: %s cannot be inserted", KindOf(have), KindOf(over))
	}
	if index == End {
		index = entries(have)
	}
	if index < 0 || index > entries(have) {
		return nil, reject(have, "there are %d entries: nothing can be inserted at %d", entries(have), index)
	}
	return d.edit(at, func(l *layout, fallback bool) (plan, error) {
		t := l.follow(at)
		if len(t.missing) > 0 && t.blocked == nil {
			t.block(reject(have, "this comes from a merge key"))
		}
		if t.blocked != nil {
			return plan{}, t.blocked
		}
		c := t.last()
		if c.node.Kind == yaml.AliasNode {
			return plan{}, reject(c.node, "this is the alias *%s: an edit of what is in it would change line %d", c.node.Value, c.node.Alias.Line)
		}
		if used := d.anchors().used[c.node]; len(used) > 0 {
			return plan{}, rejectShared(c.node, c.node, used)
		}
		for i := 0; over.Kind == yaml.MappingNode && i < entries(over); i++ {
			if _, ok := newKeyIndex(c.node).counterpart(over.Content[2*i]); ok {
				return plan{}, reject(c.node, "the key %q is there already", keyText(over.Content[2*i]))
			}
		}
		m := merger{to: l, from: src.layout(), fallback: fallback}
		result := *c.node
		size := len(result.Content) / entries(c.node)
		result.Content = slices.Insert(slices.Clone(result.Content), index*size, over.Content...)
		err := m.add(c, index-1, crumb{node: over, at: rootContext}, numbers(0, entries(over)))
		return plan{m.splices, replaced(t.crumbs, &result)}, err
	})
}

// numbers returns the numbers from one to another, the last excluded.
func numbers(from, to int) []int {
	var all []int
	for ; from < to; from++ {
		all = append(all, from)
	}
	return all
}
