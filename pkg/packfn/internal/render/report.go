package render

import (
	"path"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/place"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/rule"
)

// Reporter finds the places in files of findings of a tree's renders.
type Reporter struct {
	tree *Tree
	// display returns how reports show the path of a file on disk.
	display func(string) string
	files   map[string]*place.File
	texts   map[string][]byte // of all files of the tree
	// inputs are the resources as a run read them, and changed the files of those that had changed.
	run     *Run
	inputs  map[itemID]*list.Item
	changed map[itemID]*place.File
}

// NewReporter returns a reporter of a tree. display returns how reports show the path of
// a file on disk.
func NewReporter(t *Tree, display func(string) string) *Reporter {
	return &Reporter{tree: t, display: display, files: map[string]*place.File{}}
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
	subject := r.subject(run, f)
	if subject.Path != "" {
		subject.Path, subject.File = path.Join(r.tree.Dir, subject.Path), r.path(subject.Path)
	}
	out.Locate(f, &subject)
	return out
}

// subject returns the subject of a finding, with the path of its file in the tree.
func (r *Reporter) subject(run *Run, f *diag.Finding) report.Subject {
	resource := f.Resource()
	switch {
	case f.Origin == nil:
		return report.Subject{}
	case resource.File != "" && resource.PackagePath != "":
		s := report.Subject{Path: path.Join(strings.TrimPrefix(resource.PackagePath, "/"), resource.File), By: run.changed[idOf(resource)]}
		if file := r.file(s.Path); file != nil {
			s.Places = place.In{File: file, Index: resource.Index}
		}
		if s.By != "" || run.moved[idOf(resource)] {
			s.Read = place.In{File: r.read(run, idOf(resource))}
		}
		return s
	case run.ConfigFile != "":
		s := report.Subject{Path: run.ConfigFile}
		if file := r.file(run.ConfigFile); file != nil {
			s.Places = place.In{File: file, Index: run.ConfigIndex}
		}
		return s
	}
	if file := r.file(run.Kptfile()); file != nil {
		return run.InKptfile(file, f)
	}
	return report.Subject{}
}

// read returns a file of a resource as a run read it. It is empty if the resource is not known.
func (r *Reporter) read(run *Run, at itemID) *place.File {
	if r.run != run {
		r.run, r.inputs, r.changed = run, map[itemID]*list.Item{}, map[itemID]*place.File{}
		for _, item := range run.input {
			r.inputs[idOf(item.Resource())] = item
		}
	}
	file := r.changed[at]
	if file == nil {
		file = place.NewList(nil)
		if item := r.inputs[at]; item != nil {
			file = place.NewFile("", item.Text())
		}
		r.changed[at] = file
	}
	return file
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
