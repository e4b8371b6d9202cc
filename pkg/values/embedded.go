package values

import (
	"strings"
	"sync"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// Embedded returns a function that maps positions in the value of a scalar of d to positions in d. It
// reports false for the zero position, and if the position is unknown, as after a tag that contains a
// comma. It keeps only the text of d.
func (d *Document) Embedded(n *yaml.Node) func(Position) (Position, bool) {
	n = dealias(n)
	text, value, style, start := d.text, n.Value, n.Style, At(n)
	isScalar, properties := n.Kind == yaml.ScalarNode && start.Line > 0, yaml.Node{Anchor: n.Anchor, Style: style}
	load := sync.OnceValue(func() *embedded {
		e := &embedded{text: text, value: value, lines: NewLines(text), inner: NewLines(value)}
		e.start, _ = skipProperties(text, e.lines.Offset(start), &properties)
		switch {
		case style&yaml.LiteralStyle != 0:
			e.isLiteral = true
		case style&yaml.FoldedStyle != 0:
			e.scanFolded()
		default:
			e.scan(style)
		}
		return e
	})
	return func(p Position) (Position, bool) {
		if !isScalar || p.Line == 0 {
			return Position{}, false
		}
		return load().place(p)
	}
}

// embedded is a scalar in a text.
type embedded struct {
	// text is the text of the document, and value the decoded value of the scalar.
	text, value string
	// start is the offset of the scalar in the text.
	start int
	// lines are the lines of the text, and inner the lines of the value.
	lines, inner *Lines
	// isLiteral is true for literal blocks, whose lines are the lines of the value with indentation.
	isLiteral bool
	// offsets has the offset in the text for each byte of the value, and for its end, or nil if the
	// value is not known there.
	offsets []int
}

// place returns the position in the document of a position in the value. It is false if the text does
// not have the value there.
func (e *embedded) place(p Position) (Position, bool) {
	if p.Line > len(e.inner.starts) {
		return Position{}, false
	}
	if !e.isLiteral {
		if e.offsets == nil {
			return Position{}, false
		}
		return e.lines.Position(e.offsets[e.inner.Offset(p)]), true
	}
	from := e.inner.Start(p.Line)
	want := e.value[from:lineEnd(e.value, from)]
	start := e.lines.Start(e.lines.Line(e.start) + p.Line)
	line := e.text[start:lineEnd(e.text, start)]
	indentation, ok := strings.CutSuffix(line, want)
	if !ok || strings.Trim(indentation, " ") != "" {
		return Position{}, false
	}
	at := e.lines.Position(start)
	if at.Column = 0; p.Column > 0 {
		at.Column = len(indentation) + p.Column
	}
	return at, true
}

// scan finds the characters of a value that is plain or in quotes:
//
//	"one \u00e9
//	  two\
//	  three"
func (e *embedded) scan(style yaml.Style) {
	at := e.start
	if style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 {
		at++
	}
	ok := true
	for ok && len(e.offsets) < len(e.value) {
		_, size := utf8.DecodeRuneInString(e.value[len(e.offsets):])
		character, rest := e.value[len(e.offsets):][:size], e.text[min(at, len(e.text)):]
		next, breaks := skipFold(e.text, at)
		switch {
		case breaks > 0:
			ok = e.takeFold(at, breaks)
		case style&yaml.DoubleQuotedStyle != 0 && strings.HasPrefix(rest, `\`) && breakLength(rest, 1) > 0:
			next, breaks = skipFold(e.text, at+1)
			ok = e.take(at, 0, strings.Repeat("\n", breaks-1))
		case style&yaml.DoubleQuotedStyle != 0 && strings.HasPrefix(rest, `\`):
			next = at + min(escapeLength(rest), len(rest))
			ok = e.take(at, 0, character)
		case style&yaml.SingleQuotedStyle != 0 && strings.HasPrefix(rest, "''"):
			next = at + 2
			ok = e.take(at, 0, "'")
		default:
			next = at + size
			ok = strings.HasPrefix(rest, character) && e.take(at, 0, character)
		}
		at = next
	}
	e.finish(ok, at)
}

// scanFolded finds the characters of a folded block, in which lines that begin with a blank are not
// folded:
//
//	>
//	  one
//	  line
//
//	    two
//	    three
func (e *embedded) scanFolded() {
	indentation, wasSpaced, hasContent := -1, false, false
	var ends []int // of the last line with content and of the empty ones after it
	for number := e.lines.Line(e.start) + 1; number <= len(e.lines.starts) && len(e.offsets) < len(e.value); number++ {
		start := e.lines.Start(number)
		line := e.text[start:lineEnd(e.text, start)]
		spaces := len(line) - len(strings.TrimLeft(line, " "))
		if spaces == len(line) && (indentation < 0 || spaces <= indentation) {
			ends = append(ends, start+len(line))
			continue
		}
		if indentation < 0 { // the header may say it, or the first line: of both the value has the rest
			written := strings.TrimLeft(e.value, "\n")
			indentation = max(0, spaces-(len(written)-len(strings.TrimLeft(written, " "))))
		}
		if spaces < indentation {
			break
		}
		content := line[indentation:]
		isSpaced := content[0] == ' ' || content[0] == '\t'
		ok := false
		if hasContent && !wasSpaced && !isSpaced {
			ok = e.takeFold(ends[0], len(ends))
		} else {
			ok = e.takeBreaks(ends)
		}
		if !ok || !e.take(start+indentation, 1, content) {
			break
		}
		ends, wasSpaced, hasContent = append(ends[:0], start+len(line)), isSpaced, true
	}
	rest, end := len(e.value)-len(e.offsets), e.start
	switch {
	case 0 < rest && rest <= len(ends):
		end = afterBreak(e.text, ends[rest-1])
	case len(ends) > 0:
		end = ends[0]
	}
	e.finish(e.takeBreaks(ends[:min(rest, len(ends))]), end)
}

// take notes that what comes next in the value is written at an offset, of which each byte is a
// step further. It reports whether the value has that.
func (e *embedded) take(at, step int, what string) bool {
	if !strings.HasPrefix(e.value[len(e.offsets):], what) {
		return false
	}
	for i := range len(what) {
		e.offsets = append(e.offsets, at+step*i)
	}
	return true
}

// takeBreaks is take for line breaks that are kept.
func (e *embedded) takeBreaks(ends []int) bool {
	for _, end := range ends {
		if !e.take(end, 0, "\n") {
			return false
		}
	}
	return true
}

// takeFold is take for line breaks that are folded: one is a space, and of more the first is nothing.
func (e *embedded) takeFold(at, breaks int) bool {
	if breaks == 1 {
		return e.take(at, 0, " ")
	}
	return e.take(at, 0, strings.Repeat("\n", breaks-1))
}

// finish notes the offset of the end of the value, or that nothing of it is known.
func (e *embedded) finish(ok bool, end int) {
	if e.offsets = append(e.offsets, end); !ok || len(e.offsets) != len(e.value)+1 {
		e.offsets = nil
	}
}

// skipFold returns the offset of the first character that is no blank after line breaks, and how many
// breaks come before it: 0 if only blanks do.
func skipFold(text string, at int) (after, breaks int) {
	for at < len(text) {
		if length := breakLength(text, at); length > 0 {
			breaks++
			at += length
		} else if text[at] == ' ' || text[at] == '\t' {
			at++
		} else {
			break
		}
	}
	return at, breaks
}

// escapeLength is the length of an escaped character in double quotes.
func escapeLength(text string) int {
	switch text[min(1, len(text)-1)] {
	case 'x':
		return len(`\x00`)
	case 'u':
		// JSON writes a character above U+FFFF as a pair of surrogates.
		if len(text) > len(`\u0000`) && strings.ContainsAny(text[2:3], "dD") && strings.ContainsAny(text[3:4], "89abAB") && strings.HasPrefix(text[len(`\u0000`):], `\u`) {
			return len(`\u0000\u0000`)
		}
		return len(`\u0000`)
	case 'U':
		return len(`\U00000000`)
	}
	return len(`\n`)
}
