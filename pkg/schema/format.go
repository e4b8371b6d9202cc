package schema

import (
	"regexp"

	"github.com/krm-packs/functions/pkg/nearest"
)

// The bounds of a format. More is the author's error.
const (
	// MaxFormatBytes bounds the literal of a format.
	MaxFormatBytes = 4096
	// MaxPlaceholders bounds the placeholders of a format.
	MaxPlaceholders = 64
	// MaxRegexInstructions bounds the compiled size of all regular expressions
	// of a format together. Only counted repetitions ({1,1000}) come near it.
	MaxRegexInstructions = 5000
)

// Format is one parsed format, the literal of a format stage: text with
// placeholders of the form ${type}, ${type:/regex/}, ${number:[1-10]} and
// ${list:[A,B]}. It does not change and may be used by many goroutines.
type Format struct {
	source       string
	parts        []part
	instructions int
}

// kind is what a part of a format accepts.
type kind uint8

const (
	kindText kind = iota // literal text, between placeholders
	kindString
	kindPassword
	kindNumber
	kindBoolean
	kindList
	kindIPv4
	kindVersion
	kindUnknown
)

// typeNames are the names of the types, in the order of the kinds.
func typeNames() []string {
	return []string{"string", "password", "number", "boolean", "list", "ipv4", "version"}
}

// part is a placeholder, or the literal text between two.
type part struct {
	kind kind
	// name is the type's name, of a kindText the text itself.
	name string
	// pattern is the source of regex, which is nil without a regex.
	pattern string
	regex   *regexp.Regexp
	search  *search
	// bounds are those of a number, nil without any.
	bounds *numberRange
	// options are those of a list, nil without any.
	options []string
	// texts are all texts that the part accepts, of kinds that can list them.
	texts []string
}

// UnknownType is a type name in a format that the document does not know. Real
// packs have some (${input}), so a value in its place is accepted.
type UnknownType struct {
	Name string
	// Nearest is the known type that was probably meant, "" when none is near.
	Nearest string
}

// ParseFormat parses the literal of a format stage, as it reads without its
// quotes and with \" unescaped. It takes at least one placeholder. A `$`
// without a brace and braces outside placeholders are literal text; blanks
// around the parts of a placeholder do not count.
//
// A regex may hold any character. It ends at the first `/}` that leaves a valid
// expression, so `/[/}]/` and `/(a/}|b)/` are read as a person reads them; to
// have `/}` elsewhere in a regex, write `\/}`. Once one `/}` was seen the search
// ends at the next `${`, so a broken regex never swallows the next placeholder.
// The error is a *TemplateError.
func ParseFormat(literal string) (*Format, error) {
	f, err := parseFormat(literal)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// Unknown returns the type names that the language does not have, each once, in
// the order of the format.
func (f *Format) Unknown() []UnknownType {
	var unknown []UnknownType
	seen := map[string]bool{}
	for i := range f.parts {
		p := &f.parts[i]
		if p.kind == kindUnknown && !seen[p.name] {
			seen[p.name] = true
			unknown = append(unknown, UnknownType{Name: p.name, Nearest: nearest.Name(p.name, typeNames())})
		}
	}
	return unknown
}

// Secret says whether the format is that of a password, at least in part.
func (f *Format) Secret() bool {
	for i := range f.parts {
		if f.parts[i].kind == kindPassword {
			return true
		}
	}
	return false
}

// single is the placeholder that is the whole format, nil in a composite.
func (f *Format) single() *part {
	if len(f.parts) == 1 {
		return &f.parts[0]
	}
	return nil
}
