package chart

import "strings"

// size is the cost of parsing a template, measured without parsing it.
type size struct {
	// nodes is an upper bound of the number of nodes in the actions of the template.
	nodes int
	// depth is the nesting depth of blocks and parentheses.
	depth int
}

// measure returns the size of a template. It stops where the parser would report an error.
func measure(text string) size {
	var s size
	var blocks []int // the number of conditions of each open block: each `else if` is a block nested in the previous one
	inner := 0
	for {
		_, code, ok := strings.Cut(text, "{{")
		if !ok {
			return s
		}
		var words []string
		parentheses, isClosed := 0, false
		words, parentheses, text, isClosed = s.action(code)
		switch {
		case len(words) == 0:
		case words[0] == "end" && len(blocks) > 0:
			inner -= blocks[len(blocks)-1]
			blocks = blocks[:len(blocks)-1]
		case words[0] == "if", words[0] == "range", words[0] == "with", words[0] == "define", words[0] == "block":
			blocks, inner = append(blocks, 1), inner+1
		case words[0] == "else" && len(words) > 1 && len(blocks) > 0:
			blocks[len(blocks)-1]++
			inner++
		}
		s.depth = max(s.depth, inner+parentheses)
		if !isClosed {
			return s
		}
	}
}

// action reads an action up to its end. It returns the first words, the nesting depth of
// parentheses, the text after the action, and whether the action is closed.
func (s *size) action(code string) (words []string, depth int, after string, isClosed bool) {
	s.nodes++
	code = strings.TrimPrefix(code, "-")
	if comment, ok := strings.CutPrefix(strings.TrimLeft(code, " \t\r\n"), "/*"); ok {
		_, after, isClosed = strings.Cut(comment, "*/")
		_, after, _ = strings.Cut(after, "}}")
		return nil, 0, after, isClosed
	}
	open, start := 0, 0
	word := func(end int) {
		if start < end {
			s.nodes++
			if len(words) < 2 && code[start:end] != "-" {
				words = append(words, code[start:end])
			}
		}
		start = end + 1
	}
	for at := 0; at < len(code); at++ {
		switch c := code[at]; c {
		case '}':
			if strings.HasPrefix(code[at:], "}}") {
				word(at)
				return words, depth, code[at+2:], true
			}
		case ' ', '\t', '\r', '\n', '|', ',', ')', '(':
			word(at)
			if c == '(' {
				open++
				depth = max(depth, open)
			} else if c == ')' {
				open--
			}
		case '"', '\'', '`':
			s.nodes++
			for at++; at < len(code) && code[at] != c; at++ {
				if code[at] == '\\' && c != '`' {
					at++
				}
			}
		}
	}
	return words, depth, "", false
}
