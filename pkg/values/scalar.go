package values

import (
	"go.yaml.in/yaml/v3"
)

// Source returns a scalar's text: as written for plain scalars (1.30, 000123,
// ~), decoded for quoted and block scalars. An alias is followed; maps, lists
// and nil have no text. d is the document that n was read from; it may be nil.
//
// This is what the pack constraints document means by a variable's text: never
// a number that was read and printed again.
func Source(d *Document, n *yaml.Node) string {
	// The parser keeps the text of plain scalars; only the folding of a plain
	// scalar over several lines is undone.
	if n = dealias(n); n == nil || n.Kind != yaml.ScalarNode {
		return ""
	}
	return n.Value
}
