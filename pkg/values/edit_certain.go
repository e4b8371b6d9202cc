package values

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

// Some edits need no reading to know how the result reads: a scalar gives way
// to one of the same style, with only such characters in it that the parser
// cannot take for anything else, and after it the parser is where it was after
// the old one, with the same text to come; for comments the parser also looks
// at how many breaks precede it and whether it is on the first line. The functions
// here look at the text that is written, not at the way it came about; the tests
// read the result of every such edit.

// unread makes the splices of certain edits. The result is read when a caller
// asks for its nodes.
func (d *Document) unread(splices []splice) (*Document, bool) {
	text, ok := apply(d.text, splices)
	if !ok || len(text) > MaxBytes {
		return nil, false
	}
	return newDocument(text, sync.OnceValue(func() nodes {
		n, err := read(text)
		if err != nil {
			panic(fmt.Errorf("values: the text of an edit that is always right cannot be read: %w", withoutText(err)))
		}
		return n
	})), true
}

// withoutText keeps what a document says, perhaps a secret, out of a panic.
func withoutText(err error) error {
	var syntax *SyntaxError
	if errors.As(err, &syntax) {
		return errors.New(syntax.Position.String())
	}
	return err
}

// certain reports whether nothing but the value of t can change by s.
func (l *layout) certain(t *target, s splice) bool {
	n := t.edit.Node
	if t.parent == nil || t.at.flow || hasProperties(n) || l.start(n) != s.start || s.end <= s.start {
		return false
	}
	switch n.Style {
	case 0:
		return t.tag != "" && t.tag != nullTag && s.text == t.edit.Text && certainPlain(s.text) &&
			l.text[s.start:s.end] == n.Value && onlyPrintable(n.Value) && l.endsLine(s.end)
	case yaml.SingleQuotedStyle, yaml.DoubleQuotedStyle:
		return t.tag == strTag && certainQuoted(s.text, t.edit.Text) &&
			l.text[s.start] == s.text[0] && l.text[s.end-1] == s.text[0] && lineEnd(l.text, s.start) >= s.end && l.endsLine(s.end)
	case yaml.LiteralStyle:
		return t.tag == strTag && l.certainLiteral(t, s)
	}
	return false
}

// certainPlain reports whether text is a plain scalar wherever one may begin. As
// it begins with a letter or a digit, it is not an indicator or document marker.
func certainPlain(text string) bool {
	if text == "" {
		return false
	}
	c := text[0]
	letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
	return letter && onlyPrintable(text) && plainSyntax(text, false)
}

// certainQuoted reports whether written is text between quotes, nothing escaped.
func certainQuoted(written, text string) bool {
	if len(written) != len(text)+2 || written[1:len(written)-1] != text || !onlyPrintable(text) {
		return false
	}
	return written[0] == written[len(written)-1] && strings.IndexAny(written[:1], `"'`) == 0 && !strings.ContainsAny(text, `"'\`)
}

// certainLiteral reports whether s replaces a literal by one with the same
// indentation and an ordinary text.
func (l *layout) certainLiteral(t *target, s splice) bool {
	n, text := t.edit.Node, t.edit.Text
	header := lineEnd(l.text, s.start)
	content := afterBreak(l.text, header)
	indent := leadingSpaces(l.text[content:])
	first := content + indent
	// The indentation is certain only if the value begins with the rest of the first line.
	line := l.text[first:max(first, lineEnd(l.text, first))]
	if line == "" || isBlank(line[0]) || !strings.HasPrefix(n.Value, line) || s.end < first+len(line) || l.lineBreak() != "\n" {
		return false
	}
	if isBlank(l.text[s.end-1]) {
		return false // whitespace at the end hides a line from what decides where comments belong
	}
	comment := strings.TrimPrefix(l.text[s.start+1:header], "-")
	if comment != "" && !isBlank(comment[0]) {
		return false // "+", or an indentation of its own
	}
	if t.comment != nil {
		if comment = t.comment.retail(comment); !certainTail(comment) {
			return false
		}
	}
	rest := l.text[s.end:]
	if rest != "" && rest[0] != '\n' {
		return false
	}
	indicator := "|"
	body, broken := strings.CutSuffix(text, "\n")
	if !broken {
		indicator = "|-"
	}
	if body == "" || isBlank(body[0]) || body[0] == '\n' || isBlank(body[len(body)-1]) || body[len(body)-1] == '\n' || strings.IndexByte(body, '\t') >= 0 {
		return false
	}
	// The writer made the lines that follow, of characters that are simple.
	start := indicator + comment + "\n" + l.text[content:first] + body[:1]
	return strings.HasPrefix(s.text, start) && strings.HasSuffix(s.text, "\n") == (broken && rest == "")
}

// endsLine reports whether nothing but a comment follows on the line.
func (l *layout) endsLine(i int) bool {
	next := skipBlanks(l.text, i)
	return next >= len(l.text) || breakLength(l.text, next) > 0 || next > i && l.text[next] == '#'
}

// onlyPrintable reports whether all of text is ASCII from the space on.
func onlyPrintable(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}
