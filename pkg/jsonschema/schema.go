package jsonschema

import (
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// Schema is a compiled JSON schema. It is immutable and safe for concurrent use.
type Schema struct {
	root *schema
	// count is the number of the schemas in it.
	count int
	// tracks says that an unevaluated keyword asks which children were judged.
	tracks   bool
	warnings []Fault
}

// Warnings returns misspelt keywords, and what other judges may read differently in the
// schema: at most one fault, which names the keywords.
func (s *Schema) Warnings() []Fault { return s.warnings }

// Fault is what is wrong at a place in a schema.
type Fault struct {
	// Pointer is the place, as a JSON pointer: #/properties/port.
	Pointer string
	// Position is the place in the text.
	Position values.Position
	// Message says what was found and what is accepted.
	Message string
	// Nearest is the keyword that a misspelt one probably means, "" in other faults.
	Nearest string
}

// Error returns the place and the message.
func (f Fault) Error() string { return strings.TrimPrefix(f.Pointer+": "+f.Message, "#: ") }

// Faults are the faults of a schema, references last.
type Faults []Fault

// Error returns the first faults, and the number of the others.
func (f Faults) Error() string { return strings.Join(shorten(f, Fault.Error), "; ") }

// Parse compiles the JSON text of a schema. Its errors are those of Compile, and
// that the text is not JSON.
func Parse(source string) (*Schema, error) {
	n, _, err := values.ReadJSON(source)
	if err != nil {
		return nil, Faults{{Pointer: "#", Message: "cannot be read as JSON: " + err.Error()}}
	}
	return Compile(n)
}

// Compile compiles a schema. It ignores keywords that it does not know, and null
// as the value of a keyword.
//
// The error is Faults: values that a keyword does not take, patterns that RE2 does
// not support, schemas nested deeper than 250 levels, and references that lead to
// no schema of the document. No other document is read.
func Compile(n *yaml.Node) (*Schema, error) {
	v, fault := readValue(n)
	if fault != nil {
		return nil, Faults{{Pointer: "#", Position: fault.Position, Message: strings.TrimPrefix(fault.Path.String()+": "+fault.Message, ": ")}}
	}
	var uri string
	at := Fault{Pointer: "#", Position: values.At(v.node)}
	if declared := v.child("$schema"); declared != nil {
		uri, at = declared.text, Fault{Pointer: "#/$schema", Position: values.At(declared.node)}
	}
	c := &compiler{made: map[*value]*schema{}, resources: map[string]*resource{}, differing: map[string]bool{}}
	c.declared, c.judging = drafts(uri)
	s := &Schema{root: c.compile(v, nil, nil, 0)}
	c.link()
	if len(c.faults) > 0 {
		return nil, c.faults
	}
	s.count, s.tracks = len(c.made), c.tracks
	if len(c.differing) > 0 {
		at.Message = draftWarning(uri, c.judging, slices.Sorted(maps.Keys(c.differing)))
		s.warnings = []Fault{at}
	}
	s.warnings = append(s.warnings, c.warnings...)
	return s, nil
}

// schema is one schema of a document, ready to judge by.
type schema struct {
	at *pointer
	in *resource
	// refusesAll is that of the schemas false and {"not": {}}.
	refusesAll bool
	refs       []*reference
	checks     []check
	// subs are the schemas of keywords, with their names where they have some.
	subs       map[string][]named
	properties map[string]*schema
	patterns   []pattern // of the schemas of patternProperties
	// minContains and maxContains are how many items match contains.
	minContains, maxContains int
}

type named struct {
	name string
	*schema
}

// acceptsAll reports whether s is true, or an object that says the same.
func (s *schema) acceptsAll() bool {
	return !s.refusesAll && len(s.refs) == 0 && len(s.checks) == 0 && len(s.subs) == 0
}

// sub returns the schema of a keyword that has one, else nil.
func (s *schema) sub(keyword string) *schema {
	if all := s.subs[keyword]; len(all) > 0 {
		return all[0].schema
	}
	return nil
}
