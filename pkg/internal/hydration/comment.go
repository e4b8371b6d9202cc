package hydration

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/internal/template"
	"github.com/krm-packs/functions/pkg/values"
)

// comment is the content of a comment on the line of a value.
const Marker = "kpt-macro:"

// comment is the content of a comment on the line of a value.
type comment struct {
	// others are the other comments on the line, which users wrote, joined.
	others string
	// source is the text of a scalar; collection is a collection in flow style, or nil for a
	// scalar.
	source string
	// collection has sources for all of its scalars together.
	collection *yaml.Node
	// offset is the offset of the source in the comment.
	offset int
}

// parse reads the comment on a line. It returns nil and the fault if the comment has no source that
// can be read. isFlow reports whether the value is a collection in flow style.
//
//	# kpt-macro: {{ .spectro.system.cluster.name }}.example.com
func parse(text string, isFlow bool) (c *comment, offset int, fault string) {
	for at := 0; at < len(text); {
		body, isMarked := strings.CutPrefix(strings.TrimLeft(text[at+1:], " \t"), Marker)
		if isMarked {
			body = strings.TrimLeft(body, " \t")
			c := &comment{offset: len(text) - len(body)}
			length, why := c.read(body, isFlow)
			if why == "" {
				before, after := strings.TrimRight(text[:at], " \t"), strings.TrimLeft(body[length:], " \t")
				c.others = strings.TrimSpace(before + " " + after)
				return c, c.offset, ""
			}
			if fault == "" {
				offset, fault = c.offset, why
			}
		}
		next := nextComment(text[at+1:])
		if next < 0 {
			break
		}
		at += 1 + next
	}
	return nil, offset, fault
}

// nextComment returns the offset of the next "#" after a blank, or -1 if there is none.
func nextComment(text string) int {
	for i := 1; i < len(text); i++ {
		if text[i] == '#' && (text[i-1] == ' ' || text[i-1] == '\t') {
			return i
		}
	}
	return -1
}

// read reads the source at the start of a text, and returns its length.
func (c *comment) read(text string, isFlow bool) (length int, fault string) {
	isCollection := mayBeCollection(text)
	switch {
	case strings.HasPrefix(text, `"`):
		if length = readJSON(text, &c.source); length < 0 {
			return 0, "JSON that cannot be read"
		}
	case isCollection && c.readCollection(text, &length):
		if !hasMacro(c.collection) {
			return 0, "no macro"
		}
		return length, ""
	case isCollection && isFlow:
		return 0, "JSON that cannot be read"
	default:
		if length = nextComment(text); length < 0 {
			length = len(text)
		}
		c.source = strings.TrimRight(text[:length], " \t")
		if i := strings.IndexFunc(c.source, isHidden); i >= 0 {
			r, _ := utf8.DecodeRuneInString(c.source[i:])
			return 0, fmt.Sprintf("the character %U", r)
		}
	}
	if !template.HasMacro(c.source) && template.Unclosed(c.source, 0) < 0 {
		return 0, "no macro"
	}
	return length, ""
}

// written returns the source as [write] takes it.
func (c *comment) written() string {
	if c.collection == nil {
		return scalarSource(c.source)
	}
	text, _ := values.JSON(c.collection)
	return visible(text)
}

// mayBeCollection reports whether a text may begin with a collection in JSON. Most texts with
// a macro begin with the macro.
func mayBeCollection(text string) bool {
	return strings.HasPrefix(text, "[") || strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "{{")
}

// readCollection reads a source that is JSON, and sets length to its length, or to -1 if it is none.
func (c *comment) readCollection(text string, length *int) bool {
	var raw json.RawMessage
	if *length = readJSON(text, &raw); *length < 0 {
		return false
	}
	document, err := values.ParseJSON(string(raw))
	if err == nil && document.Root() != nil {
		c.collection = document.Root()
	}
	return c.collection != nil
}

// readJSON reads a value at the start of a text, behind which a comment may begin, and returns its
// length, or -1 if that is not the case.
func readJSON(text string, into any) int {
	d := json.NewDecoder(strings.NewReader(text))
	if d.Decode(into) != nil {
		return -1
	}
	length := int(d.InputOffset())
	after := strings.TrimLeft(text[length:], " \t")
	if after != "" && (after[0] != '#' || len(after) == len(text[length:])) {
		return -1
	}
	return length
}

// isHidden reports whether a character is not one that everybody sees.
func isHidden(r rune) bool { return !unicode.IsPrint(r) }

// hasMacro reports whether a text of a tree has a macro.
func hasMacro(n *yaml.Node) bool {
	if n.Kind == yaml.ScalarNode {
		return template.HasMacro(values.Text(n)) || template.Unclosed(values.Text(n), 0) >= 0
	}
	return slices.ContainsFunc(n.Content, hasMacro)
}

// write returns the comment with the source of a value, behind what users wrote.
//
//	host: eu-1 # the first one # kpt-macro: {{ .spectro.var.REGION }}-1
func write(others, source string) string {
	if source == "" {
		return others
	}
	return strings.TrimSpace(others + " # " + Marker + " " + source)
}

// scalarSource writes the source of a scalar: as it is, or as JSON where the comment would
// otherwise be read as something else.
func scalarSource(text string) string {
	isPlain := text == strings.Trim(text, " \t") && !strings.HasPrefix(text, `"`) && nextComment(" "+text) < 0 &&
		strings.IndexFunc(text, isHidden) < 0 && utf8.ValidString(text)
	if isPlain && mayBeCollection(text) {
		isPlain = !json.Valid([]byte(text)) // else it would be the source of a collection
	}
	if isPlain {
		return text
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		panic(err) // a text can be written
	}
	return visible(strings.TrimSuffix(b.String(), "\n"))
}

// collectionSource writes the source of a collection in flow style. It reports false for one
// that JSON does not have as it is.
func collectionSource(n *yaml.Node) (string, bool) {
	if !isPlainFlow(n) {
		return "", false
	}
	text, ok := values.JSON(n)
	return visible(text), ok
}

// isPlainFlow reports whether a collection has no anchors, aliases, tags and keys that are
// not scalars.
func isPlainFlow(n *yaml.Node) bool {
	if n.Kind == yaml.AliasNode || n.Anchor != "" || n.Style&yaml.TaggedStyle != 0 || n.ShortTag() == "!!merge" {
		return false
	}
	for i, child := range n.Content {
		if !isPlainFlow(child) || n.Kind == yaml.MappingNode && i%2 == 0 && child.Kind != yaml.ScalarNode {
			return false
		}
	}
	return true
}

// visible escapes hidden characters of a JSON text: some of them end a line of YAML.
func visible(text string) string {
	if strings.IndexFunc(text, isHidden) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		switch high, low := utf16.EncodeRune(r); {
		case !isHidden(r):
			b.WriteRune(r)
		case high != unicode.ReplacementChar:
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}
