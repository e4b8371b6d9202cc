package cursor

import "strings"

// value reads the value that begins at an offset of a line, and returns the end of a multi-line
// value, or 0 if it ends with the line.
func (s *scanner) value(at, to int, isElement bool) int {
	indent, at := -1, s.content(at, to)
	if t := s.top(); t != nil {
		indent = t.column
		t.hasValue = at < to && s.text[at] != '#' // otherwise the value is on the next lines
	}
	if at == to || s.text[at] == '#' {
		return 0
	}
	switch s.text[at] {
	case '|', '>':
		if rest := strings.TrimLeft(s.text[at+1:to], "0123456789+-"); strings.TrimSpace(rest) == "" || strings.HasPrefix(strings.TrimLeft(rest, " \t"), "#") {
			return s.block(at, to, indent)
		}
	case '"', '\'':
		return s.quoted(at, indent)
	case '{', '[':
		return s.collection(at, indent)
	}
	end := at + plainEnd(s.text[at:to], false)
	if s.covers(at, end) {
		s.set(Context{AtValue: true, AtKey: isElement, From: at, To: end})
	}
	return 0
}

// block is the range of a text embedded in another one.
type block struct {
	// from and to are offsets.
	from, to int
	// quote is the quote character, or 0 for a block scalar.
	quote byte
}

// block reads a block scalar. Its lines are indented more than the collection that contains it.
func (s *scanner) block(at, to, parent int) int {
	if s.covers(at, to) {
		s.set(Context{From: at, To: to})
		return 0
	}
	b := &block{from: lineEnd(s.text, to)}
	b.to = b.from
	hasPlace := false
	for b.to < len(s.text) {
		end := lineEnd(s.text, b.to)
		line := strings.TrimRight(s.text[b.to:end], "\r\n")
		indent := len(line) - len(strings.TrimLeft(line, " "))
		isHere := s.covers(b.to, b.to+len(line))
		if isHere && s.at-b.to <= parent || indent < len(line) && indent <= parent {
			break // a text typed here is not part of the block
		}
		hasPlace = hasPlace || isHere
		b.to = end
	}
	if hasPlace {
		s.set(Context{From: s.at, To: s.at, block: b})
	}
	return b.to
}

// quoted reads a quoted string. An unterminated string ends with its line.
func (s *scanner) quoted(at, parent int) int {
	end, ok := s.quotedEnd(at, parent)
	to := end
	if ok {
		to--
	}
	if s.at > at && s.at <= to {
		s.set(Context{AtValue: true, From: at + 1, To: to, Quote: s.text[at], block: &block{from: at + 1, to: to, quote: s.text[at]}})
	}
	return lineEnd(s.text, end)
}

// quotedEnd returns the offset after a quoted string, and whether the string is terminated. All
// of its lines are indented more than the collection that contains it.
func (s *scanner) quotedEnd(at, parent int) (end int, ok bool) {
	end, ok = Quoted(s.text[at:])
	for from := lineEnd(s.text, at); ok && from < at+end; from = lineEnd(s.text, from) {
		line := strings.TrimRight(s.text[from:lineEnd(s.text, from)], "\r\n")
		content := strings.TrimLeft(line, " \t")
		ok = content == "" || len(line)-len(content) > parent && (len(s.flow) == 0 || !strings.ContainsAny(content[:1], "\"}]"))
	}
	if !ok {
		end = len(strings.TrimRight(s.text[at:lineEnd(s.text, at)], "\r\n"))
	}
	return at + end, ok
}
