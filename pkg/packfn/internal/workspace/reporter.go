package workspace

import (
	"cmp"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/place"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/rule"
)

// Reporter finds the places in files of findings about a package.
type Reporter struct {
	// pkg is the package.
	pkg *Package
	// display returns how reports show the path of a file on disk.
	display func(string) string
	// files are the files that positions were looked up in, by their paths.
	files map[string]*place.File
	// inputs are the resources as a run read them, and changed the files of those that had changed.
	run     *Run
	inputs  map[ID]*list.Item
	changed map[ID]*place.File
}

// NewReporter returns a reporter of a package. display returns how reports show the path of a file
// on disk.
func NewReporter(t *Package, display func(string) string) *Reporter {
	return &Reporter{pkg: t, display: display, files: map[string]*place.File{}}
}

// Report returns what the functions of a render found. The caller finishes the report.
func (r *Reporter) Report(result *Result) *report.Report {
	out := &report.Report{Given: report.Place{File: r.path(kptpackage.KptfileName), Line: 1}, Extent: report.Extent{Counts: true}}
	var read Tally
	for i := range result.Runs {
		run := &result.Runs[i]
		read.Add(run)
		all := run.All()
		for j := range all {
			if f := &all[j]; f.Rule != rule.NothingToDo {
				out.Findings = append(out.Findings, r.Finding(run, f))
			}
		}
		for _, resource := range run.Wanted {
			out.Cases = append(out.Cases, report.Case{Function: run.Function.Name, File: r.path(r.pkg.FileOf(resource)), Resource: *report.ResourceOf(resource)})
		}
	}
	report.Tie(out.Findings)
	if checked := read.Of(result.Items); checked != (report.Checked{}) {
		out.Units = []report.Unit{{Path: r.display(r.pkg.Dir), Checked: checked}}
	}
	return out
}

// path returns how reports show a file of the package.
func (r *Reporter) path(name string) string { return r.display(r.pkg.OnDisk(name)) }

// Finding returns a finding of a run with its place on disk. In a resource that another
// function changed before, that is the place of the same key or value, and the message names that
// function.
func (r *Reporter) Finding(run *Run, f *diag.Finding) report.Finding {
	of, subject := r.Subject(run, f)
	explained := run.Explain(*of)
	out := report.Of(run.Function.Name, &explained)
	r.Locate(&out, of, &subject)
	return out
}

// Locate sets the place of a finding, which Subject returned.
func (r *Reporter) Locate(out *report.Finding, of *diag.Finding, subject *report.Subject) {
	if subject.Path != "" {
		subject.Path = r.pkg.OnDisk(subject.Path)
		subject.File = r.display(subject.Path)
	}
	out.Locate(of, subject)
}

// Subject returns the subject of a finding, with the path of its file in the package, and the finding
// as one about that subject.
func (r *Reporter) Subject(run *Run, f *diag.Finding) (of *diag.Finding, s report.Subject) {
	field := ""
	if r.pkg.Medium != nil {
		if f, field, s = r.pkg.Medium.Original(f); s.Path != "" {
			return f, s
		}
	}
	resource := f.Resource()
	switch keys, isMade := r.pkg.made[resource.File]; {
	case isMade:
		s = report.Subject{Path: resource.File, At: diag.Position{Line: 1}}
		if file := r.File(keys[embeddedIn(f)]); file != nil {
			s = report.Subject{Path: file.Path, Places: place.In{File: file}}
		}
	case resource.Name == pack.StandIn:
	case resource.File != "":
		s = r.inFile(run, r.pkg.FileOf(resource), IDOf(resource))
		s.Field = cmp.Or(field, s.Field)
	case run.ConfigFile != "" && f.Origin != nil && r.File(run.ConfigFile) != nil:
		s = report.Subject{Path: run.ConfigFile, Places: place.In{File: r.File(run.ConfigFile), Index: run.ConfigIndex}}
	case run.Field != "" && r.File(run.Kptfile()) != nil:
		s = run.InKptfile(r.File(run.Kptfile()), f)
	case run.Field == "" && f.Origin == nil && r.pkg.Kptfiles != nil: // about the whole package
		s.Path = r.pkg.Main
	}
	if s.Path == "" && r.pkg.Kptfiles == nil && r.pkg.Main != "" {
		s.Path, s.At.Line = r.pkg.Main, 1
	}
	return f, s
}

// inFile returns the subject of a finding about a resource in a file.
func (r *Reporter) inFile(run *Run, name string, id ID) report.Subject {
	s := report.Subject{Path: name, By: run.changed[id]}
	file := r.File(name)
	if file == nil {
		return s
	}
	s.Places = place.In{File: file, Index: id.index}
	if item := r.pkg.Item(id); item != nil {
		s.WithoutEdits = item.IsPrinted()
	}
	if s.By != "" || run.moved[id] {
		s.Read = place.In{File: r.read(run, id)}
	}
	return s
}

// embeddedIn returns the key of a ConfigMap that contains the text of a finding, such as values.yaml,
// or "" if the finding is about the ConfigMap.
func embeddedIn(f *diag.Finding) string {
	if f.Origin == nil || !f.Origin.Embedded {
		return ""
	}
	return strings.TrimSuffix(strings.TrimPrefix(f.Origin.Field, "data["), "]")
}

// read returns a resource as a run read it, for looking up positions in it. It is empty if the
// resource is not known.
func (r *Reporter) read(run *Run, id ID) *place.File {
	if r.run != run {
		r.run, r.inputs, r.changed = run, map[ID]*list.Item{}, map[ID]*place.File{}
		for _, item := range run.input {
			r.inputs[IDOf(item.Resource())] = item
		}
	}
	file := r.changed[id]
	if file == nil {
		file = place.NewList(nil)
		item := r.inputs[id]
		if run.input == nil {
			item = r.pkg.Item(id)
		}
		if item != nil {
			file = place.NewFile("", item.Text())
		}
		r.changed[id] = file
	}
	return file
}

// File returns a file of the package for looking up positions in it, or nil if there is none.
func (r *Reporter) File(name string) *place.File {
	if file, isKnown := r.files[name]; isKnown {
		return file
	}
	var found *place.File
	if text := r.pkg.texts[name]; text != nil {
		found = place.NewText(name, text)
	} else if file := r.pkg.File(name); file != nil {
		if r.pkg.Medium != nil {
			found = r.pkg.Medium.Places(file)
		}
		switch {
		case found != nil:
		case r.pkg.Kptfiles == nil:
			found = place.NewFlat(name, file.Text)
		default:
			found = place.NewFile(name, file.Text)
		}
	}
	r.files[name] = found
	return found
}
