package values

import (
	"strings"
	"sync"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// Embedded returns a function from places in the text of a scalar of d to places in d. It
// reports false where that is not known: in folded blocks, and for no place. What it keeps of
// d is the text.
func (d *Document) Embedded(n *yaml.Node) func(Position) (Position, bool) {
	n = dealias(n)
	text, value, style, start := d.text, n.Value, n.Style, At(n)
	isScalar, properties := n.Kind == yaml.ScalarNode && start.Line > 0, yaml.Node{Anchor: n.Anchor, Style: style}
	load := sync.OnceValue(func() *embedded {
		e := &embedded{text: text, value: value, lines: NewLines(text), inner: NewLines(value)}
		e.start, _ = skipProperties(text, e.lines.Offset(start), &properties)
		switch {
		case style&yaml.LiteralStyle != 0:
			e.isBlock = true
		case style&yaml.FoldedStyle == 0:
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
	text, value string
	// start is the offset of the scalar in the text.
	start        int
	lines, inner *Lines
	isBlock      bool
	// offsets has the offset in the text for each byte of the value, and for its end; nil if
	// the value is not known there.
	offsets []int
}

func (e *embedded) place(p Position) (Position, bool) {
	if p.Line > len(e.inner.starts) {
		return Position{}, false
	}
	if !e.isBlock {
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

// scan finds the characters of a value that is plain or in quotes, on one line.
func (e *embedded) scan(style yaml.Style) {
	at := e.start
	if style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 {
		at++
	}
	offsets := make([]int, 0, len(e.value)+1)
	for len(offsets) < len(e.value) {
		_, size := utf8.DecodeRuneInString(e.value[len(offsets):])
		character, rest := e.value[len(offsets):][:size], e.text[min(at, len(e.text)):]
		width := size
		switch {
		case style&yaml.DoubleQuotedStyle != 0 && strings.HasPrefix(rest, `\`):
			width = escapeLength(rest)
		case style&yaml.SingleQuotedStyle != 0 && strings.HasPrefix(rest, "''"):
			width = 2
		case !strings.HasPrefix(rest, character):
			return
		}
		if width = min(width, len(rest)); lineEnd(rest[:width], 0) < width {
			return
		}
		for range size {
			offsets = append(offsets, at)
		}
		at += width
	}
	e.offsets = append(offsets, at)
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
