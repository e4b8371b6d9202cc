package jsonschema

import (
	"encoding/json"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// parseJSON reads a JSON text as nodes. A parser of YAML is not enough: it refuses
// some JSON, such as escaped surrogates and long keys.
func parseJSON(source string) (*yaml.Node, error) {
	if err := json.Unmarshal([]byte(source), new(json.RawMessage)); err != nil {
		return nil, err
	}
	d := json.NewDecoder(strings.NewReader(source))
	d.UseNumber()
	n, _ := nextNode(d)
	return n, nil
}

// nextNode returns the next value of a valid text, or says that the array or
// object that it is in ends.
func nextNode(d *json.Decoder) (n *yaml.Node, end bool) {
	token, _ := d.Token()
	n = &yaml.Node{Kind: yaml.ScalarNode}
	switch token := token.(type) {
	case json.Delim:
		if token == '}' || token == ']' {
			return nil, true
		}
		n.Kind = yaml.SequenceNode
		if token == '{' {
			n.Kind = yaml.MappingNode
		}
		for child, end := nextNode(d); !end; child, end = nextNode(d) {
			n.Content = append(n.Content, child)
		}
	case json.Number:
		n.Tag, n.Value = "!!float", token.String()
	case string:
		n.Tag, n.Value = "!!str", token
	case bool:
		n.Tag, n.Value = "!!bool", fmt.Sprint(token)
	default:
		n.Tag, n.Value = "!!null", "null"
	}
	return n, false
}
