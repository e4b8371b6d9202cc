package layout

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/values"
)

// ParseJSON parses JSON to a mapping in block style. It keeps the order of keys and the spelling
// of numbers, and returns an error for a duplicate key.
func ParseJSON(source []byte) (*yaml.Node, error) {
	document, err := values.ParseJSON(string(source))
	if err != nil {
		return nil, fmt.Errorf("not JSON: %w", err)
	}
	for _, d := range document.Duplicates() {
		return nil, errors.New(Duplicate(d))
	}
	if root := document.Root(); root == nil || root.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("must be a map, got %s", values.KindOf(root))
	}
	n := Block(document.Root())
	Restyle(n, yaml.DoubleQuotedStyle)
	return n, nil
}

// Duplicate returns the message about a duplicate key.
func Duplicate(d values.Duplicate) string {
	f := diag.Duplicate(d.First, d.Second)
	return d.Path + ": " + f.Message()
}

// JSON prints YAML as JSON. It keeps the order of keys, and the spelling of numbers that are
// valid in JSON.
func JSON(n *yaml.Node) ([]byte, error) {
	var compact, out bytes.Buffer
	if err := printJSON(&compact, n); err != nil {
		return nil, err
	}
	err := json.Indent(&out, compact.Bytes(), "", "  ")
	out.WriteByte('\n')
	return out.Bytes(), err
}

// printJSON prints a tree as JSON, in the order of its keys and with any white space, because the
// caller indents it.
func printJSON(b *bytes.Buffer, n *yaml.Node) error {
	n = values.Resolve(n)
	if n.Kind == yaml.ScalarNode {
		return printScalar(b, n)
	}
	brackets, isMapping := "[]", n.Kind == yaml.MappingNode
	if isMapping {
		brackets = "{}"
	}
	b.WriteByte(brackets[0])
	for i, child := range n.Content {
		switch isValue := isMapping && i%2 == 1; {
		case isValue:
			b.WriteByte(':')
		case i > 0:
			b.WriteByte(',')
		}
		if isMapping && i%2 == 0 {
			child = Text(values.Resolve(child).Value)
		}
		if err := printJSON(b, child); err != nil {
			return err
		}
	}
	b.WriteByte(brackets[1])
	return nil
}

// printScalar prints a scalar as JSON: a date as a string, and a number as it is written if JSON has
// the form, so 1.10 stays 1.10.
func printScalar(b *bytes.Buffer, n *yaml.Node) error {
	var value any = n.Value
	switch tag := n.ShortTag(); {
	case tag == "!!str", tag == "!!timestamp":
	case (tag == "!!int" || tag == "!!float") && json.Valid([]byte(n.Value)):
		value = json.Number(n.Value)
	default:
		if err := n.Decode(&value); err != nil {
			return err
		}
	}
	encoder := json.NewEncoder(b)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(value)
}
