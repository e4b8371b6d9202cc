package variant

import (
	"bytes"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/values"
)

// textNode is a text to write, in the style that every reader takes for text: some take
// a plain yes for true.
func textNode(text string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text}
	if values.Quote(text) == text {
		return n
	}
	if quoted := new(yaml.Node); quoted.Encode(text) == nil && quoted.ShortTag() == "!!str" {
		return quoted
	}
	n.Style = yaml.DoubleQuotedStyle
	return n
}

// refused returns why a resource cannot be edited. Lines of a resource are nothing that
// a user could look up.
func refused(err error) []diag.Finding {
	f := diag.Unreadable(err)
	return []diag.Finding{diag.Say("cannot be edited: %s", f.Found).Do("write it in block style, without anchors").Of(diag.InputInvalid)}
}

// wrongType returns the finding of a field of a resource that is to be edited.
func wrongType(path string, n *yaml.Node, want string) []diag.Finding {
	return []diag.Finding{diag.Got(values.KindOf(n), want).At(path, diag.Position{}).Of(diag.InputInvalid)}
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

// extended returns steps with more after them. The steps stay as they are.
func extended(at []values.Step, more ...values.Step) []values.Step {
	return slices.Concat(at, more)
}

func element(i int) values.Step { return values.Step{Index: i, IsIndex: true} }

func key(name string) values.Step { return values.Step{Key: name} }

// at returns what is at steps, nil if nothing is.
func at(n *yaml.Node, steps []values.Step) *yaml.Node { return values.Follow(n, steps) }

// textField is a key with a text.
type textField [2]string

// setTexts sets texts of one mapping: a scalar that is there keeps its
// style, its comment and its place, and others come after them in one edit.
func setTexts(d *values.Document, steps []values.Step, fields ...textField) (*values.Document, error) {
	var edits []values.ScalarEdit
	missing := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	for _, f := range fields {
		old := at(d.Root(), extended(steps, key(f[0])))
		switch {
		case values.Equal(old, textNode(f[1])):
		case old != nil && old.Kind == yaml.ScalarNode && !values.IsNull(old):
			edits = append(edits, values.ScalarEdit{Node: old, Text: f[1], Tag: "!!str"})
		default:
			missing.Content = append(missing.Content, textNode(f[0]), textNode(f[1]))
		}
	}
	var err error
	if len(edits) > 0 {
		if d, err = d.ReplaceScalars(edits...); err != nil {
			return nil, err
		}
	}
	switch len(missing.Content) {
	case 0:
		return d, nil
	case 2:
		return setNode(d, extended(steps, key(missing.Content[0].Value)), missing.Content[1])
	}
	return d.Merge(steps, values.Of(missing))
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
