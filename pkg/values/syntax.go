package values

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// SyntaxError says that a text is not a YAML document. Column is 0 when the
// parser cannot tell it.
type SyntaxError struct {
	Position
	Reason string
}

func (e *SyntaxError) Error() string {
	if e.Line == 0 {
		return e.Reason
	}
	return fmt.Sprintf("%s: %s", e.Position, e.Reason)
}

// ErrorPosition returns the place that an error of Parse names, the zero
// Position when it names none.
func ErrorPosition(err error) Position {
	var syntax *SyntaxError
	if errors.As(err, &syntax) {
		return syntax.Position
	}
	return Position{}
}

const unquotedTemplateReason = "the value starts with {{ and is not quoted: put quotes around it"

// unquotedTemplate returns the first node that a template without quotes made
// ("{{ .a }}" is a flow map whose key is a flow map), nil when there is none.
func unquotedTemplate(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.MappingNode && n.Style&yaml.FlowStyle != 0 && len(n.Content) > 0 {
		key := n.Content[0]
		nested := key.Kind == yaml.MappingNode && key.Style&yaml.FlowStyle != 0 && key.Line == n.Line
		if nested && key.Column == n.Column+1 {
			return n
		}
		// Behind a tag or an anchor the braces' own place is not known.
		if nested && hasProperties(n) && len(key.Content) > 0 && strings.HasPrefix(key.Content[0].Value, ".") {
			return n
		}
	}
	for _, child := range n.Content {
		if len(child.Content) > 0 {
			if found := unquotedTemplate(child); found != nil {
				return found
			}
		}
	}
	return nil
}

// parserReasons are the complaints of the parser proper. It reports lines
// from 0; its scanner, which makes all others, reports them from 1.
var parserReasons = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(did not find expected (<document start>|<stream-start>|node content|'-' indicator|key|',' or '[\]}]')|` +
		`found duplicate %|found incompatible YAML document|found undefined tag handle)`)
})

// enclosingReasons are complaints that go-yaml reports at the start of what holds
// the fault, a collection or a text, instead of at the fault.
var enclosingReasons = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(did not find expected ('-' indicator|key)|found a tab character that violates indentation)$`)
})

var linePrefix = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^line (\d+): `)
})

// explain turns an error of go-yaml into ours: with the true line, with a
// column where it can be found, and with the advice to quote a template.
func explain(text string, err error) error {
	reason := strings.TrimPrefix(err.Error(), "yaml: ")
	if strings.HasPrefix(reason, "exceeded max depth") || strings.Contains(reason, ": exceeded max depth") {
		return tooDeep()
	}
	e := &SyntaxError{}
	if m := linePrefix().FindStringSubmatch(reason); m != nil {
		e.Line, _ = strconv.Atoi(m[1])
		reason = reason[len(m[0]):]
		if parserReasons().MatchString(reason) {
			e.Line++
		}
	}
	e.Reason = reason
	if strings.HasPrefix(reason, "unknown anchor ") {
		// The name may be a secret that begins with a star.
		e.Reason = "an alias to an anchor that is not there; if it is text, put quotes around what begins with *"
	}
	if p, ok := invalidCharacter(text); ok {
		e.Position = p
		return e
	}
	lines := NewLines(text)
	if reason == endsInQuotes {
		if at := openQuote(lines); at.Line > 0 {
			return &SyntaxError{Position: at, Reason: reason + mend(reason, 0)}
		}
	}
	if first := firstFault(lines, reason); first.Line > 0 &&
		(e.Line == 0 || e.Line == first.Line || enclosingReasons().MatchString(reason)) {
		e.Position = first
	}
	// Where the text ends too early, the fault is told of the last line there is.
	e.Line = min(max(e.Line, 1), strings.Count(strings.TrimRight(text, " \t\r\n"), "\n")+1, len(lines.starts))
	for _, line := range []int{e.Line, e.Line + 1, e.Line - 1} {
		if column := templateColumn(lines, line); column > 0 {
			return &SyntaxError{Position: Position{Line: line, Column: column}, Reason: unquotedTemplateReason}
		}
	}
	e.Reason += mend(reason, lines.character(e.Position))
	return e
}

// endsInQuotes is the complaint about a quote that is not closed. go-yaml reports
// it at the end of the text.
const endsInQuotes = "found unexpected end of stream"

// openQuote returns where the quote stands that is not closed, the zero Position
// when that is not certain.
func openQuote(lines *Lines) Position {
	if len(lines.text) > searchedBytes {
		return Position{}
	}
	fails := failsWith(lines.text, endsInQuotes)
	open := func(line int) bool { return fails(lines.Start(line + 1)) }
	last := len(lines.starts)
	line := search(1, last, open)
	// Quotes that span lines are open at the ends of these, too, but not for long,
	// and are few.
	const longest, most = 24, 2
	for next, spanning := line+1, 0; next <= last && next <= line+longest; next++ {
		if open(next) {
			continue
		}
		if spanning++; spanning > most {
			return Position{}
		}
		line = next + search(1, last-next, func(l int) bool { return open(next + l) })
		next = line
	}
	start, end := lines.Start(line), lines.Start(line+1)
	for at, quotes := end-1, 0; at >= start && quotes < 32; at-- {
		if c := lines.text[at]; c == '"' || c == '\'' {
			if quotes++; !fails(at) {
				return lines.Position(at)
			}
		}
	}
	return Position{}
}

// mend says how to mend what people write wrong most often, where the parser's
// words do not tell: it follows the reason. at is the character at the fault, 0
// when the place is not known.
func mend(reason string, at rune) string {
	switch reason {
	case "found character that cannot start any token":
		switch at {
		case 0:
			return ": indent with blanks, not with tabs, and put quotes around text that begins with @, ` or %"
		case '\t':
			return ": it is a tab; indent with blanks"
		default:
			return fmt.Sprintf(": put quotes around text that begins with %c", at)
		}
	case "mapping values are not allowed in this context":
		return ": mend the indentation, put a blank behind the colon of a key, or quotes around text that holds a colon"
	case "found a tab character that violates indentation", "found a tab character where an indentation space is expected":
		return ": indent with blanks"
	case endsInQuotes:
		return ": a quote is not closed"
	}
	return ""
}

// invalidCharacter returns the place of the first character that YAML does
// not allow.
func invalidCharacter(text string) (Position, bool) {
	for i, r := range text {
		bad := r < ' ' && r != '\t' && r != '\n' && r != '\r' || r >= 0x7F && r < 0xA0 && r != 0x85 || r == 0xFFFE || r == 0xFFFF
		if r == utf8.RuneError {
			_, w := utf8.DecodeRuneInString(text[i:])
			bad = w == 1
		}
		if bad {
			return NewLines(text).Position(i), true
		}
	}
	return Position{}, false
}

// searchedBytes bounds the texts whose faults are searched by parsing parts
// of them, which costs as much as parsing them some thirty times.
const searchedBytes = 64 << 10

// firstFault returns where the complaint arises: the end of the shortest
// beginning of the text that already meets it. It is the zero Position when
// that is not known.
func firstFault(lines *Lines, reason string) Position {
	text := lines.text
	if len(text) > searchedBytes {
		return Position{}
	}
	fails := failsWith(text, reason)
	line := search(1, len(lines.starts), func(l int) bool { return fails(lines.Start(l + 1)) })
	start, end := lines.Start(line), lines.Start(line+1)
	if !fails(end) || start > 0 && fails(start) {
		return Position{}
	}
	at := search(start+1, end, func(i int) bool {
		return (i == end || utf8.RuneStart(text[i])) && fails(i)
	})
	return Position{Line: line, Column: utf8.RuneCountInString(text[start:at])}
}

// failsWith returns whether the text up to an offset meets a complaint.
func failsWith(text, reason string) func(end int) bool {
	return func(end int) bool {
		next := documents(text[:end])
		for {
			if _, err := next(); err != nil {
				got := strings.TrimPrefix(err.Error(), "yaml: ")
				return linePrefix().ReplaceAllString(got, "") == reason
			}
		}
	}
}

// search returns the smallest i in [low, high] for which found holds, taking
// it to hold for high and to stay true once it is.
func search(low, high int, found func(int) bool) int {
	for low < high {
		middle := int(uint(low+high) >> 1)
		if found(middle) {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return high
}

// templateColumn returns the column at which a value of the line starts with
// {{, 0 when none does.
func templateColumn(lines *Lines, line int) int {
	if line < 1 || line > len(lines.starts) {
		return 0
	}
	text := lines.text[lines.Start(line):lines.Start(line+1)]
	at := strings.Index(text, "{{")
	if at < 0 {
		return 0
	}
	before := strings.TrimRight(text[:at], " \t")
	if strings.HasPrefix(strings.TrimLeft(before, " \t"), "#") || strings.Contains(before, " #") {
		return 0
	}
	if before == "" || strings.HasSuffix(before, ":") || strings.HasSuffix(before, "-") ||
		strings.HasSuffix(before, "[") || strings.HasSuffix(before, ",") {
		return utf8.RuneCountInString(text[:at]) + 1
	}
	return 0
}
