package template

import (
	"errors"
	"fmt"
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
				return nil, because(p.fail(start, "a string with an unknown escape", `one of Go, such as \" \\ \n \t \xFF or \u1234`), `a string contains an unknown escape sequence. Use one of Go, such as \" \\ \n \t \xFF or \u1234`)
			}
			return &Literal{Offset: start, Text: written, Value: value}, nil
		case c == '\\' && quote == '"':
			i++
		case c == '\n' && quote == '"':
			return nil, because(p.fail(start, "a string with a line break", `\n, or a raw string in back quotes`), `a string contains a line break. Write \n, or a raw string in back quotes`)
		}
	}
	return nil, because(p.fail(start, "a string without an end", fmt.Sprintf("another %c", quote)), fmt.Sprintf("a string has no closing %c", quote))
}

// character parses a rune literal. Its value is its code point.
func (p *parser) character() (Operand, error) {
	start := p.at
	value, _, tail, err := strconv.UnquoteChar(p.code[start+1:], '\'')
	if err != nil || !strings.HasPrefix(tail, "'") {
		return nil, because(p.fail(start, "single quotes around text", "double quotes"), "a string has single quotes. Use double quotes")
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
			return nil, because(p.fail(start, fmt.Sprintf(`"%c" without a number`, c), "a number, or a space after a trim marker: {{- … -}}"),
				fmt.Sprintf(`expected a number after "%c", or a space if it is a trim marker: {{- … -}}`, c))
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
	value, err := number(written)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return nil, because(p.fail(start, "a number out of range", "at most 64 bits"), "a number does not fit into 64 bits")
	case err != nil:
		return nil, because(p.fail(start, "a malformed number", "a whole or a decimal one"), "a number is malformed. Write an integer or a decimal number")
	}
	return &Literal{Offset: start, Text: written, Value: value}, nil
}

// number returns an int64 or a float64, or an error of strconv.
func number(written string) (any, error) {
	i, err := strconv.ParseInt(written, 0, 64)
	if err == nil || errors.Is(err, strconv.ErrRange) || !strings.ContainsAny(written, ".eEpP") {
		return i, err
	}
	return strconv.ParseFloat(written, 64)
}
