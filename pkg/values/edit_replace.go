package values

import (
	"errors"
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
	// "!!null": this, written plain; a text that does not read so is refused.
	// KeepTag: a string stays a string, and a scalar of another type keeps the
	// type when the text reads so, else it becomes a string (rule M4 of macros).
	// A tag written in front of the scalar stays there in any case.
	Tag string
	// Replaced says which parts of the old text gave way to which texts, in order and
	// apart. With it a folded scalar keeps its lines where the texts allow it. It may be
	// nil.
	Replaced []Replacement
	// Shared allows the edit of a scalar that aliases or merge keys use in
	// other places too: all of these change with it.
	Shared bool
}

// Replacement is a part of a text, by its offsets in bytes, and what it gives way to.
type Replacement struct {
	Start, End int
	Text       string
}

// target is a scalar to edit with what the walk found around it.
type target struct {
	edit   *ScalarEdit
	at     place
	parent *yaml.Node
	index  int // of the entry in parent
	outer  place
	shared *yaml.Node // the node, itself or above, that aliases use
	tag    string     // what the result reads as; "" when a written tag decides
	found  bool
}

// ReplaceScalars returns the document with the texts of scalars replaced, in
// one pass. Every scalar keeps its style (plain, quoted, literal or folded,
// with chomping, indentation and comments) as long as the new text can be
// written in it, and the nearest style that can hold it otherwise. Every byte
// outside the scalars stays.
//
// An *EditError says which scalar cannot be replaced, and why.
func (d *Document) ReplaceScalars(edits ...ScalarEdit) (*Document, error) {
	if err := d.editable(); err != nil || len(edits) == 0 {
		return d, err
	}
	targets, err := d.locate(edits)
	if err != nil {
		return nil, err
	}
	edited, err := d.replaceTargets(edits, targets, false)
	if errors.Is(err, errMismatch) {
		// What follows a scalar can change how it reads in its own style.
		edited, err = d.replaceTargets(edits, targets, true)
	}
	if errors.Is(err, errMismatch) {
		err = refuse(edits[0].Node, "%v", err)
	}
	return edited, err
}

// wanted returns what the edits make of a node.
func wanted(targets map[*yaml.Node]*target) func(*yaml.Node) *yaml.Node {
	return func(n *yaml.Node) *yaml.Node {
		t, ok := targets[n]
		if !ok {
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

func (d *Document) replaceTargets(edits []ScalarEdit, targets map[*yaml.Node]*target, fallback bool) (*Document, error) {
	l := d.layout()
	var splices []splice
	certain := true
	for i := range edits { // in their order: the same fault is reported every time
		t := targets[edits[i].Node]
		s, err := l.replaceScalar(t, fallback)
		if err != nil {
			return nil, err
		}
		for j := range s {
			certain = certain && l.certain(t, s[j])
		}
		splices = append(splices, s...)
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

// locate finds the scalars of the edits in the tree.
func (d *Document) locate(edits []ScalarEdit) (map[*yaml.Node]*target, error) {
	targets := make(map[*yaml.Node]*target, len(edits))
	for i := range edits {
		e := &edits[i]
		switch {
		case e.Node == nil || e.Node.Kind != yaml.ScalarNode:
			return nil, refuse(e.Node, "only a scalar can be replaced")
		case targets[e.Node] != nil:
			return nil, refuse(e.Node, "the scalar is replaced twice")
		case !utf8.ValidString(e.Text):
			return nil, refuse(e.Node, "the new text is not UTF-8")
		}
		tag, err := resultTag(e)
		if err != nil {
			return nil, err
		}
		targets[e.Node] = &target{edit: e, tag: tag}
	}
	if d.Root() != nil {
		s := scalarSearch{l: d.layout(), targets: targets}
		if t := targets[d.Root()]; t != nil {
			t.found, t.at = true, rootPlace
		}
		s.walk(d.Root(), rootPlace, nil)
	}
	for i := range edits {
		t := targets[edits[i].Node]
		if !t.found {
			return nil, refuse(t.edit.Node, "the scalar is not a value of this document")
		}
		if t.shared == nil && len(d.anchors().used[t.edit.Node]) > 0 {
			t.shared = t.edit.Node
		}
		if t.shared != nil && !t.edit.Shared {
			return nil, refuseShared(t.edit.Node, t.shared, d.anchors().used[t.shared])
		}
	}
	return targets, nil
}

func refuseShared(n, shared *yaml.Node, aliases []*yaml.Node) error {
	return refuse(n, "the anchor &%s is used on line %d too, which would change with it; write the value there instead of *%s", shared.Anchor, aliases[0].Line, shared.Anchor)
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
				return "", refuse(e.Node, "the tag %s in front of the scalar does not allow %s", old, tag)
			}
		}
		return "", nil
	}
	switch tag {
	case strTag:
	case nullTag, boolTag, intTag, floatTag:
		if readsAs(e.Text) != tag {
			return "", refuse(e.Node, "the new text does not read as %s", tag)
		}
	default:
		return "", refuse(e.Node, "the tag %s is not known", tag)
	}
	return tag, nil
}

func quotedStyle(n *yaml.Node) bool {
	return n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0
}

type scalarSearch struct {
	l       *layout
	targets map[*yaml.Node]*target
}

func (s *scalarSearch) walk(n *yaml.Node, at place, shared *yaml.Node) {
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
			continue
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
	if isBlockScalar(n) && !block {
		// What follows the indicator on its line is a comment or nothing; it
		// comes after the text now.
		b := scanBlock(l.text, start, t.at)
		written += l.text[b.headerEnd:b.lineEnd]
		if b.chomping == '+' {
			end = max(b.last, b.lineEnd)
		}
	}
	return []splice{{start, end, written}}, nil
}

// restyle writes the new text in the scalar's style or the nearest possible,
// or in double quotes; block says that it is still a block scalar.
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
		return nil, refuse(t.edit.Node, "the document has no text that could be replaced")
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
		return splice{}, refuse(e.value, "the end of the value is unclear")
	default:
		written = ": " + written // {a}
	}
	if next := l.at(e.end); next != 0 && !blankOrBreak(l.text, e.end) && !isFlowIndicator(next) {
		written += " "
	}
	return splice{e.end, e.end, written}, nil
}
