package values

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// LineComment is the comment on the line on which a value ends; of a block scalar, on that
// of its indicator.
type LineComment struct {
	// Node is the value: a scalar, or a collection in flow style, in a block collection.
	Node *yaml.Node
	// Text is the comment from its "#" on, without whitespace at its end.
	Text string
	// Position is the position of the "#".
	Position Position
}

// LineComments returns, in the order of the text, the comments that have a word, of the
// values of block collections. Comments of the document as a whole, of keys with a block
// collection below them, and within a collection in flow style are not among them.
func (d *Document) LineComments(word string) []LineComment {
	if d.Root() == nil || !strings.Contains(d.text, word) {
		return nil // the common case, without a walk
	}
	s := commentSearch{l: d.layout()}
	for at := 0; ; {
		next := strings.Index(d.text[at:], word)
		if next < 0 {
			break
		}
		at += next + len(word)
		if line := d.Lines().Line(at - 1); len(s.lines) == 0 || s.lines[len(s.lines)-1] != line {
			s.lines = append(s.lines, line)
		}
	}
	s.collection(d.Root(), rootContext, len(d.Lines().starts))
	return slices.DeleteFunc(s.found, func(c LineComment) bool { return !strings.Contains(c.Text, word) })
}

// commentSearch finds the comments on some lines.
type commentSearch struct {
	// l finds the extent of values.
	l     *layout
	lines []int // in order
	found []LineComment
}

// has reports whether one of the lines is in a range.
func (s *commentSearch) has(first, last int) bool {
	at, _ := slices.BinarySearch(s.lines, first)
	return at < len(s.lines) && s.lines[at] <= last
}

// collection visits the values of a block collection that starts nothing after a line.
func (s *commentSearch) collection(n *yaml.Node, at context, last int) {
	if !isBlock(n) || at.flow {
		return
	}
	in := s.l.inside(n, at)
	for i := range entries(n) {
		value, first, end := entryValue(n, i), entryLine(n, i), last
		if i+1 < entries(n) {
			// The next entry may have no line of its own: "- " without a text has none.
			end = max(first, entryLine(n, i+1))
		}
		switch {
		case !s.has(first, end):
		case isBlock(value):
			s.collection(value, in, end)
		case value.Kind != yaml.AliasNode:
			s.value(n, i, at)
		}
	}
}

// entryLine returns the line on which an entry of a collection starts, or its value.
func entryLine(n *yaml.Node, i int) int {
	if n.Kind == yaml.MappingNode {
		return n.Content[2*i].Line
	}
	return n.Content[i].Line
}

// value adds the comment behind the value of an entry, if it has one.
func (s *commentSearch) value(n *yaml.Node, i int, at context) {
	start, end, err := s.l.tail(n, i, at)
	if err != nil {
		return // an edit would fail in the same way
	}
	first := skipBlanks(s.l.text, start)
	if first == start || first == end || s.l.text[first] != '#' {
		return
	}
	text := strings.TrimRight(s.l.text[first:end], " \t")
	s.found = append(s.found, LineComment{Node: entryValue(n, i), Text: text, Position: s.l.lines.Position(first)})
}

// tail returns what follows the value of an entry on its line: whitespace and a comment.
func (l *layout) tail(n *yaml.Node, i int, at context) (start, end int, err error) {
	e, err := l.entry(n, i, at)
	if err != nil {
		return 0, 0, err
	}
	if e.explicit && e.indicator < 0 {
		return 0, 0, reject(e.value, "the end of the value is unclear")
	}
	start = e.end
	if isBlockScalar(e.value) {
		start = scanBlock(l.text, l.content(e.value), e.in).headerEnd
	}
	return start, lineEnd(l.text, start), nil
}

// CommentEdit replaces the comment on the line of a value, see [LineComment].
type CommentEdit struct {
	// Node is the value.
	Node *yaml.Node
	// Text is the new comment from its "#" on, on one line, or "" if there is none.
	Text string
	// Append keeps the comment that is there, and puts the new one behind it.
	Append bool
}

// retail returns what follows a value on its line with another comment.
func (c *CommentEdit) retail(tail string) string {
	before, _, had := strings.Cut(tail, "#")
	switch {
	case c.Append && had:
		return strings.TrimRight(tail, " \t") + " " + c.Text
	case c.Text == "":
		return ""
	case !had:
		before = " "
	}
	return before + c.Text
}

// comment makes the splice of a comment behind a value whose text it does not change.
func (l *layout) comment(t *target) ([]splice, error) {
	start, end, err := l.tail(t.parent, t.index, t.outer)
	if err != nil {
		return nil, err
	}
	tail := l.text[start:end]
	written := t.comment.retail(tail)
	if written == tail {
		return nil, nil
	}
	if t.at.flow {
		return nil, reject(entryValue(t.parent, t.index), "a value in a collection in flow style has no line of its own")
	}
	return []splice{{start, end, written}}, nil
}

// withTail returns a block scalar, as it is written, with another comment on its line.
func withTail(written, tail string) string {
	header := 1
	for header < len(written) && strings.IndexByte("+-123456789", written[header]) >= 0 {
		header++
	}
	return written[:header] + tail + written[lineEnd(written, header):]
}

// certainTail reports whether what follows a value on its line is nothing, or a comment that
// the parser takes for one.
func certainTail(tail string) bool {
	return tail == "" || isBlank(tail[0]) && strings.HasPrefix(strings.TrimLeft(tail, " \t"), "#") && onlyPrintable(tail[skipBlanks(tail, 0):])
}
