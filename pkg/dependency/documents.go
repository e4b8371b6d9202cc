package dependency

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/values"
)

// sizedKey is the key of the members whose lengths count: those of the values of
// entries.
const sizedKey = "value"

// embedded is one document of a text that holds several.
type embedded struct {
	text string
	// line is how many lines of the text come before it.
	line int
}

// documents splits a text at the lines that separate YAML documents. Such a line always
// ends a document, also within a block of text, so a fault in one document does not affect
// the others.
func documents(text string) []embedded {
	var all []embedded
	start, first, line := 0, 0, 0
	add := func(end int) {
		if part := text[start:end]; strings.TrimSpace(part) != "" {
			all = append(all, embedded{part, first})
		}
	}
	for at := 0; at < len(text); line++ {
		end := len(text)
		if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
			end = at + n + 1
		}
		if isSeparator(text[at:end]) {
			add(at)
			start, first = at, line
			if strings.HasPrefix(text[at:end], "...") {
				start, first = end, line+1
			}
		}
		at = end
	}
	add(len(text))
	return all
}

// isSeparator reports whether a line begins a document, or ends one.
func isSeparator(line string) bool {
	for _, mark := range []string{"---", "..."} {
		if rest, ok := strings.CutPrefix(line, mark); ok && (rest == "" || strings.ContainsRune(" \t\r\n", rune(rest[0]))) {
			return true
		}
	}
	return false
}

// first returns the line of the text at which the document begins.
func (e embedded) first() int {
	line := e.line + 1
	for part := range strings.Lines(e.text) {
		if text := strings.TrimSpace(part); text != "" && text != "---" && text[0] != '#' {
			break
		}
		line++
	}
	return line
}

// parse reads the document. JSON is read as JSON, for the sizes as they are written.
func (e embedded) parse() (*values.Document, error) {
	text := e.text
	if rest, ok := strings.CutPrefix(text, "---"); ok {
		text = "   " + rest
	}
	if strings.HasPrefix(strings.TrimSpace(text), "{") {
		if document, err := values.ParseJSON(text, sizedKey); err == nil {
			return document, nil
		}
	}
	return values.Parse(e.text)
}

// unreadable makes a finding of an error of parse, with its position in the whole text.
func (e embedded) unreadable(err error) diag.Finding {
	f := diag.Unreadable(err)
	if f.Position.Line > 0 {
		f.Position.Line += e.line
	}
	return f
}

// moveDown changes the lines of the nodes of a new document to those of the whole
// text.
func moveDown(n *yaml.Node, lines int) {
	if lines == 0 {
		return
	}
	n.Line += lines
	for _, child := range n.Content {
		moveDown(child, lines)
	}
}
