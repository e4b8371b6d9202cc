package render

import (
	"path"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/place"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/shown"
	"github.com/krm-packs/functions/pkg/rule"
)

// Reporter finds the places in files of findings of a tree's renders.
type Reporter struct {
	tree *Tree
	// display returns how reports show the path of a file on disk.
	display func(string) string
	files   map[string]*place.File
	shown   shown.Cache
	known   *shown.Known
	texts   map[string][]byte // of all files of the tree
	// inputs are changed resources as a run got them.
	run    *Run
	inputs map[itemID]*place.File
}

// NewReporter returns a reporter of a tree. display returns how reports show the path of
// a file on disk.
func NewReporter(t *Tree, display func(string) string) *Reporter {
	known := shown.KnownOf(func(yield func(string, []byte) bool) {
		for _, file := range t.files {
			if !yield(file.Path, file.Text) {
				return
			}
		}
	})
	return &Reporter{tree: t, display: display, files: map[string]*place.File{}, shown: shown.Cache{}, known: known}
}

// Report returns what the functions of a render found. The caller finishes the report.
func (r *Reporter) Report(result *Result) *report.Report {
	out := &report.Report{Given: report.Place{File: r.path(kptpackage.KptfileName), Line: 1}}
	for i := range result.Runs {
		run := &result.Runs[i]
		all := run.All()
		for j := range all {
			if f := &all[j]; f.Rule != rule.NothingToDo {
				out.Findings = append(out.Findings, r.Finding(run, f))
			}
		}
		for _, resource := range run.Wanted {
			file := r.path(path.Join(resource.PackagePath, resource.File))
			out.Cases = append(out.Cases, report.Case{Function: run.Function.Name, File: file, Resource: *report.ResourceOf(resource)})
		}
	}
	report.Tie(out.Findings)
	return out
}

// path returns how reports show a file of the tree.
func (r *Reporter) path(name string) string { return r.display(path.Join(r.tree.Dir, name)) }

// Finding returns a finding of a run with its place on disk. In a resource that another
// function changed before, that is the place of the same key or value, and the message names that
// function.
func (r *Reporter) Finding(run *Run, f *diag.Finding) report.Finding {
	explained := run.Explain(*f)
	out := report.Of(run.Function.Name, &explained)
	id := idOf(f.Resource())
	f, after := r.before(run, f)
	if name, at := r.locate(run, f); name != "" {
		isInKptfile := run.Field != "" && f.Resource().File == "" && run.ConfigFile == ""
		if isInKptfile {
			out.Resource, out.Field = report.ResourceOf(run.KptfileResource()), run.ConfigField(f)
		}
		file := r.file(name)
		var source *shown.File
		if file != nil && at.Line > 0 {
			source = r.shown.Of(file, r.known)
			if len(f.Edits) > 0 && run.changed[id] == "" && !run.moved[id] && !run.isPrinted(id) {
				out.PlaceEdits(f, file.HasLine(f), func(moved *diag.Finding) diag.Position {
					if isInKptfile {
						return file.Entry(0, run.ConfigField(moved), run.HasKey(moved))
					}
					_, at := r.locate(run, moved)
					return at
				})
			}
		}
		out.Place(path.Join(r.tree.Dir, name), r.path(name), at, file != nil && file.HasLine(f), source)
	}
	out.Frame("", after)
	return out
}

// isPrinted reports whether the columns of a resource are not those of the file.
func (r *Run) isPrinted(at itemID) bool {
	return slices.ContainsFunc(r.input, func(item *list.Item) bool { return idOf(item.Resource()) == at && item.IsPrinted() })
}

// After is what a message about a resource ends with that a function changed before.
func After(by string) string { return " (after " + by + ")" }

// before returns a finding about a resource that a function changed as one about the resource on disk, and
// what its message ends with.
func (r *Reporter) before(run *Run, f *diag.Finding) (before *diag.Finding, after string) {
	at := idOf(f.Resource())
	by, isChanged := run.changed[at]
	if !isChanged {
		return f, ""
	}
	file := r.file(path.Join(strings.TrimPrefix(f.Resource().PackagePath, "/"), f.Resource().File))
	changed := r.changed(run, at)
	if file == nil || changed == nil {
		moved := *f
		moved.Position = diag.Position{}
		return &moved, After(by)
	}
	moved, isSame := file.Before(f, changed)
	if !isSame {
		after = After(by)
	}
	return &moved, after
}

// changed returns a resource as a run got it, nil if it did not.
func (r *Reporter) changed(run *Run, at itemID) *place.File {
	if r.run != run {
		r.run, r.inputs = run, map[itemID]*place.File{}
	}
	file, known := r.inputs[at]
	if !known {
		if i := slices.IndexFunc(run.input, func(item *list.Item) bool { return idOf(item.Resource()) == at }); i >= 0 {
			file = place.NewFile("", run.input[i].Text())
		}
		r.inputs[at] = file
	}
	return file
}

// locate returns the file, as a path in the tree, and the place in it that a finding is
// about.
func (r *Reporter) locate(run *Run, f *diag.Finding) (name string, at diag.Position) {
	if f.Origin == nil {
		return "", at
	}
	if resource := f.Resource(); resource.File != "" && resource.PackagePath != "" {
		name = path.Join(strings.TrimPrefix(resource.PackagePath, "/"), resource.File)
		if file := r.file(name); file != nil {
			placed := *f
			if run.moved[idOf(resource)] && !f.Origin.Embedded {
				placed.Position = diag.Position{} // that of a text which is not on disk
			}
			at = file.Of(&placed)
		}
		return name, at
	}
	if run.ConfigFile != "" {
		if file := r.file(run.ConfigFile); file != nil {
			at = file.At(run.ConfigIndex, f)
		}
		return run.ConfigFile, at
	}
	name = path.Join(run.Package, kptpackage.KptfileName)
	file := r.file(name)
	if file == nil {
		return "", at
	}
	return name, file.Resource(0, run.ConfigField(f))
}

func (r *Reporter) file(name string) *place.File {
	file, known := r.files[name]
	if known {
		return file
	}
	if r.texts == nil {
		r.texts = map[string][]byte{}
		for _, f := range r.tree.files {
			r.texts[f.Path] = f.Text
		}
	}
	if text, ok := r.texts[name]; ok {
		file = place.NewFile(name, text)
	}
	r.files[name] = file
	return file
}
