// Package cursor finds out where in a YAML or JSON text a place is, also while the text is
// typed and cannot be parsed.
//
// It reads lines and their indents from the beginning of the document. What is broken ends
// where its line ends, or where a line begins further left.
package cursor

import (
	"strings"

	"github.com/krm-packs/functions/pkg/values"
)

// Context is what is at a place.
type Context struct {
	// Path leads to the value at the place; at a key to the mapping that has it, or would
	// have it.
	Path []values.Step
	// AtKey says that a key is at the place, or can begin there, and AtValue the same of a
	// scalar. Both can be at the beginning of an element of a list. In comments, and behind
	// what is complete, neither is.
	AtKey, AtValue bool
	// From and To are the offsets of the key or the value, without quotes. They are equal
	// where nothing is typed.
	From, To int
	// Quote is what the key or the value is quoted with, 0 for nothing.
	Quote byte
	// InFlow says that the place is in a flow collection, as in JSON.
	InFlow bool
	// HasColon says that a colon follows the key.
	HasColon bool

	text  string
	at    int
	block *block
}

// Prefix returns what of the key or the value is before the place.
func (c *Context) Prefix() string { return c.text[c.From:max(c.From, min(c.at, c.To))] }

// Word returns the key or the value at the place, as it is written.
func (c *Context) Word() string { return c.text[c.From:c.To] }

// Document returns the range of the document of a text that an offset is in.
func Document(text string, offset int) (from, to int) {
	start := 0
	for line := range strings.Lines(text) {
		end := start + len(line)
		switch {
		case !isMarker(line, "---"):
		case end <= offset:
			from = end
		case start >= offset:
			return from, start
		}
		start = end
	}
	return from, len(text)
}

// isMarker reports whether a line begins or ends a document.
func isMarker(line, marker string) bool {
	rest, ok := strings.CutPrefix(line, marker)
	return ok && (rest == "" || strings.ContainsAny(rest[:1], " \t\r\n"))
}

// lineEnd returns where the next line begins, or the text ends.
func lineEnd(text string, from int) int {
	if n := strings.IndexByte(text[from:], '\n'); n >= 0 {
		return from + n + 1
	}
	return len(text)
}

// At returns what is at an offset in a text of one document.
func At(text string, offset int) Context {
	s := scanner{text: text, at: offset, found: Context{text: text, From: offset, To: offset}}
	s.scan()
	return s.found
}

// Entry is a key in a text.
type Entry struct {
	// Path leads to its value.
	Path []values.Step
	// From and To are the offsets of the key, without quotes, and Value that of its value.
	From, To, Value int
	inFlow          bool
}

// Entries visits the keys of a text of one document in their order. What is in a block or in
// quotes is a value.
func Entries(text string, visit func(Entry)) {
	s := scanner{text: text, at: -1, visit: visit}
	s.scan()
}

// maxScalar bounds the scalars that are returned: a document can be one line.
const maxScalar = 4096

// Scalar returns the value of the key in its text, if it is a scalar, as it is written on its
// line: what is in its quotes, or up to a comment.
func (e Entry) Scalar(text string) string {
	line, _, _ := strings.Cut(text[e.Value:min(len(text), e.Value+maxScalar)], "\n")
	line = strings.TrimRight(line, "\r")
	if line == "" || line[0] == '#' {
		return ""
	}
	if line[0] == '"' || line[0] == '\'' {
		to, ok := Quoted(line)
		if ok {
			to--
		}
		return line[1:to]
	}
	return line[:plainEnd(line, e.inFlow)]
}
