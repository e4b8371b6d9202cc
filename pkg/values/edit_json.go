package values

import (
	"encoding/json"
	"math"
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
	var b strings.Builder
	if writeJSON(&b, src.Root()) {
		if written, err := Parse(b.String()); err == nil {
			return written, nil
		}
	}
	return src, nil
}

// writeJSON writes a value as JSON on one line, numbers as they stand if they can.
// It reports false for what JSON does not have: infinity, and keys that are none.
func writeJSON(b *strings.Builder, n *yaml.Node) bool {
	switch n.Kind {
	case yaml.ScalarNode:
		return writeJSONScalar(b, n)
	case yaml.SequenceNode:
		b.WriteByte('[')
		for i, child := range n.Content {
			if i > 0 {
				b.WriteString(", ")
			}
			if !writeJSON(b, child) {
				return false
			}
		}
		b.WriteByte(']')
		return true
	case yaml.MappingNode:
		b.WriteByte('{')
		for i, p := range pairs(n) {
			if i > 0 {
				b.WriteString(", ")
			}
			if p.key.Kind != yaml.ScalarNode {
				return false
			}
			b.WriteString(jsonString(p.key.Value) + ": ")
			if !writeJSON(b, p.value) {
				return false
			}
		}
		b.WriteByte('}')
		return true
	}
	return false
}

func writeJSONScalar(b *strings.Builder, n *yaml.Node) bool {
	var v any
	switch n.ShortTag() {
	case strTag, timestampTag: // which JSON has as text
		b.WriteString(jsonString(n.Value))
		return true
	case intTag, floatTag:
		if json.Valid([]byte(n.Value)) {
			b.WriteString(n.Value)
			return true
		}
	case nullTag, boolTag:
	default:
		return false
	}
	if err := n.Decode(&v); err != nil {
		return false
	}
	if f, ok := v.(float64); ok && (math.IsInf(f, 0) || math.IsNaN(f)) {
		return false
	}
	text, err := json.Marshal(v)
	b.Write(text)
	return err == nil
}

// jsonString writes a text with no more escapes than JSON needs.
func jsonString(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		return doubleQuoted(text)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
