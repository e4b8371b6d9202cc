package template

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// MaxCode is the length of the longest code of an action that is parsed,
	// in bytes.
	MaxCode = 64 << 10
	// MaxNesting is the deepest nesting of parentheses.
	MaxNesting = 100
)

// SyntaxError describes why an action cannot be parsed.
type SyntaxError struct {
	// Offset is the place of the fault, in bytes of the action's code.
	Offset int
	// Found is the text in the macro, and Want the accepted text. They have one line, and never
	// contain the content of a literal, which may be a secret.
	Found, Want string
	// Reason is the sentence of the fault where "expected, got" does not fit; else "".
	Reason string
}

func (e *SyntaxError) Error() string {
	return cmp.Or(e.Reason, "expected "+e.Want+", got "+e.Found)
}

// because returns the error with a sentence of its own, unless the macro ends at the fault.
func because(err error, reason string) error {
	if e, ok := errors.AsType[*SyntaxError](err); ok && e.Found != endOfMacro {
		e.Reason = reason
	}
	return err
}

const endOfMacro = "the end of the macro"

// ParseAction parses the code of an action, [Action.Code]. The error is a
// *SyntaxError.
func ParseAction(code string) (*Pipeline, error) {
	p := &parser{code: code}
	if len(code) > MaxCode {
		return nil, because(p.fail(0, fmt.Sprintf("%d bytes", len(code)), fmt.Sprintf("at most %d", MaxCode)),
			fmt.Sprintf("a macro can have at most %d bytes, got %d", MaxCode, len(code)))
	}
	if i := invalidUTF8(code); i >= 0 {
		return nil, p.fail(i, "an invalid byte", "UTF-8")
	}
	return p.pipeline()
}

// parser parses the code of one action.
type parser struct {
	// code is the code without its braces, at the offset of the next byte, and depth the number of
	// open parentheses.
	code  string
	at    int
	depth int
}

// invalidUTF8 returns the offset of the first byte that is not UTF-8, or -1.
func invalidUTF8(s string) int {
	for i, r := range s {
		if r == utf8.RuneError {
			if _, width := utf8.DecodeRuneInString(s[i:]); width == 1 {
				return i
			}
		}
	}
	return -1
}

// fail returns the error of a place of the code.
func (p *parser) fail(at int, found, want string) error {
	if found += " in the macro"; at >= len(p.code) {
		found = endOfMacro
	}
	return &SyntaxError{Offset: at, Found: found, Want: want}
}

// pipeline parses to the end of the code, or to the parenthesis that closes its
// group.
func (p *parser) pipeline() (*Pipeline, error) {
	p.skipSpace()
	pipeline := &Pipeline{Offset: p.at}
	for {
		command, err := p.command(len(pipeline.Commands) == 0)
		if err != nil {
			return nil, err
		}
		pipeline.Commands = append(pipeline.Commands, command)
		switch p.next() {
		case '|':
			p.at++
		case ')':
			if p.depth == 0 {
				return nil, because(p.fail(p.at, p.found(), `"(" before it`), `")" closes no parenthesis`)
			}
			return pipeline, nil
		default:
			if p.depth > 0 {
				return nil, p.fail(p.at, "", `")" to close the parenthesis`)
			}
			return pipeline, nil
		}
	}
}

// command parses one stage of a pipeline.
func (p *parser) command(first bool) (*Command, error) {
	command := &Command{}
	for {
		separated := p.skipSpace() || len(command.Operands) == 0
		if c := p.next(); c == 0 || c == '|' || c == ')' {
			break
		}
		if !separated {
			return nil, because(p.fail(p.at, p.found(), "a space before it"), "expected a space before "+p.found())
		}
		operand, err := p.operand()
		if err != nil {
			return nil, err
		}
		command.Operands = append(command.Operands, operand)
	}
	if len(command.Operands) == 0 {
		return nil, p.fail(p.at, p.found(), "a value or a function")
	}
	return command, p.checkCommand(command, first)
}

// checkCommand rejects commands that no values can make valid.
func (p *parser) checkCommand(command *Command, first bool) error {
	head := command.Operands[0]
	if _, ok := head.(*Function); ok {
		return nil
	}
	if !first {
		return because(p.fail(head.Position(), kindOf(head)+` after "|"`, "a function"), `expected a function after "|", got `+kindOf(head))
	}
	if len(command.Operands) > 1 {
		found := kindOf(command.Operands[1]) + " after " + kindOf(head)
		return because(p.fail(command.Operands[1].Position(), found, `"|" or the end, as only functions take arguments`),
			`expected "|" or the end of the macro, got `+found+", but only functions take arguments")
	}
	if literal, ok := head.(*Literal); ok && literal.Value == nil {
		return p.fail(head.Position(), "nil alone", "a value or a function")
	}
	return nil
}

// kindOf describes an operand, without the content of literals.
func kindOf(operand Operand) string {
	switch o := operand.(type) {
	case *Path:
		return "the path " + o.String()
	case *Function:
		return "the function " + o.Name
	case *Group:
		return "a parenthesis"
	case *Literal:
		switch o.Value.(type) {
		case string:
			return "a string"
		case bool, nil:
			return o.Text
		}
	}
	return "a number"
}

// operand parses a value that can be an argument.
func (p *parser) operand() (Operand, error) {
	c := p.code[p.at]
	switch {
	case c == '"' || c == '`':
		return p.text()
	case c == '\'':
		return p.character()
	case c == '(':
		return p.group()
	case c == '$':
		return p.root()
	case isDigit(c), c == '.' && isDigit(p.peek(1)), c == '+' || c == '-':
		return p.number()
	case c == '.':
		start := p.at
		steps, err := p.steps()
		if err != nil {
			return nil, err
		}
		return &Path{Offset: start, Steps: steps}, nil
	}
	if r, _ := utf8.DecodeRuneInString(p.code[p.at:]); r == '_' || unicode.IsLetter(r) {
		return p.identifier()
	}
	return nil, p.unexpected()
}

// unexpected makes an error of code that starts no operand.
func (p *parser) unexpected() error {
	rest := p.code[p.at:]
	switch {
	case strings.HasPrefix(rest, "/*"):
		return because(p.fail(p.at, "a comment", "it in an action of its own: {{/* … */}}"), "a macro cannot contain a comment. Put the comment in its own braces: {{/* … */}}")
	case rest[0] == '=' || rest[0] == ':':
		return because(p.fail(p.at, "an assignment", "the value itself"), "assignments are not supported in macros. Write the value itself")
	case rest[0] == ',':
		return p.fail(p.at, "a comma", "spaces between arguments")
	}
	return p.fail(p.at, p.found(), "a path that starts with a dot, a function, a literal or a parenthesis")
}

// group parses a parenthesis with the fields after it.
func (p *parser) group() (Operand, error) {
	g := &Group{Offset: p.at}
	if p.depth == MaxNesting {
		return nil, because(p.fail(p.at, fmt.Sprintf("%d nested parentheses", MaxNesting+1), fmt.Sprintf("at most %d", MaxNesting)),
			fmt.Sprintf("the parentheses of a macro can be nested at most %d deep", MaxNesting))
	}
	p.at++
	p.depth++
	inner, err := p.pipeline()
	if err != nil {
		return nil, err
	}
	p.depth--
	p.at++
	g.Pipeline = inner
	if p.next() == '.' {
		if g.Fields, err = p.steps(); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// root parses a path that starts with `$`.
func (p *parser) root() (Operand, error) {
	start := p.at
	if p.peek(1) != '.' {
		return nil, because(p.fail(start, "a variable", "the value itself"), "variables ($x) are not supported in macros. Write the value itself")
	}
	p.at++
	steps, err := p.steps()
	if err != nil {
		return nil, err
	}
	return &Path{Offset: start, Root: true, Steps: steps}, nil
}

// steps parses the names of a path, each with its dot in front.
func (p *parser) steps() ([]string, error) {
	var steps []string
	for p.next() == '.' {
		p.at++
		start := p.at
		for p.at < len(p.code) {
			r, width := utf8.DecodeRuneInString(p.code[p.at:])
			if !nameRune(r) && r != '-' {
				break
			}
			p.at += width
		}
		if p.at == start {
			return nil, because(p.fail(p.at, p.found()+" after a dot", "a name of letters, digits, _ and -"), "expected a name of letters, digits, _ and - after a dot, got "+p.found())
		}
		steps = append(steps, p.code[start:p.at])
	}
	return steps, nil
}

func nameRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// identifier parses a function's name, or a literal that is a word.
func (p *parser) identifier() (Operand, error) {
	start := p.at
	for p.at < len(p.code) {
		r, width := utf8.DecodeRuneInString(p.code[p.at:])
		if !nameRune(r) {
			break
		}
		p.at += width
	}
	name := p.code[start:p.at]
	switch name {
	case "true", "false":
		return &Literal{Offset: start, Text: name, Value: name == "true"}, nil
	case "nil":
		return &Literal{Offset: start, Text: name}, nil
	case "if", "else", "end", "range", "with", "define", "template", "block", "break", "continue":
		return nil, because(p.fail(start, "the keyword "+name, "an expression, as in {{ .spectro.var.NAME | default \"x\" }}"),
			"the keyword "+name+" is not supported in macros. Write an expression, as in {{ .spectro.var.NAME | default \"x\" }}")
	}
	if p.next() == '.' {
		return nil, because(p.fail(p.at, "a dot after the function "+name, "a space, or a path that starts with a dot"),
			"expected a space after the function "+name+", got a dot. A path starts with a dot")
	}
	return &Function{Offset: start, Name: name}, nil
}

// next returns the byte at the cursor, 0 at the end.
func (p *parser) next() byte { return p.peek(0) }

// peek returns a byte ahead, or 0 behind the end.
func (p *parser) peek(n int) byte {
	if p.at+n < len(p.code) {
		return p.code[p.at+n]
	}
	return 0
}

// skipSpace skips whitespace and reports whether there was any.
func (p *parser) skipSpace() bool {
	start := p.at
	for p.at < len(p.code) && isSpace(p.code[p.at]) {
		p.at++
	}
	return p.at > start
}

// found describes the code at the cursor for messages, if the cursor is before its end.
func (p *parser) found() string {
	if p.at >= len(p.code) {
		return "" // fail reports the end of the code
	}
	r, _ := utf8.DecodeRuneInString(p.code[p.at:])
	switch {
	case r == '"' || r == '`':
		return "a string"
	case unicode.IsSpace(r):
		return "whitespace"
	case !unicode.IsPrint(r):
		return "the character " + strconv.QuoteRune(r)
	}
	return `"` + string(r) + `"`
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
