package values

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// ParseJSON is [ReadJSON] for documents that are read and not edited. The YAML parser of
// [Parse] is not a substitute: it accepts texts that are not JSON (trailing commas, comments).
func ParseJSON(text string, sized ...string) (*Document, error) {
	cache, key := kept.Load(), keptText{text, "json " + strings.Join(sized, " ")}
	if d, known := cache.Get(key); known {
		return d, nil
	}
	root, sizes, err := ReadJSON(text, sized...)
	if err != nil {
		return nil, err
	}
	d := Of(root)
	d.sizes = sizes
	cache.Put(key, d, len(text))
	return d, nil
}

// Sizes are the lengths in bytes of the members that [ParseJSON] was asked for, by their
// objects.
func (d *Document) Sizes() map[*yaml.Node]int { return d.sizes }

// ReadJSON reads JSON as RFC 8259 defines it: one value in UTF-8. A byte order mark before
// it is ignored. Duplicate keys are kept, see [Document.Duplicates]. sized are the keys of
// members whose lengths in bytes are returned, by their objects.
//
// The text has the limits of [Parse]. An error is a *SyntaxError with the place of the
// fault, or a *LimitError. It shows one character of the text at most.
func ReadJSON(text string, sized ...string) (*yaml.Node, map[*yaml.Node]int, error) {
	r := newJSONReader(text)
	r.sized = sized
	root, err := r.document()
	return root, r.sizes, ofConflict(text, err)
}

func newJSONReader(text string) *jsonReader {
	start := len(text) - len(strings.TrimPrefix(text, byteOrderMark))
	return &jsonReader{text: text, at: start, seen: start, place: Position{Line: 1, Column: 1}, sizes: map[*yaml.Node]int{}}
}

// jsonDocument reads a document that is JSON, or nil for all others. The YAML parser rejects some
// JSON: escaped slashes, surrogate pairs, tabs that indent, and keys of more than 1,024 characters.
func jsonDocument(text string) *yaml.Node {
	start := strings.TrimLeft(strings.TrimPrefix(text, byteOrderMark), " \t\r\n")
	if start == "" || strings.IndexByte(`{["`, start[0]) < 0 {
		return nil
	}
	r := newJSONReader(text)
	r.lines = NewLines(text)
	root, err := r.document()
	if err != nil {
		return nil
	}
	return &yaml.Node{Kind: yaml.DocumentNode, Line: root.Line, Column: root.Column, Content: []*yaml.Node{root}}
}

// jsonReader reads a text from left to right. After a failure it is not used again.
type jsonReader struct {
	// text is the text, and at the offset of the next byte.
	text string
	at   int
	// place is the position of the offset seen.
	place Position
	seen  int
	// lines are the lines of a YAML document, which has more line breaks than JSON. They are nil
	// for a JSON document.
	lines *Lines
	// nodes counts the nodes, which are limited to MaxNodes.
	nodes int
	// sized are the keys whose members are measured, and sizes are their lengths in bytes, by the
	// object that has the key.
	sized []string
	sizes map[*yaml.Node]int
}

// position returns the place of the current offset.
func (r *jsonReader) position() Position {
	if r.lines != nil {
		return r.lines.Position(r.at)
	}
	for ; r.seen < r.at; r.seen++ {
		switch c := r.text[r.seen]; {
		case c == '\n':
			r.place = Position{Line: r.place.Line + 1, Column: 1}
		case utf8.RuneStart(c):
			r.place.Column++
		}
	}
	return r.place
}

// document reads the whole text.
func (r *jsonReader) document() (*yaml.Node, error) {
	if len(r.text) > MaxBytes {
		return nil, &LimitError{Reason: fmt.Sprintf("the text has %d bytes, more than %d", len(r.text), MaxBytes)}
	}
	root, err := r.value(1)
	if err == nil {
		if r.skipSpace(); r.at < len(r.text) {
			err = r.fail("nothing after the end of the value")
		}
	}
	if err != nil {
		return nil, err
	}
	return root, nil
}

// fail returns an error at the current offset. What is missing at the end of the text is
// missing after the last character that is not whitespace.
func (r *jsonReader) fail(want string) error {
	found := r.found()
	if r.at == len(r.text) {
		whole := strings.TrimRight(r.text, " \t\r\n")
		r = &jsonReader{text: whole, at: len(whole), seen: len(whole) - len(strings.TrimPrefix(whole, "\ufeff")), place: Position{Line: 1, Column: 1}}
	}
	return &SyntaxError{Position: r.position(), Reason: "expected " + want + ", got " + found}
}

// found describes the text at the current offset.
func (r *jsonReader) found() string {
	rest := r.text[r.at:]
	switch c, size := utf8.DecodeRuneInString(rest); {
	case rest == "":
		return "the end of the document"
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

// skipSpace skips the four characters that are white space in JSON.
func (r *jsonReader) skipSpace() {
	for r.at < len(r.text) && strings.IndexByte(" \t\r\n", r.text[r.at]) >= 0 {
		r.at++
	}
}

// has reports whether a character is next, and skips it.
func (r *jsonReader) has(c byte) bool {
	if r.at < len(r.text) && r.text[r.at] == c {
		r.at++
		return true
	}
	return false
}

// next returns the next byte, 0 at the end.
func (r *jsonReader) next() byte {
	if r.at < len(r.text) {
		return r.text[r.at]
	}
	return 0
}

// value reads the next value, which is at a level of nesting.
func (r *jsonReader) value(level int) (*yaml.Node, error) {
	r.skipSpace()
	at := r.position()
	n := &yaml.Node{Kind: yaml.ScalarNode, Line: at.Line, Column: at.Column}
	if r.nodes++; r.nodes > MaxNodes {
		return nil, &LimitError{Reason: fmt.Sprintf("the document has more than %d values", MaxNodes)}
	}
	var err error
	switch c := r.next(); {
	case (c == '{' || c == '[') && level > MaxDepth:
		return nil, &LimitError{Reason: fmt.Sprintf("the document is nested deeper than %d levels", MaxDepth)}
	case c == '{':
		n.Kind, n.Tag, n.Style = yaml.MappingNode, "!!map", yaml.FlowStyle
		err = r.list(n, '}', func() error { return r.member(n, level) })
	case c == '[':
		n.Kind, n.Tag, n.Style = yaml.SequenceNode, "!!seq", yaml.FlowStyle
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
func (r *jsonReader) literal(n *yaml.Node) error {
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
func (r *jsonReader) list(n *yaml.Node, closing byte, element func() error) error {
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
			return &SyntaxError{Position: r.position(), Reason: fmt.Sprintf(`trailing comma before "%c": remove it`, closing)}
		}
	}
}

// add reads a value into a list or object.
func (r *jsonReader) add(n *yaml.Node, level int) error {
	child, err := r.value(level + 1)
	n.Content = append(n.Content, child)
	return err
}

// member reads a key and its value.
func (r *jsonReader) member(n *yaml.Node, level int) error {
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
func (r *jsonReader) str() (string, error) {
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
			if err == nil && r.lines != nil && strings.ContainsRune(decoded, utf8.RuneError) {
				err = r.fail("no half of a surrogate pair") // which YAML does not have
			}
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
func (r *jsonReader) escape() error {
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
func (r *jsonReader) number() (text, tag string, err error) {
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

// digits skips one digit or more.
func (r *jsonReader) digits() error {
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
