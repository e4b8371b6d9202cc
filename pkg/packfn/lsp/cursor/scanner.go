package cursor

import (
	"strings"

	"github.com/krm-packs/functions/pkg/values"
)

// scanner reads a text up to a place.
type scanner struct {
	text string
	// at is the place, -1 for none.
	at    int
	found Context
	isSet bool
	visit func(Entry)
	// frames are the block collections that the line is in, and flow the flow collections.
	frames []frame
	flow   []flowFrame
	// lineTo is the end of the line of the last token in flow.
	lineTo int
}

// frame is a block mapping or a list with the entry that was read last.
type frame struct {
	// column is that of its entries.
	column int
	isList bool
	step   values.Step
	// hasValue says that the entry has a value on its line.
	hasValue bool
}

// path returns the steps to the value of the last entry.
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

// isDeep reports whether the path is too long to be of use.
func (s *scanner) isDeep() bool { return len(s.frames)+len(s.flow) > 1000 }

func (s *scanner) top() *frame {
	if len(s.frames) == 0 {
		return nil
	}
	return &s.frames[len(s.frames)-1]
}

// set says what is at the place.
func (s *scanner) set(c Context) {
	if s.isSet {
		return
	}
	c.text, c.at, s.isSet = s.text, s.at, true
	if c.Path == nil {
		c.Path = s.path()
	}
	s.found = c
}

// covers reports whether the place is in a range, or at its end.
func (s *scanner) covers(from, to int) bool { return from <= s.at && s.at <= to }

func (s *scanner) scan() {
	for start := 0; !s.isSet; {
		end := lineEnd(s.text, start)
		to := start + len(strings.TrimRight(s.text[start:end], "\r\n"))
		next := end
		if after := s.line(start, to); after > end {
			next = after
		}
		if s.covers(start, to) && !s.isSet {
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

// line reads a line, and returns where what begins on it ends, 0 for the end of the line.
func (s *scanner) line(from, to int) int {
	at := from + len(s.text[from:to]) - len(strings.TrimLeft(s.text[from:to], " \t"))
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
	keyEnd := -1
	if !isDash {
		keyEnd = s.keyEnd(at, to)
	}
	if t := s.top(); t != nil && t.hasValue && column > t.column && keyEnd < 0 {
		if s.covers(at, to) { // more lines of a text, or a key that is typed at the wrong place
			s.set(Context{AtKey: true, From: at, To: to})
		}
		return 0
	}
	s.pop(column, isDash)
	isElement := false
	for isDash {
		s.dash(column)
		isElement = true
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
		column += next - at
		at = next
		isDash = dashAt(s.text[:to], at)
	}
	return s.entry(from, at, to, isElement)
}

// entry reads what is on a line behind its indent and its dashes.
func (s *scanner) entry(from, at, to int, isElement bool) int {
	column := at - from
	colon := s.keyEnd(at, to)
	if colon < 0 {
		t := s.top()
		if isElement || t == nil && strings.ContainsAny(s.text[at:at+1], "{[\"'|>&!*") {
			if t != nil {
				t.hasValue = true
			}
			return s.value(at, to, isElement)
		}
		// A key without its colon, or a text that begins on a line of its own.
		keyFrom, keyTo, quote := s.word(at, to)
		isSibling := t != nil && t.column == column && !t.isList
		if s.covers(keyFrom, keyTo) {
			if isSibling {
				s.frames = s.frames[:len(s.frames)-1]
			}
			s.set(Context{AtKey: true, AtValue: !isSibling, From: keyFrom, To: keyTo, Quote: quote})
			return 0
		}
		if strings.ContainsAny(s.text[at:at+1], "{[\"'|>&!*") { // the value of the key above
			if !isSibling && t != nil {
				t.hasValue = true
				return s.value(at, to, false)
			}
			return 0
		}
		s.key(column, s.text[keyFrom:keyTo])
		return 0
	}
	keyFrom, keyTo, quote := s.word(at, colon)
	if s.covers(keyFrom, keyTo) {
		if t := s.top(); t != nil && t.column == column && !t.isList {
			s.frames = s.frames[:len(s.frames)-1]
		}
		s.set(Context{AtKey: true, From: keyFrom, To: keyTo, Quote: quote, HasColon: true})
		return 0
	}
	s.key(column, unquote(s.text[keyFrom:keyTo], quote))
	next := colon + 1
	for next < to && (s.text[next] == ' ' || s.text[next] == '\t') {
		next++
	}
	if s.visit != nil && !s.isDeep() {
		s.visit(Entry{s.path(), keyFrom, keyTo, next, false})
	}
	if s.at > colon && s.at < next || s.at == next && next == to {
		end := s.wordEnd(next, to)
		if end == next {
			end = s.at // before a comment, or a value that is not plain text
		}
		s.set(Context{AtValue: end > next || next == to || s.text[next] == '#', From: s.at, To: end})
		return 0
	}
	if next == to || s.text[next] == '#' {
		return 0
	}
	s.top().hasValue = true
	return s.value(next, to, false)
}

// wordEnd returns the end of a plain value, or where it begins if it is none.
func (s *scanner) wordEnd(from, to int) int {
	if from == to || strings.ContainsAny(s.text[from:from+1], "#{[|>\"'&!*") {
		return from
	}
	return from + plainEnd(s.text[from:to], 0, false)
}

// pop leaves the collections that a line is not in.
func (s *scanner) pop(column int, isDash bool) {
	for t := s.top(); t != nil && (t.column > column || t.column == column && t.isList && !isDash); t = s.top() {
		s.frames = s.frames[:len(s.frames)-1]
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

// blank says what is at a place behind which nothing is in the line.
func (s *scanner) blank(from, at int) {
	column := at - from
	for t := s.top(); t != nil && t.column > column; t = s.top() {
		s.frames = s.frames[:len(s.frames)-1]
	}
	t := s.top()
	if t != nil && t.isList && t.column == column {
		s.frames = s.frames[:len(s.frames)-1]
		t = s.top()
	}
	isSibling := t != nil && t.column == column
	if isSibling {
		s.frames = s.frames[:len(s.frames)-1]
	}
	s.set(Context{AtKey: true, AtValue: t != nil && !isSibling && !t.hasValue, From: at, To: at})
}

// dashAt reports whether an element of a list begins at an offset.
func dashAt(text string, at int) bool {
	return at < len(text) && text[at] == '-' && (at+1 == len(text) || text[at+1] == ' ' || text[at+1] == '\t')
}

// keyEnd returns the colon behind the key that begins at an offset, -1 for no key.
func (s *scanner) keyEnd(at, to int) int {
	for at < to && (s.text[at] == '&' || s.text[at] == '!') { // properties
		n := strings.IndexAny(s.text[at:to], " \t")
		if n < 0 {
			return -1
		}
		at += n + len(s.text[at+n:to]) - len(strings.TrimLeft(s.text[at+n:to], " \t"))
	}
	if at == to {
		return -1
	}
	line := s.text[at:to]
	switch line[0] {
	case '"', '\'':
		end, ok := closing(line, 0)
		if !ok {
			return -1
		}
		colon := end + len(line[end:]) - len(strings.TrimLeft(line[end:], " \t"))
		if colon < len(line) && line[colon] == ':' && (colon+1 == len(line) || line[colon+1] == ' ' || line[colon+1] == '\t') {
			return at + colon
		}
		return -1
	case '{', '[', '#', '|', '>', '%', '@', '`':
		return -1
	}
	for i := range len(line) {
		switch {
		case line[i] == ':' && (i+1 == len(line) || line[i+1] == ' ' || line[i+1] == '\t'):
			return at + i
		case line[i] == '#' && i > 0 && (line[i-1] == ' ' || line[i-1] == '\t'):
			return -1
		}
	}
	return -1
}

// word returns the range of a key or a plain text without its quotes and properties.
func (s *scanner) word(from, to int) (int, int, byte) {
	for from < to && (s.text[from] == '&' || s.text[from] == '!') {
		n := strings.IndexAny(s.text[from:to], " \t")
		if n < 0 {
			break
		}
		from += n + len(s.text[from+n:to]) - len(strings.TrimLeft(s.text[from+n:to], " \t"))
	}
	if from < to && (s.text[from] == '"' || s.text[from] == '\'') {
		end, ok := closing(s.text[from:to], 0)
		if ok {
			end--
		}
		return from + 1, from + end, s.text[from]
	}
	return from, from + plainEnd(s.text[from:to], 0, false), 0
}

// closing returns what is behind the quotes that begin at an offset of a line. Without an end
// it is that of the line.
func closing(line string, from int) (end int, ok bool) {
	quote := line[from]
	for i := from + 1; i < len(line); i++ {
		switch {
		case line[i] == '\\' && quote == '"':
			i++
		case line[i] == quote && quote == '\'' && i+1 < len(line) && line[i+1] == quote:
			i++
		case line[i] == quote:
			return i + 1, true
		}
	}
	return len(line), false
}

// plainEnd returns the end of the plain text that begins at an offset of a line.
func plainEnd(line string, from int, inFlow bool) int {
	end := len(line)
	for i := from; i < len(line); i++ {
		isEnd := i+1 == len(line) || line[i+1] == ' ' || line[i+1] == '\t'
		switch c := line[i]; {
		case c == '#' && i > from && (line[i-1] == ' ' || line[i-1] == '\t'),
			inFlow && strings.IndexByte(",[]{}", c) >= 0,
			inFlow && c == ':' && (isEnd || strings.IndexByte(",[]{}\"'", line[i+1]) >= 0):
			end = i
		default:
			continue
		}
		break
	}
	return from + len(strings.TrimRight(line[from:end], " \t\r"))
}

// unquote returns the text of a key in quotes.
func unquote(text string, quote byte) string {
	if quote == 0 || quote == '"' && !strings.Contains(text, `\`) || quote == '\'' && !strings.Contains(text, "''") {
		return text
	}
	decoded, _ := decode(text, quote)
	return decoded
}
