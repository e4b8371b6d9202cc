package pack

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/nearest"
	"github.com/krm-packs/functions/pkg/values"
)

// configMap reads the first form of a pack, the files of its directory, and
// values that are an override by their annotation.
func (l *loader) configMap(item *list.Item, resource diag.Resource, document *values.Document) {
	data := values.Field(document.Root(), "data")
	isPack := values.Field(data, "pack.json") != nil
	packName := item.Annotation(ValuesOfAnnotation)
	switch {
	case isPack && packName != "":
		l.invalid(diag.Say("the ConfigMap is a pack (it has the key pack.json) and also has values of the pack %q", packName).
			Do("remove the annotation or the key").About(resource, "metadata.annotations["+ValuesOfAnnotation+"]"))
	case isPack:
		l.duplicates(resource, document, nil)
		l.misspeltFiles(resource, data, files...)
		l.packFiles(resource, document)
	case packName != "":
		l.duplicates(resource, document, nil)
		source := l.wantText(resource, document, data, "values.yaml")
		if source == nil {
			if values.IsNull(values.Field(data, "values.yaml")) && !l.misspeltFiles(resource, data, "values.yaml") {
				l.invalid(diag.Missing("").Do("add the values of the pack \""+packName+"\"").About(resource, "data[values.yaml]"))
			}
			return
		}
		l.overrides = append(l.overrides, &Override{Pack: packName, Scope: ScopeProfile, Values: source, name: resource.Name})
	}
}

// files are the files of a pack's directory that functions read.
var files = []string{"pack.json", "values.yaml", "schema.yaml", "presets.yaml", "properties.yaml", "dependencies.yaml"}

// misspeltFiles reports keys that are most probably one of the known files under a
// wrong name, and whether there are any. Other files are ignored, but an unread
// schema would let everything pass.
func (l *loader) misspeltFiles(resource diag.Resource, data *yaml.Node, known ...string) bool {
	found := false
	for at := 0; data != nil && data.Kind == yaml.MappingNode && at+1 < len(data.Content); at += 2 {
		key := data.Content[at].Value
		for _, want := range known {
			if isMisspeltFile(key, want) && values.Field(data, want) == nil {
				found = true
				f := diag.Unknown("file", key, nil).Do("rename it").About(resource, "data["+key+"]")
				f.Nearest = want
				l.invalid(f)
			}
		}
	}
	return found
}

// isMisspeltFile reports whether a name differs from that of a known file in
// letter case, in .yml for .yaml, or by one slip.
func isMisspeltFile(got, want string) bool {
	name := strings.ToLower(got)
	if stem, ok := strings.CutSuffix(name, ".yml"); ok {
		name = stem + ".yaml"
	}
	return got != want && (name == want || nearest.IsSlip(name, want))
}

// packFiles reads a pack from the files of its directory.
func (l *loader) packFiles(resource diag.Resource, document *values.Document) {
	data := values.Field(document.Root(), "data")
	text := func(key string) *Source { return l.wantText(resource, document, data, key) }
	p := &Pack{
		Resource:     resource,
		Metadata:     text("pack.json"),
		Values:       text("values.yaml"),
		Schema:       text("schema.yaml"),
		Presets:      text("presets.yaml"),
		Properties:   text("properties.yaml"),
		Dependencies: text("dependencies.yaml"),
	}
	if p.Metadata == nil {
		if values.IsNull(values.Field(data, "pack.json")) {
			l.invalid(diag.Missing("empty").Do("write the pack's name and version as JSON").About(resource, "data[pack.json]"))
		}
		return
	}
	metadata, err := p.Metadata.Mapping()
	if err != nil {
		l.invalid(diag.Unreadable(err).From(p.Metadata.Origin))
		return
	}
	l.invalid(Duplicates(metadata)...)
	root := metadata.Root()
	p.Name, p.Version, p.Layer = values.Text(values.Field(root, "name")), values.Text(values.Field(root, "version")), values.Text(values.Field(root, "layer"))
	if p.Name == "" {
		f, n := diag.Missing("").Do("set it: other packs and overrides refer to the pack by its name"), values.Field(root, "name")
		if !values.IsNull(n) && n.Kind != yaml.ScalarNode {
			f = diag.Got(values.KindOf(n), "text")
		}
		l.invalid(f.In(p.Metadata.Origin, "name", values.At(n)))
		return
	}
	l.set.Packs = append(l.set.Packs, p)
}
