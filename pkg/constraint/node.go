package constraint

import (
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// isText reports whether a node is a string. Dates are, as in Kubernetes.
func isText(n *yaml.Node) bool {
	if n = values.Resolve(n); n == nil || n.Kind != yaml.ScalarNode {
		return false
	}
	tag := n.ShortTag()
	return tag == "!!str" || tag == "!!timestamp" || tag == "!!binary"
}

// plain turns a node into what JSON has: maps with string keys, lists, strings,
// float64, bool and nil. OLM reads properties from JSON, so every number is a
// double in CEL.
func plain(n *yaml.Node) (any, error) {
	n = values.Resolve(n)
	if values.IsNull(n) {
		return nil, nil
	}
	switch n.Kind {
	case yaml.MappingNode:
		m := make(map[string]any, len(n.Content)/2)
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].ShortTag() == "!!merge" {
				return plainMerged(n)
			}
			v, err := plain(n.Content[i+1])
			if err != nil {
				return nil, err
			}
			m[values.Resolve(n.Content[i]).Value] = v
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
			return nil, errors.New("a number in it is none that JSON has; quote it")
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

// plainMerged is plain for a map with merge keys, which YAML's own decoder
// knows how to join.
func plainMerged(n *yaml.Node) (any, error) {
	var m map[string]any
	if err := n.Decode(&m); err != nil {
		return nil, err
	}
	text, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	var out any
	err = json.Unmarshal(text, &out)
	return out, err
}

// compactSize is the length of a node as compact JSON, in bytes; it stops
// counting above a limit.
func compactSize(n *yaml.Node, limit int) int {
	n = values.Resolve(n)
	switch {
	case values.IsNull(n):
		return len("null")
	case n.Kind == yaml.ScalarNode:
		if isText(n) {
			return quotedSize(n.Value)
		}
		return len(n.Value)
	}
	size := 1 // with the comma or bracket behind each item
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
