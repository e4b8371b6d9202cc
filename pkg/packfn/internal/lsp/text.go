package lsp

import (
	"sort"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/cursor"
	"github.com/krm-packs/functions/pkg/values"
)

// The encodings of positions. UTF-16 is that of all clients.
const (
	utf16Encoding = "utf-16"
	utf8Encoding  = "utf-8"
)

// buffer is a text with the beginnings of its lines.
type buffer struct {
	text  string
	lines []int
	// encoding is that of the positions of the client.
	encoding string
	// parsed are the lines as YAML counts them, nil until they are needed.
	parsed *values.Lines
}

func newBuffer(text, encoding string) *buffer {
	b := &buffer{text: text, lines: []int{0}, encoding: encoding}
	for i := range len(text) {
		if text[i] == '\n' || text[i] == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			b.lines = append(b.lines, i+1)
		}
	}
	return b
}

// line returns a line, from 0, without its end; "" for one that is not there.
func (b *buffer) line(n int) string {
	if n < 0 || n >= len(b.lines) {
		return ""
	}
	end := len(b.text)
	if n+1 < len(b.lines) {
		end = b.lines[n+1]
	}
	return strings.TrimRight(b.text[b.lines[n]:end], "\r\n")
}

// width returns how many units of the client's positions a text takes.
func (b *buffer) width(text string) int {
	if b.encoding == utf8Encoding {
		return len(text)
	}
	n := 0
	for _, r := range text {
		n += max(utf16.RuneLen(r), 1)
	}
	return n
}

// offset returns the place of a position in the text. What is after the end of its line is the
// end, as the protocol has it.
func (b *buffer) offset(p position) int {
	if p.Line < 0 || p.Character < 0 {
		return 0
	}
	if p.Line >= len(b.lines) {
		return len(b.text)
	}
	line, at := b.line(p.Line), 0
	for n := 0; at < len(line) && n < p.Character; {
		_, size := utf8.DecodeRuneInString(line[at:])
		if n += b.width(line[at : at+size]); n > p.Character {
			break // in the middle of a character
		}
		at += size
	}
	return b.lines[p.Line] + at
}

// position returns the client's position of a place in YAML.
func (b *buffer) position(at diag.Position) position {
	if b.parsed == nil {
		b.parsed = values.NewLines(b.text)
	}
	return b.place(b.parsed.Offset(at))
}

// place returns the client's position of an offset in the text.
func (b *buffer) place(offset int) position {
	line := sort.SearchInts(b.lines, offset+1) - 1
	return position{line, b.width(b.text[b.lines[line]:offset])}
}

// change returns the text with a part replaced.
func (b *buffer) change(part *span, text string) *buffer {
	if part == nil {
		return newBuffer(text, b.encoding)
	}
	from, to := b.offset(part.Start), b.offset(part.End)
	return newBuffer(b.text[:from]+text+b.text[max(from, to):], b.encoding)
}

// token returns the range of what a finding is about: the key or the value that begins at its
// place, else the line.
func (b *buffer) token(at diag.Position) span {
	start := b.position(at)
	line := b.line(start.Line)
	begin := b.offset(start) - b.lines[start.Line]
	end := begin + tokenLength(line[begin:])
	if at.Column == 0 {
		begin, end = len(line)-len(strings.TrimLeft(line, " \t")), len(strings.TrimRight(line, " \t"))
	}
	return span{position{start.Line, b.width(line[:begin])}, position{start.Line, b.width(line[:end])}}
}

// tokenLength returns the length of the YAML token at the beginning of a text: a text in
// quotes, else what ends before a colon, a comment, or the end of a flow collection.
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
