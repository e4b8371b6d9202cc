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
	if n != nil && n.Kind == yaml.DocumentNode && len(n.Content) == 1 {
		n = n.Content[0]
	}
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
		v.kind, v.index = object, make(map[string]int, len(n.Content)/2)
		fault = v.addMembers(n, path, nil)
	case yaml.SequenceNode:
		v.kind = array
		for i, item := range n.Content {
			v.children = append(v.children, child{name: strconv.Itoa(i), node: item})
		}
	default:
		fault = v.readScalar(path)
	}
	for i := range v.children {
		if fault != nil {
			return nil, fault
		}
		c := &v.children[i]
		if c.value, fault = r.read(c.node, append(path, v.step(i))); fault == nil {
			v.height = max(v.height, c.value.height+1)
		}
	}
	if n.Anchor != "" {
		r[n] = v
	}
	return v, fault
}

func unreadable(n *yaml.Node, path Path, format string, args ...any) *Violation {
	return &Violation{Path: slices.Clone(path), Position: values.At(n), Message: fmt.Sprintf(format, args...)}
}

// addMembers adds the members of a mapping: its own, then those that merge keys
// bring and v does not have yet. seen are the mappings and lists that were merged,
// nil for v's own mapping.
func (v *value) addMembers(n *yaml.Node, path Path, seen map[*yaml.Node]bool) *Violation {
	own := seen == nil
	if n = values.Resolve(n); seen[n] {
		return nil
	} else if !own {
		seen[n] = true
	}
	merges := n.Content // of a list of mappings
	if n.Kind == yaml.MappingNode {
		merges = nil
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := values.Resolve(n.Content[i])
			if key.ShortTag() == "!!merge" {
				merges = append(merges, n.Content[i+1])
				continue
			}
			if key.Kind != yaml.ScalarNode {
				return unreadable(key, path, "got a key that is not a scalar; want text")
			}
			c := child{key: key, name: key.Value, node: n.Content[i+1]}
			if at, ok := v.index[c.name]; !ok {
				v.index[c.name] = len(v.children)
				v.children = append(v.children, c)
			} else if own {
				v.children[at] = c
			}
		}
	}
	if own && len(merges) > 0 {
		seen = map[*yaml.Node]bool{n: true}
	}
	for _, m := range merges {
		if fault := v.addMembers(m, path, seen); fault != nil {
			return fault
		}
	}
	return nil
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
		if v.text != "true" && v.text != "false" {
			return unreadable(n, path, "got a boolean that JSON does not have; want true or false")
		}
	case "!!int", "!!float":
		var ok bool
		if v.number, ok = parseNumber(n.Value); !ok {
			return unreadable(n, path, "got a number that JSON does not have, or that is too long; want at most %d digits", maxNumber)
		}
		if v.kind = number; v.number.IsInt() {
			v.kind = integer
		}
	default:
		v.kind, v.text = text, n.Value
	}
	return nil
}
