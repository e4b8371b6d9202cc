package values

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Merge returns the document with the content of src laid over the value at
// the steps: maps merge deeply, everything else replaces,
// an explicit null sets null, {} over a map and an empty src change nothing. A
// value that is already equal stays byte for byte. New keys come last in their
// map, in the order of src and with its comments; a scalar that replaces
// another keeps the comment on its line.
//
// An *EditError explains why the documents cannot be merged; see Set.
//
// For example, two documents and the result:
//
//	server: {port: 80}
//	hosts: [a]
//	---
//	server: {tls: true}
//	hosts: [b]
//	---
//	server: {port: 80, tls: true}
//	hosts: [b]
func (d *Document) Merge(at []Step, src *Document) (*Document, error) {
	if err := d.editable(); err != nil || src.Root() == nil {
		return d, err
	}
	src, err := d.source(src)
	if err != nil {
		return nil, err
	}
	if t := d.layout().follow(at); len(t.crumbs) == 0 || len(t.missing) > 0 {
		return d.Set(at, src)
	}
	return d.lay(at, src, merger{})
}

// lay lays src over the value at the steps, which is there.
func (d *Document) lay(at []Step, src *Document, how merger) (*Document, error) {
	return d.edit(at, func(l *layout, fallback bool) (plan, error) { return l.lay(at, src, how, fallback) })
}

// lay plans to lay src over the value at the steps. With fallback the new values are written as flow
// text.
func (l *layout) lay(at []Step, src *Document, m merger, fallback bool) (plan, error) {
	t := l.follow(at)
	m.to, m.from, m.fallback = l, src.layout(), fallback
	result, err := m.value(t.last(), crumb{node: src.Root()})
	if err == nil && len(m.splices) > 0 {
		err = t.blocked
	}
	return plan{m.splices, replaced(t.crumbs, result)}, err
}

// merger writes the text of a merge.
type merger struct {
	// to is the layout of the document, and from the layout of the source.
	to, from *layout
	// fallback writes values as flow text, which fits everywhere but has no comments.
	fallback bool

	// exact: what the source does not have is removed (see Sync).
	exact bool
	// identity identifies the elements of lists, or is nil.
	identity func(element *yaml.Node) string

	// splices are the replacements so far.
	splices []splice
	// known returns the comments that the document already has, see knownComments. It is set if
	// exact is true.
	known func() map[string]bool
}

// value merges the value of src into the value of c, and returns the result: the value of c itself
// if nothing changes. The text of the edit is compared with the result.
func (m *merger) value(c, src crumb) (*yaml.Node, error) {
	old, value := c.node, src.node
	if m.same(old, value) {
		return old, nil
	}
	target := dealias(old)
	switch {
	case target.Kind != value.Kind || len(target.Content) == 0 || len(value.Content) == 0:
	case old != target && !m.exact && value.Kind == yaml.MappingNode:
		return nil, reject(old, "this is the alias *%s: an edit of what is in it would change line %d", old.Value, target.Line)
	case old != target, value.Kind == yaml.SequenceNode && !m.exact:
	default:
		before := len(m.splices)
		result, err := m.content(c, src)
		if err == nil || !m.exact {
			return result, err
		}
		m.splices = m.splices[:before] // written as a whole
	}
	return value, m.put(c, src)
}

// same reports whether laying a value on another changes nothing.
func (m *merger) same(old, value *yaml.Node) bool {
	if m.exact {
		return Equal(old, value)
	}
	return covers(old, value)
}

// covers reports whether a map has all that another one has, and other values are equal.
func covers(n, part *yaml.Node) bool {
	n, part = dealias(n), dealias(part)
	if n.Kind != yaml.MappingNode || part.Kind != yaml.MappingNode {
		return Equal(n, part)
	}
	keys := newKeyIndex(n)
	return !slices.ContainsFunc(pairs(part), func(p Pair) bool {
		own, ok := keys.counterpart(p.Key)
		return !ok || !covers(own.Value, p.Value)
	})
}

// put replaces the value of c by the value of src.
func (m *merger) put(c, src crumb) error {
	if err := m.to.d.usedElsewhere(c.node); err != nil {
		return err
	}
	if s, ok := m.text(c, src.node); ok {
		m.splices = append(m.splices, s...)
		return nil
	}
	f, err := m.fragment(src)
	if err != nil {
		return err
	}
	s, err := m.to.putAt(c, f)
	m.splices = append(m.splices, s)
	return err
}

// fragment returns the text of a value of the source.
func (m *merger) fragment(src crumb) (fragment, error) {
	switch {
	case m.fallback:
		return plainFragment(src.node)
	case src.parent == nil:
		return rootFragment(m.from.d)
	}
	return m.from.valueFragment(src.parent, src.index, src.at)
}

// text replaces the text of a scalar and keeps its style, where the rest must be exact.
func (m *merger) text(c crumb, value *yaml.Node) ([]splice, bool) {
	old := c.node
	if !m.exact || old.Kind != yaml.ScalarNode || value.Kind != yaml.ScalarNode || hasProperties(old) || value.Style&yaml.TaggedStyle != 0 {
		return nil, false
	}
	e := ScalarEdit{Node: old, Text: value.Value, Tag: value.ShortTag()}
	tag, err := resultTag(&e)
	if err != nil {
		return nil, false
	}
	t := target{edit: &e, at: m.to.where(c), parent: c.parent, index: c.index, outer: c.at, tag: tag}
	s, err := m.to.replaceScalar(&t, m.fallback)
	return s, err == nil && len(s) > 0
}

// content lays a map or list on another one of its kind; both have entries.
func (m *merger) content(c, src crumb) (*yaml.Node, error) {
	before := len(m.splices)
	lay := m.maps
	if c.node.Kind == yaml.SequenceNode {
		lay = m.lists
	}
	result, err := lay(c, src.node, m.from.where(src))
	if used := m.to.d.anchors().used[c.node]; err == nil && len(used) > 0 && len(m.splices) > before {
		err = rejectShared(c.node, c.node, used)
	}
	return result, err
}

// maps lays the map over, at the place overAt of the source, on
// the map of c.
func (m *merger) maps(c crumb, over *yaml.Node, overAt context) (*yaml.Node, error) {
	n, at := c.node, m.to.where(c)
	result := *n
	result.Content = slices.Clone(n.Content)
	var fresh []int
	keys := newKeyIndex(n)
	for i := range entries(over) {
		key, value := over.Content[2*i], over.Content[2*i+1]
		old, known := keys.counterpart(key)
		switch {
		case known && m.same(old.Value, value):
		case known && key.Kind != yaml.ScalarNode:
			return nil, reject(old.Key, "the value of a key that is a map or a list cannot be replaced")
		case known && old.Merged && dealias(old.Value).Kind == yaml.MappingNode && value.Kind == yaml.MappingNode:
			return nil, reject(old.Key, "the key %q comes from a merge key and would change for every map that uses it", key.Value)
		case !known || old.Merged:
			fresh = append(fresh, i)
		default:
			index := keys.explicit(key.Value)
			laid, err := m.value(crumb{n.Content[2*index+1], n, index, at}, crumb{value, over, i, overAt})
			if err == nil && laid != n.Content[2*index+1] {
				err = m.comment(n, index, at, over, i, overAt)
			}
			if err != nil {
				return nil, err
			}
			result.Content[2*index+1] = laid
		}
	}
	kept, err := m.kept(n, over)
	if err != nil {
		return nil, err
	}
	if err := m.remove(c, &result, kept); err != nil {
		return nil, err
	}
	for _, i := range fresh {
		result.Content = append(result.Content, over.Content[2*i], over.Content[2*i+1])
	}
	return &result, m.add(c, lastKept(kept), crumb{node: over, at: overAt}, fresh)
}

// comment copies the comments above the i-th pair of over to the pair of n at index, whose value it
// is merged into. Comments that n has already are left out.
func (m *merger) comment(n *yaml.Node, index int, at context, over *yaml.Node, i int, overAt context) error {
	if m.exact || m.fallback {
		return nil
	}
	src, err := m.from.entry(over, i, overAt)
	if err != nil {
		return err
	}
	comments, err := m.from.comments(over, i, overAt, src)
	if err != nil || len(comments) == 0 {
		return err
	}
	e, err := m.to.entry(n, index, at)
	if err != nil || e.in.flow || !m.to.ownLine(e) {
		return err
	}
	known, err := m.to.comments(n, index, at, e)
	if err != nil {
		return err
	}
	comments = slices.DeleteFunc(comments, func(line string) bool { return slices.Contains(known, line) })
	text := ""
	for _, line := range indented(comments, e.column) {
		text += line + m.to.lineBreak()
	}
	start := m.to.lineStartOf(e.start)
	m.splices = append(m.splices, splice{start, start, text})
	return nil
}

// add writes the entries of src.node at the indexes after an entry of the collection of
// c; src.at is the place of src.node.
func (m *merger) add(c crumb, after int, src crumb, indexes []int) error {
	if len(indexes) == 0 {
		return nil
	}
	n, at := c.node, m.to.where(c)
	if !isBlock(n) || at.flow {
		for _, i := range indexes {
			text, err := entryText(src.node, i, true)
			if err != nil {
				return err
			}
			s, err := m.to.addFlow(n, at, after, text)
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
		if m.fallback {
			text, err := entryText(src.node, i, false)
			if err != nil {
				return err
			}
			lines = append(lines, text)
			continue
		}
		more, err := m.from.entryLines(src.node, i, src.at)
		if err != nil {
			return err
		}
		if len(lines) > 0 || !m.to.isBelow(c, after, more) {
			more = m.carried(more)
		}
		lines = append(lines, more...)
		open = endsInBlockScalar(entryValue(src.node, i))
	}
	splices, err := m.to.add(c, after, lines, open)
	for _, s := range splices {
		if !m.replaces(s) {
			m.splices = append(m.splices, s)
		}
	}
	return err
}

// carried returns the lines of an entry without the comments above it that the document has
// already.
func (m *merger) carried(lines []string) []string {
	count := headLines(lines)
	if m.known == nil || count == 0 {
		return lines
	}
	for _, line := range lines[:count] {
		if !m.known()[line] {
			return lines
		}
	}
	return lines[count:]
}

// headLines returns how many of the lines of an entry are comments above it.
func headLines(lines []string) int {
	count := 0
	for count < len(lines) && strings.HasPrefix(lines[count], "#") {
		count++
	}
	return count
}

// knownComments returns the comments with lines of their own that the document has at least as
// often as each other document from which nodes of a tree are.
func (d *Document) knownComments(n *yaml.Node) map[string]bool {
	known := map[string]bool{}
	seen := map[*yaml.Node]bool{}
	have := commentLines(d.text)
	var walk func(n *yaml.Node)
	walk = func(n *yaml.Node) {
		if n.Kind == yaml.AliasNode {
			return
		}
		if doc := n.Alias; doc != nil && doc.Value != d.text && !seen[doc] {
			seen[doc] = true
			for line, count := range commentLines(doc.Value) {
				was, isSeen := known[line]
				known[line] = have[line] >= count && (was || !isSeen)
			}
		}
		for _, child := range n.Content {
			walk(child)
		}
	}
	walk(n)
	return known
}

// commentLines counts the comments that have lines of their own.
func commentLines(text string) map[string]int {
	counts := map[string]int{}
	for line := range strings.Lines(text) {
		if line = strings.Trim(line, " \t\r\n"); strings.HasPrefix(line, "#") {
			counts[line]++
		}
	}
	return counts
}

// replaces reports whether what s changes is replaced already, or s is made: maps
// that end together change the chomping of one scalar.
func (m *merger) replaces(s splice) bool {
	for _, done := range m.splices {
		if done.start < s.start && s.start < done.end || s.text == "-" && done == s {
			return true
		}
	}
	return false
}

// entryValue returns the value of the i-th entry of a collection.
func entryValue(n *yaml.Node, i int) *yaml.Node {
	if n.Kind == yaml.MappingNode {
		return n.Content[2*i+1]
	}
	return n.Content[i]
}

// entryText writes an entry on one line.
func entryText(n *yaml.Node, i int, flow bool) (string, error) {
	value, err := flowText(entryValue(n, i), flow)
	if n.Kind == yaml.SequenceNode {
		if !flow {
			value = "- " + value
		}
		return value, err
	}
	if err != nil {
		return "", err
	}
	key, err := flowText(n.Content[2*i], true)
	if err != nil {
		return "", err
	}
	if n.Content[2*i].Kind != yaml.ScalarNode || width(key) > 1000 {
		return "", reject(n.Content[2*i], "a key that is a map, a list or very long cannot be moved")
	}
	return key + ": " + value, nil
}
