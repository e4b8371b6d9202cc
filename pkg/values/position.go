package values

import (
	"sort"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
)

// Position is a place in a document's text.
type Position = diag.Position

// At returns where n starts: at its anchor or tag when it has one. It is the
// zero Position for nil and for nodes that were not read from a text.
func At(n *yaml.Node) Position {
	if n == nil {
		return Position{}
	}
	return Position{Line: n.Line, Column: n.Column}
}

const byteOrderMark = "\ufeff"

// breakLength returns the length in bytes of the line break that text[i:] starts with, or 0 if
// there is none. The list is the parser's: a line table that knew only "\n" would disagree with the
// nodes' positions.
func breakLength(text string, i int) int {
	if i >= len(text) {
		return 0
	}
	switch text[i] {
	case '\n':
		return 1
	case '\r':
		if i+1 < len(text) && text[i+1] == '\n' {
			return 2
		}
		return 1
	case 0xC2: // U+0085, next line
		if i+1 < len(text) && text[i+1] == 0x85 {
			return 2
		}
	case 0xE2: // U+2028 and U+2029, line and paragraph separator
		if i+2 < len(text) && text[i+1] == 0x80 && (text[i+2] == 0xA8 || text[i+2] == 0xA9) {
			return 3
		}
	}
	return 0
}

// Lines are the lines of a text as the YAML parser counts them. They turn a line and
// a column into a byte offset and back. They are safe for concurrent use.
type Lines struct {
	// text is the text, and ascii is true if it has ASCII characters only, so that columns are bytes.
	text   string
	starts []int // the offset at which each line starts
	ascii  bool

	// mu guards runes.
	mu    sync.Mutex
	runes map[int][]int // offsets of every rune of long lines that are not ASCII
}

// longLine is the length from which the runes of a line are indexed, so that
// a large document on one line does not cost quadratic time.
const longLine = 256

// NewLines returns the lines of a text. A byte order mark at its start belongs to no
// line.
func NewLines(text string) *Lines {
	t := &Lines{text: text, ascii: true}
	start := 0
	if strings.HasPrefix(text, byteOrderMark) {
		start = len(byteOrderMark)
	}
	t.starts = append(t.starts, start)
	for i := start; i < len(text); {
		c := text[i]
		if c >= ' ' && c < utf8.RuneSelf {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			t.ascii = false
		}
		if n := breakLength(text, i); n > 0 {
			i += n
			t.starts = append(t.starts, i)
			continue
		}
		i++
	}
	return t
}

// Start returns the offset of the first byte of the 1-based line; lines
// past the end start at the end of the text.
func (t *Lines) Start(line int) int {
	if line < 1 {
		return t.starts[0]
	}
	if line > len(t.starts) {
		return len(t.text)
	}
	return t.starts[line-1]
}

// Text returns the 1-based line with its break, "" past the end.
func (t *Lines) Text(line int) string { return t.text[t.Start(line):t.Start(line+1)] }

// Offset returns the byte offset of p, never past the end of the text.
func (t *Lines) Offset(p Position) int {
	start := t.Start(p.Line)
	chars := max(p.Column-1, 0)
	end := t.Start(p.Line + 1)
	if t.ascii {
		return min(start+chars, len(t.text))
	}
	if end-start > longLine {
		index := t.runeIndex(p.Line, start, end)
		return index[min(chars, len(index)-1)]
	}
	i := start
	for ; chars > 0 && i < end; chars-- {
		_, w := utf8.DecodeRuneInString(t.text[i:])
		i += w
	}
	return i
}

// character returns the character at p, or 0 if p has no column or is after the text.
func (t *Lines) character(p Position) rune {
	if p.Column == 0 {
		return 0
	}
	at := t.Offset(p)
	if at >= len(t.text) {
		return 0
	}
	r, _ := utf8.DecodeRuneInString(t.text[at:])
	return r
}

// Has reports whether a text, and not a longer word, begins at p or after a quote there.
func (t *Lines) Has(p Position, text string) (quoted, ok bool) {
	rest := t.text[t.Offset(p):]
	for _, quote := range []string{`\"`, `"`, "''", "'"} {
		if quoted = strings.HasPrefix(rest, quote); quoted {
			rest = rest[len(quote):]
			break
		}
	}
	rest, ok = strings.CutPrefix(rest, text)
	next, _ := utf8.DecodeRuneInString(rest)
	return quoted, ok && (rest == "" || !unicode.IsLetter(next) && !unicode.IsDigit(next) && !strings.ContainsRune("-_./", next))
}

// runeIndex returns the offsets of the characters of a line, and of its end. It keeps them, because
// the columns of one line are often asked for many times.
func (t *Lines) runeIndex(line, start, end int) []int {
	t.mu.Lock()
	defer t.mu.Unlock()
	if index, ok := t.runes[line]; ok {
		return index
	}
	index := make([]int, 0, end-start+1)
	for i := range t.text[start:end] {
		index = append(index, start+i)
	}
	index = append(index, end)
	if t.runes == nil {
		t.runes = map[int][]int{}
	}
	t.runes[line] = index
	return index
}

// Line returns the 1-based line that holds the offset.
func (t *Lines) Line(offset int) int {
	return max(1, sort.SearchInts(t.starts, offset+1))
}

// Position returns the place of a byte offset.
func (t *Lines) Position(offset int) Position {
	line := t.Line(offset)
	start, end := min(t.Start(line), offset), t.Start(line+1)
	switch {
	case t.ascii:
		return Position{Line: line, Column: offset - start + 1}
	case end-start > longLine:
		return Position{Line: line, Column: sort.SearchInts(t.runeIndex(line, start, end), offset) + 1}
	}
	return Position{Line: line, Column: utf8.RuneCountInString(t.text[start:offset]) + 1}
}

// InText returns the place in d of a place in the text of its scalar n: of a fault in a
// preset that presets.yaml has as a text, for one. It is where n starts when the text is
// folded or for another reason not in the document as it reads.
func (d *Document) InText(n *yaml.Node, p Position) Position {
	if at, ok := d.Embedded(n)(p); ok {
		return at
	}
	return At(dealias(n))
}

// Where returns the reason without its place, and the place (see [diag.Unreadable]).
func (e *SyntaxError) Where() (string, diag.Position) { return e.Reason, e.Position }

// Where returns the reason without its place, and the place (see [diag.Unreadable]).
func (e *EditError) Where() (string, diag.Position) { return e.Reason, e.Position }
