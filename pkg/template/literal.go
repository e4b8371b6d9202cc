package template

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"
)

// text parses a string, interpreted or raw.
func (p *parser) text() (Operand, error) {
	start := p.at
	quote := p.code[start]
	for i := start + 1; i < len(p.code); i++ {
		switch c := p.code[i]; {
		case c == quote:
			p.at = i + 1
			written := p.code[start:p.at]
			value, err := strconv.Unquote(written)
			if err != nil {
				return nil, p.fail(start, `found a string with an escape that Go does not know, want \" \\ \n \t \xFF \u1234 or such`)
			}
			return &Literal{Offset: start, Text: written, Value: value}, nil
		case c == '\\' && quote == '"':
			i++
		case c == '\n' && quote == '"':
			return nil, p.fail(start, `found a string that goes on in the next line, want \n or a raw string in back quotes`)
		}
	}
	return nil, p.fail(start, "found a string without an end, want %c behind it", quote)
}

// character parses a rune literal, whose value is its number.
func (p *parser) character() (Operand, error) {
	start := p.at
	value, _, tail, err := strconv.UnquoteChar(p.code[start+1:], '\'')
	if err != nil || !strings.HasPrefix(tail, "'") {
		return nil, p.fail(start, `found ' without one character and ' behind it: write strings in double quotes`)
	}
	p.at = len(p.code) - len(tail) + 1
	return &Literal{Offset: start, Text: p.code[start:p.at], Value: int64(value)}, nil
}

// number parses an integer or a floating-point number, as Go writes them.
func (p *parser) number() (Operand, error) {
	start := p.at
	if c := p.next(); c == '+' || c == '-' {
		p.at++
		if !isDigit(p.next()) && !(p.next() == '.' && isDigit(p.peek(1))) {
			p.at = start
			return nil, p.fail(start, "found %c without a number behind it (a trim marker needs a blank: {{- and -}})", c)
		}
	}
	digits := p.code[p.at:]
	hexadecimal := strings.HasPrefix(digits, "0x") || strings.HasPrefix(digits, "0X")
	for p.at < len(p.code) {
		c := p.code[p.at]
		exponent := (c == 'e' || c == 'E') && !hexadecimal || c == 'p' || c == 'P'
		switch {
		case exponent && (p.peek(1) == '+' || p.peek(1) == '-'):
			p.at += 2
			continue
		case isDigit(c), c == '.', c == '_', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= utf8.RuneSelf:
			p.at++
			continue
		}
		break
	}
	written := p.code[start:p.at]
	value, reason := number(written)
	if reason != "" {
		return nil, p.fail(start, "found %s, %s", shorten(written), reason)
	}
	return &Literal{Offset: start, Text: written, Value: value}, nil
}

// number returns an int64 or a float64, or what is wrong.
func number(written string) (value any, reason string) {
	i, err := strconv.ParseInt(written, 0, 64)
	if err == nil {
		return i, ""
	}
	if errors.Is(err, strconv.ErrRange) {
		return nil, "want a number of at most 64 bits"
	}
	if strings.HasSuffix(written, "i") {
		return nil, "an imaginary number, want a whole or a decimal one"
	}
	if strings.ContainsAny(written, ".eEpP") {
		f, err := strconv.ParseFloat(written, 64)
		if err == nil {
			return f, ""
		}
		if errors.Is(err, strconv.ErrRange) {
			return nil, "want a number of at most 64 bits"
		}
	}
	return nil, "which is no number"
}
