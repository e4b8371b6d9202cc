package schema

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/nearest"
)

// formatParser reads a format from left to right. Its offsets are in text.
type formatParser struct {
	text string
	pos  int
	*Format
}

func parseFormat(literal string) (*Format, *TemplateError) {
	p := &formatParser{text: literal, Format: &Format{source: literal}}
	if len(literal) > MaxFormatBytes {
		return nil, p.fail(MaxFormatBytes, "the format has %d bytes, want at most %d", len(literal), MaxFormatBytes)
	}
	placeholders := 0
	for {
		text, _, more := strings.Cut(p.text[p.pos:], "${")
		if text != "" {
			p.parts = append(p.parts, part{kind: kindText, name: text, texts: []string{text}})
		}
		if !more {
			break
		}
		p.pos += len(text)
		if placeholders++; placeholders > MaxPlaceholders {
			return nil, p.fail(p.pos, "found more than %d placeholders", MaxPlaceholders)
		}
		if err := p.placeholder(); err != nil {
			return nil, err
		}
	}
	if placeholders == 0 {
		name := nearest.Name(strings.Trim(literal, "${} "), typeNames())
		if name == "" {
			name = "string"
		}
		return nil, p.fail(0, "the format %s has no placeholder, want one such as ${%s}", quoted(literal), name)
	}
	return p.Format, nil
}

func (p *formatParser) placeholder() *TemplateError {
	start := p.pos
	p.pos += len("${")
	p.skipBlanks()
	name := p.typeName()
	p.skipBlanks()
	if p.pos == len(p.text) {
		return p.fail(start, `the placeholder that starts here is not closed, want "}"`)
	}
	if name == "" {
		return p.fail(p.pos, "found %s, want a type: %s", found(p.text[p.pos:]), strings.Join(typeNames(), ", "))
	}
	added := part{kind: kindUnknown, name: name}
	for i, known := range typeNames() {
		if name == known {
			added.kind = kindString + kind(i)
		}
	}
	var err *TemplateError
	switch c := p.text[p.pos]; {
	case c == '}':
		if added.kind == kindList {
			return p.fail(p.pos, "found a list without options, want ${list:[A,B]}")
		}
		p.pos++
	case c != ':':
		return p.fail(p.pos, `found %s after the type %s, want "}", or ":" and a constraint`, found(p.text[p.pos:]), name)
	case added.kind == kindUnknown:
		err = p.skipConstraint(start)
	default:
		p.pos++
		err = p.constraint(&added, start)
	}
	if err != nil {
		return err
	}
	added.listTexts()
	p.parts = append(p.parts, added)
	return nil
}

// listTexts lists what the placeholder accepts, when that can be listed.
func (p *part) listTexts() {
	candidates := p.options
	if p.kind == kindBoolean {
		candidates = []string{"true", "false"}
	}
	for i, text := range candidates {
		if !slices.Contains(candidates[:i], text) && (p.regex == nil || p.regex.MatchString(text)) {
			p.texts = append(p.texts, text)
		}
	}
}

// constraint reads what stands between the colon and the closing brace.
func (p *formatParser) constraint(of *part, start int) *TemplateError {
	p.skipBlanks()
	switch {
	case p.pos == len(p.text):
		return p.fail(start, `the placeholder that starts here is not closed, want "}"`)
	case p.text[p.pos] == '/':
		return p.regex(of)
	case p.text[p.pos] != '[':
		return p.fail(p.pos, "found %s, but %s", found(p.text[p.pos:]), of.kind.takes())
	}
	open := p.pos
	if of.kind != kindNumber && of.kind != kindList {
		return p.fail(open, "found %s, but %s", found(p.text[open:]), of.kind.takes())
	}
	content, err := p.bracket()
	if err != nil {
		return err
	}
	if of.kind == kindNumber {
		return p.numberRange(of, content, open+1)
	}
	for offset, rest, more := open+1, content, true; more; {
		var option string
		option, rest, more = strings.Cut(rest, ",")
		trimmed := strings.Trim(option, " \t\r\n")
		if trimmed == "" {
			return p.fail(offset, "found an empty option, want ${list:[A,B]}")
		}
		of.options = append(of.options, trimmed)
		offset += len(option) + len(",")
	}
	return nil
}

// takes says which constraints a type takes.
func (k kind) takes() string {
	name := typeNames()[k-kindString]
	switch k {
	case kindNumber:
		return "number takes one constraint, /regex/ or a range such as [1-10]"
	case kindList:
		return "list takes one constraint, its options such as [A,B] or /regex/"
	}
	return name + " takes one constraint, /regex/ (a range belongs to number, options to list)"
}

// bracket reads [...] and the closing brace and returns what is inside.
func (p *formatParser) bracket() (string, *TemplateError) {
	open := p.pos
	area := p.text
	if i := strings.Index(area[open:], "${"); i >= 0 {
		area = area[:open+i]
	}
	first := -1
	for i := open + 1; i < len(area); i++ {
		if area[i] != ']' {
			continue
		}
		if first < 0 {
			first = i
		}
		end := i + 1
		for end < len(area) && isBlank(area[end]) {
			end++
		}
		if end < len(area) && area[end] == '}' {
			p.pos = end + 1
			return area[open+1 : i], nil
		}
	}
	if first < 0 {
		return "", p.fail(open, `the constraint that starts here is not closed, want "]}"`)
	}
	return "", p.fail(first+1, `found %s after the constraint, want "}": a placeholder takes one constraint`, found(p.text[first+1:]))
}

func (p *formatParser) numberRange(of *part, content string, offset int) *TemplateError {
	const want = "want a range such as [1-10], both ends included"
	rest := strings.TrimLeft(content, " \t\r\n")
	at := func() int { return offset + len(content) - len(rest) }
	bound := func() (decimal, *TemplateError) {
		n := numberPrefix(rest)
		if n == 0 {
			return decimal{}, p.fail(at(), "found %s, %s", found(rest+"]"), want)
		}
		d := parseDecimal(rest[:n])
		if d.point > maxBoundPower || d.point < -maxBoundPower {
			return d, p.fail(at(), "found the bound %s, want an exponent of at most %d", quoted(d.text), maxBoundPower)
		}
		rest = strings.TrimLeft(rest[n:], " \t\r\n")
		return d, nil
	}
	low, err := bound()
	if err != nil {
		return err
	}
	if !strings.HasPrefix(rest, "-") {
		return p.fail(at(), `found %s after %s, %s (options belong to list)`, found(rest+"]"), low.text, want)
	}
	rest = strings.TrimLeft(rest[1:], " \t\r\n")
	high, err := bound()
	if err != nil {
		return err
	}
	if rest != "" {
		return p.fail(at(), "found %s after the range, %s", found(rest), want)
	}
	if low.compare(&high) > 0 {
		return p.fail(offset, "found a range from %s down to %s, want the smaller end first", low.text, high.text)
	}
	of.bounds = &numberRange{low: low, high: high}
	return nil
}

// maxRegexEnds bounds how many `/}` are tried as the end of a regex.
const maxRegexEnds = 64

// regex reads /.../ and the closing brace.
func (p *formatParser) regex(of *part) *TemplateError {
	open := p.pos
	start, limit := open+1, p.nextPlaceholder(open)
	reason := ""
	for from, tries := start, 0; tries < maxRegexEnds; tries++ {
		i := strings.Index(p.text[from:limit], "/}")
		if i < 0 {
			break
		}
		end := from + i
		if tries == 0 {
			if next := strings.Index(p.text[end:limit], "${"); next >= 0 {
				limit = end + next
			}
		}
		from = end + 1
		pattern := p.text[start:end]
		tree, err := syntax.Parse(pattern, syntax.Perl)
		switch {
		case pattern == "":
			reason = "it is empty"
			continue
		case err != nil:
			reason = syntaxReason(err)
			continue
		}
		p.pos = end + len("/}")
		of.pattern = pattern
		if size := characters(tree); size <= MaxRegexInstructions {
			of.search = newSearch(tree)
			p.instructions += of.search.size()
		} else {
			p.instructions += size
		}
		if p.instructions > MaxRegexInstructions {
			return p.fail(open, "the regex is too big: its counted repetitions make more than %d instructions", MaxRegexInstructions)
		}
		if of.regex, err = regexp.Compile(pattern); err != nil {
			return p.fail(open, "invalid regex %s: %s (the syntax is that of RE2)", quoted(pattern), syntaxReason(err))
		}
		return nil
	}
	area := p.text[start:limit]
	if reason == "" {
		if strings.Contains(area, "/[") || strings.Contains(area, "/:") {
			return p.fail(open, `found two constraints, want one: %s`, of.kind.takes())
		}
		return p.fail(open, `the regex that starts here is not closed, want "/}"`)
	}
	if i := strings.LastIndex(area, "/}"); i >= 0 {
		area = area[:i]
	}
	return p.fail(open, "invalid regex %s: %s (the syntax is that of RE2)", quoted(area), reason)
}

// syntaxReason is the reason of the regexp package, without its prefix.
func syntaxReason(err error) string {
	return oneLine(strings.TrimPrefix(err.Error(), "error parsing regexp: "))
}

// skipConstraint skips the constraint of an unknown type, whose syntax nobody
// knows: to the end that a constraint of its looks would have, else to the
// first brace.
func (p *formatParser) skipConstraint(start int) *TemplateError {
	p.pos++
	p.skipBlanks()
	ends := []string{"}"}
	switch {
	case strings.HasPrefix(p.text[p.pos:], "/"):
		trial := &formatParser{text: p.text, pos: p.pos, Format: &Format{}}
		if trial.regex(&part{kind: kindString}) == nil {
			p.pos = trial.pos
			return nil
		}
		ends = []string{"/}", "}"}
	case strings.HasPrefix(p.text[p.pos:], "["):
		ends = []string{"]}", "}"}
	}
	area := p.text[p.pos:p.nextPlaceholder(p.pos)]
	for _, end := range ends {
		if i := strings.Index(area, end); i >= 0 {
			p.pos += i + len(end)
			return nil
		}
	}
	return p.fail(start, `the placeholder that starts here is not closed, want "}"`)
}

// nextPlaceholder is where after from a placeholder of a known type starts, or
// the end of the text. No constraint reaches past it.
func (p *formatParser) nextPlaceholder(from int) int {
	q := &formatParser{text: p.text}
	for i := from; ; i++ {
		next := strings.Index(p.text[i:], "${")
		if next < 0 {
			return len(p.text)
		}
		i += next
		q.pos = i + len("${")
		q.skipBlanks()
		name := q.typeName()
		q.skipBlanks()
		if slices.Contains(typeNames(), name) && q.pos < len(q.text) && (q.text[q.pos] == '}' || q.text[q.pos] == ':') {
			return i
		}
	}
}

// typeName reads a name of letters, digits, `_`, `.` and `-`.
func (p *formatParser) typeName() string {
	start := p.pos
	for p.pos < len(p.text) {
		c := p.text[p.pos]
		if c != '_' && c != '.' && c != '-' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			break
		}
		p.pos++
	}
	return p.text[start:p.pos]
}

func (p *formatParser) skipBlanks() {
	for p.pos < len(p.text) && isBlank(p.text[p.pos]) {
		p.pos++
	}
}

func (p *formatParser) fail(offset int, reason string, args ...any) *TemplateError {
	return &TemplateError{Offset: offset, Reason: fmt.Sprintf(reason, args...)}
}
