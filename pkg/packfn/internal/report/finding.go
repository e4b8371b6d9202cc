package report

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/rule"
)

// Of returns the finding of a function, without its place.
func Of(function string, f *diag.Finding) Finding {
	out := Finding{
		Rule: f.Rule.ID, Severity: cmp.Or(f.Severity, f.Rule.Severity), Function: function,
		Target:  Target{Resource: ResourceOf(f.Resource()), Field: f.Path(), Key: f.Key, Pack: f.Pack},
		Current: f.Current, Proposed: f.Proposed, Tags: f.Tags, Accepted: f.Rule == rule.Accepted, Unrecorded: Unrecorded{Reported: f},
	}
	out.Say(f)
	out.Mistake = mistakeOf(f)
	if f.Origin == nil || !f.Origin.Embedded {
		out.Key = "" // it is the end of the field
	}
	return out
}

// ErrorOf returns a finding as the error of a command that it stops: the file, the field and the message.
func ErrorOf(file, field, message string) error {
	parts := slices.DeleteFunc([]string{file, field, message}, func(part string) bool { return part == "" })
	return errors.New(strings.Join(parts, ": "))
}

// OfFault returns a finding about what kpt rejects in a file of a package, with its place.
func OfFault(fault *kptpackage.Fault, display func(string) string) Finding {
	f := Of("", &fault.Finding)
	f.Path = fault.Path()
	f.File, f.Line, f.Column = display(f.Path), fault.Position.Line, fault.Position.Column
	return f
}

// ResourceOf returns the identity of a resource, or nil if it has none.
func ResourceOf(r diag.Resource) *Resource {
	if r.APIVersion == "" && r.Kind == "" && r.Name == "" {
		return nil
	}
	return &Resource{APIVersion: r.APIVersion, Kind: r.Kind, Namespace: r.Namespace, Name: r.Name}
}

// Place sets the location of the finding: its path on disk, its path in reports, and its position
// in the file. hasLine is true if the line that the message names is a line of the file.
func (f *Finding) Place(path, file string, at diag.Position, hasLine bool) {
	f.Path, f.File, f.Line, f.Column = path, file, at.Line, at.Column
	if at.Line > 0 && hasLine {
		f.Say(new(f.Reported.InFile(at.Line)))
	}
}

// Say sets the message to the message of a finding of a function.
func (f *Finding) Say(found *diag.Finding) {
	f.Message, f.Own = found.Message(), ""
	if own := found.MessageFor(diag.Terminal); own != f.Message {
		f.Own = own
	}
}

// PlaceEdits sets the edits of the finding to the edits that a function proposed, with their
// positions in the file. If any position is unknown, there are no edits. hasLine is true if the
// lines of an embedded text are lines of the file. Edits of text by the author of a pack, and
// edits that are a choice, are left to the user.
func (f *Finding) PlaceEdits(found *diag.Finding, hasLine bool, place func(*diag.Finding) diag.Position) {
	if found.Origin == nil {
		return
	}
	isChoice := found.Origin.Authored || rule.Of(f.Rule).Manual
	edits := slices.Clone(found.Edits)
	for i := range edits {
		e, moved := &edits[i], *found
		if found.Origin.Embedded && !hasLine && strings.ContainsAny(e.New, `"'\`) { // in a text in quotes
			return
		}
		moved.Position = e.At
		if e.At = place(&moved); e.At.Column == 0 {
			return
		}
		e.IsSure = e.IsSure && !isChoice
	}
	f.Edits = edits
}

// Fix returns the edits that may be applied to the file automatically, or nil if the user has to
// decide.
func (f *Finding) Fix() []diag.Edit {
	if slices.ContainsFunc(f.Edits, func(e diag.Edit) bool { return !e.IsSure }) {
		return nil
	}
	return f.Edits
}

// Frame puts texts before and after the message.
func (f *Finding) Frame(before, after string) {
	for _, message := range []*string{&f.Message, &f.Own} {
		if *message != "" {
			*message = before + *message + after
		}
	}
}

// For returns the finding as an audience sees it.
func (f Finding) For(a diag.Audience) Finding {
	if a != diag.Record {
		f.Message = cmp.Or(f.Own, f.Message)
	}
	return f
}
