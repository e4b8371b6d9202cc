package report

import (
	"cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/place"
)

// Places finds the positions of findings in a file. It is a [place.In] for a resource of a file.
type Places interface {
	// Of returns the position of a finding, or zero if it is unknown.
	Of(f *diag.Finding) diag.Position
	// Edit returns the position of an edit. f is the finding, moved to the edit.
	Edit(f *diag.Finding) diag.Position
	// HasLine reports whether Of returns the line at fault, rather than the line of the string that
	// contains it.
	HasLine(f *diag.Finding) bool
}

// Subject is the object of a finding: a file, the resource in it, and the same resource as the function
// read it.
type Subject struct {
	// Path is the path of the file on disk, and File the path that reports show. A finding without a
	// Path has no place.
	Path, File string
	// Places finds positions in the file, or is nil if the file cannot be read. Then the position is At.
	Places Places
	At     diag.Position
	// Read is the resource as the function read it, if the file has another form of it. By is the
	// function that changed it, or "" if only metadata was added.
	Read place.In
	By   string
	// WithoutEdits omits edits: if the columns of the resource differ from the file, or if the findings
	// are recorded without edits.
	WithoutEdits bool
	// Resource and Field replace the resource and the field of the finding, if they are set: for a
	// functionConfig in a Kptfile, and for a resource that is made from something else.
	Resource *Resource
	Field    string
}

// Find returns the position of a finding in the file.
func (s *Subject) Find(found *diag.Finding) diag.Position {
	if s.Places == nil {
		return s.At
	}
	return s.Places.Of(found)
}

// Locate sets the place, the edits and the end of the message of a finding. found is the finding of the
// function.
func (f *Finding) Locate(found *diag.Finding, s *Subject) {
	isChanged, after := s.Read.File != nil, ""
	isEmbedded := found.Origin != nil && found.Origin.Embedded
	if isChanged && (s.By != "" || !isEmbedded) { // added metadata moves no embedded string
		in, _ := s.Places.(place.In)
		before, isSame := in.Before(found, s.Read)
		if found = &before; !isSame && s.By != "" {
			after = " (after " + s.By + ")"
		}
	}
	if s.Path != "" {
		f.Resource, f.Field = cmp.Or(s.Resource, f.Resource), cmp.Or(s.Field, f.Field)
		at, hasLine := s.Find(found), s.Places != nil && s.Places.HasLine(found)
		if len(found.Edits) > 0 && at.Line > 0 && !isChanged && !s.WithoutEdits {
			f.PlaceEdits(found, hasLine, s.Places.Edit)
		}
		f.Place(s.Path, s.File, at, hasLine)
	}
	f.Frame("", after)
}
