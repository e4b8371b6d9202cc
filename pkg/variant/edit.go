package variant

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/node"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// textNode is a text to write, in the style that every reader takes for text: some take
// a plain yes for true.
func textNode(text string) *yaml.Node {
	n := node.Text(text)
	switch {
	case values.Quote(text) == text:
		return n
	case text == "True" || text == "False": // the status of every condition, as the encoder writes it
		n.Style = yaml.DoubleQuotedStyle
		return n
	}
	if quoted := new(yaml.Node); quoted.Encode(text) == nil && quoted.ShortTag() == "!!str" {
		return quoted
	}
	n.Style = yaml.DoubleQuotedStyle
	return n
}

// rejected returns why a resource cannot be edited. Lines of a resource are nothing that
// a user could look up.
func rejected(err error) []diag.Finding {
	f := diag.Unreadable(err)
	return []diag.Finding{diag.Say("cannot be edited: %s", f.Found).Do("write it in block style, without anchors").Of(rule.InputInvalid)}
}

// wrongType returns the finding of a field of a resource that is to be edited.
func wrongType(path string, n *yaml.Node, want string) []diag.Finding {
	return []diag.Finding{diag.Got(values.KindOf(n), want).At(path, diag.Position{}).Of(rule.InputInvalid)}
}

// textField is a key with a text.
type textField [2]string

// withTexts returns a copy of a map with strings added. n may be nil.
func withTexts(n *yaml.Node, fields ...textField) *yaml.Node {
	c := yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	if !values.IsNull(n) && len(values.Resolve(n).Content) > 0 {
		c = *values.Resolve(n)
		c.Content = slices.Clone(c.Content)
	}
	for _, f := range fields {
		if values.Equal(values.Field(&c, f[0]), textNode(f[1])) {
			continue
		}
		at := 0
		for at < len(c.Content) && values.Resolve(c.Content[at]).Value != f[0] {
			at += 2
		}
		if at == len(c.Content) {
			c.Content = append(c.Content, textNode(f[0]), nil)
		}
		c.Content[at+1] = textNode(f[1])
	}
	return &c
}

// change makes changes of different places of a document, unless there are findings already. If
// they cannot be made, the findings contain the reason for each, and the document is returned unchanged.
func change(d *values.Document, changes []values.Change, findings []diag.Finding) (*values.Document, []diag.Finding) {
	var gone [][]values.Step
	var set []values.Change
	for _, c := range changes {
		if c.Want == nil {
			gone = append(gone, c.At)
		} else {
			set = append(set, c)
		}
	}
	edited, err := d.Sync(set...)
	if err != nil {
		edited = d
		before := len(findings)
		for _, c := range set {
			if _, err := d.Sync(c); err != nil {
				findings = append(findings, rejected(err)...)
			}
		}
		if len(findings) == before {
			findings = append(findings, rejected(err)...)
		}
	}
	for _, at := range gone {
		left, err := remove(edited, at)
		if err != nil {
			findings = append(findings, rejected(err)...)
			continue
		}
		edited = left
	}
	if len(findings) > 0 {
		return d, findings
	}
	return edited, nil
}

// remove removes a value and the maps above it that this leaves empty.
func remove(d *values.Document, steps []values.Step) (*values.Document, error) {
	d, _, err := d.Delete(steps)
	for n := len(steps) - 1; n > 0 && err == nil; n-- {
		if left := values.Follow(d.Root(), steps[:n]); left == nil || len(left.Content) > 0 {
			break
		}
		d, _, err = d.Delete(steps[:n])
	}
	return d, err
}
