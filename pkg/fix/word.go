package fix

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// word is a scalar in a line of YAML.
type word struct {
	// from and to are its bytes in the line, without quotes.
	from, to int
	text     string
	quoted   bool
	isKey    bool
}

// lineOf returns a line of a text, its break included.
func lineOf(text []byte, number int) string {
	lines := bytes.SplitAfter(text, []byte("\n"))
	if number > len(lines) {
		return ""
	}
	return string(lines[number-1])
}

// byteOf returns the index of a column's first byte, -1 when the line is shorter. A byte
// order mark has no column.
func byteOf(line string, column int) int {
	at := 0
	if strings.HasPrefix(line, "\ufeff") {
		at = len("\ufeff")
	}
	for ; column > 1; column-- {
		if at >= len(line) {
			return -1
		}
		_, size := utf8.DecodeRuneInString(line[at:])
		at += size
	}
	return at
}

// words returns the scalar at a place of a line and, when that is a key, the one that is
// its value.
func words(line string, start int) []word {
	first, ok := wordAt(line, start)
	if !ok {
		return nil
	}
	if !first.isKey {
		return []word{first}
	}
	after := strings.IndexByte(line[first.to:], ':') + first.to + 1
	value := after + len(line[after:]) - len(strings.TrimLeft(line[after:], " \t"))
	if second, ok := wordAt(line, value); ok && !second.isKey {
		return []word{first, second}
	}
	return []word{first}
}

// wordAt reads the scalar that begins at a byte of a line. It is not ok when none begins
// there, or one that does not end on the line.
func wordAt(line string, start int) (w word, ok bool) {
	rest := strings.TrimRight(line[min(start, len(line)):], "\r\n")
	if rest == "" {
		return w, false
	}
	switch rest[0] {
	case '"', '\'':
		end := strings.IndexByte(rest[1:], rest[0])
		if end < 0 || strings.ContainsRune(rest[1:1+end], '\\') {
			return w, false
		}
		w = word{from: start + 1, to: start + 1 + end, text: rest[1 : 1+end], quoted: true}
		rest = rest[end+2:]
	case '|', '>', '&', '*', '!', '{', '[', '#', '-':
		if rest[0] != '-' || len(rest) == 1 || rest[1] == ' ' {
			return w, false
		}
		fallthrough
	default:
		end := len(rest)
		for i := range rest {
			if rest[i] == ':' && (i+1 == len(rest) || rest[i+1] == ' ') || rest[i] == '#' && i > 0 && rest[i-1] == ' ' ||
				rest[i] == ',' && (i+1 == len(rest) || rest[i+1] == ' ') || rest[i] == '}' || rest[i] == ']' {
				end = i
				break
			}
		}
		text := strings.TrimRight(rest[:end], " \t")
		w = word{from: start, to: start + len(text), text: text}
		rest = rest[len(text):]
	}
	rest = strings.TrimLeft(rest, " \t")
	w.isKey = strings.HasPrefix(rest, ":")
	return w, w.text != "" || w.quoted
}
