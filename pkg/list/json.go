package list

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"
)

// asYAML respells JSON where YAML reads it differently or not at all: whitespace,
// escaped slashes and surrogates, and rare characters. It returns all other input as
// it is.
func asYAML(input []byte) []byte {
	var compact bytes.Buffer
	if json.Compact(&compact, input) != nil {
		return input
	}
	text := compact.Bytes()
	out := make([]byte, 0, len(text))
	for {
		at := bytes.IndexByte(text, '"')
		if at < 0 {
			return append(out, text...)
		}
		out = append(out, text[:at]...)
		quoted := text[at : at+scanQuoted(text[at:])]
		out = append(out, quotedAsYAML(quoted)...)
		text = text[at+len(quoted):]
	}
}

// quotedAsYAML respells a string. One with half a surrogate pair stays as it is, and
// is an error.
func quotedAsYAML(quoted []byte) []byte {
	rare := func(c rune) bool { return c >= 0x7f }
	if !bytes.Contains(quoted, []byte(`\/`)) && !bytes.Contains(quoted, []byte(`\u`)) && bytes.IndexFunc(quoted, rare) < 0 {
		return quoted
	}
	var text string
	if err := json.Unmarshal(quoted, &text); err != nil || strings.ContainsRune(text, utf8.RuneError) {
		return quoted
	}
	return strconv.AppendQuoteToASCII(nil, text)
}
