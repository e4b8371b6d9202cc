package values

import (
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// The functions of this file find where a scalar ends. The nodes have starts
// only, so the text is read as the parser's scanner reads it.

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

func isFlowIndicator(c byte) bool {
	return c == ',' || c == '[' || c == ']' || c == '{' || c == '}'
}

// blankOrBreak reports whether a blank, a line break or the end of the text
// is at i.
func blankOrBreak(text string, i int) bool {
	return i >= len(text) || isBlank(text[i]) || breakLength(text, i) > 0
}

// scanQuoted returns the end of the quoted scalar that starts at i.
func scanQuoted(text string, i int) int {
	quote := text[i]
	for i++; i < len(text); i++ {
		switch {
		case text[i] == '\\' && quote == '"':
			i++
		case text[i] == quote && quote == '\'' && i+1 < len(text) && text[i+1] == '\'':
			i++
		case text[i] == quote:
			return i + 1
		}
	}
	return len(text)
}

// scanPlain returns the end of the plain scalar that starts at i, in flow
// style or below a block collection at column indent (from 0; -1 at the root).
func scanPlain(text string, i int, at context) int {
	end := i
	for {
		if i < len(text) && text[i] == '#' && i > end {
			return end
		}
		for !blankOrBreak(text, i) {
			c := text[i]
			if c == ':' && blankOrBreak(text, i+1) || at.flow && (isFlowIndicator(c) || c == '?') {
				return end
			}
			i++
			end = i
		}
		column, broken := 0, false
		for i < len(text) && blankOrBreak(text, i) {
			if n := breakLength(text, i); n > 0 {
				i += n
				column, broken = 0, true
			} else {
				i++
				column++
			}
		}
		if i >= len(text) || broken && (!at.flow && column < at.indent+1 || column == 0 && documentMarker(text, i)) {
			return end
		}
	}
}

// documentMarker reports whether "---" or "..." is at i, the start of a line.
func documentMarker(text string, i int) bool {
	return (strings.HasPrefix(text[i:], "---") || strings.HasPrefix(text[i:], "...")) && blankOrBreak(text, i+3)
}

// blockScalar is the layout of a literal or folded scalar.
type blockScalar struct {
	style     byte // '|' or '>'
	chomping  byte // '-', '+' or 0
	increment int  // the indentation indicator, or 0 if there is none
	headerEnd int  // after the indicators
	lineEnd   int  // of the header's line, without its break
	content   int  // the start of the first content line
	indent    int  // the column of the content
	last      int  // the end of the last line that is not blank, without its break
	end       int  // the start of the first line after the scalar and all blank lines that follow it
}

// valueEnd returns the end of what belongs to the value, without the last
// line's break: with "+" the blank lines that follow belong to it.
func (b blockScalar) valueEnd(text string) int {
	if b.chomping != '+' || b.end == b.last {
		return b.last
	}
	return trimBreak(text, b.end)
}

// trimBreak returns i without the line break that ends there.
func trimBreak(text string, i int) int {
	for _, n := range []int{2, 1, 3} {
		if i >= n && breakLength(text, i-n) == n {
			return i - n
		}
	}
	return i
}

// lineEnd returns the end of the line that holds i, without its break.
func lineEnd(text string, i int) int {
	for ; i < len(text); i++ {
		// One comparison shows that most characters are not line breaks.
		if c := text[i]; (c < ' ' || c >= utf8.RuneSelf) && breakLength(text, i) > 0 {
			break
		}
	}
	return i
}

// afterBreak returns the start of the next line when i is at a line break.
func afterBreak(text string, i int) int { return i + breakLength(text, i) }

// scanBlock finds the parts of the literal or folded scalar whose indicator is at i:
//
//	key: |2-  # comment
//	    text
//
// Here the chomping is '-' and the increment 2, so the content is two columns right of the key, and
// the text itself begins with two blanks.
func scanBlock(text string, i int, at context) blockScalar {
	b := blockScalar{style: text[i]}
	for i++; i < len(text); i++ {
		if c := text[i]; c == '-' || c == '+' {
			b.chomping = c
		} else if c >= '1' && c <= '9' {
			b.increment = int(c - '0')
		} else {
			break
		}
	}
	b.headerEnd = i
	b.lineEnd = lineEnd(text, i)
	b.content = afterBreak(text, b.lineEnd)
	b.last, b.end = b.lineEnd, b.content
	if b.increment > 0 {
		b.indent = max(at.indent, 0) + b.increment
	}
	widest := 0
	for i = b.content; i < len(text); {
		column := 0
		for i < len(text) && text[i] == ' ' && (b.indent == 0 || column < b.indent) {
			i++
			column++
		}
		widest = max(widest, column)
		if n := breakLength(text, i); n > 0 {
			i += n
			b.end = i
			continue
		}
		if b.indent == 0 {
			b.indent = max(widest, at.indent+1, 1)
		}
		if column != b.indent || i >= len(text) {
			if i >= len(text) {
				b.end = i
			}
			break
		}
		i = lineEnd(text, i)
		b.last = i
		i = afterBreak(text, i)
		b.end = i
	}
	if b.indent == 0 {
		b.indent = max(widest, at.indent+1, 1)
	}
	return b
}

// skipProperties returns the offset after the anchor and tag of n that start
// at i, and the whitespace, breaks and comments that follow them. last is the end
// of the properties themselves.
func skipProperties(text string, i int, n *yaml.Node) (content, last int) {
	anchor, tag := n.Anchor != "", n.Style&yaml.TaggedStyle != 0
	last = i
	for i < len(text) {
		switch {
		case text[i] == '&' && anchor:
			anchor = false
		case text[i] == '!' && (tag || i+1 == len(text) || blankOrBreak(text, i+1)):
			tag = false
		default:
			return i, last
		}
		for i < len(text) && !blankOrBreak(text, i) && !isFlowIndicator(text[i]) {
			i++
		}
		last = i
		i = skipSpace(text, i)
	}
	return i, last
}

// skipSpace returns the offset of what follows whitespace, line breaks and
// comments.
func skipSpace(text string, i int) int {
	for i < len(text) {
		switch {
		case isBlank(text[i]):
			i++
		case text[i] == '#' && (i == 0 || blankOrBreak(text, i-1) || breakBefore(text, i)):
			i = lineEnd(text, i)
		default:
			n := breakLength(text, i)
			if n == 0 {
				if strings.HasPrefix(text[i:], byteOrderMark) {
					n = len(byteOrderMark)
				} else {
					return i
				}
			}
			i += n
		}
	}
	return i
}

// breakBefore reports whether a line starts at i.
func breakBefore(text string, i int) bool {
	return i == 0 || trimBreak(text, i) != i || i == len(byteOrderMark) && strings.HasPrefix(text, byteOrderMark)
}

// skipBlanks returns the offset of what follows spaces and tabs.
func skipBlanks(text string, i int) int {
	for i < len(text) && isBlank(text[i]) {
		i++
	}
	return i
}

// width is the number of characters of s.
func width(s string) int { return utf8.RuneCountInString(s) }

func leadingSpaces(s string) int { return len(s) - len(strings.TrimLeft(s, " ")) }
