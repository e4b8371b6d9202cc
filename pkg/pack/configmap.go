package pack

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/nearest"
	"github.com/krm-packs/functions/pkg/values"
)

// configMap reads the first form of a pack, the files of its directory, and
// values that are an override by their annotation.
func (l *loader) configMap(item *function.Item, resource function.Resource, document *values.Document) {
	data := values.Field(document.Root(), "data")
	isPack := values.Field(data, "pack.json") != nil
	packName := item.Annotation(ValuesOfAnnotation)
	switch {
	case isPack && packName != "":
		l.run.Invalid(resource, "metadata.annotations["+ValuesOfAnnotation+"]",
			fmt.Sprintf("the ConfigMap is a pack (it has the key pack.json) and values of the pack %q at once; remove the annotation %s or the key", packName, ValuesOfAnnotation))
	case isPack:
		l.duplicates(resource, document, nil)
		l.misspeltFiles(resource, data, files...)
		l.packFiles(resource, document)
	case packName != "":
		l.duplicates(resource, document, nil)
		source := l.wantText(resource, document, data, "values.yaml")
		if source == nil {
			if values.IsNull(values.Field(data, "values.yaml")) && !l.misspeltFiles(resource, data, "values.yaml") {
				l.run.Invalid(resource, "data", fmt.Sprintf("values of the pack %q need the key values.yaml", packName))
			}
			return
		}
		l.overrides = append(l.overrides, &Override{Pack: packName, Scope: ScopeProfile, Values: source, name: resource.Name})
	}
}

// files are the files of a pack's directory that are read.
var files = []string{"pack.json", "values.yaml", "schema.yaml", "presets.yaml", "properties.yaml", "dependencies.yaml"}

// misspeltFiles reports keys that are, most probably, one of the known files
// under a wrong name, and whether there are any. A pack's directory can hold any
// other file, but a schema that nobody reads would let everything pass.
func (l *loader) misspeltFiles(resource function.Resource, data *yaml.Node, known ...string) bool {
	found := false
	for at := 0; data != nil && data.Kind == yaml.MappingNode && at+1 < len(data.Content); at += 2 {
		key := data.Content[at].Value
		for _, want := range known {
			if isMisspeltFile(key, want) && values.Field(data, want) == nil {
				found = true
				path := "data[" + key + "]"
				l.run.Invalid(resource, path, fmt.Sprintf("%s: unknown file (did you mean %q?): rename it, so that it is read", path, want))
			}
		}
	}
	return found
}

// isMisspeltFile reports whether a name differs from that of a known file in
// letter case, in .yml for .yaml, or by a slip of the pen.
func isMisspeltFile(got, want string) bool {
	name := strings.ToLower(got)
	if stem, ok := strings.CutSuffix(name, ".yml"); ok {
		name = stem + ".yaml"
	}
	return got != want && (name == want || nearest.IsSlip(name, want))
}

func (l *loader) packFiles(resource function.Resource, document *values.Document) {
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
			l.run.Invalid(resource, "data[pack.json]", "data[pack.json]: is empty, want the pack's name and version as JSON")
		}
		return
	}
	metadata, err := p.Metadata.Mapping()
	if err != nil {
		l.run.Report(p.Metadata.Locate(function.Finding{
			Rule:    function.RuleInputInvalid.ID,
			Message: fmt.Sprintf("pack.json can not be read: %v", err),
		}, "", values.ErrorPosition(err)))
		return
	}
	for _, d := range metadata.Duplicates() {
		l.run.Report(p.Metadata.Locate(function.Finding{
			Rule:    function.RuleInputInvalid.ID,
			Message: fmt.Sprintf("pack.json: the key %q stands on line %d and again on line %d; remove one", d.Path, d.First.Line, d.Second.Line),
		}, d.Path, d.Second))
	}
	root := metadata.Root()
	p.Name, p.Version, p.Layer = values.Text(values.Field(root, "name")), values.Text(values.Field(root, "version")), values.Text(values.Field(root, "layer"))
	if p.Name == "" {
		l.run.Report(p.Metadata.Locate(function.Finding{
			Rule:    function.RuleInputInvalid.ID,
			Message: `pack.json has no name; other packs and overrides refer to the pack by it, so add "name"`,
		}, "name", values.Position{}))
		return
	}
	l.set.Packs = append(l.set.Packs, p)
}
