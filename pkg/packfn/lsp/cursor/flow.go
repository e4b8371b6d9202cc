package cursor

import (
	"strings"

	"github.com/krm-packs/functions/pkg/values"
)

// flowFrame is a flow collection with the entry that was read last.
type flowFrame struct {
	// open is what it begins with; ':' for a mapping of one entry in a list, `[a: b]`.
	open byte
	step values.Step
	// hasStep says that the entry has a key, or is an element; hasColon, that its value can
	// follow; hasValue, that it has one.
	hasStep, hasColon, hasValue bool
}

// collection reads a flow collection, and returns the beginning of the line after it; 0 for
// the next line.
func (s *scanner) collection(at, parent int) int {
	i := at
	for i < len(s.text) && !s.isSet {
		c := s.text[i]
		if s.at > at && s.at <= i && (s.at < i || strings.IndexByte(" \t\r\n#{[]},", c) >= 0) {
			s.gap()
			return 0
		}
		switch c {
		case ' ', '\t', '\r':
			i++
		case '\n':
			i++
			if s.isLeft(i, parent) {
				s.flow = nil
				return i
			}
		case '#':
			end := len(strings.TrimRight(s.text[:lineEnd(s.text, i)], "\r\n"))
			if s.covers(i+1, end) {
				s.set(Context{From: s.at, To: s.at, InFlow: true})
			}
			i = max(end, i+1)
		case '{', '[':
			s.flow = append(s.flow, flowFrame{open: c, hasStep: c == '[', step: values.Step{IsIndex: c == '['}})
			i++
		case '}', ']':
			i++
			s.close()
			if len(s.flow) == 0 {
				if lineEnd(s.text, at) < i {
					return lineEnd(s.text, i)
				}
				return 0
			}
		case ',':
			s.next()
			i++
		case ':':
			if f := s.innermost(); f.open == '{' && f.hasStep {
				f.hasColon = true
			}
			i++
		default:
			i = s.token(i, parent)
		}
	}
	if s.at > at && !s.isSet {
		s.gap()
	}
	s.flow = nil
	return len(s.text)
}

func (s *scanner) innermost() *flowFrame { return &s.flow[len(s.flow)-1] }

// isLeft reports whether the line at an offset ends a collection that is still open.
func (s *scanner) isLeft(from, parent int) bool {
	line := strings.TrimRight(s.text[from:lineEnd(s.text, from)], "\r\n")
	content := strings.TrimLeft(line, " \t")
	if content == "" {
		return s.covers(from, from+len(line)) && s.at-from <= parent
	}
	return len(line)-len(content) <= parent && content[0] != '}' && content[0] != ']'
}

// close leaves the innermost collection, which is the value of an entry.
func (s *scanner) close() {
	s.single()
	s.flow = s.flow[:len(s.flow)-1]
	if len(s.flow) > 0 {
		s.innermost().hasValue = true
	}
}

// single leaves a mapping of one entry in a list.
func (s *scanner) single() {
	if len(s.flow) > 1 && s.innermost().open == ':' {
		s.flow = s.flow[:len(s.flow)-1]
		s.innermost().hasValue = true
	}
}

// next begins the next entry.
func (s *scanner) next() {
	s.single()
	f := s.innermost()
	f.hasColon, f.hasValue = false, false
	if f.open == '[' {
		f.step.Index++
	} else {
		f.hasStep = false
	}
}

// gap says what is at a place between the keys and values of a collection.
func (s *scanner) gap() {
	c := Context{From: s.at, To: s.at, InFlow: true}
	switch f := s.innermost(); {
	case f.open == '[':
		c.AtKey, c.AtValue = !f.hasValue, !f.hasValue
	case f.hasColon:
		c.AtValue = !f.hasValue
	default:
		c.AtKey = !f.hasStep
	}
	s.set(c)
}

// token reads a key or a scalar, and returns what is behind it.
func (s *scanner) token(at, parent int) int {
	if at >= s.lineTo { // once for a line: one can have all of a document
		s.lineTo = at + len(strings.TrimRight(s.text[at:lineEnd(s.text, at)], "\r\n"))
	}
	line := s.text[:s.lineTo]
	from, end, to, quote := at, 0, 0, byte(0)
	if c := s.text[at]; c == '"' || c == '\'' {
		var ok bool
		end, ok = s.quotedEnd(at, parent)
		from, to, quote = at+1, end, c
		if ok {
			to--
		}
		if s.at == at { // before its quotes, where nothing can be typed
			s.set(Context{From: at, To: at, InFlow: true})
		}
	} else {
		if end = at + plainEnd(line[at:], true); end == at {
			end++
		}
		to = end
	}
	after := end + len(line[min(end, len(line)):]) - len(strings.TrimLeft(line[min(end, len(line)):], " \t"))
	isKey := after < len(s.text) && s.text[after] == ':'
	c := Context{From: from, To: to, Quote: quote, InFlow: true, HasColon: isKey}
	if quote != 0 {
		c.block = &block{from: from, to: to, quote: quote}
	}
	f := s.innermost()
	isHere := s.covers(from, to)
	switch {
	case f.open == '[' && isKey:
		if c.AtKey = true; isHere {
			s.set(c)
		}
		s.flow = append(s.flow, flowFrame{open: ':', hasStep: true, hasColon: true, step: values.Key(unquote(s.text[from:to], quote))})
		s.entered(from, to, after)
		return after + 1
	case f.open != '{':
		if f.hasValue = true; isHere {
			c.AtKey, c.AtValue = f.open == '[' && quote == 0, true
			s.set(c)
		}
	case f.hasValue && !isKey && quote == 0: // more lines of a text
	case !f.hasColon || f.hasValue || isKey:
		*f = flowFrame{open: '{'}
		if isHere {
			c.AtKey = true
			s.set(c)
			return end
		}
		f.hasStep, f.hasColon, f.step = true, isKey, values.Key(unquote(s.text[from:to], quote))
		if isKey {
			s.entered(from, to, after)
			return after + 1
		}
	default:
		if c.AtValue = true; isHere {
			s.set(c)
		}
		f.hasValue = true
	}
	return end
}

// entered visits the key that was read.
func (s *scanner) entered(from, to, colon int) {
	if s.visit == nil || s.isDeep() {
		return
	}
	next := colon + 1
	for next < len(s.text) && strings.IndexByte(" \t\r\n", s.text[next]) >= 0 {
		next++
	}
	s.visit(Entry{s.path(), from, to, next, true})
}
