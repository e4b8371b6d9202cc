package values

import (
	"bytes"
	"errors"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// Source returns a scalar's text: as written for plain scalars (1.30, 000123,
// ~), decoded for quoted and block scalars. An alias is followed; maps, lists
// and nil have no text.
//
// This is what the pack constraints document means by a variable's text: never
// a number that was read and printed again.
//
//	000123      // 000123
//	"a\u0062"  // ab
func Source(n *yaml.Node) string {
	// The parser keeps the text of plain scalars; only the folding of a plain
	// scalar over several lines is undone.
	if n = dealias(n); n == nil {
		return ""
	}
	return n.Value
}

// HasLeadingZero reports whether n is an unquoted number such as 010, which is 8 in YAML 1.1 and 10
// in YAML 1.2. An alias is followed.
func HasLeadingZero(n *yaml.Node) bool {
	if n = dealias(n); n == nil || n.Kind != yaml.ScalarNode || n.Style&^yaml.TaggedStyle != 0 {
		return false
	}
	digits := strings.TrimLeft(n.Value, "+-")
	return len(digits) > 1 && digits[0] == '0' && strings.Trim(digits, "0123456789_") == ""
}

// KindOf says for a message what a node is, never what it holds: `a map`, `a list`, `a
// string`, `a number`, `a boolean`, `a date`, and `null`, also for nil.
func KindOf(n *yaml.Node) string {
	if n = dealias(n); n == nil {
		return "null"
	}
	switch n.Kind {
	case yaml.MappingNode:
		return "a map"
	case yaml.SequenceNode:
		return "a list"
	}
	switch n.ShortTag() {
	case "!!int", "!!float":
		return "a number"
	case "!!bool":
		return "a boolean"
	case "!!null":
		return "null"
	case "!!timestamp":
		return "a date"
	default:
		return "a string"
	}
}

// MaxKey is the length in characters of the longest key that can be written
// without an indicator of its own.
const MaxKey = 1000

// Quote writes a text as a scalar of one line for block style, as a value or as
// a key of at most MaxKey characters: plain when every reader of YAML takes it
// for that text, and in quotes otherwise. Bytes that are not UTF-8 become the
// replacement character.
//
//	Quote("x")     // x
//	Quote("a: b")  // "a: b"
//	Quote("1.30")  // "1.30"
func Quote(text string) string {
	// As a key, the first would merge, and the second is a default value.
	if text != "<<" && text != "=" && plainString(text, false) && utf8.ValidString(text) {
		return text
	}
	return quoted(text)
}

// Print returns a value as clients print resources: indented by two, with the dashes of a
// list in the column of its key. A tree is printed with the comments of its texts.
func Print(v any) ([]byte, error) {
	if n, ok := v.(*yaml.Node); ok {
		v = WithComments(n)
	}
	var b bytes.Buffer
	encoder := yaml.NewEncoder(&b)
	encoder.SetIndent(2)
	encoder.CompactSeqIndent()
	err := errors.Join(encoder.Encode(v), encoder.Close())
	return b.Bytes(), err
}

// Scalars visits the scalars of the document that are values, in its order: each with its steps
// from the root, the map that it is in, and the offsets of its text, without quotes'
// surroundings such as comments. to is -1 if the end is not known. Aliases are not followed.
func (d *Document) Scalars(visit func(at []Step, n, parent *yaml.Node, from, to int)) {
	if d.Root() == nil {
		return
	}
	l := d.layout()
	var walk func(n, parent *yaml.Node, at context, steps []Step)
	walk = func(n, parent *yaml.Node, at context, steps []Step) {
		if n.Kind == yaml.ScalarNode && !isEmpty(n) {
			to, err := l.end(n, at)
			if err != nil {
				to = -1
			}
			visit(steps, n, parent, l.content(n), to)
		}
		if n.Kind != yaml.MappingNode && n.Kind != yaml.SequenceNode {
			return
		}
		in := l.inside(n, at)
		for i, child := range n.Content {
			switch {
			case n.Kind == yaml.SequenceNode:
				walk(child, parent, in, Below(steps, Element(i)))
			case i%2 == 1:
				walk(child, n, in, Below(steps, Key(n.Content[i-1].Value)))
			}
		}
	}
	walk(d.Root(), nil, rootContext, nil)
}
