package values

import (
	"errors"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/internal/node"
)

// plan is an edit: the splices, and the tree that must result.
type plan struct {
	// splices are the replacements, and want is the tree that the result must have.
	splices []splice
	want    *yaml.Node
}

// edit makes the edit that build plans. When text cannot be moved as it
// is, or would read differently at its new place, the edit is made once
// more with the new values as plain flow text.
func (d *Document) edit(at []Step, build func(l *layout, fallback bool) (plan, error)) (*Document, error) {
	l := d.layout()
	for _, fallback := range []bool{false, true} {
		p, err := build(l, fallback)
		if err == nil {
			if len(p.splices) == 0 {
				return d, nil
			}
			var edited *Document
			if edited, err = d.finish(p.splices, p.want, nil); err == nil {
				return edited, nil
			}
		}
		if !errors.Is(err, errMismatch) && !errors.Is(err, errUnusual) {
			return nil, err
		}
	}
	e := &EditError{Reason: errMismatch.Error()}
	if t := l.follow(at); len(t.crumbs) > 0 {
		e.Position = At(t.last().node)
	}
	return nil, e
}

// Set returns the document with the value at the steps replaced by the content
// of src: its text with the comments in it, with new indentation. Maps that are
// missing on the way are made; a new key comes last in its map; the index
// after the last element of a list appends to it. An empty src sets null.
//
// An *EditError explains why the value cannot be set: something on the way is no map, or the edit
// would change what an alias or a merge key uses elsewhere.
//
// For example, with true at server.tls.enabled:
//
//	server:      server:
//	  port: 80     port: 80
//	               tls:
//	                 enabled: true
func (d *Document) Set(at []Step, src *Document) (*Document, error) {
	if err := d.editable(); err != nil {
		return nil, err
	}
	src, err := d.source(src)
	if err != nil {
		return nil, err
	}
	return d.edit(at, func(l *layout, fallback bool) (plan, error) { return l.set(at, src, fallback) })
}

// set plans to replace or add the value at the steps.
func (l *layout) set(at []Step, src *Document, fallback bool) (plan, error) {
	value := src.Root()
	if value == nil {
		value = nullNode()
	}
	f, err := sourceFragment(src, value, fallback)
	if err != nil {
		return plan{}, err
	}
	t := l.follow(at)
	if t.blocked != nil {
		return plan{}, t.blocked
	}
	if len(t.crumbs) > 0 && len(t.missing) == 0 {
		return l.setPresent(t, f)
	}
	for i, step := range t.missing {
		if step.IsIndex && (i > 0 || len(t.crumbs) == 0 || t.last().node.Kind != yaml.SequenceNode) {
			return plan{}, l.rejectAt(t, "there is no list to put element %d into", step.Index)
		}
	}
	if len(t.crumbs) == 0 {
		f, err = l.nest(f, t.missing, l.habitsOf(nil))
		if err != nil {
			return plan{}, err
		}
		return plan{[]splice{l.fillDocument(f)}, f.node}, nil
	}
	return l.setMissing(t, f)
}

// sourceFragment returns the text of a source, or with fallback its value as flow text.
func sourceFragment(src *Document, value *yaml.Node, fallback bool) (fragment, error) {
	if fallback {
		return plainFragment(value)
	}
	return rootFragment(src)
}

// keyNode is a new key, in quotes where the document is JSON.
func (l *layout) keyNode(key string) *yaml.Node {
	n := node.Text(key)
	if l.d.isJSON() {
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

// rejectAt returns an [EditError] with the position of the last node that exists.
func (l *layout) rejectAt(t *trail, format string, args ...any) error {
	if len(t.crumbs) == 0 {
		return reject(nil, format, args...)
	}
	return reject(t.last().node, format, args...)
}

// nest wraps f into maps with the keys of the steps.
func (l *layout) nest(f fragment, steps []Step, h habits) (fragment, error) {
	for i := len(steps) - 1; i >= 0; i-- {
		text, err := keyScalar(steps[i].Key)
		if err != nil {
			return f, err
		}
		value := f.node
		f = f.below(text+":", h.step, h.indentless)
		f.node = node.Map(l.keyNode(steps[i].Key), value)
	}
	return f, nil
}

// setPresent plans to replace a value that exists. It rejects a value whose anchor is used outside of
// it.
func (l *layout) setPresent(t *trail, f fragment) (plan, error) {
	c := t.last()
	if err := l.d.usedElsewhere(c.node); err != nil {
		return plan{}, err
	}
	p := plan{want: replaced(t.crumbs, f.node)}
	s, err := l.putAt(c, f)
	p.splices = []splice{s}
	return p, err
}

// putAt writes f in the place of the node of c.
func (l *layout) putAt(c crumb, f fragment) (splice, error) {
	if c.parent == nil {
		return l.putRoot(f)
	}
	e, err := l.entry(c.parent, c.index, c.at)
	if err != nil {
		return splice{}, err
	}
	if e.in.flow {
		return l.putFlow(e, f.node)
	}
	return l.put(e, f, l.habitsOf(c.parent))
}

// putRoot writes f in the place of the whole content.
func (l *layout) putRoot(f fragment) (splice, error) {
	root := l.d.Root()
	start := l.start(root)
	end, err := l.end(root, rootContext)
	if err != nil {
		return splice{}, err
	}
	return l.putDocument(f, start, end, isBlock(root) || isBlockScalar(root)), nil
}

// putDocument writes f in place of text[start:end], the content of the document. If block is true,
// nothing follows the content on its last line.
func (l *layout) putDocument(f fragment, start, end int, block bool) splice {
	lineBreak := l.lineBreak()
	var text string
	if block {
		end = l.deeperComments(lineEnd(l.text, end), 0)
	}
	if f.block {
		column := start
		start = l.lineStartOf(start)
		if skipBlanks(l.text, start) != column { // --- {}
			start = column
			text = lineBreak
		}
		if tail := l.text[end:lineEnd(l.text, end)]; tail != "" {
			end += len(tail)
			if tail = strings.TrimLeft(tail, " \t"); tail != "" {
				text += tail + lineBreak
			}
		}
		text += strings.Join(f.lines, lineBreak)
	} else {
		text = strings.Join(append([]string{f.lines[0]}, f.continued(0)...), lineBreak)
		if block || !strings.Contains(l.text[end:lineEnd(l.text, end)], "#") {
			text += f.comment
		}
	}
	if f.open && end == len(l.text) {
		text += lineBreak
	}
	return splice{start, end, text}
}

// fillDocument writes f into a document that holds nothing but comments.
func (l *layout) fillDocument(f fragment) splice {
	if doc := l.d.nodes().doc; doc != nil {
		if null := doc.Content[0]; null.Value != "" {
			if end, err := l.end(null, rootContext); err == nil {
				return l.putDocument(f, l.start(null), end, false)
			}
		}
	}
	lineBreak := l.lineBreak()
	text := strings.Join(f.lines, lineBreak) + f.commentOf(len(f.lines)-1)
	for line := range l.lines.starts {
		start := l.lines.starts[line]
		if strings.HasPrefix(l.text[start:], "...") && documentMarker(l.text, start) {
			return splice{start, start, text + lineBreak}
		}
	}
	end := len(l.text)
	if l.text == "" || breakBefore(l.text, end) {
		return splice{end, end, text + lineBreak}
	}
	if f.open {
		text += lineBreak
	}
	return splice{end, end, lineBreak + text}
}

// setMissing adds the missing keys and elements to the last node that exists.
func (l *layout) setMissing(t *trail, f fragment) (plan, error) {
	c := t.last()
	n, step := c.node, t.missing[0]
	if err := extensible(n, t.missing); err != nil {
		return plan{}, err
	}
	h := l.habitsOf(n)
	f, err := l.nest(f, t.missing[1:], h)
	if err != nil {
		return plan{}, err
	}
	var key *yaml.Node
	if !step.IsIndex {
		key = l.keyNode(step.Key)
	}
	p := plan{want: replaced(t.crumbs, appended(n, key, f.node))}
	p.splices, err = l.extend(c, key, f, h)
	return p, err
}

// extensible reports whether the missing steps can be added to n.
func extensible(n *yaml.Node, missing []Step) error {
	step := missing[0]
	switch {
	case n.Kind == yaml.SequenceNode && step.IsIndex:
		if step.Index != len(n.Content) {
			return reject(n, "the list has %d elements: there is no element %d", len(n.Content), step.Index)
		}
		return nil
	case n.Kind == yaml.SequenceNode:
		return reject(n, "this is a list, not a map: there is no key %q", step.Key)
	case n.Kind == yaml.ScalarNode && !isNull(n):
		return reject(n, "this is a scalar, not a map: there is no key %q", step.Key)
	case n.Kind == yaml.MappingNode && len(missing) > 1:
		if p, ok := lookup(n, step.Key); ok && p.Merged {
			return reject(n, "the key %q comes from a merge key: set it on line %d", step.Key, p.Key.Line)
		}
	}
	return nil
}

// appended returns a copy of n with one more entry; null becomes a map.
func appended(n, key, value *yaml.Node) *yaml.Node {
	c := node.Map()
	if n.Kind != yaml.ScalarNode {
		*c = *n
		c.Content = append([]*yaml.Node(nil), n.Content...)
	}
	if key != nil {
		c.Content = append(c.Content, key)
	}
	c.Content = append(c.Content, value)
	return c
}

// extend writes a new entry into the node of c: a map, a list, or null.
func (l *layout) extend(c crumb, key *yaml.Node, f fragment, h habits) ([]splice, error) {
	n, at := c.node, l.where(c)
	if isBlock(n) && n.Kind != yaml.ScalarNode {
		if key == nil {
			lines := indented(f.lines, 2)
			if f.block {
				lines[0] = "- " + f.lines[0]
				return l.add(c, entries(n)-1, lines, f.open)
			}
			lines = append([]string{"- " + f.lines[0] + f.commentOf(0)}, f.continued(0)...)
			return l.add(c, entries(n)-1, lines, f.open)
		}
		text, err := keyScalar(key.Value)
		if err != nil {
			return nil, err
		}
		return l.add(c, entries(n)-1, f.below(text+":", h.step, h.indentless).lines, f.open)
	}
	if at.flow || len(n.Content) > 0 || n.Kind == yaml.SequenceNode {
		return l.extendFlow(c, at, key, f)
	}
	if hasProperties(n) {
		return nil, reject(n, "an empty map with an anchor or a tag cannot be extended")
	}
	text, err := keyScalar(key.Value)
	if err != nil {
		return nil, err
	}
	s, err := l.putAt(c, f.below(text+":", h.step, h.indentless))
	return []splice{s}, err
}

// extendFlow adds an entry to a collection in flow style, or makes a null such a collection.
func (l *layout) extendFlow(c crumb, at context, key *yaml.Node, f fragment) ([]splice, error) {
	if isNull(c.node) {
		e, err := l.entry(c.parent, c.index, c.at)
		if err != nil {
			return nil, err
		}
		s, err := l.putFlow(e, node.Map(key, f.node))
		return []splice{s}, err
	}
	text, err := flowText(f.node, true)
	if err != nil {
		return nil, err
	}
	if key != nil {
		k, err := flowKey(key)
		if err != nil {
			return nil, err
		}
		text = k + ": " + text
	}
	s, err := l.addFlow(c.node, at, entries(c.node)-1, text)
	return []splice{s}, err
}
