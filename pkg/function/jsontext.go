package function

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// The functions of this file walk JSON that is known to be valid.

// jsonMembers calls visit with each key, without its quotes, and value of the
// object that text starts with, until visit returns false.
func jsonMembers(text []byte, visit func(key []byte, value span) bool) bool {
	for at := jsonNext(text, 1); text[at] != '}'; at = jsonNext(text, at) {
		end := at + jsonLen(text[at:])
		key := text[at+1 : end-1]
		at = jsonNext(text, end) // behind the colon
		end = at + jsonLen(text[at:])
		if !visit(key, span{at, end}) {
			return false
		}
		at = end
	}
	return true
}

// jsonElements is jsonMembers for the elements of an array.
func jsonElements(text []byte, visit func(element span) bool) bool {
	for at := jsonNext(text, 1); text[at] != ']'; at = jsonNext(text, at) {
		end := at + jsonLen(text[at:])
		if !visit(span{at, end}) {
			return false
		}
		at = end
	}
	return true
}

// jsonNext skips what stands between two values.
func jsonNext(text []byte, at int) int {
	for isJSONBlank(text[at]) || text[at] == ',' || text[at] == ':' {
		at++
	}
	return at
}

func isJSONBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// jsonLen returns the length of the value that text starts with.
func jsonLen(text []byte) int {
	depth := 0
	for at := 0; at < len(text); at++ {
		switch text[at] {
		case '"':
			at += jsonStringLen(text[at:]) - 1
			if depth == 0 {
				return at + 1
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth < 0 {
				return at // a number or word before it
			}
			if depth == 0 {
				return at + 1
			}
		case ',', ' ', '\n', '\t', '\r':
			if depth == 0 {
				return at
			}
		}
	}
	return len(text)
}

// jsonStringLen returns the length of the string that text starts with, quotes
// included.
func jsonStringLen(text []byte) int {
	for at := 1; ; at++ {
		at += bytes.IndexByte(text[at:], '"')
		slashes := 0
		for text[at-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return at + 1
		}
	}
}

// isPlainJSON reports whether go-yaml reads each value as it stands: keys end
// on their line and are not too long for it.
func isPlainJSON(text []byte) bool {
	for at := 0; ; {
		n := bytes.IndexByte(text[at:], '"')
		if n < 0 {
			return true
		}
		start := at + n
		at = start + jsonStringLen(text[start:])
		end := at
		for isJSONBlank(text[end]) {
			end++
		}
		if text[end] == ':' && (end-start > 1000 || bytes.IndexByte(text[at:end], '\n') >= 0) {
			return false
		}
	}
}

// respace makes blanks of the tabs and line breaks of the same meaning that
// go-yaml treats in ways of its own. None of them stands inside a string.
func respace(text []byte) []byte {
	if bytes.IndexByte(text, '\r') >= 0 {
		text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
		text = bytes.ReplaceAll(text, []byte("\r"), []byte(" "))
	}
	if bytes.IndexByte(text, '\t') >= 0 {
		text = bytes.ReplaceAll(text, []byte("\t"), []byte(" "))
	}
	return text
}

// respell replaces the escapes of JSON that YAML does not have: `\/`, and the
// pairs of escapes for one character with which many programs write what is
// beyond U+FFFF. It reports false for half a pair, which is no character.
func respell(text []byte) ([]byte, bool) {
	var out []byte
	done := 0 // up to where out has the text
	for at := 0; ; {
		n := bytes.IndexByte(text[at:], '\\')
		if n < 0 {
			break
		}
		at += n
		switch text[at+1] {
		case '/':
			out = append(append(out, text[done:at]...), '/')
			at += 2
			done = at
		case 'u':
			first := hexRune(text[at+2:])
			if !utf16.IsSurrogate(first) {
				at += 6
				continue
			}
			if !bytes.HasPrefix(text[at+6:], []byte(`\u`)) {
				return nil, false
			}
			r := utf16.DecodeRune(first, hexRune(text[at+8:]))
			if r == utf8.RuneError {
				return nil, false
			}
			out = utf8.AppendRune(append(out, text[done:at]...), r)
			at += 12
			done = at
		default:
			at += 2
		}
	}
	if done == 0 {
		return text, true
	}
	return append(out, text[done:]...), true
}

// hexRune reads the four digits of an escape.
func hexRune(text []byte) rune {
	n, err := strconv.ParseUint(string(text[:4]), 16, 16)
	if err != nil {
		return utf8.RuneError
	}
	return rune(n)
}
