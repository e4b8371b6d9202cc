package dependency

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// parseJSON reads a text that has to be JSON, as nodes with positions: the YAML
// parser does not read all JSON (tabs, pairs of surrogates), and reads what is
// none. The error tells the line and the offset in bytes, and the position is
// its place.
func parseJSON(text string) (*jsonDocument, values.Position, error) {
	if len(text) > values.MaxBytes {
		return nil, values.Position{}, fmt.Errorf("the text has %d bytes, above the limit of %d", len(text), values.MaxBytes)
	}
	r := &jsonReader{text: text, decoder: json.NewDecoder(strings.NewReader(text)), sizes: map[*yaml.Node]int{}}
	r.decoder.UseNumber()
	var whole json.RawMessage
	var root *yaml.Node
	err := json.Unmarshal([]byte(text), &whole)
	if err == nil {
		root, err = r.value(0)
	}
	if err == nil {
		return &jsonDocument{values.Of(root), r.sizes}, values.Position{}, nil
	}
	offset := int(r.decoder.InputOffset())
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
		offset = max(int(syntax.Offset)-1, 0) // it counts the character that is wrong
		if strings.HasPrefix(err.Error(), "unexpected end") {
			offset, err = len(text), errors.New("the JSON ends too early")
		}
	}
	at := r.position(offset)
	return nil, at, fmt.Errorf("line %d, offset %d: %w", at.Line, offset, err)
}

// jsonDocument is a text of JSON that was read.
type jsonDocument struct {
	*values.Document
	// sizes are the lengths in bytes of what objects hold as "value", by the
	// object, for those that stand at most in an object of a list in an object.
	sizes map[*yaml.Node]int
}

// jsonReader makes nodes of JSON.
type jsonReader struct {
	text    string
	decoder *json.Decoder
	// line and start are the line of an offset that was looked up, and where that
	// line starts; look-ups go forward.
	line, start, seen int
	sizes             map[*yaml.Node]int
}

// value reads the next value.
func (r *jsonReader) value(depth int) (*yaml.Node, error) {
	if depth > values.MaxDepth {
		return nil, fmt.Errorf("nested deeper than %d levels", values.MaxDepth)
	}
	n := &yaml.Node{}
	at := r.position(r.begin(int(r.decoder.InputOffset())))
	n.Line, n.Column = at.Line, at.Column
	token, err := r.decoder.Token()
	if err != nil {
		return nil, err
	}
	switch token := token.(type) {
	case json.Delim:
		n.Kind, n.Tag = yaml.SequenceNode, "!!seq"
		if token == '{' {
			n.Kind, n.Tag = yaml.MappingNode, "!!map"
		}
		for r.decoder.More() {
			before := int(r.decoder.InputOffset())
			child, err := r.value(depth + 1)
			if err != nil {
				return nil, err
			}
			n.Content = append(n.Content, child)
			if last := len(n.Content); depth <= 3 && n.Kind == yaml.MappingNode && last%2 == 0 && n.Content[last-2].Value == "value" {
				r.sizes[n] = int(r.decoder.InputOffset()) - r.begin(before)
			}
		}
		_, err := r.decoder.Token() // the closing one
		return n, err
	case string:
		n.Kind, n.Tag, n.Style, n.Value = yaml.ScalarNode, "!!str", yaml.DoubleQuotedStyle, token
	case json.Number:
		n.Kind, n.Tag, n.Value = yaml.ScalarNode, "!!float", token.String()
		if !strings.ContainsAny(n.Value, ".eE") {
			n.Tag = "!!int"
		}
	case bool:
		n.Kind, n.Tag, n.Value = yaml.ScalarNode, "!!bool", fmt.Sprint(token)
	default:
		n.Kind, n.Tag, n.Value = yaml.ScalarNode, "!!null", "null"
	}
	return n, nil
}

// begin is where the value behind an offset begins.
func (r *jsonReader) begin(offset int) int {
	for offset < len(r.text) && strings.IndexByte(" \t\r\n,:", r.text[offset]) >= 0 {
		offset++
	}
	return offset
}

// position is the line and column of an offset that is not before the last one.
func (r *jsonReader) position(offset int) values.Position {
	if offset < r.seen {
		r.line, r.start, r.seen = 0, 0, 0
	}
	for r.seen < offset {
		if r.text[r.seen] == '\n' {
			r.line, r.start = r.line+1, r.seen+1
		}
		r.seen++
	}
	return values.Position{Line: r.line + 1, Column: 1 + utf8.RuneCountInString(r.text[r.start:offset])}
}
