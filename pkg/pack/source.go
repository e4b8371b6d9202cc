package pack

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/values"
)

// Source is a document inside a resource: the text of a file, `data[values.yaml]`
// or `spec.values: |`, or a mapping of the resource itself.
type Source struct {
	// Resource holds the document.
	Resource function.Resource
	// Field is where it is in the resource: `data[values.yaml]`, `spec.values`.
	Field string
	// Name is what messages call it: `values.yaml`, `spec.values`.
	Name string

	text string
	// part is the mapping of the resource that the source is; nil for text.
	part *values.Document
	// item holds the source at keys; nil for one that was not loaded from a list,
	// which can not be written back.
	item *function.Item
	keys []string
	// retained is the parsed text, when somebody asked for it to be kept.
	retained *values.Document
}

// Embedded reports whether the source is a text with lines of its own, as
// against a mapping of the resource.
func (s *Source) Embedded() bool { return s.part == nil }

// Text returns the embedded text, "" for a mapping.
func (s *Source) Text() string { return s.text }

// Document reads the source. It is parsed at each call and not kept, so that a
// large list does not have to fit into memory as trees.
func (s *Source) Document() (*values.Document, error) {
	if s.part != nil {
		return s.part, nil
	}
	return values.Parse(s.text)
}

// Mapping reads the source as a mapping; one that is empty has no root.
func (s *Source) Mapping() (*values.Document, error) {
	document, err := s.Document()
	if err != nil {
		return nil, err
	}
	if root := document.Root(); root != nil && root.Kind != yaml.MappingNode {
		fault := &values.SyntaxError{Reason: fmt.Sprintf("got %s, want a mapping of keys to values", function.KindOf(root))}
		if s.Embedded() { // lines of a mapping are nothing a user could look up
			fault.Position = values.At(root)
		}
		return nil, fault
	}
	return document, nil
}

// Place says in a message where in the source a position is: `values.yaml line
// 14`, or only the name when the source has no lines of its own.
func (s *Source) Place(at values.Position) string {
	if !s.Embedded() || at.Line == 0 {
		return s.Name
	}
	return fmt.Sprintf("%s line %d", s.Name, at.Line)
}

// Locate puts a position of the source into a finding: resource, field, and the
// line and column when the source has some. key is the path inside it; in a
// mapping it continues the field.
func (s *Source) Locate(f function.Finding, key string, at values.Position) function.Finding {
	f.Resource, f.Field, f.Key = s.Resource, s.Field, key
	f.Line, f.Column, f.InResource = at.Line, at.Column, !s.Embedded()
	if f.InResource && key != "" {
		f.Field += "." + key
	}
	return f
}

// NewSource makes the source of a node that may be text or a structure.
func NewSource(resource function.Resource, name, field string, document *values.Document, n *yaml.Node) *Source {
	s := &Source{Resource: resource, Field: field, Name: name}
	if n.Kind == yaml.ScalarNode {
		s.text = n.Value
	} else {
		s.part = document.Part(n)
	}
	return s
}
