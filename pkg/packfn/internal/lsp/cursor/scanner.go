package cursor

import (
	"strings"

	"github.com/krm-packs/functions/pkg/values"
)

// scanner reads a text up to a position.
type scanner struct {
	text string
	// at is the offset of the position, or -1 to read the whole text.
	at int
	// found is the result once isSet is true, and visit gets the keys if the whole text is read.
	found Context
	isSet bool
	visit func(Entry)
	// frames are the block collections that contain the current line, and flow the open flow
	// collections.
	frames []frame
	flow   []flowFrame
}

// frame is a block mapping or list with its last entry.
type frame struct {
	// column is the column of its entries.
	column int
	// isList is true for a list, and step is the key or the index of the last entry.
	isList bool
	step   values.Step
	// hasValue is true if the entry has a value on its line.
	hasValue bool
}

// path returns the path of the value of the last entry.
func (s *scanner) path() []values.Step {
	steps := make([]values.Step, 0, len(s.frames)+len(s.flow)+1)
	for i := range s.frames {
		steps = append(steps, s.frames[i].step)
	}
	for i := range s.flow {
		if s.flow[i].hasStep {
			steps = append(steps, s.flow[i].step)
		}
	}
	return steps
}

// maxDepth is the maximum depth of visited keys.
const maxDepth = 1000

// top returns the innermost block collection, or nil.
func (s *scanner) top() *frame {
	if len(s.frames) == 0 {
		return nil
	}
	return &s.frames[len(s.frames)-1]
}

// leave leaves the innermost block collection.
func (s *scanner) leave() { s.frames = s.frames[:len(s.frames)-1] }

// skip returns the offset of the first character that is not whitespace, or to if there is none.
func (s *scanner) skip(from, to int) int {
	return to - len(strings.TrimLeft(s.text[from:to], " \t"))
}

// content returns the offset after anchors and tags, or to if nothing follows them.
func (s *scanner) content(from, to int) int {
	for from < to && (s.text[from] == '&' || s.text[from] == '!') {
		n := strings.IndexAny(s.text[from:to], " \t")
		if n < 0 {
			return to
		}
		from = s.skip(from+n, to)
	}
	return from
}

// set sets the context of the position, unless it is set already.
func (s *scanner) set(c Context) {
	if !s.isSet {
		c.text, c.at, c.Path, s.isSet = s.text, s.at, s.path(), true
		s.found = c
	}
}

// covers reports whether the position is in a range, or at its end.
func (s *scanner) covers(from, to int) bool { return from <= s.at && s.at <= to }

// scan reads lines until the position is reached.
func (s *scanner) scan() {
	for start := 0; !s.isSet; {
		end := lineEnd(s.text, start)
		to := start + len(strings.TrimRight(s.text[start:end], "\r\n"))
		next := max(end, s.line(start, to))
		if s.covers(start, to) {
			s.set(Context{From: s.at, To: s.at})
		}
		if start = next; start >= len(s.text) {
			break
		}
	}
	if s.at == len(s.text) && (s.text == "" || strings.HasSuffix(s.text, "\n")) { // the last line is empty
		s.blank(len(s.text), len(s.text))
	}
}

// line reads a line, and returns the end of a multi-line value that begins on it, or 0 if there
// is none.
func (s *scanner) line(from, to int) int {
	at := s.skip(from, to)
	switch {
	case s.at >= from && s.at < at, at == to && s.covers(from, to):
		s.blank(from, s.at)
		return 0
	case at == to || s.text[at] == '#':
		return 0
	case at == from && (isMarker(s.text[from:to], "---") || isMarker(s.text[from:to], "...")):
		s.frames = nil
		return 0
	}
	column := at - from
	isDash := dashAt(s.text[:to], at)
	if t := s.top(); t != nil && t.hasValue && column > t.column && (isDash || s.keyEnd(at, to) < 0) {
		if s.covers(at, to) { // a continuation line of a string, or a key that is typed with the wrong indentation
			s.set(Context{AtKey: true, From: at, To: to})
		}
		return 0
	}
	s.pop(column, isDash)
	isElement := isDash
	for ; isDash; isDash = dashAt(s.text[:to], at) {
		s.dash(at - from)
		next := at + 1
		for next < to && s.text[next] == ' ' {
			next++
		}
		if next == to || s.text[next] == '#' || s.at > at && s.at < next {
			if s.at > at && s.at <= next {
				s.set(Context{AtKey: true, AtValue: true, From: s.at, To: s.at})
			}
			return 0
		}
		at = next
	}
	return s.entry(at-from, at, to, isElement)
}

// indicators are the characters that begin values which are not plain strings.
const indicators = "{[\"'|>&!*"

// entry reads the rest of a line after its indentation and dashes.
func (s *scanner) entry(column, at, to int, isElement bool) int {
	colon, end := s.keyEnd(at, to), to
	if colon >= 0 {
		end = colon
	}
	keyFrom, keyTo, quote := s.word(at, end)
	t, isPlain := s.top(), !strings.ContainsAny(s.text[at:at+1], indicators)
	isSibling := t != nil && !t.isList && t.column == column
	switch {
	case colon < 0 && (isElement || !isPlain && !isSibling && (t == nil || !s.covers(keyFrom, keyTo))):
		return s.value(at, to, isElement) // the value of the element, or of the key above
	case s.covers(keyFrom, keyTo):
		if isSibling {
			s.leave()
		}
		s.set(Context{AtKey: true, AtValue: colon < 0 && !isSibling, From: keyFrom, To: keyTo, Quote: quote, HasColon: colon >= 0})
		return 0
	case colon < 0 && !isPlain:
		return 0
	}
	s.key(column, unquote(s.text[keyFrom:keyTo], quote))
	if colon < 0 {
		return 0
	}
	next := s.skip(colon+1, to)
	s.entered(Entry{From: keyFrom, To: keyTo, Value: next})
	if s.at > colon && s.at < next || s.at == next && next == to {
		end := s.wordEnd(next, to)
		if end == next {
			end = s.at // before a comment, or a value that is not a plain string
		}
		s.set(Context{AtValue: end > next || next == to || s.text[next] == '#', From: s.at, To: end})
		return 0
	}
	return s.value(next, to, false)
}

// wordEnd returns the end of a plain value, or from if the value is not plain.
func (s *scanner) wordEnd(from, to int) int {
	if from == to || strings.ContainsAny(s.text[from:from+1], "#{[|>\"'&!*") {
		return from
	}
	return from + plainEnd(s.text[from:to], false)
}

// pop leaves the collections that do not contain a line.
func (s *scanner) pop(column int, isDash bool) {
	for t := s.top(); t != nil && (t.column > column || t.column == column && t.isList && !isDash); t = s.top() {
		s.leave()
	}
}

// dash begins an element of a list.
func (s *scanner) dash(column int) {
	if t := s.top(); t != nil && t.isList && t.column == column {
		t.step.Index++
		t.hasValue = false
		return
	}
	s.frames = append(s.frames, frame{column: column, isList: true, step: values.Element(0)})
}

// key begins an entry of a mapping.
func (s *scanner) key(column int, name string) {
	if t := s.top(); t != nil && !t.isList && t.column == column {
		t.step.Key, t.hasValue = name, false
		return
	}
	s.frames = append(s.frames, frame{column: column, step: values.Key(name)})
}

// blank sets the context of a position with nothing after it on its line.
func (s *scanner) blank(from, at int) {
	s.pop(at-from, false)
	t := s.top()
	isSibling := t != nil && t.column == at-from
	if isSibling {
		s.leave()
	}
	s.set(Context{AtKey: true, AtValue: t != nil && !isSibling && !t.hasValue, From: at, To: at})
}

// dashAt reports whether a list element begins at an offset.
func dashAt(text string, at int) bool {
	return at < len(text) && text[at] == '-' && (at+1 == len(text) || text[at+1] == ' ' || text[at+1] == '\t')
}

// keyEnd returns the offset of the colon after the key that begins at an offset, or -1 if there
// is no key.
func (s *scanner) keyEnd(at, to int) int {
	at = s.content(at, to)
	if at == to || strings.IndexByte("{[#|>%@`", s.text[at]) >= 0 {
		return -1
	}
	isColon := func(i int) bool {
		return i < to && s.text[i] == ':' && (i+1 == to || s.text[i+1] == ' ' || s.text[i+1] == '\t')
	}
	if s.text[at] == '"' || s.text[at] == '\'' {
		end, ok := Quoted(s.text[at:to])
		if colon := s.skip(at+end, to); ok && isColon(colon) {
			return colon
		}
		return -1
	}
	for i := at; i < to; i++ {
		switch {
		case isColon(i):
			return i
		case s.text[i] == '#' && (s.text[i-1] == ' ' || s.text[i-1] == '\t'):
			return -1
		}
	}
	return -1
}

// word returns the range of a key or a plain string, without its quotes, anchor and tag, and the
// quote character.
func (s *scanner) word(from, to int) (int, int, byte) {
	from = s.content(from, to)
	if from < to && (s.text[from] == '"' || s.text[from] == '\'') {
		end, ok := Quoted(s.text[from:to])
		if ok {
			end--
		}
		return from + 1, from + end, s.text[from]
	}
	return from, from + plainEnd(s.text[from:to], false), 0
}

// Quoted returns the offset after the quoted string at the beginning of a text, and whether the
// string is terminated. For an unterminated string, the offset is the end of the text.
func Quoted(text string) (end int, ok bool) {
	quote := text[0]
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '\\' && quote == '"':
			i++
		case text[i] == quote && quote == '\'' && i+1 < len(text) && text[i+1] == quote:
			i++
		case text[i] == quote:
			return i + 1, true
		}
	}
	return len(text), false
}

// plainEnd returns the end of the plain string at the beginning of a line. The string may
// continue on other lines.
func plainEnd(line string, inFlow bool) int {
	for i := range len(line) {
		isEnd := i+1 == len(line) || strings.IndexByte(" \t\r\n", line[i+1]) >= 0
		switch c := line[i]; {
		case c == '\n', c == '#' && i > 0 && (line[i-1] == ' ' || line[i-1] == '\t'),
			inFlow && strings.IndexByte(",[]{}", c) >= 0,
			inFlow && c == ':' && (isEnd || strings.IndexByte(",[]{}\"'", line[i+1]) >= 0):
			line = line[:i]
		default:
			continue
		}
		break
	}
	return len(strings.TrimRight(line, " \t\r"))
}

// unquote returns the text of a quoted key.
func unquote(text string, quote byte) string {
	if quote == 0 || quote == '"' && !strings.Contains(text, `\`) || quote == '\'' && !strings.Contains(text, "''") {
		return text
	}
	decoded, _ := decode(text, quote)
	return decoded
}
