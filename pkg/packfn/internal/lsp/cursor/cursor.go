// Package cursor determines the path of a position in a YAML or JSON text, even while the text is
// being typed and cannot be parsed.
//
// It reads lines and their indentation from the beginning of the document. Broken syntax ends at
// the end of its line, or where a line is indented less. For example, the path of a position
// after "re" is "server", and AtKey is true:
//
//	server:
//	  image: vault
//	  re
package cursor

import (
	"fmt"
	"strings"

	"github.com/krm-packs/functions/pkg/values"
)

// Context describes a position in a text.
type Context struct {
	// Path is the path of the value at the position. At a key, it is the path of the mapping that
	// contains the key, or would contain it.
	Path []values.Step
	// AtKey is true if a key is at the position or can begin there. AtValue is the same for a
	// scalar. Both are true at the beginning of a list element. Both are false in comments, and
	// after complete values.
	AtKey, AtValue bool
	// From and To are the offsets of the key or value, without quotes. They are equal if nothing
	// is typed there.
	From, To int
	// Quote is the quote character of the key or value, or 0 if it is not quoted.
	Quote byte
	// InFlow is true if the position is in a flow collection, as in JSON.
	InFlow bool
	// HasColon is true if a colon follows the key.
	HasColon bool

	// text is the text, at the offset of the position, and block the embedded text at the position, or
	// nil.
	text  string
	at    int
	block *block
}

// Prefix returns the part of the key or value before the position.
func (c *Context) Prefix() string { return c.text[c.From:max(c.From, min(c.at, c.To))] }

// Word returns the key or value at the position, as it is written.
func (c *Context) Word() string { return c.text[c.From:c.To] }

// PathText formats a path like the path of a value, such as server.ports.0.
func PathText(steps []values.Step) string {
	var parts []string
	for _, step := range steps {
		if step.IsIndex {
			parts = append(parts, fmt.Sprint(step.Index))
		} else {
			parts = append(parts, step.Key)
		}
	}
	return strings.Join(parts, ".")
}

// Document returns the range of the YAML document that contains an offset.
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

// isMarker reports whether a line is a document marker, `---` or `...`.
func isMarker(line, marker string) bool {
	rest, ok := strings.CutPrefix(line, marker)
	return ok && (rest == "" || strings.ContainsAny(rest[:1], " \t\r\n"))
}

// lineEnd returns the offset of the next line, or of the end of the text.
func lineEnd(text string, from int) int {
	if n := strings.IndexByte(text[from:], '\n'); n >= 0 {
		return from + n + 1
	}
	return len(text)
}

// At returns the context of an offset in a text with a single document.
func At(text string, offset int) Context {
	s := scanner{text: text, at: offset, found: Context{text: text, From: offset, To: offset}}
	s.scan()
	return s.found
}

// Entry is a key in a text.
type Entry struct {
	// Path is the path of its value.
	Path []values.Step
	// From and To are the offsets of the key, without quotes. Value is the offset of its value.
	From, To, Value int
	// inFlow is true for a key of a flow mapping.
	inFlow bool
}

// Entries visits the keys of a text with a single document in order. It does not look into block
// scalars and quoted strings.
func Entries(text string, visit func(Entry)) {
	s := scanner{text: text, at: -1, visit: visit}
	s.scan()
}

// maxScalar is the maximum length of a returned scalar, because a whole document can be a single
// line.
const maxScalar = 4096

// Scalar returns the value of the key as it is written on its line, if it is a scalar: the text
// inside its quotes, or the text before a comment.
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
