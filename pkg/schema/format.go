package schema

import "slices"

// The limits of a format. A larger one is an error of the schema's author.
const (
	// MaxFormatBytes limits the literal of a format.
	MaxFormatBytes = 4096
	// MaxPlaceholders limits the placeholders of a format.
	MaxPlaceholders = 64
	// MaxRegexInstructions limits the compiled size of all regexes of a format
	// together. Only counted repetitions ({1,1000}) come near it.
	MaxRegexInstructions = 5000
)

// Format is one parsed format, the literal of a format stage: text with
// placeholders of the form ${type}, ${type:/regex/}, ${number:[1-10]} and
// ${list:[A,B]}. It is immutable, so goroutines may share it.
type Format struct {
	// source is the literal as it was written, and parts are its placeholders and texts.
	source string
	parts  []part
	// instructions is the compiled size of all its regexes.
	instructions int
}

// kind is the kind of text that a part of a format accepts.
type kind uint8

const (
	kindText kind = iota // literal text between placeholders
	kindString
	kindPassword
	kindNumber
	kindBoolean
	kindList
	kindIPv4
	kindVersion
	kindUnknown
	// Formats of variables, which schemas do not have.
	kindIPv4CIDR
	kindIPv6
	kindBase64
)

// typeNames are the names of the types, in the order of the kinds.
var typeNames = []string{"string", "password", "number", "boolean", "list", "ipv4", "version"}

// part is a placeholder, or the literal text between two.
type part struct {
	// kind is the type, or kindText for literal text.
	kind kind
	// name is the name of the type; for a kindText it is the text itself.
	name string
	// regex is nil without one.
	regex *expression
	// bounds are the bounds of a number, or nil if it has none.
	bounds *numberRange
	// texts are the only texts that the type accepts: the options of a list,
	// true and false, the literal text. It is empty if they cannot be listed.
	texts []string
	// segments are the possible segments of the part inside a composite.
	segments segments
}

// ParseFormat parses the literal of a format stage, without its quotes and with
// \" unescaped. A format has at least one placeholder. A `$` without a brace and
// braces outside placeholders are literal text. Whitespace around the parts of a
// placeholder is ignored.
//
// A regex may hold any character. It ends at the first `/}` that leaves a valid
// expression, so `/[/}]/` and `/(a/}|b)/` are one regex each; write `\/}` for a
// `/}` elsewhere. After the first `/}` the search ends at the next `${`, so a
// broken regex never swallows the next placeholder. The error is a
// *templateError.
func ParseFormat(literal string) (*Format, error) {
	f, err := parseFormat(literal)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// unknown returns the type names that the language does not have, each once, in
// the order of the format. Real packs have some (${input}), so any value is accepted
// in their place.
func (f *Format) unknown() []string {
	var unknown []string
	for i := range f.parts {
		if name := f.parts[i].name; f.parts[i].kind == kindUnknown && !slices.Contains(unknown, name) {
			unknown = append(unknown, name)
		}
	}
	return unknown
}

// Secret reports whether a part of the format is a password.
func (f *Format) Secret() bool {
	return slices.ContainsFunc(f.parts, func(p part) bool { return p.kind == kindPassword })
}

// single returns the placeholder that is the whole format, nil in a composite.
func (f *Format) single() *part {
	if len(f.parts) == 1 {
		return &f.parts[0]
	}
	return nil
}
