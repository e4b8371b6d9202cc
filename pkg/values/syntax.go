package values

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// SyntaxError is the reason why a text is not a YAML document. Column is 0 if the parser does not
// know it.
type SyntaxError struct {
	Position
	// Reason is a part of a sentence, without the position.
	Reason string
}

// Error returns the reason, with its position if that is known: `line 3, column 5: …`.
func (e *SyntaxError) Error() string {
	if e.Line == 0 {
		return e.Reason
	}
	return fmt.Sprintf("%s: %s", e.Position, e.Reason)
}

const (
	unquotedTemplateReason = "a value that begins with {{ needs quotes"
	// Quotes would make a text of a Helm template that nobody meant to be one.
	helmTemplateReason = "this file is not a template, so {{ }} is not evaluated: write the value itself, and if the chart calls tpl on it, put it in quotes"
)

// helmTemplate matches an action that reads what only Helm has.
var helmTemplate = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\{[^}]*([ ({$-]\.(Values|Release|Chart|Capabilities|Files|Template)\b|\b(include|tpl) )`)
})

// unquoted is the error of a template without quotes at a place of a text.
func unquoted(lines *Lines, at Position) *SyntaxError {
	if line := lines.text[lines.Start(at.Line):lines.Start(at.Line+1)]; helmTemplate().MatchString(line) {
		return &SyntaxError{Position: at, Reason: helmTemplateReason}
	}
	return &SyntaxError{Position: at, Reason: unquotedTemplateReason}
}

// unquotedTemplate returns the first node that a template without quotes made ("{{ .a }}" is a flow
// map whose key is a flow map), or nil if there is none.
func unquotedTemplate(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.MappingNode && n.Style&yaml.FlowStyle != 0 && len(n.Content) > 0 {
		key := n.Content[0]
		nested := key.Kind == yaml.MappingNode && key.Style&yaml.FlowStyle != 0 && key.Line == n.Line
		if nested && key.Column == n.Column+1 {
			return n
		}
		// After a tag or an anchor the braces' own place is not known.
		if nested && hasProperties(n) && len(key.Content) > 0 && strings.HasPrefix(key.Content[0].Value, ".") {
			return n
		}
	}
	for _, child := range n.Content {
		if found := unquotedTemplate(child); found != nil {
			return found
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
	return regexp.MustCompile(`^(did not find expected ('-' indicator|key)|found a tab character (that violates indentation|where an indentation space is expected))$`)
})

var linePrefix = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^line (\d+): `)
})

// ExplainError turns an error that go-yaml returned for a text into one of Parse: a
// *SyntaxError with the true line, with a column where it can be found, with the fix in
// plain words, and without any of the text, which may be secret; or a *LimitError. It is
// for code that calls go-yaml itself.
func ExplainError(text string, err error) error {
	if HasConflict(text) {
		return ofConflict(text, err)
	}
	reason, line := complaint(err)
	if strings.HasPrefix(reason, "exceeded max depth") || strings.Contains(reason, ": exceeded max depth") {
		return tooDeep()
	}
	if line > 0 && parserReasons().MatchString(reason) {
		line++
	}
	e := &SyntaxError{Position: Position{Line: line}}
	if p, ok := invalidCharacter(text); ok {
		return &SyntaxError{Position: p, Reason: reason}
	}
	lines := NewLines(text)
	switch first := firstFault(lines, reason); {
	case reason == endsInQuotes:
		if at := openQuote(lines); at.Line > 0 {
			return &SyntaxError{Position: at, Reason: wording(reason, 0)}
		}
	case flowReasons().MatchString(reason):
		e.Position = flowFault(lines, max(e.Line, 1), reason)
	case first.Line > 0 && (e.Line == 0 || e.Line == first.Line || enclosingReasons().MatchString(reason)):
		if e.Position = first; reason == unknownAnchor {
			e.Column-- // the star, which the first letter of the name follows
		}
	}
	// Where the text ends too early, the fault is reported on its last line.
	e.Line = min(max(e.Line, 1), strings.Count(strings.TrimRight(text, " \t\r\n"), "\n")+1, len(lines.starts))
	for _, line := range []int{e.Line, e.Line + 1, e.Line - 1} {
		if column := templateColumn(lines, line); column > 0 {
			return unquoted(lines, Position{Line: line, Column: column})
		}
	}
	if e.Reason = wording(reason, lines.character(e.Position)); reason == notAllowed {
		e.Reason += ": " + placeKey(lines, e.Position)
	}
	return e
}

// Complaints of go-yaml. It reports a quote that is not closed at the end of the text.
const (
	endsInQuotes  = "found unexpected end of stream"
	unknownAnchor = "unknown anchor"
)

var flowReasons = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^did not find expected ',' or '[\]}]'$`)
})

// flowFault returns where a comma or bracket is missing. go-yaml names the line where the
// innermost collection starts. For a collection that starts on the first line of a text
// it names the line of the fault, so the text is parsed from there.
func flowFault(lines *Lines, line int, reason string) Position {
	closer := reason[len(reason)-2]
	opener := map[byte]byte{'}': '{', ']': '['}[closer]
	if len(lines.text) > searchedBytes {
		return Position{Line: line}
	}
	// A collection that starts on the first line is not named itself.
	for _, opened := range []int{line, 1} {
		for at := lines.Start(opened+1) - 1; at >= lines.Start(opened); at-- {
			if lines.text[at] != opener {
				continue
			}
			_, err := documents(lines.text[at:])()
			if err == nil {
				continue
			}
			got, below := complaint(err)
			if got != reason {
				continue
			}
			text := strings.TrimRight(lines.text, " \t\r\n") // a text that ends too early ends there
			return flowPosition(lines, at, min(opened+below, lines.Line(len(text))), closer)
		}
	}
	return Position{Line: line}
}

// complaint returns what go-yaml complains about, and the line that it names, or 0 if there is
// none.
func complaint(err error) (reason string, line int) {
	reason = strings.TrimPrefix(err.Error(), "yaml: ")
	if m := linePrefix().FindStringSubmatch(reason); m != nil {
		line, _ = strconv.Atoi(m[1])
		reason = reason[len(m[0]):]
	}
	if strings.HasPrefix(reason, unknownAnchor) {
		reason = unknownAnchor // the name may be a secret that begins with a star
	}
	return reason, line
}

// flowPosition returns the place on a line after which a collection that starts at an
// offset cannot end any more: there something is missing.
func flowPosition(lines *Lines, open, line int, closer byte) Position {
	const longest = 400
	text := lines.text
	start := max(lines.Start(line), open+1)
	end := lineEnd(text, start)
	if end-start > longest {
		return Position{Line: line}
	}
	for at := end; at >= start; at-- {
		if _, err := documents(text[open:at] + string(closer))(); err != nil {
			continue
		}
		if text[at-1] == ':' {
			for at--; at > start && !blankOrBreak(text, at-1) && !isFlowIndicator(text[at-1]); {
				at-- // to the start of the key
			}
		}
		return lines.Position(skipBlanks(text, at))
	}
	return Position{Line: line}
}

// openQuote returns the place of the quote that is not closed, the zero Position
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

// notAllowed is the complaint about a key in a value.
const notAllowed = "mapping values are not allowed in this context"

// noTabs is the message about a tab that indents.
const noTabs = "a tab cannot indent: use spaces"

// wordings are the complaints of go-yaml in words of those who write the text, with what
// to do.
var wordings = map[string]string{
	"did not find expected ',' or '}'":                             "a comma or the closing } is missing",
	"did not find expected ',' or ']'":                             "a comma or the closing ] is missing",
	"could not find expected ':'":                                  "a key has no colon: write key: value, or indent the line if it continues a string",
	notAllowed:                                                     "a key is not allowed here",
	"did not find expected key":                                    "a key is missing here: fix the indentation, or the quotes of the value before",
	"did not find expected '-' indicator":                          "a list element is missing here: start the line with a dash, or fix the indentation",
	"did not find expected node content":                           "a value is missing here: write one, or remove the comma or bracket",
	"block sequence entries are not allowed in this context":       "a list element is not allowed here: start it on a line of its own",
	"did not find expected comment or line break":                  "a value is not allowed after | or >: start it on the next line",
	"did not find expected alphabetic or numeric character":        "a value that begins with * or & needs quotes",
	"found unexpected document indicator":                          "a quote is not closed before this line",
	"found unknown escape character":                               `unknown escape: write \\ for a backslash, or use single quotes`,
	"did not find expected hexdecimal number":                      `incomplete escape: write \\ for a backslash, or use single quotes`,
	"did not find expected <document start>":                       "the document ends before this line: remove the line, or fix the indentation",
	"found a tab character that violates indentation":              noTabs,
	"found a tab character where an indentation space is expected": noTabs,
	endsInQuotes:  "a quote is not closed",
	unknownAnchor: "an alias without an anchor: put quotes around a value that begins with *",
}

// placeKey returns advice about a colon that ends a key where no key is allowed: in a value, or on
// a line that continues a value.
func placeKey(lines *Lines, colon Position) string {
	line := func(n int) string { return strings.TrimRight(lines.Text(n), "\r\n") }
	indentation := func(text string) int { return len(text) - len(strings.TrimLeft(text, " ")) }
	here := line(colon.Line)
	if end := lines.Offset(colon) - lines.Start(colon.Line); end > 0 && end <= len(here) && strings.Contains(here[:end], ": ") {
		return "put quotes around a value with a colon and a space"
	}
	before := colon.Line - 1
	for before > 0 && strings.TrimSpace(line(before)) == "" {
		before--
	}
	if before > 0 && indentation(here) > indentation(line(before)) && strings.Contains(line(before), ": ") {
		return "the line before has a value already, so indent this line like that one"
	}
	return "fix the indentation, or put a space after the colon of the line before"
}

// wording describes an error of the parser, and how to fix its usual cause. at is the character at
// the fault, or 0 if the position is unknown.
func wording(reason string, at rune) string {
	if reason == "found character that cannot start any token" {
		switch at {
		case '@', '`', '%':
			return fmt.Sprintf("a value that begins with %c needs quotes", at)
		case '\t':
			return noTabs
		}
		return "a value that begins with @, ` or % needs quotes, and a tab cannot indent" // the place is near it
	}
	if words, ok := wordings[reason]; ok {
		return words
	}
	return reason
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
				got, _ := complaint(err)
				return got == reason
			}
		}
	}
}

// search returns the smallest i in [low, high] where found holds, taking
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

// templateColumn returns the column at which a value of the line starts with {{, or 0 if none does.
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
