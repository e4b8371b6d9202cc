package cursor

import (
	"strings"

	"github.com/krm-packs/functions/pkg/values"
)

// flowFrame is an open flow collection with its last entry.
type flowFrame struct {
	// open is the opening bracket, or ':' for a mapping with a single entry in a list, `[a: b]`.
	open byte
	// step is the key or the index of the last entry.
	step values.Step
	// hasStep is true if the entry has a key or is a list element, hasColon if its value can
	// follow, and hasValue if it has a value.
	hasStep, hasColon, hasValue bool
}

// collection reads a flow collection, and returns the offset of the line after it, or 0 for the
// next line.
func (s *scanner) collection(at, parent int) int {
	i := at
	for i < len(s.text) && !s.isSet {
		c := s.text[i]
		if s.at > at && s.at <= i && (s.at < i || strings.IndexByte(" \t\r\n#{[]},", c) >= 0) {
			s.gap()
			return 0
		}
		switch c {
		case ' ', '\t', '\r', ':': // a colon on a line of its own
			i++
		case '\n':
			i++
			if s.isLeft(i, parent) {
				s.flow = nil
				return i
			}
		case '#':
			end := i + len(strings.TrimRight(s.text[i:lineEnd(s.text, i)], "\r\n"))
			if s.covers(i+1, end) {
				s.set(Context{From: s.at, To: s.at, InFlow: true})
			}
			i = end
		case '{', '[':
			s.flow = append(s.flow, flowFrame{open: c, hasStep: c == '[', step: values.Step{IsIndex: c == '['}})
			i++
		case '}', ']':
			i++
			s.single()
			if s.flow = s.flow[:len(s.flow)-1]; len(s.flow) == 0 {
				return lineEnd(s.text, i)
			}
			s.innermost().hasValue = true
		case ',':
			i++
			s.single()
			f := s.innermost()
			f.hasColon, f.hasValue, f.hasStep = false, false, f.open == '['
			f.step.Index++
		default:
			i = s.token(i, parent)
		}
	}
	if s.at > at {
		s.gap()
	}
	s.flow = nil
	return len(s.text)
}

func (s *scanner) innermost() *flowFrame { return &s.flow[len(s.flow)-1] }

// single leaves a mapping with a single entry in a list.
func (s *scanner) single() {
	if s.innermost().open == ':' {
		s.flow = s.flow[:len(s.flow)-1]
	}
}

// isLeft reports whether the line at an offset ends a collection that is still open.
func (s *scanner) isLeft(from, parent int) bool {
	line := strings.TrimRight(s.text[from:lineEnd(s.text, from)], "\r\n")
	content := strings.TrimLeft(line, " \t")
	if content == "" {
		return s.covers(from, from+len(line)) && s.at-from <= parent
	}
	return len(line)-len(content) <= parent && content[0] != '}' && content[0] != ']'
}

// gap sets the context of a position between the keys and values of a collection.
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

// token reads a key or a scalar, and returns the offset after it.
func (s *scanner) token(at, parent int) int {
	end := at + plainEnd(s.text[at:], true)
	c := Context{From: at, To: end, InFlow: true}
	if quote := s.text[at]; quote == '"' || quote == '\'' {
		var ok bool
		if end, ok = s.quotedEnd(at, parent); s.at == at { // before the quotes, where nothing can be typed
			s.set(Context{From: at, To: at, InFlow: true})
		}
		c.From, c.To, c.Quote = at+1, end, quote
		if ok {
			c.To--
		}
		c.block = &block{from: c.From, to: c.To, quote: quote}
	}
	after := s.skip(end, len(s.text))
	c.HasColon = after < len(s.text) && s.text[after] == ':'
	f := s.innermost()
	switch isHere := s.covers(c.From, c.To); {
	case f.open == '{' && f.hasValue && !c.HasColon && c.Quote == 0: // a continuation line of a plain string
	case f.open == '{' && (!f.hasColon || f.hasValue), f.open != ':' && c.HasColon:
		if f.open == '{' {
			*f = flowFrame{open: '{'}
		}
		if c.AtKey = true; isHere {
			s.set(c)
			return end
		}
		next := flowFrame{open: '{', hasStep: true, hasColon: c.HasColon, step: values.Key(unquote(s.text[c.From:c.To], c.Quote))}
		if f.open == '{' {
			*f = next
		} else {
			next.open = ':'
			s.flow = append(s.flow, next)
		}
		if c.HasColon {
			value := len(s.text) - len(strings.TrimLeft(s.text[after+1:], " \t\r\n"))
			s.entered(Entry{From: c.From, To: c.To, Value: value, inFlow: true})
			return after + 1
		}
	default:
		f.hasValue = true
		if isHere {
			c.AtKey, c.AtValue = f.open == '[' && c.Quote == 0, true
			s.set(c)
		}
	}
	return end
}

// entered calls visit for a key.
func (s *scanner) entered(e Entry) {
	if s.visit != nil && len(s.frames)+len(s.flow) <= maxDepth {
		e.Path = s.path()
		s.visit(e)
	}
}
