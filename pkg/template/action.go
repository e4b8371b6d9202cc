package template

import "strings"

// Action is one `{{ … }}` in a text.
type Action struct {
	// Start and End are the byte offsets of `{{` and behind `}}`.
	Start, End int
	// Code is what stands between the braces, trim markers and blanks aside.
	Code string
	// Macro says that the code reads `.spectro.` outside of string literals and
	// comments.
	Macro bool
}

// Actions returns the actions of a text in order. A `{{` that is never closed
// is none. `}}` inside a string literal does not end an action, unless the
// action would not end at all then.
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

// Unclosed returns where, behind the last action of a text, an action begins
// that reads `.spectro.` and is never closed, -1 when there is none: a macro with
// a brace forgotten. from is where a part of the text starts that holds that
// place, such as the end of any of its actions.
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

// HasMacro reports whether a text holds a macro, which is not a value yet but
// stands for one.
func HasMacro(text string) bool {
	return Macro(text) != ""
}

// Macro returns the first macro of a text as written, "" when it holds none.
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

type scanner struct {
	text string
	// lastComment is where the last end of a comment stands, -1 for none.
	lastComment int
}

// scan returns where the code of an action that starts at byte start ends, and
// whether it reads `.spectro.`. The end is -1 when the action is not closed.
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

// startsPath reports whether a dot at i begins a path, as against going on with
// one: `.spectro.x` and `$.spectro.x` read it, `.Values.spectro.x` does not.
func startsPath(code string, i int) bool {
	if i == 0 {
		return true
	}
	c := code[i-1]
	return !(c == '_' || c == '.' || c == ')' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z')
}

// literal returns the length of the literal at the start of text. A quote that
// opens none counts for itself alone: other languages put quotes where Go's
// templates have no literal.
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

// trim takes trim markers and blanks off an action's code.
func trim(code string) string {
	if len(code) > 1 && code[0] == '-' && isBlank(code[1]) {
		code = code[1:]
	}
	if n := len(code); n > 1 && code[n-1] == '-' && isBlank(code[n-2]) {
		code = code[:n-1]
	}
	return strings.TrimSpace(code)
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
