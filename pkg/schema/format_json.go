package schema

import (
	"encoding/json"
	"fmt"
	"math/big"
	"regexp/syntax"
	"strings"
)

// open is the pattern of texts that every format accepts: the empty one, which is a value
// that is still to be set, and one with a macro, which is checked when it is resolved.
const open = `^$|\{\{[\s\S]*\.spectro\.`

// The patterns of types.
const (
	numberText  = `^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$`
	booleanText = `^(?:true|false)$`
	octet       = `(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])`
	ipv4Text    = `^(?:` + octet + `\.){3}` + octet + `$`
	versionPart = `(?:0|[1-9][0-9]*)`
	versionText = `^` + versionPart + `\.` + versionPart + `\.` + versionPart + `(?:[-+][0-9A-Za-z.+-]+)?$`
)

// jsonSchema returns a JSON Schema of draft-07 that accepts everything that the format accepts, null
// and "". It accepts more where JSON Schema cannot express the format: composites, and regexes
// that ECMA-262 does not have. The format checks the text of numbers and booleans, which a
// JSON Schema does not see, so the JSON Schema accepts `0x10` and `True`. Only plain numbers
// have to be in a range, because the JSON Schema does not see the number in a string.
func (f *Format) jsonSchema() JSON {
	scalars := []string{"boolean", "number", "string", "null"}
	p := f.single()
	if p == nil {
		return JSON{"type": scalars}
	}
	j := JSON{"type": []string{"string", "null"}}
	var patterns []string
	switch p.kind {
	case kindUnknown:
		return JSON{}
	case kindNumber:
		j["type"] = []string{"number", "string", "null"}
		patterns = append(patterns, numberText)
		if p.bounds != nil {
			p.bounds.addJSON(j)
		}
	case kindBoolean:
		j["type"] = []string{"boolean", "string", "null"}
		patterns = append(patterns, booleanText)
	case kindIPv4:
		patterns = append(patterns, ipv4Text)
	case kindVersion:
		patterns = append(patterns, versionText)
	case kindList:
		if p.regex == nil {
			return optionsJSON(p.texts)
		}
		j["type"] = scalars
	}
	if p.regex != nil {
		tree, err := syntax.Parse(p.regex.String(), syntax.Perl)
		if pattern, ok := portable(tree); err == nil && ok {
			patterns = append(patterns, pattern)
		}
	}
	var all []JSON
	for _, pattern := range patterns {
		all = append(all, JSON{"pattern": open + "|" + pattern})
	}
	switch len(all) {
	case 0:
	case 1:
		j["pattern"] = all[0]["pattern"]
	default:
		j["allOf"] = all
	}
	return j
}

// optionsJSON accepts the options of a list. A plain value that is one can be a number or a
// boolean.
func optionsJSON(options []string) JSON {
	var accepted []any
	others := []string{"string", "null"}
	for _, option := range options {
		accepted = append(accepted, option)
		switch plainTag(option) {
		case "!!bool":
			accepted = append(accepted, strings.EqualFold(option, "true"))
		case "!!int", "!!float":
			number, ok := json.Number(""), isNumber(option) && json.Valid([]byte(option))
			if ok {
				number, ok = parseDecimal(option).json()
			}
			if !ok {
				others = []string{"number", "string", "null"}
				continue
			}
			accepted = append(accepted, number)
		}
	}
	return JSON{"anyOf": []JSON{{"enum": accepted}, {"type": others, "pattern": open}}}
}

// addJSON adds the bounds that validators can read.
func (n *numberRange) addJSON(j JSON) {
	if low, ok := n.low.json(); ok {
		j["minimum"] = low
	}
	if high, ok := n.high.json(); ok {
		j["maximum"] = high
	}
}

// maxJSONDigits bounds the digits of a number before the point, and those after it. JSON
// is read as doubles.
const maxJSONDigits = 300

// json returns the number without an exponent. It is false for one that validators may not
// read.
func (d decimal) json() (json.Number, bool) {
	digits := int64(len(d.digits))
	if d.point > maxJSONDigits || digits-d.point > maxJSONDigits {
		return "", false
	}
	if d.sign == 0 {
		return "0", true
	}
	number, ok := new(big.Rat).SetString(fmt.Sprintf("%se%d", d.digits, d.point-digits))
	if !ok {
		return "", false
	}
	if d.sign < 0 {
		number.Neg(number)
	}
	return json.Number(number.FloatString(int(max(0, digits-d.point)))), true
}
