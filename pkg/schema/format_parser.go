package schema

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/nearest"
)

// formatParser reads the literal of a format.
type formatParser struct {
	scanner
	*Format
}

// parseFormat reads a format, and returns the first fault with its offset.
func parseFormat(literal string) (*Format, *templateError) {
	p := &formatParser{scanner{text: literal}, &Format{source: literal}}
	if len(literal) > MaxFormatBytes {
		return nil, fail(MaxFormatBytes, diag.Got(fmt.Sprintf("a format of %d bytes", len(literal)), fmt.Sprintf("at most %d bytes", MaxFormatBytes)))
	}
	placeholders := 0
	for {
		text, _, more := strings.Cut(p.rest(), "${")
		if text != "" {
			p.add(part{kind: kindText, name: text, texts: []string{text}})
		}
		if !more {
			break
		}
		p.pos += len(text)
		if placeholders++; placeholders > MaxPlaceholders {
			return nil, fail(p.pos, diag.Got("one more placeholder", fmt.Sprintf("at most %d placeholders", MaxPlaceholders)))
		}
		if err := p.placeholder(); err != nil {
			return nil, err
		}
	}
	if placeholders == 0 {
		name := strings.Trim(literal, "${} ")
		name = cmp.Or(nearest.Name(name, typeNames), diag.GotName(name, typeNames).Nearest, "string")
		return nil, fail(0, diag.Got("the format "+quoted(literal), "a placeholder such as ${"+name+"}"))
	}
	return p.Format, nil
}

func notClosed() diag.Finding { return diag.Got("a placeholder that is not closed", `"}" at its end`) }

// placeholder reads a placeholder from its `${` on: the type, and after a colon a range, a list of
// options, or a regex.
func (p *formatParser) placeholder() *templateError {
	start := p.pos
	p.pos += len("${")
	name := p.typeName()
	if p.atEnd() {
		return fail(start, notClosed())
	}
	if name == "" {
		return fail(p.pos, diag.Got(p.found(), "a type: "+diag.OneOf(typeNames)))
	}
	added := part{kind: kindUnknown, name: name}
	if i := slices.Index(typeNames, name); i >= 0 {
		added.kind = kindString + kind(i)
	}
	if added.kind == kindBoolean {
		added.texts = []string{"true", "false"}
	}
	var err *templateError
	switch c := p.text[p.pos]; {
	case c == '}':
		if added.kind == kindList {
			return fail(p.pos, diag.Got("a list without options", "${list:[A,B]}"))
		}
		p.pos++
	case c != ':':
		return fail(p.pos, diag.Got(p.found()+" after the type "+name, `"}", or ":" and a constraint`))
	case added.kind == kindUnknown:
		err = p.skipConstraint(start)
	default:
		p.pos++
		err = p.constraint(&added, start)
	}
	if err != nil {
		return err
	}
	p.add(added)
	return nil
}

// add adds a part of the format with the bounds of the segments that it can accept.
func (p *formatParser) add(added part) {
	added.segments = added.possibleSegments()
	p.parts = append(p.parts, added)
}

// constraint reads from after the colon to the closing brace.
func (p *formatParser) constraint(of *part, start int) *templateError {
	p.skipSpace()
	switch {
	case p.atEnd():
		return fail(start, notClosed())
	case p.has("/"):
		return p.regex(of)
	case !p.has("[") || of.kind != kindNumber && of.kind != kindList:
		return fail(p.pos, diag.Got(p.found(), of.kind.takes()))
	}
	offset := p.pos + len("[")
	content, err := p.bracket()
	if err != nil {
		return err
	}
	if of.kind == kindNumber {
		return p.numberRange(of, content, offset)
	}
	for option := range strings.SplitSeq(content, ",") {
		trimmed := strings.Trim(option, space)
		if trimmed == "" {
			return fail(offset, diag.Got("an empty option", "${list:[A,B]}"))
		}
		of.texts = append(of.texts, trimmed)
		offset += len(option) + len(",")
	}
	return nil
}

// takes returns which constraints a type takes.
func (k kind) takes() string {
	switch k {
	case kindNumber:
		return "one constraint of number: /regex/ or a range such as [1-10]"
	case kindList:
		return "one constraint of list: options such as [A,B] or /regex/"
	}
	return "one constraint of " + typeNames[k-kindString] + ": /regex/ (number has ranges, list has options)"
}

// bracket reads [...] and the closing brace, and returns the text between the brackets.
func (p *formatParser) bracket() (string, *templateError) {
	area, _, _ := strings.Cut(p.rest(), "${")
	for i := range len(area) {
		if area[i] != ']' {
			continue
		}
		if after := strings.TrimLeft(area[i+1:], space); strings.HasPrefix(after, "}") {
			p.pos += len(area) - len(after) + len("}")
			return area[1:i], nil
		}
	}
	first := strings.IndexByte(area, ']')
	if first < 0 {
		return "", fail(p.pos, diag.Got("a constraint that is not closed", `"]}" at its end`))
	}
	return "", fail(p.pos+first+1, diag.Got(found(p.rest()[first+1:])+" after the constraint", `"}", because a placeholder has one constraint`))
}

// numberRange parses the content of brackets, which begins at offset.
func (p *formatParser) numberRange(of *part, content string, offset int) *templateError {
	const want = "a range such as [1-10], both ends included"
	in := scanner{text: content}
	bound := func() (decimal, *templateError) {
		in.skipSpace()
		number := numberPrefix(in.rest())
		if number == "" {
			return decimal{}, fail(offset+in.pos, diag.Got(found(in.rest()+"]"), want))
		}
		d := parseDecimal(number)
		if d.point > maxBoundPower || d.point < -maxBoundPower {
			return d, fail(offset+in.pos, diag.Got("the bound "+quoted(number), fmt.Sprintf("an exponent of at most %d", maxBoundPower)))
		}
		in.pos += len(number)
		in.skipSpace()
		return d, nil
	}
	low, err := bound()
	if err != nil {
		return err
	}
	if !in.has("-") {
		return fail(offset+in.pos, diag.Got(found(in.rest()+"]")+" after "+low.text, want+" (list has options)"))
	}
	in.pos++
	high, err := bound()
	switch {
	case err != nil:
		return err
	case !in.atEnd():
		return fail(offset+in.pos, diag.Got(in.found()+" after the range", want))
	case low.compare(high) > 0:
		return fail(offset, diag.Got("a range from "+low.text+" to "+high.text, "the smaller number first"))
	}
	of.bounds = &numberRange{low: low, high: high}
	return nil
}

// maxRegexEnds limits how many `/}` are tried as the end of a regex.
const maxRegexEnds = 64

// regex reads /.../ and the closing brace.
func (p *formatParser) regex(of *part) *templateError {
	open := p.pos
	area := p.text[open+1 : p.nextPlaceholder(open)]
	if first := max(0, strings.Index(area, "/}")); strings.Contains(area[first:], "${") {
		area = area[:first+strings.Index(area[first:], "${")]
	}
	parts, reason := strings.Split(area, "/}"), ""
	for i := 1; i < len(parts) && i <= maxRegexEnds; i++ {
		pattern := strings.Join(parts[:i], "/}")
		if reason = "it is empty"; pattern == "" {
			continue
		}
		if of.regex, reason = newExpression(pattern); reason != "" {
			continue
		}
		p.pos += len(pattern) + len("//}")
		if p.instructions += of.regex.instructions; p.instructions > MaxRegexInstructions {
			return fail(open, tooLarge())
		}
		return nil
	}
	if reason == "" {
		if strings.Contains(area, "/[") || strings.Contains(area, "/:") {
			return fail(open, diag.Got("two constraints", of.kind.takes()))
		}
		return fail(open, diag.Got("a regex that is not closed", `"/}" at its end`))
	}
	pattern := area[:strings.LastIndex(area, "/}")]
	return fail(open, diag.Got("the invalid regex "+quoted(pattern)+" ("+reason+")", "the syntax of RE2"))
}

// skipConstraint skips the constraint of an unknown type. Its syntax is unknown
// too: it ends where a regex would end, else at the first brace.
func (p *formatParser) skipConstraint(start int) *templateError {
	p.pos++
	p.skipSpace()
	isRegex := p.has("/")
	if trial := (&formatParser{p.scanner, &Format{}}); isRegex && trial.regex(&part{kind: kindString}) == nil {
		p.pos = trial.pos
		return nil
	}
	area := p.text[p.pos:p.nextPlaceholder(p.pos)]
	end := strings.Index(area, "}")
	if i := strings.Index(area, "/}"); isRegex && i >= 0 {
		end = i + 1
	}
	if end < 0 {
		return fail(start, notClosed())
	}
	p.pos += end + 1
	return nil
}

// nextPlaceholder returns where after from a placeholder of a known type starts,
// or the end of the text. No constraint extends beyond that place.
func (p *formatParser) nextPlaceholder(from int) int {
	q := &formatParser{scanner: p.scanner}
	for at := from; ; at += len("${") {
		next := strings.Index(p.text[at:], "${")
		if next < 0 {
			return len(p.text)
		}
		at += next
		q.pos = at + len("${")
		if slices.Contains(typeNames, q.typeName()) && (q.has("}") || q.has(":")) {
			return at
		}
	}
}

// typeName reads a name of letters, digits, `_`, `.` and `-`, and the whitespace
// around it.
func (p *formatParser) typeName() string {
	p.skipSpace()
	defer p.skipSpace()
	return p.take(func(c byte) bool {
		return c == '_' || c == '.' || c == '-' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
	})
}
