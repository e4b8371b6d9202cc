// Package fix writes into files what findings propose, where that is certain: a
// misspelt name with one candidate, an option in the wrong letter case, missing quotes,
// and a forgotten unit.
//
// Findings have the edits. All other bytes of the files stay.
package fix

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/check"
	"github.com/krm-packs/functions/pkg/packfn/folder"
	"github.com/krm-packs/functions/pkg/packfn/patch"
	"github.com/krm-packs/functions/pkg/packfn/report"
	"github.com/krm-packs/functions/pkg/packfn/staging"
	"github.com/krm-packs/functions/pkg/values"
)

// Plan is what a fix does.
type Plan struct {
	// Changes are the files to write, and Diffs their differences, in the same order.
	Changes []staging.Change
	Diffs   []Diff
	// Fixed are the findings that the changes make go away.
	Fixed []report.Finding
	// Left is the report after the changes.
	Left *report.Report
	// Notes say what was not fixed, although it could be, and why.
	Notes []string
}

// Diff is the difference of a file.
type Diff struct {
	Path          string
	before, after []byte
	shown         []string
}

// Text returns the difference in the unified format. Values that may be secrets are masked
// unless show is set; then the text is a patch that git applies.
func (d *Diff) Text(name string, show bool) string {
	text := patch.Of(name, d.before, d.after)
	if show {
		return text
	}
	return patch.Mask(text, d.shown...)
}

// fixer looks for the fixes that leave nothing worse.
type fixer struct {
	paths   []string
	options check.Options
	before  *report.Report
	texts   map[string][]byte // the files as they are
	plan    *Plan
	fixed   []*report.Finding // those whose edits are planned
}

// New plans the fixes of what check finds. The checks run again over the result. Fixes
// after which their finding stays, or a new error or warning appears, are left out with
// a note. Only findings of the rules in options.Only are fixed, and all rules count for
// what is worse.
func New(paths []string, options check.Options) (*Plan, error) {
	if err := options.Validate(); err != nil {
		return nil, err
	}
	for _, name := range paths {
		if folder.IsArchive(name) {
			return nil, fmt.Errorf("%s is an archive, which is not written; unpack it, and fix the folder", name)
		}
	}
	only := options.Only
	options.Only = nil
	before, err := check.Run(paths, options)
	if err != nil {
		return nil, err
	}
	f := fixer{paths: paths, options: options, before: before, texts: map[string][]byte{}, plan: &Plan{Left: before}}
	var found []*report.Finding
	for i := range before.Findings {
		one := &before.Findings[i]
		if len(only) > 0 && !slices.Contains(only, one.Rule) || len(one.Edits) == 0 || one.Accepted {
			continue
		}
		if f.texts[one.Path] == nil {
			f.texts[one.Path] = options.Replace[one.Path]
		}
		if f.texts[one.Path] == nil {
			if f.texts[one.Path], err = folder.ReadText(one.Path); err != nil {
				return nil, err
			}
		}
		found = append(found, one)
	}
	f.add(found)
	edits := editsOf(f.fixed)
	for _, path := range slices.Sorted(maps.Keys(edits)) {
		before := f.texts[path]
		after := apply(before, edits[path])
		f.plan.Changes = append(f.plan.Changes, staging.Change{Path: path, Text: after})
		f.plan.Diffs = append(f.plan.Diffs, Diff{Path: path, before: before, after: after, shown: replacements(edits[path])})
	}
	for _, one := range f.fixed {
		f.plan.Fixed = append(f.plan.Fixed, *one)
	}
	return f.plan, nil
}

// add plans the fixes of findings: all together, or by halves where that makes something
// worse.
func (f *fixer) add(found []*report.Finding) {
	if len(found) == 0 {
		return
	}
	tried := slices.Concat(f.fixed, found)
	after, err := f.check(tried)
	switch {
	case err == nil:
		f.fixed, f.plan.Left = tried, after
	case len(found) == 1:
		f.plan.Notes = append(f.plan.Notes, fmt.Sprintf("%s:%d is not fixed: %v", found[0].File, found[0].Line, err))
	default:
		f.add(found[:len(found)/2])
		f.add(found[len(found)/2:])
	}
}

// check runs the checks over edited files. A finding that is not gone, or that is new,
// is an error.
func (f *fixer) check(fixed []*report.Finding) (*report.Report, error) {
	options := f.options
	options.Replace, options.Note = map[string][]byte{}, nil
	maps.Copy(options.Replace, f.options.Replace)
	for path, edits := range editsOf(fixed) {
		options.Replace[path] = apply(f.texts[path], edits)
	}
	after, err := check.Run(f.paths, options)
	if err != nil {
		return nil, err
	}
	name := func(found *report.Finding) string { // without its number, which moves
		name, _, _ := strings.Cut(found.Fingerprint, ":")
		return name
	}
	// What only corrections in memory reveal is not there yet, and a change that brings it is
	// for the user to make.
	isRevealed := func(found *report.Finding) bool { return found.Cause != nil && found.Cause.After != "" }
	known := map[string]int{}
	for i := range f.before.Findings {
		if found := &f.before.Findings[i]; !isRevealed(found) {
			known[name(found)]++
		}
	}
	for _, one := range fixed {
		known[name(one)]--
	}
	for i := range after.Findings {
		found := &after.Findings[i]
		if isRevealed(found) {
			continue
		}
		if known[name(found)]--; known[name(found)] < 0 && found.Severity != diag.Info {
			return nil, fmt.Errorf("there would be %s:%d: %s [%s]", found.File, found.Line, found.Message, found.Rule)
		}
	}
	return after, nil
}

// editsOf returns the edits of findings by file.
func editsOf(fixed []*report.Finding) map[string][]diag.Edit {
	edits := map[string][]diag.Edit{}
	for _, one := range fixed {
		edits[one.Path] = append(edits[one.Path], one.Edits...)
	}
	return edits
}

// apply makes edits in a text, from its end. Several findings may ask for the same edit.
func apply(text []byte, edits []diag.Edit) []byte {
	lines := values.NewLines(string(text))
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b diag.Edit) int { return cmp.Or(b.At.Line-a.At.Line, b.At.Column-a.At.Column) })
	for i, e := range edits {
		if i > 0 && edits[i-1].At == e.At {
			continue
		}
		from := lines.Offset(e.At)
		to := lines.Offset(diag.Position{Line: e.At.Line, Column: e.At.Column + e.Length})
		text = slices.Concat(text[:from], []byte(e.New), text[to:])
	}
	return text
}

// replacements are the texts that edits write.
func replacements(edits []diag.Edit) []string {
	var texts []string
	for _, e := range edits {
		texts = append(texts, strings.Trim(e.New, `"'`))
	}
	return texts
}
