// Package jsontext reads JSON strictly, with the place of each value and each fault.
//
// The YAML parser is no substitute. It refuses some JSON (`\/`, surrogate pairs, tabs),
// accepts what is not JSON (trailing commas, comments), and can make a key a part of a
// comment.
package jsontext

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/values"
)

// Document is a text of JSON that was read.
type Document struct {
	*values.Document
	// Sizes are the lengths in bytes of the members that [Parse] was asked for, by
	// their objects.
	Sizes map[*yaml.Node]int
}

// Parse reads JSON as RFC 8259 defines it: one value in UTF-8. A byte order mark before
// it is ignored. Duplicate keys are kept, see [values.Document.Duplicates]. sized are
// the keys of members whose lengths are kept.
//
// The text has the limits of package values. An error is a *values.SyntaxError with the
// place of the fault, or a *values.LimitError. It shows one character of the text at
// most.
func Parse(text string, sized ...string) (*Document, error) {
	if len(text) > values.MaxBytes {
		return nil, &values.LimitError{Reason: fmt.Sprintf("the text has %d bytes, more than %d", len(text), values.MaxBytes)}
	}
	start := len(text) - len(strings.TrimPrefix(text, "\ufeff"))
	r := &reader{text: text, at: start, seen: start, place: diag.Position{Line: 1, Column: 1}, sized: sized, sizes: map[*yaml.Node]int{}}
	root, err := r.value(1)
	if err == nil {
		if r.skipSpace(); r.at < len(text) {
			err = r.fail("nothing after the end of the value")
		}
	}
	if err != nil {
		return nil, err
	}
	return &Document{values.Of(root), r.sizes}, nil
}

// reader reads a text from left to right. After a failure it is not used again.
type reader struct {
	text string
	at   int
	// place is that of the offset seen.
	place diag.Position
	seen  int
	nodes int
	sized []string
	sizes map[*yaml.Node]int
}

// position returns the place of the current offset.
func (r *reader) position() diag.Position {
	for ; r.seen < r.at; r.seen++ {
		switch c := r.text[r.seen]; {
		case c == '\n':
			r.place = diag.Position{Line: r.place.Line + 1, Column: 1}
		case utf8.RuneStart(c):
			r.place.Column++
		}
	}
	return r.place
}

// fail returns an error at the current offset. What is missing at the end of the text is
// missing after the last character that is not whitespace.
func (r *reader) fail(want string) error {
	found := r.found()
	if r.at == len(r.text) {
		whole := strings.TrimRight(r.text, " \t\r\n")
		r = &reader{text: whole, at: len(whole), seen: len(whole) - len(strings.TrimPrefix(whole, "\ufeff")), place: diag.Position{Line: 1, Column: 1}}
	}
	return &values.SyntaxError{Position: r.position(), Reason: "got " + found + ", want " + want}
}

// found says what is at the current offset.
func (r *reader) found() string {
	rest := r.text[r.at:]
	switch c, size := utf8.DecodeRuneInString(rest); {
	case rest == "":
		return "the end of the text"
	case strings.HasPrefix(rest, "//") || strings.HasPrefix(rest, "/*") || c == '#':
		return "a comment"
	case c == utf8.RuneError && size == 1:
		return fmt.Sprintf("the byte 0x%02X, which is not UTF-8", rest[0])
	case c == '\n':
		return "a line break"
	case c < ' ':
		return fmt.Sprintf("the control character U+%04X", c)
	case c == '"':
		return "a string"
	default:
		return `"` + string(c) + `"`
	}
}

func (r *reader) skipSpace() {
	for r.at < len(r.text) && strings.IndexByte(" \t\r\n", r.text[r.at]) >= 0 {
		r.at++
	}
}

// has reports whether a character is next, and skips it.
func (r *reader) has(c byte) bool {
	if r.at < len(r.text) && r.text[r.at] == c {
		r.at++
		return true
	}
	return false
}

// next returns the next byte, 0 at the end.
func (r *reader) next() byte {
	if r.at < len(r.text) {
		return r.text[r.at]
	}
	return 0
}

// value reads the next value, which is at a level of nesting.
func (r *reader) value(level int) (*yaml.Node, error) {
	r.skipSpace()
	at := r.position()
	n := &yaml.Node{Kind: yaml.ScalarNode, Line: at.Line, Column: at.Column}
	if r.nodes++; r.nodes > values.MaxNodes {
		return nil, &values.LimitError{Reason: fmt.Sprintf("the text has more than %d values", values.MaxNodes)}
	}
	var err error
	switch c := r.next(); {
	case (c == '{' || c == '[') && level > values.MaxDepth:
		return nil, &values.LimitError{Reason: fmt.Sprintf("the text is nested deeper than %d levels", values.MaxDepth)}
	case c == '{':
		n.Kind, n.Tag = yaml.MappingNode, "!!map"
		err = r.list(n, '}', func() error { return r.member(n, level) })
	case c == '[':
		n.Kind, n.Tag = yaml.SequenceNode, "!!seq"
		err = r.list(n, ']', func() error { return r.add(n, level) })
	case c == '"':
		n.Tag, n.Style = "!!str", yaml.DoubleQuotedStyle
		n.Value, err = r.str()
	case c == '-' || isDigit(c):
		n.Value, n.Tag, err = r.number()
	default:
		err = r.literal(n)
	}
	return n, err
}

// literal reads true, false or null.
func (r *reader) literal(n *yaml.Node) error {
	for word, tag := range map[string]string{"true": "!!bool", "false": "!!bool", "null": "!!null"} {
		if strings.HasPrefix(r.text[r.at:], word) {
			r.at += len(word)
			n.Value, n.Tag = word, tag
			return nil
		}
	}
	return r.fail("a value: an object, a list, a string in double quotes, a number, true, false or null")
}

// list reads the content of brackets and the closing one.
func (r *reader) list(n *yaml.Node, closing byte, element func() error) error {
	r.at++
	if r.skipSpace(); r.has(closing) {
		return nil
	}
	for {
		if err := element(); err != nil {
			return err
		}
		if r.skipSpace(); r.has(closing) {
			return nil
		}
		if r.next() != ',' {
			return r.fail(fmt.Sprintf(`"," before the next element, or "%c"`, closing))
		}
		comma := r.at
		r.at++
		if r.skipSpace(); r.next() == closing {
			r.at = comma
			return &values.SyntaxError{Position: r.position(), Reason: fmt.Sprintf(`got a comma before "%c", want an element after it: remove the comma`, closing)}
		}
	}
}

// add reads a value into a list or object.
func (r *reader) add(n *yaml.Node, level int) error {
	child, err := r.value(level + 1)
	n.Content = append(n.Content, child)
	return err
}

// member reads a key and its value.
func (r *reader) member(n *yaml.Node, level int) error {
	if r.skipSpace(); r.next() != '"' {
		return r.fail("a key in double quotes")
	}
	if err := r.add(n, level); err != nil {
		return err
	}
	key := n.Content[len(n.Content)-1].Value
	if r.skipSpace(); !r.has(':') {
		return r.fail(`":" after the key`)
	}
	r.skipSpace()
	start := r.at
	err := r.add(n, level)
	if slices.Contains(r.sized, key) {
		r.sizes[n] = r.at - start
	}
	return err
}

// str reads a string.
func (r *reader) str() (string, error) {
	start := r.at
	isPlain := true
	for r.at++; ; {
		c, size := utf8.DecodeRuneInString(r.text[r.at:])
		switch {
		case c == utf8.RuneError && size <= 1:
			return "", r.fail(`a string that ends with a double quote`)
		case c == '"':
			r.at++
			if isPlain {
				return r.text[start+1 : r.at-1], nil
			}
			var decoded string
			err := json.Unmarshal([]byte(r.text[start:r.at]), &decoded)
			return decoded, err
		case c < ' ':
			return "", r.fail(`an escape such as \n in a string`)
		case c == '\\':
			isPlain = false
			r.at++
			if err := r.escape(); err != nil {
				return "", err
			}
		default:
			r.at += size
		}
	}
}

// escape reads what follows a backslash.
func (r *reader) escape() error {
	if r.has('u') {
		for range 4 {
			if !isHexDigit(r.next()) {
				return r.fail(`four hexadecimal digits after \u`)
			}
			r.at++
		}
		return nil
	}
	if c := r.next(); c == 0 || strings.IndexByte(`"\/bfnrt`, c) < 0 {
		return r.fail(`one of "\/bfnrtu after the backslash`)
	}
	r.at++
	return nil
}

// number reads a number and returns its text and its tag.
func (r *reader) number() (text, tag string, err error) {
	start := r.at
	tag = "!!int"
	r.has('-')
	if !r.has('0') {
		err = r.digits()
	} else if isDigit(r.next()) {
		err = r.fail("a number without leading zeros")
	}
	if err == nil && r.has('.') {
		tag, err = "!!float", r.digits()
	}
	if err == nil && (r.has('e') || r.has('E')) {
		if !r.has('+') {
			r.has('-')
		}
		tag, err = "!!float", r.digits()
	}
	return r.text[start:r.at], tag, err
}

func (r *reader) digits() error {
	if !isDigit(r.next()) {
		return r.fail("a digit")
	}
	for isDigit(r.next()) {
		r.at++
	}
	return nil
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isHexDigit(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }
