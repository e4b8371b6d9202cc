package values

import (
	"regexp"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

// context is where a node is: in flow style, or else below a block
// collection at column indent (from 0; -1 at the root).
type context struct {
	// flow is true inside brackets or braces. indent has no meaning then.
	flow   bool
	indent int
}

var rootContext = context{indent: -1}

// layout finds the extent of nodes in the text of their document.
type layout struct {
	// d is the document, text its text and lines the lines of it.
	d     *Document
	text  string
	lines *Lines

	// What was asked for before. A layout serves one edit and one goroutine.
	general *observer // what the whole document shows
	near    *yaml.Node
	habits  habits // of near
	broken  string // the line break
	items   map[*yaml.Node]cursor
}

// cursor is the end of the element of a list that was looked at last.
// index is the index of the element, and end the offset after it.
type cursor struct{ index, end int }

func (d *Document) layout() *layout {
	return &layout{d: d, text: d.text, lines: d.Lines()}
}

// isEmpty reports whether a value has no text but perhaps an anchor or a tag, as
// in "key:".
func isEmpty(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Style&^yaml.TaggedStyle == 0 && n.Value == ""
}

// isBlock reports whether a map or a list is written in block style, with an entry on each line.
func isBlock(n *yaml.Node) bool {
	return (n.Kind == yaml.MappingNode || n.Kind == yaml.SequenceNode) && n.Style&yaml.FlowStyle == 0
}

func isBlockScalar(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0
}

func hasProperties(n *yaml.Node) bool { return n.Anchor != "" || n.Style&yaml.TaggedStyle != 0 }

func (l *layout) start(n *yaml.Node) int { return l.lines.Offset(At(n)) }

// content returns the offset of n itself, after its anchor and tag.
func (l *layout) content(n *yaml.Node) int {
	i := l.start(n)
	if hasProperties(n) || i < len(l.text) && l.text[i] == '!' {
		i, _ = skipProperties(l.text, i, n)
	}
	return i
}

// column returns the column of an offset, from 0.
func (l *layout) column(offset int) int {
	start := l.lines.Start(l.lines.Line(offset))
	return width(l.text[min(start, offset):offset])
}

func (l *layout) lineStartOf(offset int) int { return l.lines.Start(l.lines.Line(offset)) }

// inside returns the place of the entries of the collection n.
func (l *layout) inside(n *yaml.Node, at context) context {
	if at.flow || n.Style&yaml.FlowStyle != 0 {
		return context{flow: true}
	}
	if !hasProperties(n) && l.at(l.start(n)) != '!' {
		return context{indent: n.Column - 1}
	}
	return context{indent: l.column(l.content(n))}
}

// at returns the byte at an offset, or 0 outside of the text.
func (l *layout) at(i int) byte {
	if i < 0 || i >= len(l.text) {
		return 0
	}
	return l.text[i]
}

// end returns the offset after the last character of n, which has a text of
// its own. Blank lines and comments that follow are not counted.
func (l *layout) end(n *yaml.Node, at context) (int, error) {
	i := l.content(n)
	switch {
	case n.Kind == yaml.AliasNode:
		return i + 1 + len(n.Value), nil
	case n.Kind == yaml.ScalarNode:
		return l.scalarEnd(n, i, at)
	case n.Style&yaml.FlowStyle != 0:
		return l.flowEnd(n, i)
	}
	e, err := l.entry(n, entries(n)-1, at)
	return e.end, err
}

// scalarEnd returns the offset after the scalar n that starts at i. It returns errMismatch if the text
// there has another style than the node.
func (l *layout) scalarEnd(n *yaml.Node, i int, at context) (int, error) {
	var want string
	switch {
	case n.Style&yaml.DoubleQuotedStyle != 0:
		want = `"`
	case n.Style&yaml.SingleQuotedStyle != 0:
		want = "'"
	case n.Style&yaml.LiteralStyle != 0:
		want = "|"
	case n.Style&yaml.FoldedStyle != 0:
		want = ">"
	case n.Value == "":
		return i, nil
	default:
		return scanPlain(l.text, i, at), nil
	}
	if !strings.HasPrefix(l.text[i:], want) {
		return 0, l.lost(n)
	}
	if isBlockScalar(n) {
		return scanBlock(l.text, i, at).valueEnd(l.text), nil
	}
	return scanQuoted(l.text, i), nil
}

func (l *layout) lost(n *yaml.Node) error {
	return reject(n, "the end of the value is unclear")
}

// flowEnd returns the end of the flow collection n whose bracket is at i.
func (l *layout) flowEnd(n *yaml.Node, i int) (int, error) {
	var bracket byte
	switch l.at(i) {
	case '{':
		bracket = '}'
	case '[':
		bracket = ']'
	}
	after := i + 1
	if count := entries(n); count > 0 {
		e, err := l.entry(n, count-1, context{flow: true})
		if err != nil {
			return 0, err
		}
		if bracket == 0 || n.Kind == yaml.MappingNode && bracket == ']' {
			return e.end, nil // the one pair of [a: b], which has no brackets
		}
		after = e.end
	} else if bracket == 0 {
		return 0, l.lost(n)
	}
	for {
		after = skipSpace(l.text, after)
		switch l.at(after) {
		case bracket:
			return after + 1, nil
		case ',', ':', '?':
			after++
		default:
			return 0, l.lost(n)
		}
	}
}

// entries returns the number of pairs of a map, or of elements of a list.
func entries(n *yaml.Node) int {
	if n.Kind == yaml.MappingNode {
		return len(n.Content) / 2
	}
	return len(n.Content)
}

// entry is the text of one pair of a map or one element of a list.
type entry struct {
	key, value *yaml.Node // key is nil in a list
	in         context    // of the entry's value
	start      int        // of the key or the dash; of the value in a flow list
	column     int        // of start, from 0; block collections only
	// keyEnd is the offset after the key.
	keyEnd     int
	indicator  int  // after the ":" or "-", or -1 if there is none
	explicit   bool // written with "?"
	empty      bool // the value has no text but perhaps properties
	valueStart int  // of the value with its properties; the indicator when there is none
	end        int  // of the value
}

// entry returns the i-th entry of the collection n at a place.
func (l *layout) entry(n *yaml.Node, i int, at context) (entry, error) {
	in := l.inside(n, at)
	if n.Kind == yaml.MappingNode {
		return l.pair(n, i, in)
	}
	return l.item(n, i, in)
}

// pair finds the parts of the i-th pair of a map.
func (l *layout) pair(n *yaml.Node, i int, in context) (entry, error) {
	e := entry{key: n.Content[2*i], value: n.Content[2*i+1], in: in, indicator: -1}
	e.start = l.start(e.key)
	e.column = in.indent
	e.explicit = l.explicitKey(e.start)
	e.keyEnd = e.start
	if !isEmpty(e.key) || hasProperties(e.key) {
		var err error
		if e.keyEnd, err = l.end(e.key, in); err != nil {
			return e, err
		}
	}
	i = skipBlanks(l.text, e.keyEnd)
	if in.flow || e.explicit {
		i = skipSpace(l.text, i)
	}
	// An explicit key without a value is followed by the next pair, whose
	// colon must not be taken for this one's.
	if l.at(i) == ':' {
		e.indicator = i + 1
	}
	err := l.value(&e, e.keyEnd) // which sets fields of e
	return e, err
}

// explicitKey reports whether the key at i is introduced by "?".
func (l *layout) explicitKey(i int) bool {
	for i--; i >= 0 && isBlank(l.text[i]); i-- {
	}
	return l.at(i) == '?' && (i == 0 || blankOrBreak(l.text, i-1) || breakBefore(l.text, i) || isFlowIndicator(l.text[i-1]))
}

// value fills in the value's extent, for an entry that otherwise ends at end.
func (l *layout) value(e *entry, end int) error {
	e.empty = isEmpty(e.value)
	if e.indicator >= 0 {
		end = e.indicator
	}
	e.valueStart, e.end = end, end
	if e.empty {
		// A lone "!" is a property that leaves no trace in the node.
		if start := l.start(e.value); hasProperties(e.value) || l.at(start) == '!' {
			e.valueStart = start
			_, e.end = skipProperties(l.text, e.valueStart, e.value)
		}
		return nil
	}
	e.valueStart = l.start(e.value)
	var err error
	e.end, err = l.end(e.value, e.in)
	return err
}

// item returns the i-th element of a list. Elements without a text have no
// usable position, so the nearest one before that has is the place to start.
func (l *layout) item(n *yaml.Node, i int, in context) (entry, error) {
	from := i
	if !in.flow {
		known, ok := l.items[n]
		for from > 0 && isEmpty(n.Content[from-1]) && !hasProperties(n.Content[from-1]) && !(ok && known.index == from-1) {
			from--
		}
		if ok && from > 0 && known.index == from-1 {
			return l.itemsFrom(n, from, i, in, known.end)
		}
	}
	after := l.content(n)
	if in.flow {
		after++
	}
	if from > 0 {
		var err error
		previous := entry{value: n.Content[from-1], in: in, indicator: -1}
		if err = l.value(&previous, l.start(previous.value)); err != nil {
			return previous, err
		}
		after = previous.end
	}
	return l.itemsFrom(n, from, i, in, after)
}

// itemsFrom reads the elements of a list from one to another, the first of
// which comes next after an offset.
func (l *layout) itemsFrom(n *yaml.Node, from, i int, in context, after int) (entry, error) {
	var e entry
	for ; from <= i; from++ {
		e = entry{value: n.Content[from], in: in, indicator: -1, column: in.indent}
		after = skipSpace(l.text, after)
		if in.flow {
			e.start = l.start(e.value)
		} else {
			if l.at(after) != '-' {
				return e, l.lost(e.value)
			}
			e.start = after
			e.indicator = after + 1
		}
		if err := l.value(&e, e.start); err != nil {
			return e, err
		}
		after = e.end
	}
	if l.items == nil {
		l.items = map[*yaml.Node]cursor{}
	}
	l.items[n] = cursor{i, after}
	return e, nil
}

// belongings returns the end of an entry with its line comment and the
// deeper comments below it, without the last break.
func (l *layout) belongings(e entry) int {
	return l.deeperComments(lineEnd(l.text, e.end), e.column)
}

// deeperComments returns the end of the last comment below an entry that is indented deeper than the
// entry, or end if there is none.
func (l *layout) deeperComments(end, column int) int {
	last := end
	for i := end; breakLength(l.text, i) > 0; {
		i = afterBreak(l.text, i)
		first := skipBlanks(l.text, i)
		switch {
		case l.at(first) == '#' && width(l.text[i:first]) > column:
			i = lineEnd(l.text, first)
			last = i
		case breakLength(l.text, first) > 0:
			i = first
		default:
			return last
		}
	}
	return last
}

// fileComment matches comments that tools read: they are about the file, like
// "# spectrocloud.com/enabled-presets: a:b", and belong to no key.
var fileComment = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^#+\s*[a-z0-9-]+(\.[a-z0-9-]+)+/[A-Za-z0-9._-]+\s*:`)
})

// head returns the start of the line on which an entry with its head comment
// starts: the comment lines directly above it, in its column. Nothing before
// floor, the end of the text before the entry, counts.
func (l *layout) head(e entry, floor int) int {
	line := l.lines.Line(e.start)
	top := l.lines.Start(line)
	for line--; line >= 1; line-- {
		start := l.lines.Start(line)
		first := skipBlanks(l.text, start)
		if start < floor || l.at(first) != '#' || width(l.text[start:first]) != e.column ||
			fileComment().MatchString(l.text[first:lineEnd(l.text, first)]) {
			break
		}
		top = start
	}
	return top
}

// ownLine reports whether only whitespace precedes an entry on its line.
func (l *layout) ownLine(e entry) bool {
	return skipBlanks(l.text, l.lineStartOf(e.start)) == e.start
}
