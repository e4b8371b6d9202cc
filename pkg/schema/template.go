package schema

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/krm-packs/functions/pkg/nearest"
)

// Template is one parsed schema template of a pack's schema.yaml, such as
//
//	{{ required | format "${number:[1-10]}" | hints "how many nodes" }}
//
// The zero value demands nothing. The language is that of the section "Pack
// Values Constraints" of Spectro Cloud's pack constraints document.
type Template struct {
	// Required says that the value must be given: it is neither absent nor
	// empty.
	Required bool
	// ReadOnly says that the value must stay as the pack ships it.
	ReadOnly bool
	// Format is what the value must look like, nil when the template has no
	// format stage.
	Format *Format
	// Hints are short descriptions of the value, for people.
	Hints []string
}

// TemplateError says what is wrong with a template or a format. It is the
// error of the schema's author, not of the values.
type TemplateError struct {
	// Offset is where in the text the fault is, in bytes from its start.
	Offset int
	// Reason says what was found and what is accepted, on one line.
	Reason string
}

// Error returns the reason with its offset.
func (e *TemplateError) Error() string {
	return "at offset " + strconv.Itoa(e.Offset) + ": " + e.Reason
}

const wantStages = `want required, readonly, format "..." or hints "..."`

// ParseTemplate parses one template. Stages may stand in any order, each once;
// hints may repeat, and bare literals after a hints stage are more hints. The
// trim markers of Go templates ({{- and -}}) are accepted and mean nothing,
// since blanks around a template never count. The error is a *TemplateError.
func ParseTemplate(text string) (*Template, error) {
	p := &templateParser{text: text}
	if err := p.parse(); err != nil {
		return nil, err
	}
	return &p.template, nil
}

// A templateParser reads templates by a lexer of its own: the literals are raw
// (`\d` is a backslash and a d), which text/template refuses.
type templateParser struct {
	text     string
	pos      int
	template Template
	inHints  bool // the stage before was hints, so a bare literal is one more
}

func (p *templateParser) parse() error {
	p.skipBlanks()
	if !strings.HasPrefix(p.rest(), "{{") {
		return p.fail(p.pos, `found %s, want a template in braces: {{ required }}`, p.found())
	}
	p.pos += len("{{")
	if strings.HasPrefix(p.rest(), "-") && p.closer() == 0 {
		p.pos++
	}
	for first := true; ; first = false {
		p.skipBlanks()
		if first && p.closer() > 0 {
			return p.fail(p.pos, "the template is empty: %s", wantStages)
		}
		if err := p.stage(); err != nil {
			return err
		}
		p.skipBlanks()
		if strings.HasPrefix(p.rest(), "|") {
			p.pos++
			continue
		}
		n := p.closer()
		if n == 0 {
			return p.fail(p.pos, `found %s, want "|" before another stage or "}}" at the end`, p.found())
		}
		p.pos += n
		break
	}
	p.skipBlanks()
	if p.pos < len(p.text) {
		return p.fail(p.pos, `found %s after the template, want nothing after "}}"`, p.found())
	}
	return nil
}

// stage reads one stage, from its first character to the end of its literals.
func (p *templateParser) stage() error {
	start := p.pos
	if strings.HasPrefix(p.rest(), `"`) {
		if !p.inHints {
			return p.fail(start, "found a literal without a stage: %s", wantStages)
		}
		return p.hints()
	}
	word := p.word()
	p.inHints = word == "hints"
	switch word {
	case "required":
		return p.once(&p.template.Required, word, start)
	case "readonly":
		return p.once(&p.template.ReadOnly, word, start)
	case "format":
		return p.format(start)
	case "hints":
		p.skipBlanks()
		if !strings.HasPrefix(p.rest(), `"`) {
			return p.fail(p.pos, `found %s after hints, want a literal in double quotes`, p.found())
		}
		return p.hints()
	case "":
		return p.fail(start, "found %s, %s", p.found(), wantStages)
	}
	return p.fail(start, "unknown stage %s%s: %s", quoted(word),
		nearest.Hint(word, []string{"required", "readonly", "format", "hints"}), wantStages)
}

func (p *templateParser) once(stage *bool, word string, start int) error {
	if *stage {
		return p.fail(start, "found %s twice, want it once", word)
	}
	*stage = true
	return nil
}

func (p *templateParser) format(start int) error {
	if p.template.Format != nil {
		return p.fail(start, "found format twice, want it once: one format may hold several placeholders")
	}
	p.skipBlanks()
	if !strings.HasPrefix(p.rest(), `"`) {
		return p.fail(p.pos, `found %s after format, want a literal in double quotes, such as "${string}"`, p.found())
	}
	open := p.pos
	literal, err := p.literal()
	if err != nil {
		return err
	}
	format, failure := parseFormat(literal)
	if failure != nil {
		return &TemplateError{Offset: open + 1 + rawOffset(p.text[open+1:], failure.Offset), Reason: failure.Reason}
	}
	p.template.Format = format
	return nil
}

// hints reads one or more literals.
func (p *templateParser) hints() error {
	for strings.HasPrefix(p.rest(), `"`) {
		hint, err := p.literal()
		if err != nil {
			return err
		}
		p.template.Hints = append(p.template.Hints, hint)
		p.skipBlanks()
	}
	return nil
}

// literal reads a literal, quotes included, and returns its text. Only `\"` is
// an escape.
func (p *templateParser) literal() (string, error) {
	start := p.pos + 1
	escaped := false
	for i := start; i < len(p.text); i++ {
		switch {
		case p.text[i] == '"':
			p.pos = i + 1
			if !escaped {
				return p.text[start:i], nil
			}
			return strings.ReplaceAll(p.text[start:i], `\"`, `"`), nil
		case strings.HasPrefix(p.text[i:], `\"`):
			escaped = true
			i++
		}
	}
	return "", p.fail(p.pos, `the literal that starts here is not closed, want a double quote (written \" it is part of the literal)`)
}

// rawOffset is the offset in a raw literal of the byte that stands at offset in
// its text.
func rawOffset(raw string, offset int) int {
	i := 0
	for ; offset > 0; offset-- {
		if strings.HasPrefix(raw[i:], `\"`) {
			i++
		}
		i++
	}
	return i
}

// word reads up to a blank or to what separates stages.
func (p *templateParser) word() string {
	start := p.pos
	for p.pos < len(p.text) && !isBlank(p.text[p.pos]) && p.text[p.pos] != '|' && p.text[p.pos] != '"' && p.closer() == 0 {
		p.pos++
	}
	return p.text[start:p.pos]
}

// closer is the length of the closing braces here, 0 when there are none.
func (p *templateParser) closer() int {
	for _, braces := range []string{"}}", "-}}"} {
		if strings.HasPrefix(p.rest(), braces) {
			return len(braces)
		}
	}
	return 0
}

func (p *templateParser) rest() string { return p.text[p.pos:] }

func (p *templateParser) skipBlanks() {
	for p.pos < len(p.text) && isBlank(p.text[p.pos]) {
		p.pos++
	}
}

// found names what stands here, for a message.
func (p *templateParser) found() string { return found(p.rest()) }

func (p *templateParser) fail(offset int, reason string, args ...any) error {
	return &TemplateError{Offset: offset, Reason: fmt.Sprintf(reason, args...)}
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// found names the beginning of rest for a message: one word, or the end.
func found(rest string) string {
	if rest == "" {
		return "the end"
	}
	if i := strings.IndexAny(rest, " \t\r\n"); i > 0 {
		rest = rest[:i]
	}
	return quoted(rest)
}

// quoted quotes author's text for a message: on one line and not too long.
func quoted(text string) string {
	text = shortened(text, 40)
	if strings.Contains(text, `"`) && strconv.CanBackquote(text) {
		return "`" + text + "`"
	}
	return strconv.Quote(text)
}

// shortened cuts text to at most limit bytes, between two characters.
func shortened(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	cut := limit
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "..."
}
