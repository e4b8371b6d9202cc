package values

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// readsAs returns the tag that a plain scalar resolves to.
func readsAs(text string) string {
	if text != "" && (text[0]|0x20 >= 'a' && text[0]|0x20 <= 'z') { // no number
		switch text {
		case "true", "True", "TRUE", "false", "False", "FALSE":
			return boolTag
		case "null", "Null", "NULL":
			return nullTag
		}
		return strTag
	}
	if text != "" && text[0] >= '1' && text[0] <= '9' {
		const digits, mostOfInt64 = "0123456789", 18
		rest := strings.TrimLeft(text, digits)
		switch {
		case rest == "" && len(text) <= mostOfInt64:
			return intTag
		case rest != "" && rest[0]|0x20 >= 'a' && rest[0]|0x20 <= 'z' && rest[0]|0x20 != 'e': // 100m
			return strTag
		case rest != "" && rest[0] == '.' && strings.HasPrefix(strings.TrimLeft(rest[1:], digits), "."): // 1.31.4
			return strTag
		}
	}
	return (&yaml.Node{Kind: yaml.ScalarNode, Value: text}).ShortTag()
}

// base60 matches texts that are strings here, and numbers for some readers of YAML 1.1. They are always
// quoted, as the words that are booleans for such readers.
var base60 = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$`)
})

// plainString reports whether text can be written plain and reads back as a
// string.
func plainString(text string, flow bool) bool {
	_, isWord := wordOf(text)
	return plainSyntax(text, flow) && readsAs(text) == strTag && !isWord && (!strings.Contains(text, ":") || !base60().MatchString(text))
}

// plainSyntax reports whether text can be written as a plain scalar of one line.
// It is a little stricter than YAML where readers disagree.
func plainSyntax(text string, flow bool) bool {
	if text == "" || isBlank(text[0]) || isBlank(text[len(text)-1]) || !simpleCharacters(text) ||
		strings.IndexByte(",[]{}#&*!|>'\"%@`", text[0]) >= 0 || text == "---" || text == "..." ||
		strings.HasPrefix(text, "--- ") || strings.HasPrefix(text, "... ") {
		return false
	}
	if c := text[0]; c == '-' || c == '?' || c == ':' {
		if len(text) == 1 || isBlank(text[1]) || flow && (c != '-' || isFlowIndicator(text[1])) {
			return false
		}
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\t' || c == '\n':
			return false
		case c == ':' && (i+1 == len(text) || isBlank(text[i+1]) || flow && isFlowIndicator(text[i+1])):
			return false
		case c == '#' && isBlank(text[i-1]):
			return false
		case flow && (isFlowIndicator(c) || c == '?'):
			return false
		}
	}
	return true
}

// simpleCharacters reports whether text holds nothing that needs an escape: no
// control characters but tab and line feed, and no line breaks but line feed.
func simpleCharacters(text string) bool {
	for _, r := range text {
		if r >= ' ' && r < 0x7F {
			continue
		}
		if r < ' ' && r != '\t' && r != '\n' || needsEscape(r) {
			return false
		}
	}
	return true
}

// needsEscape reports whether a character above the ASCII controls is one that
// YAML rejects, takes for a line break or may take for a byte order mark.
func needsEscape(r rune) bool {
	return r >= 0x7F && r < 0xA0 || r == 0x2028 || r == 0x2029 || r == 0xFEFF || r == 0xFFFE || r == 0xFFFF
}

// doubleQuoted writes text as a double-quoted scalar of one line; it can write
// any text. Its escapes are those that JSON has, too.
func doubleQuoted(text string) string {
	var b strings.Builder
	b.Grow(len(text) + 2)
	b.WriteByte('"')
	for _, r := range text {
		switch r {
		case '"', '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case '\n':
			b.WriteString(`\n`)
		case '\t':
			b.WriteString(`\t`)
		case '\r':
			b.WriteString(`\r`)
		default:
			if r < ' ' || r >= 0x7F && r < 0xA0 || r == 0x2028 || r == 0x2029 || needsEscape(r) {
				fmt.Fprintf(&b, `\u%04X`, r)
			} else {
				b.WriteRune(r)
			}
		}
	}
	b.WriteByte('"')
	return b.String()
}

// singleQuoted writes text as a single-quoted scalar of one line. Text with line
// breaks is left to double quotes: over several lines it is hard to read, and
// readers that go by lines stumble over it.
func singleQuoted(text string) (string, bool) {
	if !simpleCharacters(text) || strings.Contains(text, "\n") {
		return "", false
	}
	return "'" + strings.ReplaceAll(text, "'", "''") + "'", true
}

// quoted writes a string that cannot stay plain.
func quoted(text string) string {
	if strings.ContainsAny(text, `"\`) {
		if s, ok := singleQuoted(text); ok && !strings.Contains(text, "'") {
			return s
		}
	}
	return doubleQuoted(text)
}

// flowScalar writes a scalar on one line, in flow style when asked for, with
// the tag it has.
func flowScalar(n *yaml.Node, flow bool) (string, error) {
	if n.Style&yaml.TaggedStyle != 0 {
		tag := n.Tag
		switch n.ShortTag() {
		case nullTag, boolTag, strTag, intTag, floatTag:
			tag = n.ShortTag()
		default:
			return "", reject(n, "the tag %s cannot be moved", tag)
		}
		if tag == strTag || !plainSyntax(n.Value, flow) {
			return tag + " " + quoted(n.Value), nil
		}
		return tag + " " + n.Value, nil
	}
	switch {
	case n.Style&yaml.DoubleQuotedStyle != 0:
		return doubleQuoted(n.Value), nil
	case n.Style&yaml.SingleQuotedStyle != 0 && !strings.Contains(n.Value, "\n"):
		if s, ok := singleQuoted(n.Value); ok {
			return s, nil
		}
	case n.ShortTag() == nullTag:
		if n.Value == "" {
			return "null", nil
		}
		return n.Value, nil
	case n.ShortTag() != strTag && plainSyntax(n.Value, flow):
		return n.Value, nil
	case n.Style == 0 && plainSyntax(n.Value, flow) && readsAs(n.Value) == strTag:
		return n.Value, nil // as plain as it was
	}
	return quoted(n.Value), nil
}

// keyScalar writes a key.
func keyScalar(key string) (string, error) {
	s := key
	if !plainString(key, true) {
		s = quoted(key)
	}
	// YAML limits keys without "?" to 1024 characters.
	if !utf8.ValidString(key) || width(s) > 1000 {
		return "", &EditError{Reason: fmt.Sprintf("the key %.40q… is too long or not UTF-8", key)}
	}
	return s, nil
}

// flowKey writes a key in flow style, in the quotes that it has.
func flowKey(key *yaml.Node) (string, error) {
	if quotedStyle(key) {
		return flowScalar(key, true)
	}
	return keyScalar(key.Value)
}

// isJSON reports whether a document is JSON, and has something that says so: {}
// is YAML too. Readers of JSON must be able to read it after an edit.
func (d *Document) isJSON() bool {
	text := strings.TrimLeft(d.text, " \t\r\n")
	if text == "" || text[0] != '{' && text[0] != '[' || !json.Valid([]byte(text)) {
		return false
	}
	return slices.ContainsFunc(d.Root().Content, func(n *yaml.Node) bool { return n.Style&yaml.DoubleQuotedStyle != 0 })
}

// source returns src as its values are put into d: with their text, on their own,
// and as JSON where d is JSON. It rejects what JSON does not have.
func (d *Document) source(src *Document) (*Document, error) {
	src, err := selfContained(src)
	if err != nil || src.Root() == nil || !d.isJSON() {
		return src, err
	}
	w := jsonWriter{}
	w.node(src.Root())
	if w.failed != nil {
		return nil, reject(w.failed, "the document is JSON, which has no .inf, .nan, tags, and keys that are maps or lists: write another value, or text in quotes")
	}
	return Parse(w.b.String())
}
