package values

import (
	"errors"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// KeepTag as ScalarEdit.Tag keeps the type that the scalar reads as.
const KeepTag = "keep"

// ScalarEdit replaces the text of one scalar.
type ScalarEdit struct {
	// Node is a scalar that is a value (not a key) of the document.
	Node *yaml.Node
	// Text is the new text, decoded.
	Text string
	// Tag is what the result reads as. "" and "!!str": a string with exactly
	// this text, quoted where it must be. "!!int", "!!float", "!!bool" and
	// "!!null": this, written plain; a text that does not read so is rejected.
	// KeepTag: a string stays a string, and a scalar of another type keeps the
	// type when the text reads so, else it becomes a string.
	// A tag written in front of the scalar stays there in any case.
	Tag string
	// Replaced lists the parts of the old text that were replaced, and their new texts, in order
	// and without overlaps. With it a folded scalar keeps its lines where the texts allow it. It
	// may be nil.
	Replaced []Replacement
	// Shared allows the edit of a scalar that aliases or merge keys use in
	// other places too: all of these change with it.
	Shared bool
}

// Replacement is a part of a text, by its offsets in bytes, and what it gives way to.
type Replacement struct {
	// Start and End are offsets in the decoded text of the scalar, and Text replaces the part between
	// them.
	Start, End int
	Text       string
}

// target is a value to edit with what the walk found around it.
type target struct {
	// edit is nil if only the comment changes, and comment is nil if only the text does.
	edit    *ScalarEdit
	comment *CommentEdit

	// at is the context of the value, and outer the context of the collection that it is in.
	at context
	// parent is the collection, and nil for the root.
	parent *yaml.Node
	index  int // of the entry in parent
	outer  context
	shared *yaml.Node // the node, itself or above, that aliases use
	tag    string     // what the result reads as, or "" if a written tag decides
	// found is true once the walk has met the value.
	found bool
}

// ReplaceScalars returns the document with the texts of scalars replaced, in
// one pass. Every scalar keeps its style (plain, quoted, literal or folded,
// with chomping, indentation and comments) as long as the new text can be
// written in it, and the nearest style that can hold it otherwise. Every byte
// outside the scalars stays.
//
// An *EditError states the scalar that cannot be replaced, and the reason.
//
// For example, with z in the place of x:
//
//	a: 'x' # note     a: 'z' # note
func (d *Document) ReplaceScalars(edits ...ScalarEdit) (*Document, error) {
	return d.Rewrite(edits, nil)
}

// Rewrite is ReplaceScalars that also replaces the comments on the lines of values. A value
// may be in both. A comment of a collection is that on the line on which it ends.
func (d *Document) Rewrite(edits []ScalarEdit, comments []CommentEdit) (*Document, error) {
	if err := d.editable(); err != nil || len(edits)+len(comments) == 0 {
		return d, err
	}
	targets, order, err := d.locate(edits, comments)
	if err != nil {
		return nil, err
	}
	edited, err := d.replaceTargets(order, targets, false)
	if errors.Is(err, errMismatch) {
		// What follows a scalar can change how it reads in its own style.
		edited, err = d.replaceTargets(order, targets, true)
	}
	if errors.Is(err, errMismatch) {
		err = reject(order[0], "%v", err)
	}
	return edited, err
}

// wanted returns what the edits make of a node.
func wanted(targets map[*yaml.Node]*target) func(*yaml.Node) *yaml.Node {
	return func(n *yaml.Node) *yaml.Node {
		t, ok := targets[n]
		if !ok || t.edit == nil {
			return n
		}
		edited := *n
		edited.Value = t.edit.Text
		if t.tag != "" {
			edited.Tag, edited.Style = t.tag, 0
		}
		return &edited
	}
}

// replaceTargets makes the edits of scalars and comments in one pass. It reads the result unless all
// edits are certain.
func (d *Document) replaceTargets(order []*yaml.Node, targets map[*yaml.Node]*target, fallback bool) (*Document, error) {
	l := d.layout()
	var splices []splice
	certain := true
	for _, n := range order { // the same fault is reported every time
		t := targets[n]
		var written bool
		if t.edit != nil {
			s, err := l.replaceScalar(t, fallback)
			if err != nil {
				return nil, err
			}
			for j := range s {
				certain = certain && l.certain(t, s[j])
			}
			splices = append(splices, s...)
			written = len(s) > 0 && isBlockScalar(n) // with the line of its indicator
		}
		if t.comment != nil && !written {
			s, err := l.comment(t)
			if err != nil {
				return nil, err
			}
			certain = certain && (len(s) == 0 || certainTail(s[0].text))
			splices = append(splices, s...)
		}
	}
	if len(splices) == 0 {
		return d, nil
	}
	if certain {
		if edited, ok := d.unread(splices); ok {
			return edited, nil
		}
	}
	return d.finish(splices, d.Root(), wanted(targets))
}

// locate finds the values of the edits in the tree, and returns them also in order.
func (d *Document) locate(edits []ScalarEdit, comments []CommentEdit) (targets map[*yaml.Node]*target, order []*yaml.Node, err error) {
	targets = make(map[*yaml.Node]*target, len(edits)+len(comments))
	for i := range edits {
		e := &edits[i]
		switch {
		case e.Node == nil || e.Node.Kind != yaml.ScalarNode:
			return nil, nil, reject(e.Node, "only a scalar can be replaced")
		case targets[e.Node] != nil:
			return nil, nil, reject(e.Node, "the scalar is replaced twice")
		case !utf8.ValidString(e.Text):
			return nil, nil, reject(e.Node, "the new text is not UTF-8")
		}
		tag, err := resultTag(e)
		if err != nil {
			return nil, nil, err
		}
		targets[e.Node] = &target{edit: e, tag: tag}
		order = append(order, e.Node)
	}
	for i := range comments {
		c := &comments[i]
		switch t := targets[c.Node]; {
		case c.Node == nil || c.Text != "" && (!strings.HasPrefix(c.Text, "#") || !simpleCharacters(c.Text) || strings.Contains(c.Text, "\n")):
			return nil, nil, reject(c.Node, "a comment is one line that begins with #")
		case t == nil:
			targets[c.Node] = &target{comment: c}
			order = append(order, c.Node)
		case t.comment != nil:
			return nil, nil, reject(c.Node, "the comment is replaced twice")
		default:
			t.comment = c
		}
	}
	if d.Root() != nil {
		s := scalarSearch{l: d.layout(), targets: targets}
		if t := targets[d.Root()]; t != nil {
			t.found, t.at = true, rootContext
		}
		s.walk(d.Root(), rootContext, nil)
	}
	for _, n := range order {
		t := targets[n]
		if !t.found {
			return nil, nil, reject(n, "the scalar is not a value of this document")
		}
		if t.comment != nil && t.parent == nil {
			return nil, nil, reject(n, "the root of a document has no line of its own")
		}
		if t.shared == nil && len(d.anchors().used[n]) > 0 {
			t.shared = n
		}
		if t.shared != nil && t.edit != nil && !t.edit.Shared {
			return nil, nil, rejectShared(n, t.shared, d.anchors().used[t.shared])
		}
	}
	return targets, order, nil
}

func rejectShared(n, shared *yaml.Node, aliases []*yaml.Node) error {
	return reject(n, "the anchor &%s is used on line %d too, which would change with it; write the value there instead of *%s", shared.Anchor, aliases[0].Line, shared.Anchor)
}

// resultTag returns the tag that the edited scalar has to resolve to.
func resultTag(e *ScalarEdit) (string, error) {
	old := e.Node.ShortTag()
	written := e.Node.Style&yaml.TaggedStyle != 0
	if e.Tag == KeepTag {
		switch {
		case written:
			return "", nil
		case old != strTag && readsAs(e.Text) == old && !quotedStyle(e.Node):
			return old, nil
		}
		return strTag, nil
	}
	tag := e.Tag
	if tag == "" {
		tag = strTag
	}
	if written {
		switch old {
		case nullTag, boolTag, intTag, floatTag, strTag:
			if old != tag {
				return "", reject(e.Node, "the tag %s in front of the scalar does not allow %s", old, tag)
			}
		}
		return "", nil
	}
	switch tag {
	case strTag:
	case nullTag, boolTag, intTag, floatTag:
		if readsAs(e.Text) != tag {
			return "", reject(e.Node, "the new text does not read as %s", tag)
		}
	default:
		return "", reject(e.Node, "the tag %s is not known", tag)
	}
	return tag, nil
}

func quotedStyle(n *yaml.Node) bool {
	return n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0
}

// scalarSearch finds the values of edits in a tree, with the collections around them.
type scalarSearch struct {
	// l finds the contexts, and targets are the values by their nodes.
	l       *layout
	targets map[*yaml.Node]*target
}

// walk visits the values in a collection. shared is the innermost node above that aliases use, or nil.
func (s *scalarSearch) walk(n *yaml.Node, at context, shared *yaml.Node) {
	if n.Kind != yaml.MappingNode && n.Kind != yaml.SequenceNode {
		return
	}
	if used := s.l.d.anchors().used; used != nil && len(used[n]) > 0 {
		shared = n
	}
	in := s.l.inside(n, at)
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 {
			s.walk(child, in, shared)
			continue
		}
		if child.Kind != yaml.ScalarNode {
			s.walk(child, in, shared)
		}
		t := s.targets[child]
		if t == nil {
			continue
		}
		t.found, t.at, t.outer, t.shared, t.parent, t.index = true, in, at, shared, n, i
		if n.Kind == yaml.MappingNode {
			t.index = i / 2
		}
	}
}

// replaceScalar returns the splices that give a scalar another text, none if it has the text already.
func (l *layout) replaceScalar(t *target, fallback bool) ([]splice, error) {
	n, text := t.edit.Node, t.edit.Text
	if text == n.Value && (t.tag == "" || t.tag == n.ShortTag()) {
		return nil, nil
	}
	if isEmpty(n) {
		return l.fillEmpty(t, fallback)
	}
	start := l.content(n)
	end, err := l.end(n, t.at)
	if err != nil {
		return nil, err
	}
	written, block := l.restyle(t, start, fallback)
	if !isBlockScalar(n) {
		return []splice{{start, end, written}}, nil
	}
	// What follows the indicator on its line is a comment or nothing.
	b := scanBlock(l.text, start, t.at)
	tail := l.text[b.headerEnd:b.lineEnd]
	if t.comment != nil {
		tail = t.comment.retail(tail)
	}
	switch {
	case block:
		written = withTail(written, tail)
	default: // it comes after the text now
		written += tail
		if b.chomping == '+' {
			end = max(b.last, b.lineEnd)
		}
	}
	return []splice{{start, end, written}}, nil
}

// restyle writes the new text in the scalar's style, in the nearest possible style, or in double
// quotes. block reports whether the result is still a block scalar.
func (l *layout) restyle(t *target, start int, fallback bool) (written string, block bool) {
	n, text := t.edit.Node, t.edit.Text
	if t.tag != "" && t.tag != strTag {
		return plainOther(text), false
	}
	switch {
	case fallback:
	case isBlockScalar(n):
		b := scanBlock(l.text, start, t.at)
		if s, ok := b.refold(l.text, start, t.edit, t.at); ok {
			return s, true
		}
		if s, ok := b.rewrite(l.text, text, t.at, l.lineBreak()); ok {
			return s, true
		}
	case n.Style&yaml.DoubleQuotedStyle != 0:
	case n.Style&yaml.SingleQuotedStyle != 0:
		if s, ok := singleQuoted(text); ok {
			return s, false
		}
	case t.tag == "" && plainSyntax(text, t.at.flow), plainString(text, t.at.flow):
		return text, false
	default:
		return quoted(text), false
	}
	return doubleQuoted(text), false
}

// plainOther writes a scalar that is not a string.
func plainOther(text string) string {
	if text == "" {
		return "null"
	}
	return text
}

// fillEmpty writes a text where none is, as in "key:".
func (l *layout) fillEmpty(t *target, fallback bool) ([]splice, error) {
	if t.parent == nil {
		return nil, reject(t.edit.Node, "the document has no text that could be replaced")
	}
	e, err := l.entry(t.parent, t.index, t.outer)
	if err != nil {
		return nil, err
	}
	written, _ := l.restyle(t, e.end, fallback)
	s, err := l.insertValue(e, written)
	return []splice{s}, err
}

// insertValue writes the value of an entry that has none.
func (l *layout) insertValue(e entry, written string) (splice, error) {
	switch {
	case e.indicator >= 0 || hasProperties(e.value):
		written = " " + written
	case e.explicit || e.key == nil:
		return splice{}, reject(e.value, "the end of the value is unclear")
	default:
		written = ": " + written // {a}
	}
	if next := l.at(e.end); next != 0 && !blankOrBreak(l.text, e.end) && !isFlowIndicator(next) {
		written += " "
	}
	return splice{e.end, e.end, written}, nil
}
