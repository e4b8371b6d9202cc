// Package upgrade reports the changes that a newer version of a pack makes to a package, and
// carries the edits of users over to it.
//
// The checks run over the package before and after the upgrade, in memory.
//
// # The way of the data
//
// Three versions of the values are compared: base, which the older version was published with, user,
// which are in the package, and next, which the newer version is published with.
//
//	base: {port: 80, tls: false}   user: {port: 81, tls: false}   next: {port: 80, tls: true}
//
// What differs between base and user is an edit, and is laid on next: port stays 81 (merge.go and
// carry.go). What differs between base and next is news: tls is reported (walk.go and news.go). Names that keys have in the newer
// version are found by their values (rename.go). Findings that only the newer version has are
// consequences of the upgrade (consequence.go).
package upgrade

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/check"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
	"github.com/krm-packs/functions/pkg/packfn/internal/transfer"
)

// Options configure the planning of an upgrade.
type Options struct {
	// From is the directory that the pack was imported from, or "" if it is not available.
	From string
	// Sources are searched for that directory if From is "". They may be nil.
	Sources *packdir.Sources
	// DiscardEdits drops edits of values if it is unknown which values were edited.
	DiscardEdits bool
	// Check are the options of the checks.
	Check check.Options
}

// Plan is what an upgrade does.
type Plan struct {
	// Changes are the files to write, none if an edit would be lost.
	Changes []staging.Change
	// Lost is the number of edits that would be lost. The report has an error for each.
	Lost int
	// Report is what the upgrade changes for the package.
	Report *report.Report
	// Notes are for people, one line each.
	Notes []string
	// Packs are the names of the packs, and Texts the files as they become, by their paths.
	Packs []string
	// Texts has the files that change.
	Texts map[string][]byte
}

// New plans the upgrade of packs of a package to the versions in directories. It returns an error
// if the upgrade cannot be planned.
func New(dir string, newer []string, o Options) (*Plan, error) {
	if o.From != "" && len(newer) > 1 {
		return nil, errors.New("--from is about one pack; upgrade one at a time")
	}
	packs, err := check.Packs([]string{dir}, o.Check)
	if err != nil {
		return nil, err
	}
	byName := map[string]*check.Pack{}
	for i := range packs {
		byName[packs[i].Name] = &packs[i]
	}
	target, err := transfer.OpenTarget(dir)
	if err != nil {
		return nil, err
	}
	target.Sources = o.Sources
	texts := map[string][]byte{}
	plan := &Plan{Report: &report.Report{}, Texts: texts}
	var all []*upgraded
	for _, from := range newer {
		u, err := o.read(target, byName, from)
		if err != nil {
			return nil, err
		}
		if _, known := texts[u.Path]; known {
			return nil, fmt.Errorf("%s has two of the packs; upgrade one at a time", u.Path)
		}
		if err := u.compare(o.DiscardEdits); err != nil {
			return nil, err
		}
		if u.isOlder() {
			plan.Notes = append(plan.Notes, fmt.Sprintf("%s: %s is older than %s, the version in the package", u.Path, u.version(), u.before.Version))
		}
		plan.Notes = append(plan.Notes, u.Notes...)
		plan.Packs = append(plan.Packs, u.Pack)
		if texts[u.Path], err = u.File(u.after.item.Text()); err != nil {
			return nil, err
		}
		plan.Changes = append(plan.Changes, staging.Change{In: dir, Path: u.Path, Text: texts[u.Path]})
		plan.Lost += u.lost
		all = append(all, u)
	}
	if plan.Lost > 0 {
		plan.Changes = nil
	}
	_, before, err := faultsOf(dir, o.Check)
	if err != nil {
		return nil, err
	}
	o.Check.Replace = texts
	after, _, err := faultsOf(dir, o.Check)
	if err != nil {
		return nil, err
	}
	for _, u := range all {
		u.addBounds()
		u.addRequirements(after)
		plan.Report.Findings = append(plan.Report.Findings, u.findings...)
	}
	plan.Report.Findings = append(plan.Report.Findings, consequences(all, before, after)...)
	for i := range plan.Report.Findings {
		o.Check.SetSeverity(&plan.Report.Findings[i])
	}
	plan.Report.Findings = slices.DeleteFunc(plan.Report.Findings, func(f report.Finding) bool { return f.Severity == diag.Off })
	if len(all) > 0 {
		plan.Report.Given = report.Place{File: o.Check.Display(filepath.Join(dir, filepath.FromSlash(all[0].Path))), Line: 1}
	}
	plan.Report.Finish()
	return plan, nil
}
