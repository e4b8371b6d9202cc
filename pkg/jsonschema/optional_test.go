package jsonschema

import "testing"

// The subjects of the suite's optional cases, and of those that the copy in
// testdata leaves out.
func TestOptional(t *testing.T) {
	for _, tc := range []struct {
		name, schema, value string
		valid               bool
	}{
		{"large integers", `{"type": "integer"}`, "12345678910111213141516171819202122232425262728293031", true},
		{"large numbers are not strings", `{"type": "string"}`, "98249283749234923498293171823948729348710298301928331", false},
		{"exact maximum", `{"maximum": 18446744073709551615}`, "18446744073709551616", false},
		{"exact fractions", `{"exclusiveMaximum": 972783798187987123879878123.18878137}`, "972783798187987123879878123.188781371", false},
		{"equal fractions", `{"const": 0.1}`, "0.10000", true},
		{"unequal integers", `{"const": 9007199254740993}`, "9007199254740992", false},
		{"overflow", `{"type": "integer", "multipleOf": 0.5}`, "1e308", true},
		{"small factors", `{"multipleOf": 0.0001}`, "0.0075", true},
		{"a factor that does not fit", `{"multipleOf": 0.0001}`, "0.00751", false},
		{"characters beyond 16 bits", `{"pattern": "^🐲*$"}`, "🐲🐲", true},
		{"names beyond 16 bits", `{"patternProperties": {"^🐲*$": {"type": "integer"}}}`, "{🐲: x}", false},
		{"an identifier in an enum", `{"definitions": {"a": {"enum": [{"$id": "https://example.com/x", "type": "null"}]}, "b": {"$id": "https://example.com/x", "type": "string"}}, "$ref": "https://example.com/x"}`, "x", true},
		{"an identifier in an unknown keyword", `{"definitions": {"a": {"not": {"other": [{"$id": "https://example.com/x", "type": "null"}]}}, "b": {"$id": "https://example.com/x", "type": "string"}}, "$ref": "https://example.com/x"}`, "x", true},
		{"an anchor in a constant", `{` + as2020 + `"$defs": {"a": {"const": {"$anchor": "x", "type": "null"}}, "b": {"$anchor": "x", "type": "string"}}, "$ref": "#x"}`, "x", true},
		{"the inside of a keyword without schemas", `{` + as2020 + `"examples": [{"type": "string"}], "$ref": "#/examples/0"}`, "5", false},
		{"no $schema", `{"minLength": 2}`, "a", false},
		{`\d is ASCII`, `{"pattern": "^\\d$"}`, "߀", false},
		{`\w is ASCII`, `{"pattern": "^\\w$"}`, "é", false},
		{"the end is that of the text", `{"pattern": "^abc$"}`, `"abc\n"`, false},
		{"properties of Unicode", `{"pattern": "^\\p{Lu}+$"}`, "ÀÉ", true},
		// Not supported, as none is required.
		{`\s is that of RE2, without other spaces than ASCII's`, `{"pattern": "^\\s$"}`, `"\u00a0"`, false},
		{"formats are not checked", `{"format": "ipv4"}`, "x", true},
		{"content is not checked", `{"contentMediaType": "application/json", "contentEncoding": "base64"}`, "'{:}'", true},
		{"vocabularies are ignored", `{` + as2020 + `"$vocabulary": {"https://example.com/x": true}, "minimum": 10}`, "1", false},
		{"dependencies are not of 2020-12", `{` + as2020 + `"dependencies": {"a": ["b"]}}`, "a: 1", true},
	} {
		if got := accepts(mustParse(t, tc.schema), root(t, tc.value)); got != tc.valid {
			t.Errorf("%s: it is accepted: %v", tc.name, got)
		}
	}
	// Escapes of ECMA-262 that RE2 does not have are faults.
	for _, pattern := range []string{`^\\cC$`, `\\u0041`, `(?<!a)b`, `a(?!b)`, `(?<n>a)\\k<n>`, `[^]`} {
		if s, err := Parse(`{"pattern": "` + pattern + `"}`); err == nil {
			t.Errorf("the pattern %s is read: %v", pattern, s)
		}
	}
}
