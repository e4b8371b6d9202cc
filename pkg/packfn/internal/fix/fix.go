// Package fix writes into files what findings propose, where that is certain: a
// misspelt name with one candidate, an option in the wrong letter case, missing quotes,
// and a forgotten unit.
//
// Findings have the edits. All other bytes of the files stay.
//
// A plan is made by trials: all certain edits are made in memory, the checks run again, and if a
// finding is new, fewer edits are tried. It goes on until a run finds nothing that can be fixed,
// because what is below a misspelt name is read only after the name is right.
package fix

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/packfn/internal/check"
	"github.com/krm-packs/functions/pkg/packfn/internal/patch"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/shown"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
	"github.com/krm-packs/functions/pkg/rule"
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
	// Notes explain why findings with a fix were not fixed.
	Notes []string
}

// Diff is the difference of a file.
type Diff struct {
	Path string
	// before and after are the contents.
	before, after []byte
	// known and open tell which parts may be shown.
	known *shown.Known
	open  []string
}

// Text returns the difference in the unified format, as an audience may see it. For
// [diag.All] the text is a patch that git applies.
func (d *Diff) Text(name string, audience diag.Audience) string {
	return patch.Shown(patch.Of(name, d.before, d.after), d.Path, d.before, d.after, d.known, audience, d.open...)
}

// fixer looks for the fixes that leave nothing worse.
type fixer struct {
	// paths are what the user named, options the options of the check, and only the rules to fix.
	paths   []string
	options check.Options
	only    []string
	// before is the report without fixes.
	before *report.Report
	// isStopped is true if a pipeline stopped at the errors of a mutator.
	isStopped bool
	texts     map[string][]byte // the files as they are
	// plan is the result, and planned the last trial that left nothing worse.
	plan    *Plan
	planned trial
}

// trial is a set of fixes that were tried.
type trial struct {
	// found are the fixed findings in the current files. revealed are the fixed findings that
	// appear after the first fixes.
	found, revealed []*report.Finding
	texts           map[string][]byte // the files that change
	// after are the findings after the fixes, and left the findings among them that check
	// reports.
	after, left *report.Report
	// written contains the names of findings in the files as written, or is nil if no pipeline
	// changes the files.
	written map[string]bool
}

// folderOf returns the folder in which a file was found, or "" for a file that the user named.
func (f *fixer) folderOf(path string) string {
	if slices.ContainsFunc(f.paths, func(named string) bool { return filepath.Clean(named) == path }) {
		return ""
	}
	return filepath.Dir(path)
}

// mostRounds is how often fixes may bring findings that are fixed, too.
const mostRounds = 4

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
	f := fixer{paths: paths, options: options, only: only, texts: map[string][]byte{}, plan: &Plan{}}
	if err := f.check(&f.planned, options); err != nil {
		return nil, err
	}
	f.before, f.isStopped = f.planned.after, f.planned.left.Stopped
	var found []*report.Finding
	for i := range f.before.Findings {
		if one := &f.before.Findings[i]; f.canFix(one) {
			found = append(found, one)
		}
	}
	f.add(found)
	f.plan.Left = f.planned.left
	fixed := slices.Concat(f.planned.found, f.planned.revealed)
	edits := editsOf(fixed)
	known := f.known()
	for _, path := range slices.Sorted(maps.Keys(f.planned.texts)) {
		before, after := f.texts[path], f.planned.texts[path]
		f.plan.Changes = append(f.plan.Changes, staging.Change{In: f.folderOf(path), Path: path, Text: after})
		f.plan.Diffs = append(f.plan.Diffs, Diff{Path: path, before: before, after: after, known: known, open: replacements(edits[path])})
	}
	for _, one := range fixed {
		f.plan.Fixed = append(f.plan.Fixed, *one)
	}
	return f.plan, nil
}

// known are the packs that the paths have.
func (f *fixer) known() *shown.Known {
	return shown.KnownOf(func(yield func(string, []byte) bool) {
		packs, _ := check.Readable(f.paths, f.options)
		for _, p := range packs {
			for _, item := range p.Items() {
				if !yield(item.Resource().File, item.Text()) {
					return
				}
			}
		}
	})
}

// check runs the checks for a trial. Of a package with mutators, check reports what is in their results. What
// is wrong in the files as they are written can be fixed, too.
func (f *fixer) check(t *trial, options check.Options) (err error) {
	if t.left, err = check.Run(f.paths, options); err != nil {
		return err
	}
	if t.after = t.left; !t.left.Mutated {
		return nil
	}
	options.Rendered, options.Progress = false, nil
	if t.after, err = check.Run(f.paths, options); err != nil {
		return err
	}
	t.written = map[string]bool{}
	for i := range t.after.Findings {
		t.written[name(&t.after.Findings[i])] = true
	}
	for i := range t.left.Findings {
		if one := &t.left.Findings[i]; !t.written[name(one)] {
			t.after.Findings = append(t.after.Findings, *one)
		}
	}
	return nil
}

// canFix reports whether a finding has edits, and is of a rule that the user asks for.
func (f *fixer) canFix(one *report.Finding) bool {
	return len(one.Fix()) > 0 && !one.Accepted && (len(f.only) == 0 || slices.Contains(f.only, one.Rule))
}

// add plans the fixes of findings: all together, or by halves where that makes something
// worse.
func (f *fixer) add(found []*report.Finding) {
	if len(found) == 0 {
		return
	}
	tried := trial{found: slices.Concat(f.planned.found, found), texts: map[string][]byte{}}
	err := f.try(&tried)
	switch {
	case err == nil:
		f.planned = tried
	case len(found) == 1:
		f.plan.Notes = append(f.plan.Notes, fmt.Sprintf("%s:%d is not fixed: %v", found[0].File, found[0].Line, err))
	default:
		f.add(found[:len(found)/2])
		f.add(found[len(found)/2:])
	}
}

// try runs the checks over edited files. It returns an error if a finding is still there, or if
// there is a new one. A misspelled name hides the faults below it. Findings that appear after its
// correction are fixed as well if they have a fix, and otherwise do not count as new. Findings of
// a mutator that did not run before do not count as new either.
func (f *fixer) try(t *trial) (err error) {
	fixes := t.found
	for round := 1; len(fixes) > 0; round++ {
		edits := editsOf(fixes)
		for _, path := range slices.Sorted(maps.Keys(edits)) {
			if t.texts[path] == nil {
				if t.texts[path], err = f.text(path); err != nil {
					return err
				}
			}
			t.texts[path] = apply(t.texts[path], edits[path])
		}
		options := f.options
		options.Replace = map[string][]byte{}
		maps.Copy(options.Replace, f.options.Replace)
		maps.Copy(options.Replace, t.texts)
		if err = f.check(t, options); err != nil {
			return err
		}
		fixed := slices.Concat(t.found, t.revealed)
		fixes = nil
		for _, one := range f.news(t) {
			isFixed := slices.ContainsFunc(fixed, func(other *report.Finding) bool { return name(other) == name(one) })
			switch {
			case !isFixed && round < mostRounds && f.canFix(one):
				fixes = append(fixes, one)
			case isFixed || !isHidden(one, fixed) && !(f.isStopped && !t.written[name(one)]):
				return fmt.Errorf("there would be %s:%d: %s [%s]", one.File, one.Line, one.Message, one.Rule)
			}
		}
		t.revealed = append(t.revealed, fixes...)
	}
	return nil
}

// isHidden reports whether a finding is a fault that was hidden by another fault of its resource, which is
// fixed: what is below a misspelt name is read for the first time.
func isHidden(one *report.Finding, fixed []*report.Finding) bool {
	isFault := func(f *report.Finding) bool { return f.Reported != nil && rule.Of(f.Rule).Cause }
	return isFault(one) && slices.ContainsFunc(fixed, func(other *report.Finding) bool {
		return isFault(other) && other.Path == one.Path && other.Reported.Resource().Index == one.Reported.Resource().Index
	})
}

// name identifies a finding, without its number, which moves.
func name(found *report.Finding) string {
	name, _, _ := strings.Cut(found.Fingerprint, ":")
	return name
}

// news returns the errors and warnings after fixes that were not there before, or that the
// fixes should have made go away.
func (f *fixer) news(t *trial) (news []*report.Finding) {
	known := map[string]int{}
	for _, one := range f.before.All() {
		known[name(&one)]++
	}
	for _, one := range t.found {
		known[name(one)]--
	}
	for i := range t.after.Findings {
		found := &t.after.Findings[i]
		if known[name(found)]--; known[name(found)] < 0 && found.Severity != diag.Info {
			news = append(news, found)
		}
	}
	return news
}

// text returns a file as it is.
func (f *fixer) text(path string) (text []byte, err error) {
	if text = f.texts[path]; text == nil {
		text = f.options.Replace[path]
	}
	if text == nil {
		text, err = folder.ReadText(path)
	}
	f.texts[path] = text
	return text, err
}

// editsOf returns the edits of findings by file.
func editsOf(fixed []*report.Finding) map[string][]diag.Edit {
	edits := map[string][]diag.Edit{}
	for _, one := range fixed {
		edits[one.Path] = append(edits[one.Path], one.Fix()...)
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
