package values

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// Source returns a scalar's text: as written for plain scalars (1.30, 000123,
// ~), decoded for quoted and block scalars. An alias is followed; maps, lists
// and nil have no text.
//
// This is what the pack constraints document means by a variable's text: never
// a number that was read and printed again.
func Source(n *yaml.Node) string {
	// The parser keeps the text of plain scalars; only the folding of a plain
	// scalar over several lines is undone.
	if n = dealias(n); n == nil {
		return ""
	}
	return n.Value
}

// HasLeadingZero reports whether n is an unquoted number such as 010, which readers of
// YAML 1.1 take for 8 and those of YAML 1.2 for 10. An alias is followed.
func HasLeadingZero(n *yaml.Node) bool {
	if n = dealias(n); n == nil || n.Kind != yaml.ScalarNode || n.Style&^yaml.TaggedStyle != 0 {
		return false
	}
	digits := strings.TrimLeft(n.Value, "+-")
	return len(digits) > 1 && digits[0] == '0' && strings.Trim(digits, "0123456789_") == ""
}
