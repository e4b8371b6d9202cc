package variant

import (
	"bytes"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// textNode is a string to compare with.
func textNode(text string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text}
}

// quotedNode is a string to write, in the style that all readers take for one:
// some take a bare yes for true.
func quotedNode(text string) *yaml.Node {
	n := &yaml.Node{}
	if err := n.Encode(text); err != nil || n.Value != text || n.ShortTag() != "!!str" {
		n = textNode(text)
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

func printed(n *yaml.Node) (string, error) {
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(n); err != nil {
		return "", err
	}
	return b.String(), nil
}

// extended returns steps with more behind them; the steps stay as they are.
func extended(at []values.Step, more ...values.Step) []values.Step {
	return slices.Concat(at, more)
}

func element(i int) values.Step { return values.Step{Index: i, IsIndex: true} }

func key(name string) values.Step { return values.Step{Key: name} }

// at returns what stands at steps, nil when there is nothing.
func at(n *yaml.Node, steps []values.Step) *yaml.Node { return values.Follow(n, steps) }

// setText sets a text. A scalar that stands there keeps its style, its comment
// and its place.
func setText(d *values.Document, steps []values.Step, text string) (*values.Document, error) {
	old := at(d.Root(), steps)
	if values.Equal(old, textNode(text)) {
		return d, nil
	}
	if old != nil && old.Kind == yaml.ScalarNode && !values.IsNull(old) {
		return d.ReplaceScalars(values.ScalarEdit{Node: old, Text: text, Tag: "!!str"})
	}
	return setNode(d, steps, quotedNode(text))
}

// setNode sets a value that was made, or read from elsewhere.
func setNode(d *values.Document, steps []values.Step, n *yaml.Node) (*values.Document, error) {
	return d.Set(steps, values.Of(n))
}

// remove removes a key, and what it leaves empty above it, down to depth steps.
func remove(d *values.Document, steps []values.Step, depth int) (*values.Document, error) {
	for n := len(steps); n > depth; n-- {
		if n < len(steps) {
			if left := at(d.Root(), steps[:n]); left == nil || len(left.Content) > 0 {
				break
			}
		}
		edited, _, err := d.Delete(steps[:n])
		if err != nil {
			return nil, err
		}
		d = edited
	}
	return d, nil
}
