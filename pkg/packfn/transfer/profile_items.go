package transfer

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/packdir"
	"github.com/krm-packs/functions/pkg/place"
	"github.com/krm-packs/functions/pkg/values"
)

// Items returns the resources that an import of the profile makes: the ClusterProfile, then
// one for each pack. Their file is that of the profile. note takes lines for the user.
func (p *Profile) Items(sources *packdir.Sources, note func(string, ...any)) ([]*list.Item, error) {
	packs, err := p.joinAll(sources, note)
	if err != nil {
		return nil, err
	}
	roots := []*yaml.Node{p.node(Record{}, yaml.DoubleQuotedStyle)}
	for _, j := range packs {
		r := &resource{form: ConfigMap, name: j.resource, record: j.record, files: j.files.Files}
		roots = append(roots, mapping("apiVersion", text("v1"), "kind", text("ConfigMap"), "metadata", r.metadataNode(), "data", r.data(yaml.DoubleQuotedStyle)))
	}
	var items []*list.Item
	for i, root := range roots {
		text, err := values.Print(root)
		if err != nil {
			return nil, err
		}
		items = append(items, list.FileItem(text, p.Path, i))
	}
	return items, nil
}

// IsWhole reports whether the profile has all packs of a cluster.
func (p *Profile) IsWhole() bool { return values.Text(values.Field(p.spec, "type")) == "cluster" }

// Place returns the place in the profile's file of a finding about a resource of Items. For
// one about the values of a pack that is the place in their text.
func (p *Profile) Place(f *diag.Finding) diag.Position {
	root, i := p.places().Root(), f.Resource().Index-1
	if i < 0 || i >= len(p.packs) {
		return nearestAt(root, exportedPath(f.Path()))
	}
	entry := values.Follow(root, append(values.Keys("spec", "template", "packs"), values.Element(i)))
	n := values.Field(entry, "values")
	if f.Origin == nil || !f.Origin.Embedded || f.Origin.Name != valuesFile || n == nil {
		return values.At(values.Field(entry, "name"))
	}
	at := f.Position
	if at.Line == 0 && f.Key != "" {
		at = place.InText(n.Value, f.Key)
	}
	if p.texts == nil {
		p.texts = map[*yaml.Node]func(diag.Position) (diag.Position, bool){}
	}
	if p.texts[n] == nil {
		p.texts[n] = p.places().Embedded(n)
	}
	if inFile, ok := p.texts[n](at); ok {
		return inFile
	}
	return values.At(n)
}

// Field returns the path in the profile's file of the field that a finding is about.
func (p *Profile) Field(f *diag.Finding) string {
	i := f.Resource().Index - 1
	if i < 0 || i >= len(p.packs) {
		return exportedPath(f.Path())
	}
	path := fmt.Sprintf("spec.template.packs[%d]", i)
	if f.Origin != nil && f.Origin.Embedded && f.Origin.Name == valuesFile {
		return path + ".values"
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
func nearestAt(root *yaml.Node, path string) diag.Position {
	for {
		if n, key := place.Find(root, path); key != nil {
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
