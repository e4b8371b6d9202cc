package values

import "unicode/utf8"

// MaxKey is the length in characters of the longest key that can be written
// without an indicator of its own.
const MaxKey = 1000

// Quote writes a text as a scalar of one line for block style, as a value or as
// a key of at most MaxKey characters: plain when every reader of YAML takes it
// for that text, and in quotes otherwise. Bytes that are not UTF-8 become the
// replacement character.
func Quote(text string) string {
	// As a key, the first would merge, and the second is a default value.
	if text != "<<" && text != "=" && plainString(text, false) && utf8.ValidString(text) {
		return text
	}
	return quoted(text)
}
