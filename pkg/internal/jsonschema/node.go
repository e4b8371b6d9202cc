package jsonschema

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// tree is a YAML value as JSON has it: aliases and merge keys are followed, and the last of
// duplicate keys is used. It keeps the children of each node, because it is asked for them
// again and again.
type tree struct {
	// root is the value, known are the children of nodes, and nodes is the number of nodes so far.
	root  *yaml.Node
	known map[*yaml.Node]*children
	nodes int
}

// children are the elements of a list, without keys, or the pairs of a map with their indexes
// by name.
type children struct {
	// pairs are the elements or the entries, and index has the entries by name.
	pairs []values.Pair
	index map[string]int
}

// newTree returns the tree of a value. Nil is null.
func newTree(root *yaml.Node) *tree {
	if root = values.Resolve(root); root == nil {
		root = &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null"}
	}
	return &tree{root: root, known: map[*yaml.Node]*children{}}
}

// children returns the children of a node that is no alias.
func (t *tree) children(n *yaml.Node) *children {
	c := t.known[n]
	if c != nil || n.Kind == yaml.ScalarNode {
		return c
	}
	c = &children{pairs: values.Pairs(n), index: map[string]int{}}
	for i, p := range c.pairs {
		if name, ok := p.Name(); ok {
			c.index[name] = i
		}
	}
	if n.Kind == yaml.SequenceNode {
		for i, item := range n.Content {
			c.pairs = append(c.pairs, values.Pair{Value: values.Resolve(item)})
			c.index[strconv.Itoa(i)] = i
		}
	}
	t.known[n] = c
	return c
}

// name returns the name of a child: its index in a list.
func (c *children) name(i int) string {
	if c.pairs[i].Key == nil {
		return strconv.Itoa(i)
	}
	name, _ := c.pairs[i].Name()
	return name
}

// step returns the step to a child.
func (c *children) step(i int) values.Step {
	if c.pairs[i].Key == nil {
		return values.Element(i)
	}
	return values.Step{Key: c.name(i)}
}

// data returns a node as the library takes it. The violation is what JSON does not have.
func (t *tree) data(n *yaml.Node, path Path) (any, *Violation) {
	fault := func(n *yaml.Node, format string, args ...any) *Violation {
		return &Violation{Path: slices.Clone(path), Position: values.At(n), Message: fmt.Sprintf(format, args...)}
	}
	switch t.nodes++; {
	case len(path) > values.MaxDepth:
		return nil, fault(n, "is nested deeper than %d levels", values.MaxDepth)
	case t.nodes > values.MaxNodes:
		return nil, fault(n, "expands to more than %d keys and values", values.MaxNodes)
	case n.Kind == yaml.ScalarNode:
		data, ok := scalar(n)
		if !ok {
			return nil, fault(n, "must be a finite number of at most 308 digits")
		}
		return data, nil
	}
	list, members, c := []any{}, map[string]any{}, t.children(n)
	for i, p := range c.pairs {
		if p.Key != nil && values.Resolve(p.Key).Kind != yaml.ScalarNode {
			return nil, fault(p.Key, "a key must be a string, got one that is no scalar")
		}
		data, fault := t.data(p.Value, append(path, c.step(i)))
		if fault != nil {
			return nil, fault
		}
		list, members[c.name(i)] = append(list, data), data
	}
	if n.Kind == yaml.SequenceNode {
		return list, nil
	}
	return members, nil
}

// scalar returns the value of a scalar. Dates and what has a tag of its own are strings. It is
// false for a number that does not fit into a double, whose digits the library would write out.
func scalar(n *yaml.Node) (data any, ok bool) {
	switch n.ShortTag() {
	case "!!null":
		return nil, true
	case "!!bool":
		var isTrue bool
		return isTrue, n.Decode(&isTrue) == nil
	case "!!int", "!!float":
		err := n.Decode(&data)
		float, isFloat := data.(float64)
		return data, err == nil && !(isFloat && (math.IsInf(float, 0) || math.IsNaN(float)))
	}
	return n.Value, true
}

// kindOf returns the type of a node in JSON schema.
func kindOf(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "object"
	case yaml.SequenceNode:
		return "array"
	}
	data, _ := scalar(n)
	return kindOfData(data)
}

// kindOfData returns the type of data. A number without a fraction is an integer, however it
// is written.
func kindOfData(data any) string {
	switch data := data.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	case float64:
		if data != math.Trunc(data) {
			return "number"
		}
	}
	return "integer"
}
