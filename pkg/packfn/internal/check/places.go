package check

import (
	"cmp"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/place"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// finding gives a finding its place.
func (c *checker) finding(u *unit, r *run, f *diag.Finding) report.Finding {
	f, field := u.ofCapact(f)
	explained := r.step.Explain(*f)
	out := report.Of(r.function.Name, &explained)
	out.Field = cmp.Or(field, out.Field)
	if f.Resource().Kind == ConfigKind && len(u.kptfiles()) > 0 {
		explained = diag.Say("kpt reads the configuration of packfn as a resource").Of(f.Rule).About(f.Resource(), "").Do(u.ignoreHint(f.Resource().File))
		out.Say(&explained)
	}
	if isNoResource := f.Rule.ID == rule.InputInvalid.ID && f.Path() == "" && (f.Resource().APIVersion == "" || f.Resource().Kind == ""); isNoResource {
		if misplaced, ok := u.misplaced(&explained); ok {
			explained = misplaced
		} else if len(u.kptfiles()) > 0 {
			explained = explained.Do(u.ignoreHint(f.Resource().File))
		}
		out.Say(&explained)
	}
	if !c.AsDeployed && (out.Severity == diag.Error || f.Rule == rule.ValuesPlaceholder) && u.isPart(f) {
		out.Severity = diag.Info
	}
	if action := u.capactAction(f); action != "" {
		explained = explained.Do(action)
		out.Say(&explained)
	}
	changed := ""
	if by := u.changed[spotOf(f)]; by != "" && !u.isAsOnDisk(f) {
		changed = " (after " + by + ")"
		out.Frame("", changed)
		moved := *f
		moved.Position = u.onFile(f)
		f = &moved
	}
	at := u.locate(r, f)
	if at.file == "" {
		return out
	}
	if r.step != nil && f.Resource().File == "" && r.configFile == "" && f.Origin != nil {
		out.Resource, out.Field = report.ResourceOf(r.step.KptfileResource()), r.step.ConfigField(f)
	}
	if u.profile != nil {
		out.Field = u.profile.Field(f)
	}
	out.Path = u.onDisk(at.file)
	out.File, out.Line, out.Column = c.Display(out.Path), at.Line, at.Column
	if u.hasLine(f) || u.profile != nil && u.profile.HasLine(f) {
		inFile := explained.InFile(at.Line)
		out.Say(&inFile)
		out.Frame("", changed)
	}
	if file := u.place(at.file); file != nil && at.Line > 0 {
		out.SetSource(u.shownFiles().Of(file, u.known()))
		out.Edits = u.edits(r, f)
	}
	return out
}

// isAsOnDisk reports whether a finding is about a text that cannot be parsed, and that no mutator has
// changed in its resource.
func (u *unit) isAsOnDisk(f *diag.Finding) bool {
	file := u.place(f.Resource().File)
	return f.Kind == diag.KindUnreadable && file != nil && file.HasSameText(f.Resource().Index, u.rendered(spotOf(f)), 0, f.Origin)
}

// onFile returns the place that a finding about a changed resource has in the document on disk:
// of the same key or value. It is zero if that is not there.
func (u *unit) onFile(f *diag.Finding) diag.Position {
	file := u.place(f.Resource().File)
	if f.Position.Line == 0 || file == nil {
		return diag.Position{}
	}
	path := f.Key
	if !f.Origin.Embedded {
		path = f.Path()
	}
	n, key := place.Find(u.rendered(spotOf(f)).Inner(0, f.Origin), path)
	old, oldKey := place.Find(file.Inner(f.Resource().Index, f.Origin), path)
	switch {
	case key != nil && oldKey != nil && values.At(key) == f.Position:
		return values.At(oldKey)
	case n != nil && old != nil && values.At(n) == f.Position:
		return values.At(old)
	}
	return diag.Position{}
}

// edits returns the edits of a finding with their places in its file. What the author of a
// pack wrote, and what is a choice, is for the user to change.
func (u *unit) edits(r *run, f *diag.Finding) []diag.Edit {
	if f.Origin == nil || !f.Sure || f.Origin.Authored || rule.Of(f.Rule.ID).Manual || u.changed[spotOf(f)] != "" || len(f.Edits) > 0 && u.isPrinted(spotOf(f)) {
		return nil
	}
	isPlain := !f.Origin.Embedded || u.hasLine(f)
	edits := slices.Clone(f.Edits)
	for i := range edits {
		moved := *f
		moved.Position = edits[i].At
		switch e := &edits[i]; {
		case !isPlain && strings.ContainsAny(e.New, `"'\`): // in a text in quotes
			return nil
		case f.Resource().File == "" && r.configFile == "" && r.step != nil:
			e.At = u.place(r.step.Kptfile()).Entry(0, r.step.ConfigField(f), f.Kind == diag.KindUnknown)
		default:
			e.At = u.locate(r, &moved).Position
		}
		if edits[i].At.Column == 0 {
			return nil
		}
	}
	return edits
}

// isPrinted reports whether the columns of a resource are not those of the file.
func (u *unit) isPrinted(at spot) bool {
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

// located is a place in a file of a unit.
type located struct {
	file string
	diag.Position
}

// locate finds the file and the place in it that a finding is about.
func (u *unit) locate(r *run, f *diag.Finding) located {
	resource := f.Resource()
	switch {
	case u.pack != nil:
		return u.inPack(f)
	case u.profile != nil:
		file, at := u.profile.Place(f)
		return located{file, at}
	case u.joinedAt(resource.File) != nil:
		j := u.joinedAt(resource.File)
		if file := u.place(j.paths[packFile(f)]); file != nil {
			return located{file.Path, file.Of(f)}
		}
		return located{j.file, diag.Position{Line: 1}}
	case resource.Name == pack.StandIn:
		return located{}
	case resource.File != "":
		if file := u.place(resource.File); file != nil {
			return located{resource.File, file.Of(f)}
		}
		return located{file: resource.File}
	case r.configFile != "":
		if file := u.place(r.configFile); file != nil && f.Origin != nil {
			return located{r.configFile, file.At(r.configIndex, f)}
		}
	}
	if r.step == nil { // a finding about the whole package is in its Kptfile
		if file := u.place(kptpackage.KptfileName); file != nil && f.Origin == nil {
			return located{file: kptpackage.KptfileName}
		}
		return located{}
	}
	name := r.step.Kptfile()
	file := u.place(name)
	if file == nil {
		return located{}
	}
	return located{name, file.Resource(0, r.step.ConfigField(f))}
}

// inPack finds the place of a finding about a pack directory: in the file that its field
// is.
func (u *unit) inPack(f *diag.Finding) located {
	if file := u.place(packFile(f)); file != nil {
		return located{file.Path, file.Of(f)}
	}
	return located{"pack.json", diag.Position{Line: 1}}
}

// packFile is the file of a pack directory that a finding is about, "" for none.
func packFile(f *diag.Finding) string {
	if f.Origin == nil || !f.Origin.Embedded {
		return ""
	}
	return strings.TrimSuffix(strings.TrimPrefix(f.Origin.Field, "data["), "]")
}
