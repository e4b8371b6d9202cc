package slips

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// text enters the text of a scalar in a way: the next step is the number of a document in it.
const text = -1

// way leads to a node: indexes of contents, and [text].
type way []int

// visit calls found with every key of a tree and of the documents in its texts, with its way
// and the names that lead to it.
func visit(n *yaml.Node, at way, names []string, found func(at way, names []string, key, value, in *yaml.Node)) {
	n = values.Resolve(n)
	step := func(i int) way { return append(slices.Clone(at), i) }
	switch {
	case n == nil:
	case n.Kind == yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			below := append(slices.Clone(names), n.Content[i].Value)
			found(step(i), below, n.Content[i], values.Resolve(n.Content[i+1]), n)
			visit(n.Content[i+1], step(i+1), below, found)
		}
	case n.Kind == yaml.SequenceNode:
		for i, child := range n.Content {
			visit(child, step(i), append(slices.Clone(names), "[]"), found)
		}
	default:
		for i, document := range documents(n) {
			visit(document, append(step(text), i), append(slices.Clone(names), "text"), found)
		}
	}
}

// documents returns the documents in the text of a scalar, none in a text that is a single
// scalar.
func documents(n *yaml.Node) []*yaml.Node {
	if n.ShortTag() != "!!str" || !strings.ContainsAny(n.Value, ":{[") {
		return nil
	}
	var all []*yaml.Node
	for decoder := yaml.NewDecoder(strings.NewReader(n.Value)); ; {
		var document yaml.Node
		if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
			return all
		} else if err != nil || document.Content[0].Kind == yaml.ScalarNode {
			return nil
		}
		all = append(all, document.Content[0])
	}
}

// change is another node for the node at the end of a way.
type change struct {
	at   way
	edit func(*yaml.Node) *yaml.Node
}

// edited returns a tree with changes, none of which is below another one. A text is written once for all
// changes in it, because the keys of JSON have another order then, and ways are indexes.
func edited(n *yaml.Node, changes ...change) *yaml.Node {
	n = values.Resolve(n)
	below := map[int][]change{}
	for _, c := range changes {
		if len(c.at) == 0 {
			return c.edit(n)
		}
		below[c.at[0]] = append(below[c.at[0]], change{c.at[1:], c.edit})
	}
	out := *n
	if below[text] == nil {
		out.Content = slices.Clone(n.Content)
		for i, some := range below {
			out.Content[i] = edited(n.Content[i], some...)
		}
		return &out
	}
	all := edited(&yaml.Node{Kind: yaml.SequenceNode, Content: documents(n)}, below[text]...).Content
	if json.Valid([]byte(n.Value)) {
		out.Value, _ = values.JSON(all[0])
		return &out
	}
	var b bytes.Buffer
	encoder := yaml.NewEncoder(&b)
	for _, document := range all {
		if err := encoder.Encode(document); err != nil {
			panic(err)
		}
	}
	encoder.Close()
	out.Value, out.Style = b.String(), yaml.LiteralStyle
	return &out
}

// scalar makes a node of a text.
func scalar(value string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value}
}
