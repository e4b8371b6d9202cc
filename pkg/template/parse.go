package template

import (
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

// SyntaxError says why an action does not parse.
type SyntaxError struct {
	// Offset is where, in bytes of the action's code.
	Offset int
	// Reason says in one line what was found and what is accepted. It never
	// holds the content of a literal, which may be a secret.
	Reason string
}

func (e *SyntaxError) Error() string { return e.Reason }

// ParseAction parses the code of an action: what stands between `{{` and `}}`,
// trim markers and blanks aside (Action.Code). The error is a *SyntaxError.
func ParseAction(code string) (*Pipeline, error) {
	p := &parser{code: code}
	pipeline, err := p.parse()
	if err != nil {
		return nil, err // never a *SyntaxError that is nil
	}
	return pipeline, nil
}

type parser struct {
	code  string
	at    int
	depth int
}

func (p *parser) parse() (*Pipeline, error) {
	if len(p.code) > MaxCode {
		return nil, p.fail(0, "the action has %d bytes, above the limit of %d", len(p.code), MaxCode)
	}
	if i := invalidUTF8(p.code); i >= 0 {
		return nil, p.fail(i, "the action is not UTF-8")
	}
	return p.pipeline()
}

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

func (p *parser) fail(at int, format string, args ...any) error {
	return &SyntaxError{Offset: at, Reason: fmt.Sprintf(format, args...)}
}

// pipeline parses to the end of the code, or to the parenthesis that closes
// the group it stands in.
func (p *parser) pipeline() (*Pipeline, error) {
	p.blanks()
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
				return nil, p.fail(p.at, "found ) without ( before it")
			}
			return pipeline, nil
		default:
			if p.depth > 0 {
				return nil, p.fail(p.at, "found the end of the action, want ) to close the parenthesis")
			}
			return pipeline, nil
		}
	}
}

// command parses one stage, up to what ends it.
func (p *parser) command(first bool) (*Command, error) {
	command := &Command{}
	for {
		separated := p.blanks() || len(command.Operands) == 0
		if c := p.next(); c == 0 || c == '|' || c == ')' {
			break
		}
		if !separated {
			return nil, p.fail(p.at, "found %s, want a blank before it", p.found())
		}
		operand, err := p.operand()
		if err != nil {
			return nil, err
		}
		command.Operands = append(command.Operands, operand)
	}
	if len(command.Operands) == 0 {
		return nil, p.fail(p.at, "found %s, want a value or a function", p.found())
	}
	return command, p.checkCommand(command, first)
}

// checkCommand refuses commands that can not be evaluated whatever the values.
func (p *parser) checkCommand(command *Command, first bool) error {
	head := command.Operands[0]
	if _, ok := head.(*Function); ok {
		return nil
	}
	if !first {
		return p.fail(head.Position(), "found %s behind |, want a function", kind(head))
	}
	if len(command.Operands) > 1 {
		return p.fail(command.Operands[1].Position(), "found %s behind %s, want | or the end: only functions take arguments", kind(command.Operands[1]), kind(head))
	}
	if literal, ok := head.(*Literal); ok && literal.Value == nil {
		return p.fail(head.Position(), "found nil alone, want a value or a function")
	}
	return nil
}

// kind says what an operand is, without the content of literals.
func kind(operand Operand) string {
	switch o := operand.(type) {
	case *Path:
		return "the path " + shorten(o.String())
	case *Function:
		return "the function " + shorten(o.Name)
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

// maxShown bounds what a message repeats of the code.
const maxShown = 64

func shorten(name string) string {
	if len(name) <= maxShown {
		return name
	}
	end := maxShown
	for !utf8.RuneStart(name[end]) {
		end--
	}
	return name[:end] + "…"
}

// operand parses what can be an argument.
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

// unexpected explains what can not stand where an operand is wanted.
func (p *parser) unexpected() error {
	rest := p.code[p.at:]
	switch {
	case strings.HasPrefix(rest, "/*"):
		return p.fail(p.at, "found a comment, which is an action of its own: {{/* … */}}")
	case rest[0] == '=' || rest[0] == ':':
		return p.fail(p.at, "found an assignment, which macros do not have: write the value itself")
	case rest[0] == ',':
		return p.fail(p.at, "found a comma, want arguments that blanks separate")
	}
	return p.fail(p.at, "found %s, want a path that starts with a dot, a function, a literal or a parenthesis", p.found())
}

func (p *parser) group() (Operand, error) {
	g := &Group{Offset: p.at}
	if p.depth == MaxNesting {
		return nil, p.fail(p.at, "found more than %d parentheses in each other", MaxNesting)
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
		return nil, p.fail(start, "found a variable, which macros do not have: write the value itself")
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
			return nil, p.fail(p.at, "found %s behind a dot, want a name of letters, digits, _ and -", p.found())
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
		return nil, p.fail(start, "found %s: only expressions are macros, as in {{ .spectro.var.NAME | default \"x\" }}", name)
	}
	if p.next() == '.' {
		return nil, p.fail(p.at, "found a dot behind %s, want a blank, or a path that starts with a dot", shorten(name))
	}
	return &Function{Offset: start, Name: name}, nil
}

// next returns the byte at the cursor, 0 at the end.
func (p *parser) next() byte { return p.peek(0) }

func (p *parser) peek(n int) byte {
	if p.at+n < len(p.code) {
		return p.code[p.at+n]
	}
	return 0
}

// blanks skips blanks and reports whether there were any.
func (p *parser) blanks() bool {
	start := p.at
	for p.at < len(p.code) && isBlank(p.code[p.at]) {
		p.at++
	}
	return p.at > start
}

// found names what stands at the cursor, for messages.
func (p *parser) found() string {
	if p.at >= len(p.code) {
		return "the end of the action"
	}
	r, _ := utf8.DecodeRuneInString(p.code[p.at:])
	switch {
	case r == '"' || r == '`':
		return "a string"
	case !unicode.IsPrint(r):
		return "the character " + strconv.QuoteRune(r)
	}
	return string(r)
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
