package pack

import (
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/hydration"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/values"
)

// Source is a document inside a resource: the text of a file, `data[values.yaml]`
// or `spec.values: |`, or a map of the resource itself. Its origin names the resource and the field.
type Source struct {
	*diag.Origin

	// text is the text of the document, or "" for a map.
	text string
	// part is the map of the resource that the source is, or nil for text.
	part *values.Document
	// item holds the source at keys, or nil for one that was not loaded from a list, which cannot
	// be written back.
	item *list.Item
	keys []string
	// isJSON reports whether the text must be JSON.
	isJSON bool
}

// metadataFile is the only file of a pack that must be JSON.
const metadataFile = "pack.json"

// File returns the source of the text of a file, pack.json or values.yaml, which is in
// no resource. Findings about it name the file.
func File(name, text string) *Source {
	return &Source{Origin: &diag.Origin{Name: name, Embedded: true}, text: text, isJSON: name == metadataFile}
}

// Text returns the embedded text, or "" for a map.
func (s *Source) Text() string { return s.text }

// Document reads the source. pack.json must be JSON, everything else is YAML. The text is
// parsed at each call and the document is not kept, because the documents of a large
// package need too much memory.
func (s *Source) Document() (*values.Document, error) {
	if s.part != nil {
		return s.part, nil
	}
	var document *values.Document
	var err error
	if s.isJSON {
		document, err = values.ParseJSON(s.text)
	} else {
		document, err = values.Parse(s.text)
	}
	if err != nil {
		return nil, err
	}
	return document.From(s.Origin), nil
}

// Sources reads the values with the sources of their macros. Edits are made on the document that
// was read, see [hydration.Sources.Whole].
func (s *Source) Sources(reading hydration.Reading) (*hydration.Sources, error) {
	document, at, err := s.whole()
	if err != nil {
		return nil, err
	}
	return hydration.Read(document, at, reading), nil
}

// whole returns the document that has the source, and the steps that lead to it there, as
// [Source.Edit] has them. The source is a map, or empty.
func (s *Source) whole() (*values.Document, []values.Step, error) {
	mapping, err := s.Mapping()
	if err != nil || s.Embedded || s.item == nil {
		return mapping, nil, err
	}
	document, err := s.item.Document()
	if err != nil {
		return nil, nil, err
	}
	return document.From(s.Origin), values.Keys(s.keys...), nil
}

// Mapping reads the source as a map; one that is empty has no root.
func (s *Source) Mapping() (*values.Document, error) {
	document, err := s.Document()
	if err != nil {
		return nil, err
	}
	if root := document.Root(); root != nil && root.Kind != yaml.MappingNode {
		return nil, &values.SyntaxError{
			Position: values.At(root),
			Reason:   fmt.Sprintf("must be a map of keys to values, got %s", values.KindOf(root)),
		}
	}
	return document, nil
}

// authored are the fields of a Pack, besides the constraints, that its author wrote.
var authored = []string{"spec.schema", "spec.presets", "spec.properties", "spec.dependencies"}

// NewSource makes the source of a node that may be text or a structure. field is
// where the node is in the resource, and name what messages call it.
func NewSource(resource diag.Resource, name, field string, document *values.Document, n *yaml.Node) *Source {
	s := &Source{Origin: &diag.Origin{Resource: resource, Field: field, Name: name}}
	if n.Kind == yaml.ScalarNode {
		s.text, s.Embedded, s.isJSON = n.Value, true, name == metadataFile
		s.Authored = name != valuesFile && name != "spec.values"
	} else {
		s.Authored = slices.Contains(authored, name)
		s.part = document.Part(n).From(s.Origin)
	}
	return s
}
