package variant

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// Digest returns the first 12 hex digits of the SHA-256 of a value as canonical
// JSON: keys sorted, no blanks. It does not depend on how the value is written.
func Digest(n *yaml.Node) string {
	sum := sha256.Sum256(appendJSON(nil, n))
	return hex.EncodeToString(sum[:])[:12]
}

func appendJSON(b []byte, n *yaml.Node) []byte {
	n = values.Resolve(n)
	switch {
	case values.IsNull(n):
		return append(b, "null"...)
	case n.Kind == yaml.SequenceNode:
		b = append(b, '[')
		for i, e := range n.Content {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendJSON(b, e)
		}
		return append(b, ']')
	case n.Kind == yaml.MappingNode:
		all := values.Pairs(n)
		slices.SortFunc(all, func(a, c values.Pair) int { return strings.Compare(a.Key.Value, c.Key.Value) })
		b = append(b, '{')
		for i, e := range all {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendJSONText(b, e.Key.Value), ':')
			b = appendJSON(b, e.Value)
		}
		return append(b, '}')
	}
	switch n.ShortTag() {
	case "!!bool":
		var value bool
		if n.Decode(&value) == nil {
			return strconv.AppendBool(b, value)
		}
	case "!!int":
		if whole, ok := new(big.Int).SetString(strings.TrimPrefix(n.Value, "+"), 0); ok {
			return whole.Append(b, 10)
		}
	case "!!float":
		var value float64
		if n.Decode(&value) == nil && !math.IsNaN(value) && !math.IsInf(value, 0) {
			if text, err := json.Marshal(value); err == nil {
				return append(b, text...)
			}
		}
	}
	return appendJSONText(b, n.Value)
}

// appendJSONText appends a text with the escapes that JSON demands, and no other.
func appendJSONText(b []byte, text string) []byte {
	const digits = "0123456789abcdef"
	short := map[rune]byte{'"': '"', '\\': '\\', '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't'}
	b = append(b, '"')
	for _, r := range text {
		escaped, ok := short[r]
		switch {
		case ok:
			b = append(b, '\\', escaped)
		case r < ' ':
			b = append(b, `\u00`...)
			b = append(b, digits[r>>4], digits[r&15])
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return append(b, '"')
}
