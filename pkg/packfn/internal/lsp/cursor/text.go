package cursor

import (
	"slices"
	"strconv"
	"strings"
)

// Text is a text embedded in another one: a block scalar, including its indentation, or a quoted
// string.
type Text struct {
	// Text is the decoded text, and Offset the offset of the position in it.
	Text   string
	Offset int
	// quote is the quote character, or 0 for a block scalar.
	quote byte
	// from is the offset in the outer text where it begins. outer maps each byte of a quoted
	// string to its offset relative to from.
	from  int
	outer []int
}

// Embedded returns the embedded text that contains the position, or nil if there is none. An
// unterminated text ends where its line ends.
func (c *Context) Embedded() *Text {
	b := c.block
	if b == nil {
		return nil
	}
	t := &Text{Text: c.text[b.from:b.to], Offset: c.at - b.from, quote: b.quote, from: b.from}
	if b.quote != 0 {
		t.Text, t.outer = decode(t.Text, b.quote)
		t.Offset, _ = slices.BinarySearch(t.outer[:len(t.Text)], c.at-b.from)
	}
	return t
}

// Outer converts an offset in this text to an offset in the outer text.
func (t *Text) Outer(offset int) int {
	if t.quote != 0 {
		offset = t.outer[min(offset, len(t.outer)-1)]
	}
	return t.from + offset
}

// Encode escapes a part of a line for insertion into the outer text.
func (t *Text) Encode(text string) string {
	switch t.quote {
	case '"':
		return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(text)
	case '\'':
		return strings.ReplaceAll(text, "'", "''")
	}
	return text
}

// decode returns the content of a quoted string, and the offset of each of its bytes and of the
// end.
func decode(text string, quote byte) (string, []int) {
	out, offsets := make([]byte, 0, len(text)), make([]int, 0, len(text)+1)
	add := func(s string, at int) {
		out = append(out, s...)
		for range len(s) {
			offsets = append(offsets, at)
		}
	}
	special := "\\\r\n"
	if quote == '\'' {
		special = "'\r\n"
	}
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '\'' && quote == '\'' && strings.HasPrefix(text[i:], "''"):
			add("'", i)
			i += 2
		case c == '\\' && quote == '"':
			s, n := escape(text[i:])
			add(s, i)
			i += n
		case c == '\n' || c == '\r': // line folding
			at := i
			lines := 0
			for i < len(text) && strings.IndexByte(" \t\r\n", text[i]) >= 0 {
				if text[i] == '\n' {
					lines++
				}
				i++
			}
			for len(out) > 0 && (out[len(out)-1] == ' ' || out[len(out)-1] == '\t') {
				out, offsets = out[:len(out)-1], offsets[:len(offsets)-1]
			}
			if lines < 2 {
				add(" ", at)
			}
			add(strings.Repeat("\n", max(0, lines-1)), at)
		default:
			n := strings.IndexAny(text[i+1:], special) + 1
			if n == 0 {
				n = len(text) - i
			}
			out = append(out, text[i:i+n]...)
			for end := i + n; i < end; i++ {
				offsets = append(offsets, i)
			}
		}
	}
	return string(out), append(offsets, len(text))
}

// escapes are the escape sequences of one character in double quotes.
var escapes = [256]string{'0': "\x00", 'a': "\a", 'b': "\b", 't': "\t", '\t': "\t", 'n': "\n", 'v': "\v", 'f': "\f", 'r': "\r", 'e': "\x1b", ' ': " ", '"': `"`, '/': "/", '\\': `\`, 'N': "\u0085", '_': "\u00a0", 'L': "\u2028", 'P': "\u2029"}

// escape decodes the escape sequence at the beginning of a text, and returns its length.
func escape(text string) (string, int) {
	if len(text) == 1 {
		return "", 1
	}
	digits := 0
	switch text[1] {
	case 'x':
		digits = 2
	case 'u':
		digits = 4
	case 'U':
		digits = 8
	}
	if digits > 0 {
		n := min(2+digits, len(text))
		r, _ := strconv.ParseUint(text[2:n], 16, 32) // half typed: U+0000
		return string(rune(r)), n
	}
	if text[1] == '\n' || text[1] == '\r' { // an escaped line break
		n := 1
		for n < len(text) && strings.IndexByte(" \t\r\n", text[n]) >= 0 {
			n++
		}
		return "", n
	}
	if s := escapes[text[1]]; s != "" {
		return s, 2
	}
	return text[:2], 2
}
