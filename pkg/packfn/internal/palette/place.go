package palette

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/place"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

const packsPath, variablesPath = "spec.template.packs", "spec.variables"

// valuesFile is the file of a resource with the values of a pack.
const valuesFile = "values.yaml"

// Version returns the version of the profile.
func (p *Profile) Version() string { return values.Text(values.Field(p.spec, "version")) }

// IsWhole reports whether the profile contains all packs of a cluster.
func (p *Profile) IsWhole() bool {
	return values.Text(values.Field(p.spec, "type")) == "cluster" && !p.isUnknown(packsPath)
}

func (p *Profile) isUnknown(path string) bool { return p.origin != nil && p.origin.IsUnknown(path) }

// Follows reports whether a finding about a resource of the profile only exists because a part of the
// profile is unknown: packs, variables, or a default value.
func (p *Profile) Follows(f *diag.Finding) bool {
	switch path := f.Path(); {
	case f.Rule == rule.ProfileLayer:
		return p.isUnknown(packsPath)
	case f.Rule != rule.ProfileVariable:
		return false
	case f.Resource().Index > 0 || !strings.HasPrefix(path, variablesPath):
		return p.isUnknown(variablesPath)
	case f.Severity == diag.Info:
		return p.isUnknown(packsPath)
	case strings.HasSuffix(path, ".name"):
		return p.isUnknown(strings.TrimSuffix(path, "name") + "defaultValue")
	}
	return false
}

// Place returns the file of a finding about a resource of the profile, and its position in that file.
// For a finding about the values of a pack, it is the position in the string of the values.
func (p *Profile) Place(f *diag.Finding) (file string, at diag.Position) {
	i := f.Resource().Index - 1
	if i < 0 || i >= len(p.Packs) {
		return p.Path, nearestAt(&p.trees, p.places().Root(), exportedPath(f.Path()))
	}
	entry, n := p.valuesOf(f)
	if n == nil {
		return p.Path, values.At(values.Field(entry, "name"))
	}
	at = f.Position
	if at.Line == 0 && f.Key != "" {
		at = p.trees.At(n, n.Value, f.Key)
	}
	if p.origin != nil {
		if file, in, ok := p.origin.Place(i, at); ok {
			return file, in
		}
		return p.Path, values.At(n)
	}
	if p.texts == nil {
		p.texts = map[*yaml.Node]func(diag.Position) (diag.Position, bool){}
	}
	if p.texts[n] == nil {
		p.texts[n] = p.places().Embedded(n)
	}
	if inFile, ok := p.texts[n](at); ok {
		return p.Path, inFile
	}
	return p.Path, values.At(n)
}

// Original returns the place of a finding about a resource of the profile in the profile.
func (p *Profile) Original(f *diag.Finding) (of *diag.Finding, field string, s report.Subject) {
	file, at := p.Place(f)
	return f, "", report.Subject{Path: file, At: at, Places: p, WithoutEdits: true}
}

// Places returns nil, because the resources of a profile are in no file.
func (*Profile) Places(*kptpackage.File) *place.File { return nil }

// Of returns the position of a finding in the file that Place returns.
func (p *Profile) Of(f *diag.Finding) diag.Position {
	_, at := p.Place(f)
	return at
}

// Edit returns the position of an edit. f is the finding, moved to the edit.
func (p *Profile) Edit(f *diag.Finding) diag.Position { return p.Of(f) }

// valuesOf returns the entry of the pack that a finding is about, and the string with its values
// if the finding is about values.
func (p *Profile) valuesOf(f *diag.Finding) (entry, text *yaml.Node) {
	entry = values.Follow(p.places().Root(), append(values.Keys("spec", "template", "packs"), values.Element(f.Resource().Index-1)))
	if f.Origin == nil || !f.Origin.Embedded || f.Origin.Name != valuesFile {
		return entry, nil
	}
	return entry, values.Field(entry, "values")
}

// HasLine reports whether Place returns the exact line of the fault, and not only the line of the
// string that contains it.
func (p *Profile) HasLine(f *diag.Finding) bool {
	i := f.Resource().Index - 1
	if p.origin == nil || i < 0 || i >= len(p.Packs) || f.Position.Line == 0 {
		return false
	}
	_, text := p.valuesOf(f)
	return text != nil && p.origin.HasLines(i)
}

// Field returns the path of the field that a finding is about, in the profile's file.
func (p *Profile) Field(f *diag.Finding) string {
	i := f.Resource().Index - 1
	if i < 0 || i >= len(p.Packs) {
		return p.exportedPath(f.Path())
	}
	path := fmt.Sprintf("spec.template.packs[%d]", i)
	if f.Origin != nil && f.Origin.Embedded && f.Origin.Name == valuesFile {
		path += ".values"
	}
	if p.origin != nil {
		return p.origin.Field(path)
	}
	return path
}

// places returns the document with positions inside its strings, if they can be determined.
func (p *Profile) places() *values.Document {
	if p.placed == nil {
		var err error
		if p.placed, err = values.Parse(string(p.Text)); err != nil || p.placed.Root() == nil {
			p.placed = p.document
		}
	}
	return p.placed
}

// nearestAt returns the position of a field, or of its nearest existing parent.
func nearestAt(trees *place.Trees, root *yaml.Node, path string) diag.Position {
	for {
		if n, key := trees.Find(root, path); key != nil {
			return values.At(key)
		} else if n != nil {
			return values.At(n)
		}
		cut := strings.LastIndexAny(path, ".[")
		if cut < 0 {
			return values.At(root)
		}
		path = path[:cut]
	}
}
