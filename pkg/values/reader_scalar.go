package values

import (
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// scalar reads a plain or quoted scalar on one line, and returns the offset after it.
func (r *reader) scalar(i int, isKey bool) (*yaml.Node, int) {
	c := r.text[i]
	if c == '"' || c == '\'' {
		n := r.node(yaml.ScalarNode, strTag, i)
		if n.Style = yaml.SingleQuotedStyle; c == '"' {
			n.Style = yaml.DoubleQuotedStyle
		}
		n.Value, i = r.quoted(i)
		return n, i
	}
	r.must(startsPlain(r.text[i:r.end]))
	end, hasColon := r.plainEnd(i)
	r.must(hasColon == isKey)
	return r.plain(i, end), end
}

// plain makes the node of a plain scalar.
func (r *reader) plain(i, end int) *yaml.Node {
	n := r.node(yaml.ScalarNode, "", i)
	n.Value = r.text[i:end]
	r.must(n.Value != "<<")
	n.Tag = readsAs(n.Value)
	return n
}

// startsPlain reports whether a plain scalar starts here for certain.
func startsPlain(text string) bool {
	switch c := text[0]; {
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c >= utf8.RuneSelf:
		return true
	case c == '-':
		return len(text) > 1 && text[1] != ' ' && text[1] != '\t'
	}
	return strings.IndexByte("_./$(+~^=<;\\)", text[0]) >= 0
}

// plainEnd returns the end of a plain scalar in block style, and whether it is a key.
func (r *reader) plainEnd(i int) (end int, hasColon bool) {
	for j := i; j < r.end; j++ {
		switch r.text[j] {
		case '\t':
			r.standAside()
		case ':':
			if j+1 == r.end || r.text[j+1] == ' ' {
				return r.trimmed(i, j), true
			}
		case '#':
			if r.text[j-1] == ' ' {
				return r.trimmed(i, j), false
			}
		}
	}
	return r.trimmed(i, r.end), false
}

// trimmed is the end without the spaces before it.
func (r *reader) trimmed(i, end int) int {
	for end > i && r.text[end-1] == ' ' {
		end--
	}
	return end
}

// quoted reads a quoted scalar on one line, and returns its text and the offset after it.
func (r *reader) quoted(i int) (string, int) {
	quote := r.text[i]
	line := r.text[:r.end]
	i++
	for j := i; j < r.end; j++ {
		switch {
		case line[j] == '\\' && quote == '"', line[j] == quote && quote == '\'' && j+1 < r.end && line[j+1] == quote:
			return r.escaped(i, j, quote)
		case line[j] == quote:
			return line[i:j], j + 1
		}
	}
	r.standAside()
	return "", 0
}

// escapes are the characters after a backslash, and what they stand for.
const escapes, unescaped = `"\nrtbf0 `, "\"\\\n\r\t\b\f\x00 "

// escaped is quoted for a text with escapes, the first of which is at j.
func (r *reader) escaped(i, j int, quote byte) (string, int) {
	line := r.text[:r.end]
	var out strings.Builder
	out.WriteString(line[i:j])
	for ; j < r.end; j++ {
		switch {
		case line[j] == quote && quote == '\'' && j+1 < r.end && line[j+1] == quote:
			j++
			out.WriteByte(quote)
		case line[j] == quote:
			return out.String(), j + 1
		case line[j] == '\\' && quote == '"':
			j++
			r.must(j < r.end)
			at := strings.IndexByte(escapes, line[j])
			r.must(at >= 0)
			out.WriteByte(unescaped[at])
		default:
			out.WriteByte(line[j])
		}
	}
	r.standAside()
	return "", 0
}
