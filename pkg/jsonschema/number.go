package jsonschema

import (
	"math/big"
	"strconv"
	"strings"
)

// The bounds of a number: its characters, and its exponent. In YAML, a larger number
// is a string.
const (
	maxNumber   = 1000
	maxExponent = 400
)

// parseNumber reads the notations of YAML and JSON, exactly. It does not read
// infinity, which JSON does not have, and what exceeds the bounds.
func parseNumber(source string) (*big.Rat, bool) {
	source = strings.ToLower(strings.ReplaceAll(source, "_", ""))
	if len(source) > maxNumber {
		return nil, false
	}
	if whole, ok := new(big.Int).SetString(source, 0); ok { // of any base
		return new(big.Rat).SetInt(whole), true
	}
	_, power, scientific := strings.Cut(source, "e")
	if exponent, err := strconv.Atoi(power); scientific && (err != nil || max(exponent, -exponent) > maxExponent) {
		return nil, false
	}
	if strings.Trim(source, "0123456789+-.e") != "" {
		return nil, false // a fraction, or not a number
	}
	return new(big.Rat).SetString(source)
}
