package schema

import (
	"fmt"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
)

// Template is one parsed schema template of a pack's schema.yaml, such as
//
//	{{ required | format "${number:[1-10]}" | hints "how many nodes" }}
//
// The zero value accepts everything. The section "Pack Values Constraints" of Spectro Cloud's pack
// constraints document defines the language.
type Template struct {
	// Required reports that the value must be neither absent nor empty.
	Required bool
	// ReadOnly reports that the value must stay as the pack ships it.
	ReadOnly bool
	// Format is the format of the value, or nil if the template has no format stage.
	Format *Format
	// Hints are short descriptions of the value for messages.
	Hints []string
}

// templateError is the error of a template or a format that cannot be read. Its
// schema's author must fix it.
type templateError struct {
	// Offset is the place of the fault in the text, in bytes from its start.
	Offset int
	// Finding contains the value that was found and the accepted values. It has neither rule nor
	// place.
	Finding diag.Finding
}

// Error returns the message of the finding with its offset.
func (e *templateError) Error() string {
	return fmt.Sprintf("at offset %d: %s", e.Offset, e.Finding.Message())
}

const wantStages = `required, readonly, format "..." or hints "..."`

var stageNames = []string{"required", "readonly", "format", "hints"}

// parseTemplate parses one template. Each stage may appear once, in any order;
// hints may repeat, and bare literals after a hints stage are more hints. The
// trim markers of Go templates ({{- and -}}) are accepted and have no effect,
// because whitespace around a template is ignored. The error is a
// *templateError.
func parseTemplate(text string) (*Template, error) {
	p := &templateParser{scanner: scanner{text: text}}
	if err := p.parse(); err != nil {
		return nil, err
	}
	return &p.template, nil
}

// templateParser reads a template from left to right.
type templateParser struct {
	scanner
	template Template
	inHints  bool // the stage before was hints, so a bare literal is one more
}

// parse reads the braces and the stages between them.
func (p *templateParser) parse() *templateError {
	p.skipSpace()
	if !p.has("{{") {
		return fail(p.pos, diag.Got(p.found(), "a template in braces: {{ required }}"))
	}
	p.pos += len("{{")
	if p.has("-") && p.closer() == 0 {
		p.pos++
	}
	p.skipSpace()
	if p.closer() > 0 {
		return fail(p.pos, diag.Got("an empty template", wantStages))
	}
	for {
		p.skipSpace()
		if err := p.stage(); err != nil {
			return err
		}
		p.skipSpace()
		if !p.has("|") {
			break
		}
		p.pos++
	}
	n := p.closer()
	if n == 0 {
		return fail(p.pos, diag.Got(p.found(), `"|" before another stage or "}}" at the end`))
	}
	p.pos += n
	if p.skipSpace(); !p.atEnd() {
		return fail(p.pos, diag.Got(p.found(), `nothing after "}}"`))
	}
	return nil
}

// stage reads one stage, from its first character to the end of its literals.
func (p *templateParser) stage() *templateError {
	start := p.pos
	if p.has(`"`) {
		if !p.inHints {
			return fail(start, diag.Got("a literal without a stage", wantStages))
		}
		return p.hints()
	}
	word := p.take(func(c byte) bool { return !isSpace(c) && c != '|' && c != '"' && p.closer() == 0 })
	p.inHints = word == "hints"
	switch word {
	case "required":
		return once(&p.template.Required, word, start)
	case "readonly":
		return once(&p.template.ReadOnly, word, start)
	case "format":
		return p.format(start)
	case "hints":
		if p.skipSpace(); !p.has(`"`) {
			return fail(p.pos, diag.Got(p.found()+" after hints", "a literal in double quotes"))
		}
		return p.hints()
	case "":
		return fail(start, diag.Got(p.found(), wantStages))
	}
	return fail(start, diag.Unknown("stage", shortened(word, maxQuoted), stageNames).Want(wantStages))
}

// once sets a stage that has no literal, and returns an error if it was set before.
func once(stage *bool, word string, start int) *templateError {
	if *stage {
		return fail(start, diag.Got(word+" a second time", "each stage once"))
	}
	*stage = true
	return nil
}

// format reads the literal of a format stage, and parses it. Offsets of faults are those in the
// template.
func (p *templateParser) format(start int) *templateError {
	if p.template.Format != nil {
		return fail(start, diag.Got("format a second time", "each stage once (a format may have several placeholders)"))
	}
	if p.skipSpace(); !p.has(`"`) {
		return fail(p.pos, diag.Got(p.found()+" after format", `a literal in double quotes such as "${string}"`))
	}
	open := p.pos
	literal, err := p.literal()
	if err != nil {
		return err
	}
	format, err := parseFormat(literal)
	if err != nil {
		err.Offset = open + 1 + rawOffset(p.text[open+1:], err.Offset)
		return err
	}
	p.template.Format = format
	return nil
}

// hints reads one or more literals.
func (p *templateParser) hints() *templateError {
	for p.has(`"`) {
		hint, err := p.literal()
		if err != nil {
			return err
		}
		p.template.Hints = append(p.template.Hints, hint)
		p.skipSpace()
	}
	return nil
}

// literal reads a literal with its quotes and returns its text. The only escape
// is `\"`.
func (p *templateParser) literal() (string, *templateError) {
	start := p.pos + 1
	for i := start; i < len(p.text); i++ {
		switch {
		case p.text[i] == '"':
			p.pos = i + 1
			return strings.ReplaceAll(p.text[start:i], `\"`, `"`), nil
		case strings.HasPrefix(p.text[i:], `\"`):
			i++
		}
	}
	return "", fail(p.pos, diag.Got("a literal that is not closed", `a double quote at its end (\" is a quote inside it)`))
}

// rawOffset returns the offset in a raw literal of the byte at offset in its text.
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

// closer returns the length of the closing braces at the current position, or 0 if there are none.
func (p *templateParser) closer() int {
	switch {
	case p.has("}}"):
		return len("}}")
	case p.has("-}}"):
		return len("-}}")
	}
	return 0
}
