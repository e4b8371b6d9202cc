package values

import (
	"go.yaml.in/yaml/v3"
)

// Merge returns the document with the content of src laid over the value at
// the steps (rule P3 of presets): maps merge deeply, everything else replaces,
// an explicit null sets null, {} over a map and an empty src change nothing. A
// value that is already equal stays byte for byte. New keys come last in their
// map, in the order of src and with its comments; a scalar that replaces
// another keeps the comment on its line.
//
// An *EditError says why the documents can not be merged; see Set.
func (d *Document) Merge(at []Step, src *Document) (*Document, error) {
	if err := d.editable(); err != nil || src.Root() == nil {
		return d, err
	}
	src, err := d.source(src)
	if err != nil {
		return nil, err
	}
	l := d.layout()
	t := l.follow(at)
	if len(t.crumbs) == 0 || len(t.missing) > 0 {
		return d.Set(at, src)
	}
	n := t.last().node
	want, err := laidOver(n, src.Root())
	if err != nil {
		return nil, err
	}
	if want == n {
		return d, nil
	}
	if n.Kind != yaml.MappingNode || len(n.Content) == 0 || src.Root().Kind != yaml.MappingNode {
		return d.Set(at, src)
	}
	if t.blocked != nil {
		return nil, t.blocked
	}
	where := rootPlace
	if c := t.last(); c.parent != nil {
		where = l.inside(c.parent, c.at)
	}
	return d.edit(at, func(l *layout, anew bool) (plan, error) {
		m := merger{to: l, from: src.layout(), anew: anew}
		err := m.maps(n, where, src.Root(), rootPlace)
		return plan{m.splices, replaced(t.crumbs, want)}, err
	})
}

// laidOver returns the tree that results from laying over on n: n itself when
// nothing changes. It is what the text of a merge is held against.
func laidOver(n, over *yaml.Node) (*yaml.Node, error) {
	target := dealias(n)
	if target.Kind != yaml.MappingNode || over.Kind != yaml.MappingNode {
		if Equal(n, over) {
			return n, nil
		}
		return over, nil
	}
	result := *target
	result.Content = append([]*yaml.Node(nil), target.Content...)
	changed := false
	keys := newKeyIndex(target)
	for _, p := range pairs(over) {
		old, known := keys.counterpart(p.Key)
		if known && p.Key.Kind != yaml.ScalarNode {
			if !Equal(old.Value, p.Value) {
				return nil, refuse(old.Key, "the value of a key that is a map or a list can not be replaced")
			}
			continue
		}
		if !known {
			result.Content = append(result.Content, p.Key, p.Value)
			changed = true
			continue
		}
		value, err := laidOver(old.Value, p.Value)
		if err != nil {
			return nil, err
		}
		switch {
		case value == old.Value:
			continue
		case old.Merged && value != p.Value:
			return nil, refuse(old.Key, "the key %q comes from a merge key and would change for every map that uses it", p.Key.Value)
		case old.Merged:
			result.Content = append(result.Content, p.Key, p.Value)
		default:
			result.Content[2*keys.explicit(p.Key.Value)+1] = value
		}
		changed = true
	}
	if !changed {
		return n, nil
	}
	if n != target {
		return nil, refuse(n, "this is the alias *%s: an edit of what is in it would change line %d", n.Value, target.Line)
	}
	return &result, nil
}

// merger writes the text of a merge.
type merger struct {
	to, from *layout
	anew     bool
	splices  []splice
}

// maps lays the map over, which stands at the place overAt of the source, on
// the map n, which is not empty.
func (m *merger) maps(n *yaml.Node, at place, over *yaml.Node, overAt place) error {
	before := len(m.splices)
	var fresh []int
	keys := newKeyIndex(n)
	for i := 0; i < len(over.Content)/2; i++ {
		key, value := over.Content[2*i], over.Content[2*i+1]
		old, known := keys.counterpart(key)
		switch {
		case known && Equal(old.Value, value):
		case !known || old.Merged:
			fresh = append(fresh, i)
		default:
			if err := m.value(n, keys.explicit(key.Value), at, over, i, overAt); err != nil {
				return err
			}
		}
	}
	if len(fresh) > 0 {
		if err := m.add(n, at, over, fresh, overAt); err != nil {
			return err
		}
	}
	if used := m.to.d.anchors().used[n]; len(used) > 0 && len(m.splices) > before {
		return refuseShared(n, n, used)
	}
	return nil
}

// value lays the i-th value of over on the entry of n at index.
func (m *merger) value(n *yaml.Node, index int, at place, over *yaml.Node, i int, overAt place) error {
	old, value := n.Content[2*index+1], over.Content[2*i+1]
	if target := dealias(old); target.Kind == yaml.MappingNode && value.Kind == yaml.MappingNode {
		if merged, err := laidOver(old, value); err != nil || merged == old {
			return err
		}
		if len(old.Content) > 0 {
			return m.maps(old, m.to.inside(n, at), value, m.from.inside(over, overAt))
		}
	}
	if err := m.to.d.usedElsewhere(old); err != nil {
		return err
	}
	e, err := m.to.entry(n, index, at)
	if err != nil {
		return err
	}
	var s splice
	if e.in.flow {
		s, err = m.to.putFlow(e, value)
	} else {
		var f fragment
		if m.anew {
			f, err = plainFragment(value)
		} else {
			f, err = m.from.valueFragment(over, i, overAt)
		}
		if err == nil {
			s, err = m.to.put(e, f, m.to.habitsOf(n))
		}
	}
	if err != nil {
		return err
	}
	m.splices = append(m.splices, s)
	return nil
}

// add writes the pairs of over at the indexes behind the last pair of n.
func (m *merger) add(n *yaml.Node, at place, over *yaml.Node, indexes []int, overAt place) error {
	if !isBlock(n) || at.flow {
		for _, i := range indexes {
			text, err := pairText(over, i, true)
			if err != nil {
				return err
			}
			s, err := m.to.addFlow(n, at, text)
			if err != nil {
				return err
			}
			m.splices = append(m.splices, s)
		}
		return nil
	}
	var lines []string
	open := false
	for _, i := range indexes {
		if m.anew {
			text, err := pairText(over, i, false)
			if err != nil {
				return err
			}
			lines = append(lines, text)
			continue
		}
		more, err := m.from.pairLines(over, i, overAt)
		if err != nil {
			return err
		}
		lines = append(lines, more...)
		open = endsInBlockScalar(over.Content[2*i+1])
	}
	splices, err := m.to.add(n, at, lines, open)
	for _, s := range splices {
		if !m.replaces(s) {
			m.splices = append(m.splices, s)
		}
	}
	return err
}

// replaces says whether what s changes is replaced already, or s is made: maps
// that end together change the chomping of one scalar.
func (m *merger) replaces(s splice) bool {
	for _, done := range m.splices {
		if done.start < s.start && s.start < done.end || s.text == "-" && done == s {
			return true
		}
	}
	return false
}

// pairText writes a pair anew on one line.
func pairText(n *yaml.Node, i int, flow bool) (string, error) {
	key, err := flowText(n.Content[2*i], true)
	if err != nil {
		return "", err
	}
	if n.Content[2*i].Kind != yaml.ScalarNode || width(key) > 1000 {
		return "", refuse(n.Content[2*i], "a key that is a map, a list or very long can not be moved")
	}
	value, err := flowText(n.Content[2*i+1], flow)
	return key + ": " + value, err
}
