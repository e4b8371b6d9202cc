package values

import (
	"encoding/json"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// isJSON reports whether a document is JSON, and has something that says so: {}
// is YAML too. Readers of JSON must be able to read it after an edit.
func (d *Document) isJSON() bool {
	text := strings.TrimLeft(d.text, " \t\r\n")
	if text == "" || text[0] != '{' && text[0] != '[' || !json.Valid([]byte(text)) {
		return false
	}
	return slices.ContainsFunc(d.Root().Content, func(n *yaml.Node) bool { return n.Style&yaml.DoubleQuotedStyle != 0 })
}

// source returns src as its values are put into d: with their text, on their own,
// and as JSON where d is JSON. It rejects what JSON does not have.
func (d *Document) source(src *Document) (*Document, error) {
	src, err := selfContained(src)
	if err != nil || src.Root() == nil || !d.isJSON() {
		return src, err
	}
	w := jsonWriter{}
	w.node(src.Root())
	if w.failed != nil {
		return nil, refuse(w.failed, "the document is JSON, which has no .inf, .nan, tags, and keys that are maps or lists: write another value, or text in quotes")
	}
	return Parse(w.b.String())
}
