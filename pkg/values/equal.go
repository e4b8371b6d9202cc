package values

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Equal reports whether two nodes have the same value: quotes, comments, the
// order of keys and the way that aliases and merge keys are used make no
// difference, the type does ("5" is no 5, and 1 no 1.0). Numbers compare
// exactly, whatever their length: 1.30 is 1.3 and 0x10 is 16. Nil, which means
// absent, equals only nil.
func Equal(a, b *yaml.Node) bool {
	var c comparison
	return c.equal(a, b)
}

// nodePair is a pair of nodes that are compared.
type nodePair struct{ a, b *yaml.Node }

// comparison keeps the pairs of collections that were found equal, or are
// being compared: shared nodes are compared once, and cycles end.
// seen is true for pairs that are equal as far as is known.
type comparison struct{ seen map[nodePair]bool }

// equal compares two nodes. A pair that is being compared further up counts as equal.
func (c *comparison) equal(a, b *yaml.Node) bool {
	a, b = dealias(a), dealias(b)
	if a == b {
		return true
	}
	if a == nil || b == nil || a.Kind != b.Kind {
		return false
	}
	if a.Kind == yaml.ScalarNode {
		return equalScalars(a, b)
	}
	if a.ShortTag() != b.ShortTag() {
		return false
	}
	key := nodePair{a, b}
	if same, ok := c.seen[key]; ok {
		return same
	}
	if c.seen == nil {
		c.seen = map[nodePair]bool{}
	}
	c.seen[key] = true
	same := c.equalCollections(a, b)
	c.seen[key] = same
	return same
}

// equalCollections compares the entries of two maps or two lists.
func (c *comparison) equalCollections(a, b *yaml.Node) bool {
	if a.Kind == yaml.MappingNode {
		return c.equalMaps(pairs(a), pairs(b))
	}
	if len(a.Content) != len(b.Content) {
		return false
	}
	for i := range a.Content {
		if !c.equal(a.Content[i], b.Content[i]) {
			return false
		}
	}
	return true
}

// equalMaps compares maps of the same size: each key of a must have an equal value in b.
func (c *comparison) equalMaps(a, b []Pair) bool {
	if len(a) != len(b) {
		return false
	}
	index := make(map[string]*yaml.Node, len(b))
	var others []Pair // whose keys are maps or lists
	for _, p := range b {
		if key := dealias(p.Key); key.Kind == yaml.ScalarNode {
			index[key.Value] = p.Value
		} else {
			others = append(others, p)
		}
	}
	for _, p := range a {
		if key := dealias(p.Key); key.Kind == yaml.ScalarNode {
			value, ok := index[key.Value]
			if !ok || !c.equal(p.Value, value) {
				return false
			}
			continue
		}
		match := -1
		for i, q := range others {
			if c.equal(p.Key, q.Key) && c.equal(p.Value, q.Value) {
				match = i
				break
			}
		}
		if match < 0 {
			return false
		}
		others = append(others[:match:match], others[match+1:]...)
	}
	return true
}

// equalScalars compares two scalars by type and value, so that 1.30 equals 1.3, but not "1.3".
func equalScalars(a, b *yaml.Node) bool {
	tag := a.ShortTag()
	if tag != b.ShortTag() {
		return false
	}
	if a.Value == b.Value {
		return true
	}
	switch tag {
	case nullTag:
		return true
	case boolTag:
		return strings.EqualFold(a.Value, b.Value)
	case intTag:
		x, ok := integer(a.Value)
		y, also := integer(b.Value)
		return ok && also && x.Cmp(y) == 0
	case floatTag:
		x, ok := parseDecimal(a.Value)
		y, also := parseDecimal(b.Value)
		return ok && also && x == y
	}
	return false
}

// integer reads the notations that YAML resolves to !!int. It does not read longer numbers than [maxNormal]:
// that takes time in the square of their length.
func integer(text string) (*big.Int, bool) {
	if len(text) > maxNormal {
		return nil, false
	}
	text = strings.ReplaceAll(text, "_", "")
	return new(big.Int).SetString(text, 0)
}

// decimal is a number in a form in which equal numbers are equal structs.
type decimal struct {
	// negative is true for numbers below 0.
	negative bool
	digits   string // without zeros at either end; "" is 0; "inf" and "nan" are themselves
	exponent int64  // of ten, for the last digit
}

// parseDecimal reads a number such as -1_000.50e3, .inf or .nan. It returns false for other texts.
func parseDecimal(text string) (decimal, bool) {
	text = strings.ToLower(strings.ReplaceAll(text, "_", ""))
	var d decimal
	switch {
	case strings.HasPrefix(text, "-"):
		d.negative = true
		text = text[1:]
	case strings.HasPrefix(text, "+"):
		text = text[1:]
	}
	if text == ".inf" || text == ".nan" {
		d.digits = text[1:]
		return d, true
	}
	mantissa, exponent, scientific := strings.Cut(text, "e")
	if scientific {
		e, err := strconv.ParseInt(exponent, 10, 32)
		if err != nil {
			return d, false
		}
		d.exponent = e
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	if strings.Trim(whole+fraction, "0123456789") != "" || whole+fraction == "" {
		return d, false
	}
	d.exponent -= int64(len(fraction))
	digits := strings.TrimLeft(whole+fraction, "0")
	d.digits = strings.TrimRight(digits, "0")
	d.exponent += int64(len(digits) - len(d.digits))
	if d.digits == "" {
		return decimal{}, true
	}
	return d, true
}

// maxNormal is the length in bytes of the numbers that [normal] rewrites.
const maxNormal = 1000

// normal returns the tag and the text of a scalar in a form that equal scalars share:
// 1.30 and 1.3 have one, and so have 0x10 and 16. Longer numbers than people write keep
// their text.
func normal(n *yaml.Node) (tag, text string) {
	tag, text = n.ShortTag(), n.Value
	switch {
	case tag == nullTag:
		return tag, ""
	case tag == boolTag:
		return tag, strings.ToLower(text)
	case tag == intTag:
		if i, ok := integer(text); ok {
			return tag, i.String()
		}
	case tag == floatTag && len(text) <= maxNormal:
		if d, ok := parseDecimal(text); ok {
			return tag, fmt.Sprintf("%t %s %d", d.negative, d.digits, d.exponent)
		}
	}
	return tag, text
}
