package report

import (
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/place"
	"github.com/krm-packs/functions/pkg/packfn/internal/shown"
)

// Places finds places in a file, of findings about what the file has: [place.In] for most.
type Places interface {
	// Of returns the place of a finding, zero if it is unknown.
	Of(f *diag.Finding) diag.Position
	// Edit returns the place of an edit, to which the position of a finding was moved.
	Edit(f *diag.Finding) diag.Position
	// HasLine reports whether that place is the line at fault, and not the text with it.
	HasLine(f *diag.Finding) bool
}

// Subject is what a finding is about: the file with it, and the resource as the function read it.
type Subject struct {
	// Path is the file on disk, and File the same as reports show it. Without them a finding has no
	// place.
	Path, File string
	// Places are those of the file, nil if it cannot be read: then the place is At.
	Places Places
	At     diag.Position
	// Source has the lines of the file, nil if they are not known.
	Source *shown.File
	// Before finds the resource in the file, and Read is the same as the function read it; nil if that
	// is as the file has it. By is the function that changed it, "" if that is of no interest.
	Before, Read place.In
	By           string
	// WithoutEdits leaves out edits: where the columns of the resource are not those of the file, and
	// where the findings are recorded without them.
	WithoutEdits bool
	// Resource and Field replace those of the finding, for a functionConfig in a Kptfile.
	Resource *Resource
	Field    string
}

// Find returns the place of what a function found, in the file.
func (s *Subject) Find(found *diag.Finding) diag.Position {
	if s.Places == nil {
		return s.At
	}
	return s.Places.Of(found)
}

// Locate gives the finding the place of what a function found.
func (f *Finding) Locate(found *diag.Finding, s *Subject) {
	isChanged, after := s.Read.File != nil, ""
	// What nothing names changes only metadata, and the texts in the resource keep their places.
	isKept := s.By == "" && found.Origin != nil && found.Origin.Embedded
	if isChanged && !isKept {
		before, isSame := s.Before.Before(found, s.Read)
		if found = &before; !isSame && s.By != "" {
			after = " (after " + s.By + ")"
		}
	}
	if s.Path != "" {
		if s.Resource != nil {
			f.Resource, f.Field = s.Resource, s.Field
		}
		at, hasLine := s.Find(found), s.Places != nil && s.Places.HasLine(found)
		if len(found.Edits) > 0 && at.Line > 0 && s.Source != nil && !isChanged && !s.WithoutEdits {
			f.PlaceEdits(found, hasLine, s.Places.Edit)
		}
		f.Place(s.Path, s.File, at, hasLine, s.Source)
	}
	f.Frame("", after)
}
