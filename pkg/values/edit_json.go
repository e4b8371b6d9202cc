package values

import (
	"encoding/json"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// isJSON reports whether a document is JSON, and has something that says so: {}
// stands in YAML too. Those who read JSON have to be able to read it after an edit.
func (d *Document) isJSON() bool {
	text := strings.TrimLeft(d.text, " \t\r\n")
	if text == "" || text[0] != '{' && text[0] != '[' || !json.Valid([]byte(text)) {
		return false
	}
	return slices.ContainsFunc(d.Root().Content, func(n *yaml.Node) bool { return n.Style&yaml.DoubleQuotedStyle != 0 })
}

// source returns src as its values are put into d: with their text, on their own,
// and as JSON where d is JSON and they can be.
func (d *Document) source(src *Document) (*Document, error) {
	src, err := selfContained(src)
	if err != nil || src.Root() == nil || !d.isJSON() {
		return src, err
	}
	if text, ok := writeJSON(src.Root(), jsonForm{}); ok {
		if written, err := Parse(text); err == nil {
			return written, nil
		}
	}
	return src, nil
}
