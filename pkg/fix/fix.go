// Package fix writes into files what findings propose, where that is certain: a
// misspelt name with one candidate, an option in the wrong letter case, missing quotes,
// and a forgotten unit.
//
// It changes single words in the text of files, so that all other bytes stay.
package fix

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/agext/levenshtein"

	"github.com/krm-packs/functions/pkg/check"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/folder"
	"github.com/krm-packs/functions/pkg/report"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/staging"
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

// fixer looks for the fixes that leave nothing worse.
type fixer struct {
	paths   []string
	options check.Options
	before  *report.Report
	texts   map[string][]byte // the files as they are
	plan    *Plan
	edits   []edit // those that are planned
}

// New plans the fixes of what check finds. The checks run again over the result. Fixes
// after which their finding stays, or a new error or warning appears, are left out with
// a note. Only findings of the rules in options.Only are fixed, and all rules count for
// what is worse.
func New(paths []string, options check.Options) (*Plan, error) {
	if err := options.Validate(); err != nil {
		return nil, err
	}
	only := options.Only
	options.Only = nil
	before, err := check.Run(paths, options)
	if err != nil {
		return nil, err
	}
	f := fixer{paths: paths, options: options, before: before, texts: map[string][]byte{}, plan: &Plan{Left: before}}
	var edits []edit
	for i := range before.Findings {
		if len(only) > 0 && !slices.Contains(only, before.Findings[i].Rule) {
			continue
		}
		e, ok, err := f.editOf(&before.Findings[i])
		if err != nil {
			return nil, err
		}
		if ok {
			edits = append(edits, e)
		}
	}
	f.add(edits)
	for path, text := range f.changed(f.edits) {
		f.plan.Changes = append(f.plan.Changes, staging.Change{Path: path, Text: text})
	}
	slices.SortFunc(f.plan.Changes, func(a, b staging.Change) int { return strings.Compare(a.Path, b.Path) })
	for _, change := range f.plan.Changes {
		f.plan.Diffs = append(f.plan.Diffs, Diff{Path: change.Path, before: f.texts[change.Path], after: change.Text, shown: replacements(f.edits, change.Path)})
	}
	for _, e := range f.edits {
		f.plan.Fixed = append(f.plan.Fixed, *e.finding)
	}
	return f.plan, nil
}

// add plans edits: all together, or by halves where that makes something worse.
func (f *fixer) add(edits []edit) {
	if len(edits) == 0 {
		return
	}
	tried := slices.Concat(f.edits, edits)
	after, err := f.check(tried)
	switch {
	case err == nil:
		f.edits, f.plan.Left = tried, after
	case len(edits) == 1:
		found := edits[0].finding
		f.plan.Notes = append(f.plan.Notes, fmt.Sprintf("%s:%d is not fixed: %v", found.File, found.Line, err))
	default:
		f.add(edits[:len(edits)/2])
		f.add(edits[len(edits)/2:])
	}
}

// check runs the checks over edited files. A finding that is not gone, or that is new,
// is an error.
func (f *fixer) check(edits []edit) (*report.Report, error) {
	options := f.options
	options.Replace, options.Note = f.changed(edits), nil
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
	for _, e := range edits {
		known[name(e.finding)]--
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

// changed returns the texts of files after edits.
func (f *fixer) changed(edits []edit) map[string][]byte {
	byPath := map[string][]edit{}
	for _, e := range edits {
		byPath[e.finding.Path] = append(byPath[e.finding.Path], e)
	}
	texts := map[string][]byte{}
	for path, all := range byPath {
		texts[path] = apply(f.texts[path], all)
	}
	return texts
}

// edit replaces a word of a line.
type edit struct {
	finding *report.Finding
	// from and to are the bytes of the line to replace.
	from, to int
	text     string
}

// editOf returns the edit that fixes a finding. It is not ok when there is none that is
// certain.
func (f *fixer) editOf(finding *report.Finding) (e edit, ok bool, err error) {
	cause := finding.Cause
	if cause == nil || finding.Path == "" || finding.Line == 0 || finding.Accepted || isContent(cause) {
		return e, false, nil
	}
	if _, known := f.texts[finding.Path]; !known {
		if f.texts[finding.Path], err = folder.ReadText(finding.Path); err != nil {
			return e, false, err
		}
	}
	line := lineOf(f.texts[finding.Path], finding.Line)
	start := byteOf(line, finding.Column)
	if start < 0 {
		return e, false, nil
	}
	for _, word := range words(line, start) {
		if replacement, ok := fixWord(cause, word); ok {
			return edit{finding, word.from, word.to, replacement}, true, nil
		}
	}
	return e, false, nil
}

// isContent reports whether a finding is about what the author of a pack wrote, or about
// what is a choice: versions and the sizes of pools.
func isContent(f *diag.Finding) bool {
	switch {
	case rule.Of(f.Rule.ID).Manual, f.Origin == nil:
		return true
	case f.Origin.Embedded:
		return !slices.Contains([]string{"values.yaml", "spec.values"}, f.Origin.Name)
	}
	for _, field := range []string{"spec.constraints", "spec.schema", "spec.presets", "spec.properties", "spec.dependencies"} {
		if f.Resource().Kind == "Pack" && diag.Overlap(f.Path(), field) && f.Path() != "" {
			return true
		}
	}
	return false
}

// fixWord returns what to write in the place of a word.
func fixWord(f *diag.Finding, w word) (replacement string, ok bool) {
	if f.Action == diag.QuoteAction && !w.quoted && !w.isKey && f.Proposed == nil {
		return strconv.Quote(w.text), w.text != "" && !strings.ContainsAny(w.text, `{}[]&*!|>%@`)
	}
	target := f.Nearest
	if proposed, isText := f.Proposed.(string); isText {
		target = proposed
	}
	if target == "" || w.isKey != (f.Kind == diag.KindUnknown && isField(f, w)) {
		return "", false
	}
	if f.Rule == rule.ResourcesSuspiciousUnit {
		if current, isText := f.Current.(string); !isText || current != w.text {
			return "", false
		}
		return target, true
	}
	if target == w.text || !isSlip(w.text, target) || candidates(w.text, f.Accepted) > 1 {
		return "", false
	}
	return target, true
}

// isField reports whether an unknown name is the key that was found.
func isField(f *diag.Finding, w word) bool { return strings.HasSuffix(f.Found, ` "`+w.text+`"`) }

// isSlip reports whether a name is another one but for letter case, whitespace around
// it, or one edit.
func isSlip(got, want string) bool {
	got = strings.TrimSpace(got)
	return strings.EqualFold(got, want) || levenshtein.Distance(got, want, nil) == 1
}

// candidates returns how many of the accepted names a text may mean.
func candidates(text, accepted string) int {
	n := 0
	for part := range strings.SplitSeq(strings.ReplaceAll(accepted, " or ", ", "), ", ") {
		if name := strings.TrimSpace(part); strings.EqualFold(name, text) {
			return 1 // only the letter case differs
		} else if name != "" && levenshtein.Distance(text, name, nil) == 1 {
			n++
		}
	}
	return n
}

// apply makes edits in a text. Several findings may ask for the same edit.
func apply(text []byte, edits []edit) []byte {
	lines := bytes.SplitAfter(text, []byte("\n"))
	edits = slices.Clone(edits)
	slices.SortFunc(edits, func(a, b edit) int { return cmp.Or(a.finding.Line-b.finding.Line, b.from-a.from) })
	for i, e := range edits {
		if i > 0 && edits[i-1].finding.Line == e.finding.Line && edits[i-1].from == e.from {
			continue
		}
		line := lines[e.finding.Line-1]
		lines[e.finding.Line-1] = slices.Concat(line[:e.from], []byte(e.text), line[e.to:])
	}
	return bytes.Join(lines, nil)
}

// replacements are the texts that edits write to a file.
func replacements(edits []edit, path string) []string {
	var texts []string
	for _, e := range edits {
		if e.finding.Path == path {
			texts = append(texts, strings.Trim(e.text, `"'`))
		}
	}
	return texts
}
