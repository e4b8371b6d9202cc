package protocol

import (
	"sort"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/cursor"
	"github.com/krm-packs/functions/pkg/values"
)

// The encodings of positions. All clients support UTF-16.
const (
	UTF16 = "utf-16"
	UTF8  = "utf-8"
)

// Buffer is a text with the offsets of its lines.
type Buffer struct {
	// Text is the text, and lines the offsets at which its lines begin.
	Text  string
	lines []int
	// encoding is the encoding of the client's positions.
	encoding string
	// parsed are the lines as YAML counts them, or nil until they are needed.
	parsed *values.Lines
}

// NewBuffer finds the lines of a text. A line ends with a line feed, a carriage return, or both, as
// the protocol defines.
func NewBuffer(text, encoding string) *Buffer {
	b := &Buffer{Text: text, lines: []int{0}, encoding: encoding}
	for i := range len(text) {
		if text[i] == '\n' || text[i] == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			b.lines = append(b.lines, i+1)
		}
	}
	return b
}

// Line returns line n, counted from 0, without its line break, or "" if it does not exist.
func (b *Buffer) Line(n int) string {
	if n < 0 || n >= len(b.lines) {
		return ""
	}
	end := len(b.Text)
	if n+1 < len(b.lines) {
		end = b.lines[n+1]
	}
	return strings.TrimRight(b.Text[b.lines[n]:end], "\r\n")
}

// width returns the length of a text in units of the client's positions.
func (b *Buffer) width(text string) int {
	if b.encoding == UTF8 {
		return len(text)
	}
	n := 0
	for _, r := range text {
		n += max(utf16.RuneLen(r), 1)
	}
	return n
}

// Offset returns the offset of a position. A position after the end of its line means the end of
// the line, as the protocol defines.
func (b *Buffer) Offset(p Position) int {
	if p.Line < 0 || p.Character < 0 {
		return 0
	}
	if p.Line >= len(b.lines) {
		return len(b.Text)
	}
	line, at := b.Line(p.Line), 0
	for n := 0; at < len(line) && n < p.Character; {
		_, size := utf8.DecodeRuneInString(line[at:])
		if n += b.width(line[at : at+size]); n > p.Character {
			break // in the middle of a character
		}
		at += size
	}
	return b.lines[p.Line] + at
}

// Position converts a position in YAML to the client's position.
func (b *Buffer) Position(at diag.Position) Position {
	if b.parsed == nil {
		b.parsed = values.NewLines(b.Text)
	}
	return b.At(b.parsed.Offset(at))
}

// At converts an offset in the text to the client's position.
func (b *Buffer) At(offset int) Position {
	line := sort.SearchInts(b.lines, offset+1) - 1
	return Position{line, b.width(b.Text[b.lines[line]:offset])}
}

// Span converts the offsets of a part of the text to the client's range.
func (b *Buffer) Span(from, to int) Range { return Range{b.At(from), b.At(to)} }

// Change returns a new buffer with a part of the text replaced. If part is nil, the whole text is
// replaced.
func (b *Buffer) Change(part *Range, text string) *Buffer {
	if part == nil {
		return NewBuffer(text, b.encoding)
	}
	from, to := b.Offset(part.Start), b.Offset(part.End)
	return NewBuffer(b.Text[:from]+text+b.Text[max(from, to):], b.encoding)
}

// Token returns the range of the key or value that begins at a position, or the range of the line
// if the position has no column.
func (b *Buffer) Token(at diag.Position) Range {
	start := b.Position(at)
	line := b.Line(start.Line)
	begin := b.Offset(start) - b.lines[start.Line]
	end := begin + tokenLength(line[begin:])
	if at.Column == 0 {
		begin, end = len(line)-len(strings.TrimLeft(line, " \t")), len(strings.TrimRight(line, " \t"))
	}
	return Range{Position{start.Line, b.width(line[:begin])}, Position{start.Line, b.width(line[:end])}}
}

// tokenLength returns the length of the YAML token at the beginning of a text. The token is a
// quoted string, or else ends before a colon, a comment, or the end of a flow entry.
func tokenLength(text string) int {
	if text == "" {
		return 0
	}
	if text[0] == '"' || text[0] == '\'' {
		end, _ := cursor.Quoted(text)
		return end
	}
	end := len(text)
	for i := range len(text) {
		rest := text[i:]
		if strings.HasPrefix(rest, ": ") || rest == ":" || strings.HasPrefix(rest, " #") || i > 0 && strings.ContainsAny(rest[:1], ",]}") {
			end = i
			break
		}
	}
	return max(len(strings.TrimRight(text[:end], " \t")), 1)
}
