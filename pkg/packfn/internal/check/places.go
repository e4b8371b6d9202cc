package check

import (
	"cmp"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/internal/place"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/rule"
)

// finding gives a finding its place.
func (c *checker) finding(u *unit, r *run, f *diag.Finding) report.Finding {
	f, field := u.ofCapact(f)
	explained := u.explained(r, f)
	out := report.Of(r.function.Name, &explained)
	out.Field = cmp.Or(field, out.Field)
	if !c.AsDeployed && (out.Severity == diag.Error || f.Rule == rule.ValuesPlaceholder) && u.isPart(f) {
		out.Severity = diag.Info
	}
	if u.profile != nil {
		out.Field = u.profile.Field(f)
	}
	subject := u.subject(r, f)
	if subject.Path != "" {
		subject.Path = u.onDisk(subject.Path)
		subject.File = c.Display(subject.Path)
	}
	out.Locate(f, &subject)
	return out
}

// explained returns a finding in the words of a check.
func (u *unit) explained(r *run, f *diag.Finding) diag.Finding {
	explained := r.step.Explain(*f)
	isInPackage := len(u.kptfiles()) > 0
	switch kind := f.Resource().Kind; {
	case groupOf(f.Resource().APIVersion) == pack.Group && nearest.IsMisspelt(kind, ConfigKind):
		explained = diag.Unknown("kind", kind, []string{ConfigKind}).Of(f.Rule).About(f.Resource(), "kind")
	case kind == ConfigKind && isInPackage:
		explained = diag.Say("kpt reads the configuration of packfn as a resource").Of(f.Rule).About(f.Resource(), "").Do(u.advice(f.Resource().File))
	}
	if isNoResource := f.Rule.ID == rule.InputInvalid.ID && f.Path() == "" && (f.Resource().APIVersion == "" || f.Resource().Kind == ""); isNoResource {
		if misplaced, ok := u.misplaced(&explained); ok {
			explained = misplaced
		} else if isInPackage {
			explained = explained.Do(u.advice(f.Resource().File))
		}
	}
	if action := u.capactAction(f); action != "" {
		explained = explained.Do(action)
	}
	return explained
}

// filePosition is a place in a file, of a unit or on disk.
type filePosition struct {
	path string
	diag.Position
}

// subject returns the subject of a finding, with the path of its file in the unit.
func (u *unit) subject(r *run, f *diag.Finding) report.Subject {
	resource := f.Resource()
	switch j := u.joinedAt(resource.File); {
	case u.pack != nil:
		return u.inText(packFile(f), "pack.json")
	case u.profile != nil:
		file, at := u.profile.Place(f)
		return report.Subject{Path: file, At: at, Places: u.profile, WithoutEdits: true}
	case j != nil:
		return u.inText(j.paths[packFile(f)], j.file)
	case resource.Name == pack.StandIn:
		return report.Subject{}
	case resource.File != "":
		return u.inFile(resource.File, resource.Index, idOf(f))
	case r.configFile != "" && f.Origin != nil && u.place(r.configFile) != nil:
		return u.inFile(r.configFile, r.configIndex, itemID{})
	case r.step != nil && u.place(r.step.Kptfile()) != nil:
		return r.step.InKptfile(u.place(r.step.Kptfile()), f)
	case r.step == nil && f.Origin == nil && u.place(kptpackage.KptfileName) != nil: // about the whole package
		return report.Subject{Path: kptpackage.KptfileName}
	}
	return report.Subject{}
}

// inText returns the subject of a finding about a pack directory: the named file of it, or the file other
// if there is none.
func (u *unit) inText(name, other string) report.Subject {
	if file := u.place(name); file != nil {
		return report.Subject{Path: name, Places: place.In{File: file}}
	}
	return report.Subject{Path: other, At: diag.Position{Line: 1}}
}

// inFile returns the subject of a finding about a resource of a file.
func (u *unit) inFile(name string, index int, at itemID) report.Subject {
	s := report.Subject{Path: name, By: u.changed[at]}
	file := u.place(name)
	if file == nil {
		return s
	}
	s.Places = place.In{File: file, Index: index}
	if one := u.item(at); one != nil {
		s.WithoutEdits = one.IsPrinted()
	}
	if s.By != "" {
		s.Read = place.In{File: u.rendered(at)}
	}
	return s
}

// packFile is the file of a pack directory that a finding is about, "" for none.
func packFile(f *diag.Finding) string {
	if f.Origin == nil || !f.Origin.Embedded {
		return ""
	}
	return strings.TrimSuffix(strings.TrimPrefix(f.Origin.Field, "data["), "]")
}
