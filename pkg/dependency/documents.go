package dependency

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// embedded is one document of a text that holds several.
type embedded struct {
	text string
	// line is how many lines of the text come before it.
	line int
}

// documents splits a text at the lines that separate YAML documents. Such a line
// ends a document wherever it stands, also within a block of text, so what one
// document gets wrong is nothing to the others.
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

// first returns the line of the text that the document begins at.
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

// parse reads the document. One that is JSON is read as such, so that the sizes
// of what it holds are those that are written.
func (e embedded) parse() (*jsonDocument, error) {
	text := e.text
	if rest, ok := strings.CutPrefix(text, "---"); ok {
		text = "   " + rest
	}
	if strings.HasPrefix(strings.TrimSpace(text), "{") {
		if document, _, err := parseJSON(text); err == nil {
			return document, nil
		}
	}
	document, err := values.Parse(e.text)
	return &jsonDocument{Document: document}, err
}

// describe is the text of an error, with the line counted in the whole text.
func (e embedded) describe(err error) string {
	at := values.ErrorPosition(err)
	if at.Line == 0 {
		return err.Error()
	}
	reason := strings.TrimPrefix(err.Error(), at.String()+": ")
	at.Line += e.line
	return fmt.Sprintf("%s: %s", at, reason)
}

// moveDown makes the nodes of a document, which nobody else has seen, count
// their lines in the whole text.
func moveDown(n *yaml.Node, lines int) {
	if lines == 0 {
		return
	}
	n.Line += lines
	for _, child := range n.Content {
		moveDown(child, lines)
	}
}
