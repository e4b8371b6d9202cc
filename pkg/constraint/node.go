package constraint

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// plain returns a node as JSON has it: maps with string keys, lists, strings, float64,
// bool and nil. OLM reads properties from JSON, so every number is a double in CEL.
func plain(n *yaml.Node) (any, error) {
	n = values.Resolve(n)
	if values.IsNull(n) {
		return nil, nil
	}
	switch n.Kind {
	case yaml.MappingNode:
		m := make(map[string]any, len(n.Content)/2)
		for _, p := range values.Pairs(n) {
			v, err := plain(p.Value)
			if err != nil {
				return nil, err
			}
			m[values.Resolve(p.Key).Value] = v
		}
		return m, nil
	case yaml.SequenceNode:
		list := make([]any, len(n.Content))
		for i, item := range n.Content {
			v, err := plain(item)
			if err != nil {
				return nil, err
			}
			list[i] = v
		}
		return list, nil
	}
	switch n.ShortTag() {
	case "!!int", "!!float":
		if f, err := strconv.ParseFloat(n.Value, 64); err == nil && !math.IsInf(f, 0) && !math.IsNaN(f) && !strings.ContainsAny(n.Value, "xX_") {
			return f, nil
		}
		var f float64
		if err := n.Decode(&f); err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
			return nil, errors.New("JSON does not have one of its numbers; put it in quotes")
		}
		return f, nil
	case "!!bool":
		var b bool
		if err := n.Decode(&b); err != nil {
			return n.Value, nil
		}
		return b, nil
	}
	return n.Value, nil
}

// compactSize returns the length of a node as compact JSON, in bytes. It stops counting
// above a limit.
func compactSize(n *yaml.Node, limit int) int {
	n = values.Resolve(n)
	switch {
	case values.IsNull(n):
		return len("null")
	case n.Kind == yaml.ScalarNode:
		if tag := n.ShortTag(); tag == "!!int" || tag == "!!float" || tag == "!!bool" {
			return len(n.Value)
		}
		return quotedSize(n.Value)
	}
	size := 1 // with the comma or bracket after each item
	for i, item := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 {
			size += quotedSize(values.Resolve(item).Value)
		} else {
			size += compactSize(item, limit-size)
		}
		if size++; size > limit {
			return size
		}
	}
	return max(size, 2)
}

// quotedSize returns the length of a string in JSON, in bytes.
func quotedSize(s string) int {
	size := len(s) + 2
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\' || c == '\n' || c == '\r' || c == '\t':
			size++
		case c < ' ':
			size += 5
		}
	}
	return size
}
