package pack

import (
	"errors"
	"fmt"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/values"
)

// Edit changes the source in its resource. edit gets the document that holds the source, and the
// steps to the source in that document: none for a text, which is a document by itself, and the
// steps of the field for a map, whose document is the resource. The value there can be absent; see
// [Pack.OwnValues]. edit returns the edited document, or the document that it got if there is
// nothing to change. In this case, the resource stays as it is, byte for byte.
//
// Several edits of one resource compose, whichever of its sources they change.
// The text of a source is written in the style that it has, as a block, quoted
// or plain; an empty one becomes a block.
//
// The error is the error of edit, or a *values.EditError of the resource if its text is shared
// through an anchor.
func (s *Source) Edit(edit func(d *values.Document, at []values.Step) (*values.Document, error)) error {
	if s.item == nil {
		return fmt.Errorf("%s cannot be written: it was not read from a list", s.Name)
	}
	if s.Embedded {
		return s.editText(edit)
	}
	resource, err := s.item.Document()
	if err != nil {
		return err
	}
	edited, err := edit(resource, values.Keys(s.keys...))
	if err != nil || edited.Text() == resource.Text() {
		return err
	}
	s.item.Replace(edited)
	s.part = edited.Part(values.Field(edited.Root(), s.keys...)).From(s.Origin)
	return nil
}

// editText edits a document that is a text, and writes it into the resource.
func (s *Source) editText(edit func(*values.Document, []values.Step) (*values.Document, error)) error {
	document, err := s.Document()
	if err != nil {
		return err
	}
	edited, err := edit(document, nil)
	if err != nil || edited.Text() == s.text {
		return err
	}
	resource, err := s.item.Document()
	if err != nil {
		return err
	}
	at := values.Keys(s.keys...)
	if strings.TrimSpace(s.text) == "" {
		var text *values.Document
		if text, err = block(edited.Text()); err == nil {
			resource, err = resource.Set(at, text)
		}
	} else {
		resource, err = resource.ReplaceScalars(values.ScalarEdit{
			Node: values.Field(resource.Root(), s.keys...),
			Text: edited.Text(),
		})
	}
	if err != nil {
		// Its position is one in the resource, whose lines mislead.
		if refused, ok := errors.AsType[*values.EditError](err); ok {
			err = &values.EditError{Reason: refused.Reason}
		}
		return fmt.Errorf("%s cannot be written into %s: %w", s.Name, s.Resource, err)
	}
	s.item.Replace(resource)
	s.text = edited.Text()
	return nil
}

// block writes a text as a literal block, or quoted when YAML cannot hold it
// so.
func block(text string) (*values.Document, error) {
	d, err := values.Parse("|\n  text\n")
	if err != nil {
		return nil, err
	}
	return d.ReplaceScalars(values.ScalarEdit{Node: d.Root(), Text: text})
}

// OwnValues returns the pack's own values. For a pack without values, it returns the place
// where they belong, so that an edit can add some: the key values.yaml of a ConfigMap, as a
// string, or spec.values of a Pack, as a map.
func (p *Pack) OwnValues() *Source {
	if p.Values != nil {
		return p.Values
	}
	s := &Source{Origin: &diag.Origin{Resource: p.Resource, Name: "values.yaml", Field: "data[values.yaml]", Embedded: true}, item: p.Metadata.item}
	if s.keys = []string{"data", "values.yaml"}; p.Metadata.Embedded {
		return s
	}
	s.Name, s.Field, s.Embedded, s.keys = "spec.values", "spec.values", false, []string{"spec", "values"}
	s.part = values.Of(nil).From(s.Origin)
	return s
}

// Annotation returns an annotation of the resource that has the source, or "" if there is none.
func (s *Source) Annotation(key string) string {
	if s.item == nil {
		return ""
	}
	return s.item.Annotation(key)
}

// Annotate sets annotations of the resource that contains the source, in one edit. It returns the
// same errors as [Source.Edit].
func (s *Source) Annotate(texts map[string]string) error {
	if s.item == nil {
		return fmt.Errorf("%s cannot be written: it was not read from a list", s.Name)
	}
	resource, err := s.item.Annotate(texts)
	if err == nil && !s.Embedded {
		s.part = resource.Part(values.Field(resource.Root(), s.keys...)).From(s.Origin)
	}
	return err
}
