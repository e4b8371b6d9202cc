package lsp

import (
	"maps"
	"slices"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/packfn/internal/check"
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/protocol"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
)

// results are the results of the last runs.
type results struct {
	workspace *workspace
	// found are the results, and released the releases that were checked, by the path of the unit.
	found    map[string]*result
	released map[string][]*check.Released
	// published are the files with diagnostics.
	published map[string]bool
}

// newResults returns the results of no runs.
func newResults(w *workspace) *results {
	return &results{workspace: w, found: map[string]*result{}, released: map[string][]*check.Released{}, published: map[string]bool{}}
}

// result is the result of a run.
type result struct {
	// findings are the findings of the unit.
	findings []report.Finding
	// texts are the buffers that the run has read, by path.
	texts map[string]*protocol.Buffer
	// mutated is true if mutators ran. written is the result without mutators, or nil until it is
	// needed: edits are possible only in the files as written.
	mutated bool
	written *result
}

// ofCharts returns the findings about rendered charts if is is true, and all other findings
// otherwise.
func (r *result) ofCharts(is bool) []report.Finding {
	return slices.DeleteFunc(slices.Clone(r.findings), func(f report.Finding) bool { return (f.Function == check.TemplateName) != is })
}

// runOf returns the unit of a file. If the file was checked in a run over a larger folder, it
// also adds an entry for the unit to found.
func (r *results) runOf(path string) string {
	unit, of := r.workspace.unitOf(path), ""
	if r.found[unit] != nil {
		return unit
	}
	for other := range r.found { // a run over a folder includes everything below it
		if within(path, other) && len(other) > len(of) {
			of = other
		}
	}
	if one := r.found[of]; one != nil {
		r.found[unit] = &result{texts: one.texts, mutated: one.mutated}
	}
	return unit
}

// of returns the result of the unit of a file, or nil.
func (r *results) of(path string) *result { return r.found[r.runOf(path)] }

// releases returns the releases of all units.
func (r *results) releases() (all []*check.Released) {
	for _, unit := range slices.Sorted(maps.Keys(r.released)) {
		all = append(all, r.released[unit]...)
	}
	return all
}

// store replaces the result of a unit, or of everything in a folder if all is true.
func (r *results) store(unit string, all bool, one *result, released []*check.Released) {
	maps.DeleteFunc(r.found, func(other string, _ *result) bool { return other == unit || all && within(other, unit) })
	r.found[unit] = one
	maps.DeleteFunc(r.released, func(other string, _ []*check.Released) bool { return all && other != unit && within(other, unit) })
	r.released[unit] = kept(r.released[unit], released, one.texts)
}

// textOf returns the text of a file as the run has read it.
func (r *results) textOf(of *result, path string) *protocol.Buffer {
	if of.texts[path] == nil {
		text, _ := folder.ReadText(path) // empty if the file was deleted
		of.texts[path] = r.workspace.Buffer(string(text))
	}
	return of.texts[path]
}

// rangeOf returns the range of the text that a finding is about.
func (r *results) rangeOf(of *result, f *report.Finding) protocol.Range {
	b := r.textOf(of, f.Path)
	if len(f.Edits) > 0 && f.Edits[0].At.Line == f.Line && f.Edits[0].Length > 0 {
		return b.Edit(f.Edits[0]).Range
	}
	return b.Token(diag.Position{Line: f.Line, Column: f.Column})
}

// findingsAt returns the findings of a file whose ranges touch a range.
func (r *results) findingsAt(of *result, path string, at protocol.Range) []*report.Finding {
	var all []*report.Finding
	for i := range of.findings {
		f := &of.findings[i]
		if f.Path != path || f.Line == 0 {
			continue
		}
		if there := r.rangeOf(of, f); !there.End.IsBefore(at.Start) && !at.End.IsBefore(there.Start) {
			all = append(all, f)
		}
	}
	return all
}
