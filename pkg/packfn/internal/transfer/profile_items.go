package transfer

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/place"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// Items returns the resources that an import of the profile makes: the ClusterProfile, then
// one for each pack. Their file is that of the profile. missing are the packs that no source
// has, for [NoteOfMissing]. note takes other lines for the user.
func (p *Profile) Items(sources *packdir.Sources, note func(string, ...any)) (items []*list.Item, missing []string, err error) {
	packs, missing, err := p.joinAll(sources, note)
	if err != nil {
		return nil, nil, err
	}
	roots := []*yaml.Node{p.node(pack.Imported{}, yaml.DoubleQuotedStyle)}
	for _, j := range packs {
		r := &resource{form: ConfigMap, name: j.resource, record: j.record, files: j.files.Files}
		roots = append(roots, mapping("apiVersion", text("v1"), "kind", text("ConfigMap"), "metadata", r.metadataNode(), "data", r.data(yaml.DoubleQuotedStyle)))
	}
	for i, root := range roots {
		text, err := values.Print(root)
		if err != nil {
			return nil, nil, err
		}
		items = append(items, list.FileItem(text, p.Path, i))
	}
	return items, missing, nil
}

const packsPath, variablesPath = "spec.template.packs", "spec.variables"

// IsWhole reports whether the profile has all packs of a cluster.
func (p *Profile) IsWhole() bool {
	return values.Text(values.Field(p.spec, "type")) == "cluster" && !p.isUnknown(packsPath)
}

func (p *Profile) isUnknown(path string) bool { return p.origin != nil && p.origin.IsUnknown(path) }

// Follows reports whether a finding about a resource of Items only follows from what is unknown
// of the profile: packs, variables, or a default.
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

// Place returns the file and the place in it of a finding about a resource of Items. For one
// about the values of a pack that is the place in their text.
func (p *Profile) Place(f *diag.Finding) (file string, at diag.Position) {
	i := f.Resource().Index - 1
	if i < 0 || i >= len(p.packs) {
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

// Of returns the place of a finding in the file that Place returns.
func (p *Profile) Of(f *diag.Finding) diag.Position {
	_, at := p.Place(f)
	return at
}

// Edit returns the place of an edit, to which the position of a finding was moved.
func (p *Profile) Edit(f *diag.Finding) diag.Position { return p.Of(f) }

// valuesOf returns the pack that a finding is about, and the text of its values if it is about them.
func (p *Profile) valuesOf(f *diag.Finding) (entry, text *yaml.Node) {
	entry = values.Follow(p.places().Root(), append(values.Keys("spec", "template", "packs"), values.Element(f.Resource().Index-1)))
	if f.Origin == nil || !f.Origin.Embedded || f.Origin.Name != valuesFile {
		return entry, nil
	}
	return entry, values.Field(entry, "values")
}

// HasLine reports whether Place returns the line at fault, and not that of the text with it.
func (p *Profile) HasLine(f *diag.Finding) bool {
	i := f.Resource().Index - 1
	if p.origin == nil || i < 0 || i >= len(p.packs) || f.Position.Line == 0 {
		return false
	}
	_, text := p.valuesOf(f)
	return text != nil && p.origin.HasLines(i)
}

// Field returns the path in the profile's file of the field that a finding is about.
func (p *Profile) Field(f *diag.Finding) string {
	i := f.Resource().Index - 1
	if i < 0 || i >= len(p.packs) {
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

// places is the file with the places in its texts, if they are known.
func (p *Profile) places() *values.Document {
	if p.placed == nil {
		var err error
		if p.placed, err = values.Parse(string(p.text)); err != nil || p.placed.Root() == nil {
			p.placed = p.document
		}
	}
	return p.placed
}

// nearestAt returns the place of a field, or of the nearest one above it that is there.
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
