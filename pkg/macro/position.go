package macro

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

func bracketed(i int) string { return "[" + strconv.Itoa(i) + "]" }

// cursor turns offsets of a text into lines and columns and back. It goes
// forward, so that many places in one text cost no more than reading it; an
// offset behind it starts it anew.
type cursor struct {
	text     string
	at       int
	position values.Position
	// yaml counts lines as the YAML parser does, and not by "\n" alone.
	yaml bool
}

func newCursor(text string, yaml bool) *cursor {
	return &cursor{text: text, position: values.Position{Line: 1, Column: 1}, yaml: yaml}
}

func (c *cursor) step() {
	n := 0
	if c.yaml || c.text[c.at] == '\n' {
		n = breakLength(c.text[c.at:])
	}
	if n > 0 {
		c.at += n
		c.position = values.Position{Line: c.position.Line + 1, Column: 1}
		return
	}
	_, width := utf8.DecodeRuneInString(c.text[c.at:])
	c.at += width
	c.position.Column++
}

func (c *cursor) reset() { c.at, c.position = 0, values.Position{Line: 1, Column: 1} }

// to returns the place of an offset.
func (c *cursor) to(offset int) values.Position {
	if offset < c.at {
		c.reset()
	}
	for c.at < offset && c.at < len(c.text) {
		c.step()
	}
	return c.position
}

// find returns the offset of a place, that of the end when it is not there.
func (c *cursor) find(p values.Position) int {
	before := func(a, b values.Position) bool {
		return a.Line < b.Line || a.Line == b.Line && a.Column < b.Column
	}
	if before(p, c.position) {
		c.reset()
	}
	for c.at < len(c.text) && before(c.position, p) {
		c.step()
	}
	return c.at
}

// breakLength returns the length of the line break that a text starts with, as
// the YAML parser counts lines, and 0 when there is none.
func breakLength(text string) int {
	switch text[0] {
	case '\n':
		return 1
	case '\r':
		if strings.HasPrefix(text, "\r\n") {
			return 2
		}
		return 1
	case 0xC2, 0xE2: // the first bytes of the breaks that are not ASCII
		for _, b := range []string{"\u0085", "\u2028", "\u2029"} {
			if strings.HasPrefix(text, b) {
				return len(b)
			}
		}
	}
	return 0
}

// source finds the macros of a scalar in the text of its document.
type source struct {
	cursor *cursor
	start  values.Position

	at   int // how far macros were searched
	read int // the same in the decoded text
}

func newSource(c *cursor, n *yaml.Node) *source {
	s := &source{cursor: c, start: values.At(n), at: len(c.text)}
	if n.Line > 0 {
		s.at = c.find(s.start)
	}
	if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		// The first line holds the indicator, and maybe a comment.
		if line := strings.IndexByte(c.text[s.at:], '\n'); line >= 0 {
			s.at += line
		}
	}
	return s
}

// position returns where an offset of the decoded text stands in the document.
// It finds the macro by counting the `{{` before it, which all styles write as
// they are, but for escapes that nobody uses for braces. Offsets have to come
// in order.
func (s *source) position(decoded string, offset int) values.Position {
	open := strings.LastIndex(decoded[:min(offset+len("{{"), len(decoded))], "{{")
	if open < 0 {
		return s.start
	}
	exact := s.at - len("{{")
	if open+len("{{") > s.read {
		for n := strings.Count(decoded[s.read:open+len("{{")], "{{"); n > 0; n-- {
			next := strings.Index(s.cursor.text[s.at:], "{{")
			if next < 0 {
				s.at = len(s.cursor.text)
				return s.start
			}
			exact = s.at + next
			s.at = exact + len("{{")
		}
		s.read = open + len("{{")
	}
	inner := decoded[open:max(open, offset)]
	if exact >= 0 && strings.HasPrefix(s.cursor.text[exact:], inner) {
		exact += len(inner)
	}
	return s.cursor.to(max(exact, 0))
}
