package template

import (
	"slices"
	"strings"
)

// Action is one `{{ … }}` in a text.
type Action struct {
	// Start is the byte offset of `{{`, and End the one after `}}`.
	Start, End int
	// Code is the text between the braces, without trim markers and the whitespace
	// around it.
	Code string
	// Macro reports whether the code reads `.spectro.` outside of string literals and comments.
	Macro bool
}

// Macros returns the actions of a text that are macros, in order.
func Macros(text string) []Action {
	return slices.DeleteFunc(Actions(text), func(a Action) bool { return !a.Macro })
}

// Actions returns the actions of a text in order. A `{{` that is never closed
// starts no action. `}}` inside a string literal does not end an action, unless the
// action would not end otherwise.
func Actions(text string) []Action {
	var actions []Action
	s := scanner{text: text, lastComment: strings.LastIndex(text, "*/")}
	for at := 0; ; {
		open := strings.Index(text[at:], "{{")
		if open < 0 {
			return actions
		}
		start := at + open
		end, macro := s.scan(start + 2)
		if end < 0 {
			n := strings.Index(text[start+2:], "}}")
			if n < 0 {
				return actions
			}
			end, macro = start+2+n, false
		}
		actions = append(actions, Action{
			Start: start,
			End:   end + 2,
			Code:  trim(text[start+2 : end]),
			Macro: macro,
		})
		at = end + 2
	}
}

// Unclosed returns the offset of a macro after the last action of a text that is never closed,
// because a brace is missing, or -1 if there is none. The search starts at from, which may be 0 or
// the end of any action.
func Unclosed(text string, from int) int {
	if !strings.Contains(text[from:], ".spectro.") {
		return -1
	}
	at := from
	if actions := Actions(text[from:]); len(actions) > 0 {
		at += actions[len(actions)-1].End
	}
	open := strings.Index(text[at:], "{{")
	if open < 0 || !strings.Contains(text[at+open:], ".spectro.") {
		return -1
	}
	return at + open
}

// HasMacro reports whether a text holds a macro. Then it is not a value yet.
func HasMacro(text string) bool {
	return Macro(text) != ""
}

// Macro returns the first macro of a text as written, or "" if there is none.
func Macro(text string) string {
	if !strings.Contains(text, ".spectro.") {
		return "" // the common case, without scanning
	}
	for _, action := range Actions(text) {
		if action.Macro {
			return text[action.Start:action.End]
		}
	}
	return ""
}

// scanner finds actions in a text.
type scanner struct {
	// text is the whole text.
	text string
	// lastComment is the offset of the last end of a comment, or -1 if there is none.
	lastComment int
}

// scan returns the end of an action's code that starts at a byte, and whether it
// reads `.spectro.`. The end is -1 when the action is not closed.
func (s *scanner) scan(start int) (end int, macro bool) {
	i := start
	if strings.HasPrefix(strings.TrimPrefix(s.text[i:], "- "), "/*") {
		if s.lastComment < i {
			return -1, false
		}
		i += strings.Index(s.text[i:], "*/") + 2
	}
	for i < len(s.text) {
		rest := s.text[i:]
		switch c := rest[0]; {
		case strings.HasPrefix(rest, "}}"):
			return i, macro
		case c == '"' || c == '`' || c == '\'':
			i += literal(rest)
		case c == '.' && strings.HasPrefix(rest, ".spectro.") && startsPath(s.text[start:], i-start):
			macro = true
			i += len(".spectro.")
		default:
			i++
		}
	}
	return -1, false
}

// startsPath reports whether the dot at i starts a path: it does in `.spectro.x` and
// `$.spectro.x`, but not in `.Values.spectro.x`.
func startsPath(code string, i int) bool {
	if i == 0 {
		return true
	}
	c := code[i-1]
	return !(c == '_' || c == '.' || c == ')' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z')
}

// literal returns the length of the literal at the start of text. A quote that
// opens no literal has length 1: other languages have quotes where Go templates have
// no literals.
func literal(text string) int {
	quote := text[0]
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == quote:
			return i + 1
		case c == '\\' && quote != '`':
			i++
		case c == '\n' && quote != '`':
			return 1
		case quote == '\'' && strings.HasPrefix(text[i:], "}}"):
			return 1 // a character is never this long
		}
	}
	return 1
}

// trim removes trim markers and whitespace around an action's code.
func trim(code string) string {
	if len(code) > 1 && code[0] == '-' && isSpace(code[1]) {
		code = code[1:]
	}
	if n := len(code); n > 1 && code[n-1] == '-' && isSpace(code[n-2]) {
		code = code[:n-1]
	}
	return strings.TrimSpace(code)
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
