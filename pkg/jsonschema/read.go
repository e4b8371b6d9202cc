package jsonschema

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// reader reads values. It keeps what has an anchor, so that aliases cost nothing.
type reader map[*yaml.Node]*value

func readValue(n *yaml.Node) (*value, *Violation) {
	if n == nil {
		n = &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null"}
	}
	return reader{}.read(n, nil)
}

func (r reader) read(n *yaml.Node, path Path) (*value, *Violation) {
	n = values.Resolve(n)
	v, known := r[n]
	switch {
	case len(path) > values.MaxDepth, known && (v == nil || len(path)+v.height > values.MaxDepth):
		return nil, unreadable(n, path, "is nested deeper than %d levels", values.MaxDepth)
	case known:
		return v, nil
	}
	v = &value{node: n}
	if n.Anchor != "" {
		r[n] = nil
	}
	var fault *Violation
	switch n.Kind {
	case yaml.MappingNode:
		v.kind, v.index = object, map[string]int{}
		for _, p := range values.Pairs(n) {
			name, ok := p.Name()
			if !ok {
				return nil, unreadable(p.Key, path, "a key must be a string, got one that is no scalar")
			}
			v.index[name] = len(v.children)
			v.children = append(v.children, child{key: p.Key, name: name, node: p.Value})
		}
	case yaml.SequenceNode:
		v.kind = array
		for i, item := range n.Content {
			v.children = append(v.children, child{name: strconv.Itoa(i), node: item})
		}
	default:
		fault = v.readScalar(path)
	}
	for i := range v.children {
		c := &v.children[i]
		if c.value, fault = r.read(c.node, append(path, v.step(i))); fault != nil {
			break
		}
		v.height = max(v.height, c.value.height+1)
	}
	if n.Anchor != "" {
		r[n] = v
	}
	return v, fault
}

func unreadable(n *yaml.Node, path Path, format string, args ...any) *Violation {
	return &Violation{Path: slices.Clone(path), Position: values.At(n), Message: fmt.Sprintf(format, args...)}
}

// readScalar reads what JSON has a type for. Dates and what has a tag of its own
// are strings.
func (v *value) readScalar(path Path) *Violation {
	n := v.node
	switch n.ShortTag() {
	case "!!null":
		v.kind = null
	case "!!bool":
		v.kind, v.text = boolean, strings.ToLower(n.Value)
	case "!!int", "!!float":
		var ok bool
		if v.number, ok = parseNumber(n.Value); !ok {
			return unreadable(n, path, "must be a number of at most %d digits that JSON has", maxNumber)
		}
		if v.kind = number; v.number.IsInt() {
			v.kind = integer
		}
	default:
		v.kind, v.text = text, n.Value
	}
	return nil
}
