package schema

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/krm-packs/functions/pkg/diag"
)

// scanner reads a text from left to right. Templates and formats have lexers of
// their own because their literals are raw (`\d` is a backslash and a d), which
// text/template rejects.
type scanner struct {
	// text is the whole text, and pos the offset of the next byte.
	text string
	pos  int
}

func (s *scanner) rest() string           { return s.text[s.pos:] }
func (s *scanner) atEnd() bool            { return s.pos == len(s.text) }
func (s *scanner) has(prefix string) bool { return strings.HasPrefix(s.rest(), prefix) }

// take reads as long as accepts returns true, and returns what it read.
func (s *scanner) take(accepts func(byte) bool) string {
	start := s.pos
	for !s.atEnd() && accepts(s.text[s.pos]) {
		s.pos++
	}
	return s.text[start:s.pos]
}

func (s *scanner) skipSpace() { s.take(isSpace) }

// found returns the text at the current position for a message.
func (s *scanner) found() string { return found(s.rest()) }

const space = " \t\r\n"

func isSpace(c byte) bool { return strings.IndexByte(space, c) >= 0 }

// fail returns the error of a finding at an offset.
func fail(offset int, f diag.Finding) *templateError { return &templateError{offset, f} }

// found returns the first word of rest for a message, or "the end" if rest is empty.
func found(rest string) string {
	if rest == "" {
		return "the end"
	}
	if i := strings.IndexAny(rest, space); i > 0 {
		rest = rest[:i]
	}
	return quoted(rest)
}

// maxQuoted limits the text of the schema's author that a message quotes, in bytes.
const maxQuoted = 40

// quoted quotes text of the schema's author for a message: on one line and short.
func quoted(text string) string {
	text = shortened(text, maxQuoted)
	if strings.Contains(text, `"`) && strconv.CanBackquote(text) {
		return "`" + text + "`"
	}
	return strconv.Quote(text)
}

// shortened cuts text to at most limit bytes, between two characters.
func shortened(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	cut := limit
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "..."
}
