package function

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// cutter takes the text of parsed items out of the input, so that they leave as
// they came. Printing one takes more than parsing it, and changes its bytes.
type cutter struct {
	// input is the whole text, nil when nothing is to be cut out: in a text that
	// is not plain, the parser counts lines and columns in ways of its own.
	input []byte
	// comments says that there are comments. Those between items belong to
	// neither text, so items beside them are printed.
	comments bool

	at, line, column int // a byte of the input and its position, as nodes count
}

func newCutter(input []byte, comments bool) *cutter {
	c := &cutter{comments: comments, line: 1, column: 1}
	if plainText(input) {
		c.input = input
	}
	return c
}

// cut returns the text of an item in flow style as one of a list in block
// style. It reports false when the item has to be printed. Items have to be
// passed in the order of the text.
func (c *cutter) cut(n *yaml.Node, list *yaml.Node) ([]byte, bool) {
	if c.input == nil || n.Kind != yaml.MappingNode || n.Style&yaml.FlowStyle == 0 || !c.seek(n.Line, n.Column) {
		return nil, false
	}
	start := c.at
	length, f := scanFlowLines(c.input[start:])
	if length < 0 || !c.endsItem(start+length, list.Style&yaml.FlowStyle != 0) {
		return nil, false
	}
	if c.comments && (c.commentBefore(start) || c.commentBehind(start+length)) {
		return nil, false
	}
	item := c.input[start : start+length]
	text := appendFlowItem(make([]byte, 0, length+3), item)
	// What may depend on the rest of the list, or on the column, is read back.
	if f.refers || f.comments || len(text) != length+3 {
		again, err := parse(slices.Concat([]byte{' '}, text[1:]))
		if err != nil || !same(n, again) {
			return nil, false
		}
	}
	return text, true
}

// seek goes to the position of a node.
func (c *cutter) seek(line, column int) bool {
	if line < c.line || line == c.line && column < c.column {
		return false
	}
	for c.line < line {
		n := bytes.IndexByte(c.input[c.at:], '\n')
		if n < 0 {
			return false
		}
		c.at += n + 1
		c.line++
		c.column = 1
	}
	for c.column < column {
		if c.at == len(c.input) || c.input[c.at] == '\n' {
			return false
		}
		size := 1
		if c.input[c.at] >= utf8.RuneSelf {
			_, size = utf8.DecodeRune(c.input[c.at:])
		}
		c.at += size
		c.column++
	}
	return c.at < len(c.input) && c.input[c.at] == '{'
}

// endsItem reports whether an item of a list can end at a place.
func (c *cutter) endsItem(end int, flow bool) bool {
	rest := c.input[end:]
	if !flow {
		line, _, _ := bytes.Cut(rest, []byte("\n"))
		return endsHere(line)
	}
	rest = bytes.TrimLeft(rest, " \n")
	return len(rest) > 0 && (rest[0] == ',' || rest[0] == ']' || rest[0] == '#')
}

// commentBefore reports whether a comment may stand between an item and what
// is before it.
func (c *cutter) commentBefore(start int) bool {
	before := bytes.TrimRight(c.input[:start], " \n-,[")
	line := c.input[bytes.LastIndexByte(before, '\n')+1 : start]
	return bytes.IndexByte(line, '#') >= 0
}

// commentBehind reports whether a comment stands between an item and what
// follows it.
func (c *cutter) commentBehind(end int) bool {
	rest := bytes.TrimLeft(c.input[end:], " \n,]}")
	return len(rest) > 0 && rest[0] == '#'
}
