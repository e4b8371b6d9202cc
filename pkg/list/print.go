package list

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

func asSequence(items ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.SequenceNode, Content: items}
}

// printBlock prints a mapping in block style, without anchors of other parts of
// the list: one printed part cannot refer to another.
func printBlock(mapping yaml.Node) ([]byte, error) {
	if err := detachAlone(&mapping); err != nil {
		return nil, err
	}
	mapping.Style &^= yaml.FlowStyle
	return printNode(&mapping)
}

// printKey prints the key of the items with its comments, without a value.
func printKey(key *yaml.Node) ([]byte, error) {
	plain := &yaml.Node{
		Kind: yaml.ScalarNode, Value: "items",
		HeadComment: key.HeadComment, LineComment: key.LineComment, FootComment: key.FootComment,
	}
	empty := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null"}
	return encodeSafely(&yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{plain, empty}})
}

// printNode prints a parsed node. The printer of go-yaml is not the inverse of
// its parser: comments become content or move with each run, and some keys and
// scalars change. So what is not plainly harmless is read back. Style is given up
// before comments, and comments before content.
func printNode(n *yaml.Node) ([]byte, error) {
	risk := riskOf(n)
	text, err := encodeSafely(n)
	if err == nil && (risk == riskNone || readsBack(n, text, risk)) {
		return text, nil
	}
	for _, simplify := range []func(*yaml.Node){spellNull, restyle, uncomment, quoteInFlow} {
		walk(n, simplify)
		if text, err = encodeSafely(n); err == nil && readsBack(n, text, risk) {
			return text, nil
		}
	}
	return nil, errors.New("cannot be printed again with the same content; write it in block style without unusual keys or tags")
}

// readsBack reports whether a printed node has the content that it was printed
// from, and is printed alike the next time.
func readsBack(n *yaml.Node, text []byte, risk risk) bool {
	again, err := parse(text)
	if err != nil || !same(n, again) {
		return false
	}
	if risk < riskComments {
		return true
	}
	twice, err := encodeSafely(again)
	return err == nil && bytes.Equal(text, twice)
}

// parse reads one document.
func parse(text []byte) (root *yaml.Node, err error) {
	defer func() {
		// The parser panics on some broken texts.
		if cause := recover(); cause != nil {
			err = fmt.Errorf("the parser fails")
		}
	}()
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, err
	}
	if document.Kind != yaml.DocumentNode {
		return nil, fmt.Errorf("no document")
	}
	return document.Content[0], nil
}

// encodeSafely prints a node in the block style of kpt, without changing its
// flow parts.
func encodeSafely(n *yaml.Node) (text []byte, err error) {
	defer func() {
		// The printer panics on what it cannot print.
		if cause := recover(); cause != nil {
			err = fmt.Errorf("the printer fails")
		}
	}()
	return values.Print(n)
}

// risk is the damage that the printer may do to a node.
type risk uint8

const (
	riskNone     risk = iota
	riskContent       // content may change
	riskComments      // comments may move too
)

// riskOf returns what may go wrong if a tree is printed: comments may move, or the content may differ.
func riskOf(n *yaml.Node) risk {
	if n.HeadComment != "" || n.LineComment != "" || n.FootComment != "" {
		return riskComments
	}
	found := riskNone
	if n.Anchor != "" || n.Kind == yaml.AliasNode || n.Style&yaml.TaggedStyle != 0 ||
		n.Kind == yaml.ScalarNode && (!isPrintable(n) || n.Value == "" && n.Tag != "!!str") {
		found = riskContent
	}
	for at, child := range n.Content {
		if n.Kind == yaml.MappingNode && at%2 == 0 && child.Tag != "!!str" {
			found = riskContent
		}
		if found = max(found, riskOf(child)); found == riskComments {
			break
		}
	}
	return found
}

// isPrintable reports whether a scalar is ASCII that the printer is known to
// write as it was: one line without whitespace at its ends, not too long for a key;
// anything in double quotes; and literal text whose lines neither begin nor end
// in ways that need an indicator.
func isPrintable(n *yaml.Node) bool {
	text := n.Value
	lines := n.Style&(yaml.DoubleQuotedStyle|yaml.LiteralStyle) != 0
	for i := range len(text) {
		if c := text[i]; (c < ' ' || c > '~') && (c != '\n' || !lines) {
			return false
		}
	}
	switch {
	case text == "" || n.Style&yaml.DoubleQuotedStyle != 0:
		return true
	case n.Style&yaml.LiteralStyle != 0:
		return text[0] != ' ' && text[0] != '\n' && !strings.Contains(text, " \n") && !strings.HasSuffix(text, " ")
	}
	return len(text) < 1000 && text[0] != ' ' && text[len(text)-1] != ' '
}

// walk calls a function with a node and all nodes in it.
func walk(n *yaml.Node, visit func(*yaml.Node)) {
	visit(n)
	for _, child := range n.Content {
		walk(child, visit)
	}
}

// spellNull spells out a null, since the printer takes an empty one in a flow mapping
// for an empty text.
func spellNull(n *yaml.Node) {
	if n.Kind == yaml.ScalarNode && n.Tag == "!!null" && n.Value == "" {
		n.Value = "null"
	}
}

// restyle writes a text over several lines in another style where its own cannot hold
// it: the printer loses a line break of a folded text before and after lines with more
// indentation.
func restyle(n *yaml.Node) {
	const styles = yaml.FoldedStyle | yaml.LiteralStyle
	for _, style := range []yaml.Style{yaml.LiteralStyle, yaml.DoubleQuotedStyle} {
		if n.Kind != yaml.ScalarNode || n.Style&styles == 0 {
			return
		}
		alone := asSequence(&yaml.Node{Kind: yaml.ScalarNode, Tag: n.Tag, Value: n.Value, Style: n.Style})
		if text, err := encodeSafely(alone); err == nil && readsBack(alone, text, riskContent) {
			return
		}
		n.Style = n.Style&^styles | style
	}
}

// uncomment removes the comments of a node.
func uncomment(n *yaml.Node) { n.HeadComment, n.LineComment, n.FootComment = "", "", "" }

// quoteInFlow writes mappings and lists in flow style, and texts in double quotes: these
// hold everything.
func quoteInFlow(n *yaml.Node) {
	switch {
	case n.Kind == yaml.MappingNode || n.Kind == yaml.SequenceNode:
		for _, child := range n.Content { // the node itself is a part of the list
			if child.Kind == yaml.MappingNode || child.Kind == yaml.SequenceNode {
				child.Style |= yaml.FlowStyle
			}
		}
	case n.Kind == yaml.ScalarNode && n.ShortTag() == "!!str":
		n.Style = n.Style&yaml.TaggedStyle | yaml.DoubleQuotedStyle
	}
}

// same compares what nodes hold, not how they are written. Unlike values.Equal it
// distinguishes a null key from an empty one, and compares the order of keys.
func same(a, b *yaml.Node) bool {
	if a.Kind != b.Kind || a.Anchor != b.Anchor || a.Value != b.Value || len(a.Content) != len(b.Content) {
		return false
	}
	if a.Kind == yaml.ScalarNode && a.ShortTag() != b.ShortTag() {
		return false
	}
	for at := range a.Content {
		if !same(a.Content[at], b.Content[at]) {
			return false
		}
	}
	return true
}
