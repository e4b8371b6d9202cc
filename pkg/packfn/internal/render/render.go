// Package render renders packages as packfn render prints and writes them: without kpt, in memory.
//
// # The data
//
// A [Plan] has the files that differ after the functions of the Kptfiles ran, and a report with what they found. A
// package with errors has no files:
//
//	platform:  resolve-macros changes vault.yaml       → a change
//	sandbox:   validate-pack-values finds an error     → a finding
//
// [Earlier] finds the other version that a package is compared with, in a folder or at a revision of git.
package render

import (
	"errors"
	"fmt"
	"slices"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/parents"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/program"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
	"github.com/krm-packs/functions/pkg/packfn/internal/workspace"
)

// Options configure a render.
type Options struct {
	// Functions are the functions of the suite, and Programs those for functions of other suites. If Programs is nil,
	// or if the user does not allow it, none runs.
	Functions []function.Function
	Programs  *program.Set
	// Display returns how reports show the path of a file on disk.
	Display func(string) string
	// Note is called with messages for the user.
	Note func(format string, args ...any)
}

// Plan is a render of packages that is not written yet.
type Plan struct {
	// Report has the findings about all packages.
	Report *report.Report
	// Changes are the files that differ, of the packages without errors.
	Changes []staging.Change
	// Notes are messages for the user, one line each, that are true when the changes are written.
	Notes []string
	// Failure is the reason why some of the packages could not be rendered, or nil.
	Failure error
}

// Packages renders packages. It returns an error if none of them can be rendered, or if one is in another.
func Packages(dirs []string, o Options) (*Plan, error) {
	for i, dir := range dirs {
		for j, other := range dirs {
			if i != j && parents.IsWithin(dir, other) {
				return nil, fmt.Errorf("%s is in %s, which is rendered with it; name one of them", dir, other)
			}
		}
	}
	r := o.start(dirs)
	plan := &Plan{Report: r.report}
	var failures []error
	for _, dir := range dirs {
		tree, result, err := r.render(dir)
		if err != nil {
			if !r.isFault(err, dir) {
				failures = append(failures, err)
			}
			continue
		}
		if result.Failed {
			continue
		}
		own := tree.Changes(result.Items)
		plan.Changes = append(plan.Changes, own...)
		plan.Notes = append(plan.Notes, fmt.Sprintf("%s: %s, %s changed", dir, ran(result), diag.Count(len(own), "file")))
	}
	if plan.Failure = joined(failures); len(failures) == len(dirs) {
		return nil, plan.Failure
	}
	r.finish()
	return plan, nil
}

// Copy is a rendered package that is written elsewhere.
type Copy struct {
	// Report has the findings about the package.
	Report *report.Report
	// IsRendered is false if there is nothing to write, because the report has errors.
	IsRendered bool
	// Ran describes the functions that ran.
	Ran string

	tree  *workspace.Package
	items []*list.Item
	// isDeployable is true if what kpt does not apply to a cluster is left out.
	isDeployable bool
}

// Package renders a package. If isDeployable is true, it leaves out what kpt does not apply to a cluster.
func Package(dir string, isDeployable bool, o Options) (*Copy, error) {
	r := o.start([]string{dir})
	out := &Copy{Report: r.report, isDeployable: isDeployable}
	tree, result, err := r.render(dir)
	switch {
	case err != nil && !r.isFault(err, dir):
		return nil, err
	case err == nil && !result.Failed:
		out.IsRendered, out.Ran, out.tree, out.items = true, ran(result), tree, result.Items
		if isDeployable {
			if out.items, err = tree.Deployable(out.items); err != nil {
				return nil, err
			}
		}
	}
	r.finish()
	return out, nil
}

// IsEmpty reports whether no resource is left.
func (c *Copy) IsEmpty() bool { return len(c.items) == 0 }

// Stream returns the resources as one stream of YAML.
func (c *Copy) Stream() []byte { return c.tree.Stream(c.items) }

// Files returns the files of the package.
func (c *Copy) Files() (files []staging.Change) {
	has := map[string]bool{}
	for _, item := range c.items {
		has[workspace.PathOf(item)] = true
	}
	for _, file := range c.tree.FilesOf(c.items) {
		if c.isDeployable && !has[file.Path] {
			continue // comments alone
		}
		files = append(files, staging.Change{Path: file.Path, Text: file.Text})
	}
	return files
}

// WithoutSame returns folders without those that are named before, in this or another way.
func WithoutSame(dirs []string) (once []string) {
	for _, dir := range dirs {
		if !slices.ContainsFunc(once, func(other string) bool { return parents.IsWithin(dir, other) && parents.IsWithin(other, dir) }) {
			once = append(once, dir)
		}
	}
	return once
}

// run is a render with its report.
type run struct {
	Options
	report *report.Report
}

// start starts the render of packages.
func (o Options) start(dirs []string) *run {
	r := &run{o, &report.Report{Extent: report.Extent{Counts: true, Nothing: "no check of a pipeline has read a resource"}}}
	if len(dirs) == 1 {
		r.report.In = o.Display(dirs[0])
	}
	return r
}

// finish finishes the report.
func (r *run) finish() {
	r.report.Findings = report.WithoutRepeated(r.report.Findings)
	r.report.SetAside()
	r.report.Finish()
}

// render renders a package in memory, and adds the findings to the report.
func (r *run) render(dir string) (*workspace.Package, *workspace.Result, error) {
	p, err := workspace.Read(dir)
	if err != nil {
		return nil, nil, err
	}
	tree, err := workspace.Load(p)
	if err != nil {
		return nil, nil, err
	}
	result, err := tree.Render(workspace.Options{Functions: r.Functions, Programs: r.Programs})
	if err != nil {
		return nil, nil, err
	}
	found := workspace.NewReporter(tree, r.Display).Report(result)
	all := r.report
	all.Findings, all.Cases, all.Units = append(all.Findings, found.Findings...), append(all.Cases, found.Cases...), append(all.Units, found.Units...)
	all.Given = found.Given
	if result.Failed {
		r.Note("%s: nothing is written; %s", dir, ran(result))
		if tree.SavesFailed() {
			r.Note("%s: kpt writes what ran before an error, because the Kptfile has the annotation %s; packfn does not", dir, workspace.SaveAnnotation)
		}
	}
	return tree, result, nil
}

// isFault reports whether an error is about what kpt rejects in a package, and adds it to the report.
func (r *run) isFault(err error, dir string) bool {
	faults := []error{err}
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		faults = several.Unwrap()
	}
	for _, err := range faults {
		fault, ok := errors.AsType[*kptpackage.Fault](err)
		if !ok {
			return false
		}
		r.report.Findings = append(r.report.Findings, report.OfFault(fault, r.Display))
	}
	r.Note("%s: nothing is written", dir)
	return true
}

// ran describes the functions that a render ran:
//
//	2 functions ran (packfn v0.9.0 in place of ghcr.io/krm-packs/apply-preset:v0.8.0), 1 was left out by its field when
func ran(result *workspace.Result) string {
	n := len(result.Runs)
	if n > 0 && result.Runs[0].Field == "" { // what checks the Kptfiles
		n--
	}
	text := diag.Count(n, "function") + " ran"
	if images := result.Replaced(function.Release); len(images) > 0 {
		text += fmt.Sprintf(" (packfn %s in place of %s)", function.Release, diag.AllOf(images))
	}
	switch n := len(result.Skipped); n {
	case 0:
	case 1:
		text += ", 1 was left out by its field when"
	default:
		text += fmt.Sprintf(", %d were left out by their field when", n)
	}
	return text
}

// joined returns errors as one.
func joined(all []error) error {
	if len(all) == 1 {
		return all[0]
	}
	return errors.Join(all...)
}
