package check

import (
	"cmp"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/render"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/shown"
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
	f, after := u.before(f)
	if at := u.locate(r, f); at.path != "" {
		if r.step != nil && f.Resource().File == "" && r.configFile == "" && f.Origin != nil {
			out.Resource, out.Field = report.ResourceOf(r.step.KptfileResource()), r.step.ConfigField(f)
		}
		if u.profile != nil {
			out.Field = u.profile.Field(f)
		}
		var source *shown.File
		if file := u.place(at.path); file != nil && at.Line > 0 {
			source = u.shownFiles().Of(file, u.known())
			if len(f.Edits) > 0 && u.changed[idOf(f)] == "" && !u.isPrinted(idOf(f)) {
				out.PlaceEdits(f, u.hasLine(f), func(moved *diag.Finding) diag.Position { return u.locateEdit(r, moved) })
			}
		}
		path := u.onDisk(at.path)
		out.Place(path, c.Display(path), at.Position, u.hasLine(f) || u.profile != nil && u.profile.HasLine(f), source)
	}
	out.Frame("", after)
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

// before returns a finding about a resource that mutators changed as one about the resource on disk, and what
// its message ends with.
func (u *unit) before(f *diag.Finding) (before *diag.Finding, after string) {
	by, file := u.changed[idOf(f)], u.place(f.Resource().File)
	if by == "" || file == nil {
		return f, after
	}
	moved, isSame := file.Before(f, u.rendered(idOf(f)))
	if !isSame {
		after = render.After(by)
	}
	return &moved, after
}

// isPrinted reports whether the columns of a resource are not those of the file.
func (u *unit) isPrinted(at itemID) bool {
	return slices.ContainsFunc(u.read, func(one item) bool {
		resource := one.Resource()
		return resource.File == at.file && resource.Index == at.index && one.IsPrinted()
	})
}

// hasLine reports whether the place of a finding is the line at fault, and not that of the
// text with it.
func (u *unit) hasLine(f *diag.Finding) bool {
	name := f.Resource().File
	if u.pack != nil {
		name = packFile(f)
	} else if j := u.joinedAt(name); j != nil {
		name = j.paths[packFile(f)]
	}
	file := u.place(name)
	return file != nil && file.HasLine(f)
}

// filePosition is a place in a file, of a unit or on disk.
type filePosition struct {
	path string
	diag.Position
}

// locate finds the file and the place in it that a finding is about.
func (u *unit) locate(r *run, f *diag.Finding) filePosition {
	resource := f.Resource()
	switch {
	case u.pack != nil:
		return u.inPack(f)
	case u.profile != nil:
		file, at := u.profile.Place(f)
		return filePosition{file, at}
	case u.joinedAt(resource.File) != nil:
		j := u.joinedAt(resource.File)
		if file := u.place(j.paths[packFile(f)]); file != nil {
			return filePosition{file.Path, file.Of(f)}
		}
		return filePosition{j.file, diag.Position{Line: 1}}
	case resource.Name == pack.StandIn:
		return filePosition{}
	case resource.File != "":
		if file := u.place(resource.File); file != nil {
			return filePosition{resource.File, file.Of(f)}
		}
		return filePosition{path: resource.File}
	case r.configFile != "":
		if file := u.place(r.configFile); file != nil && f.Origin != nil {
			return filePosition{r.configFile, file.At(r.configIndex, f)}
		}
	}
	if r.step == nil { // a finding about the whole package is in its Kptfile
		if file := u.place(kptpackage.KptfileName); file != nil && f.Origin == nil {
			return filePosition{path: kptpackage.KptfileName}
		}
		return filePosition{}
	}
	name := r.step.Kptfile()
	file := u.place(name)
	if file == nil {
		return filePosition{}
	}
	return filePosition{name, file.Resource(0, r.step.ConfigField(f))}
}

// locateEdit finds the place of an edit: at the position of a finding, or of the key or value of a
// functionConfig in a Kptfile.
func (u *unit) locateEdit(r *run, f *diag.Finding) diag.Position {
	if f.Resource().File == "" && r.configFile == "" && r.step != nil {
		return u.place(r.step.Kptfile()).Entry(0, r.step.ConfigField(f), r.step.HasKey(f))
	}
	return u.locate(r, f).Position
}

// inPack finds the place of a finding about a pack directory: in the file that its field
// is.
func (u *unit) inPack(f *diag.Finding) filePosition {
	if file := u.place(packFile(f)); file != nil {
		return filePosition{file.Path, file.Of(f)}
	}
	return filePosition{"pack.json", diag.Position{Line: 1}}
}

// packFile is the file of a pack directory that a finding is about, "" for none.
func packFile(f *diag.Finding) string {
	if f.Origin == nil || !f.Origin.Embedded {
		return ""
	}
	return strings.TrimSuffix(strings.TrimPrefix(f.Origin.Field, "data["), "]")
}
