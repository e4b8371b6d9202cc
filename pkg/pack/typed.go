package pack

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/values"
)

// document is a field of a Pack that may be text or a structure.
type document struct {
	name string
	// kind is what it is as a structure.
	kind yaml.Kind
	want string
}

var documents = []document{
	{"values", yaml.MappingNode, "text or a mapping"},
	{"schema", yaml.MappingNode, "text or a mapping"},
	{"presets", yaml.SequenceNode, "text or a list"},
	{"properties", yaml.SequenceNode, "text or a list"},
	{"dependencies", yaml.SequenceNode, "text or a list"},
	{"chartFacts", yaml.MappingNode, "text or a mapping"},
}

// pack reads the typed form of a pack.
func (l *loader) pack(resource diag.Resource, d *values.Document) {
	var file kindFile[*yaml.Node]
	// decode reports the duplicate keys of all other fields.
	l.duplicates(resource, d, []string{"metadata", "spec"}, "spec.values", "spec.schema")
	isFaulty := l.decode(resource, d, &file)
	spec := file.Spec
	if values.IsNull(spec) {
		return
	}
	if spec.Kind != yaml.MappingNode {
		l.invalid(diag.Got(values.KindOf(spec), "a mapping").About(resource, "spec"))
		return
	}
	p := &Pack{Resource: resource, Metadata: l.source(resource, "spec", "spec", d, spec, "spec")}
	known := slices.Clone(metadataFields)
	for _, want := range documents {
		known = append(known, want.name)
	}
	misspelt := l.misspelt(p.Metadata.Origin, spec, known...)
	for _, field := range misspelt {
		p.unread = append(p.unread, field+".yaml")
	}
	l.misplaced(p.Metadata.Origin, spec, misspelt)
	for _, into := range []struct {
		name string
		text *string
	}{{"name", &p.Name}, {"version", &p.Version}, {"layer", &p.Layer}} {
		if n := values.Field(spec, into.name); !values.IsNull(n) && n.Kind != yaml.ScalarNode {
			l.invalid(diag.Got(values.KindOf(n), "text").About(resource, "spec."+into.name))
			isFaulty = true
		} else {
			*into.text = values.Text(n)
		}
	}
	if p.Name == "" {
		p.Name = resource.Name
	}
	sources := map[string]**Source{"values": &p.Values, "schema": &p.Schema, "presets": &p.Presets, "properties": &p.Properties, "dependencies": &p.Dependencies, "chartFacts": &p.ChartFacts}
	for _, want := range documents {
		source := l.documentField(resource, d, spec, want)
		if *sources[want.name] = source; source == nil && !values.IsNull(values.Field(spec, want.name)) {
			p.unread = append(p.unread, want.name+".yaml")
		}
	}
	if !isFaulty {
		l.add(p, spec)
	}
}

// documentField returns a field that is text or a structure, nil when it is
// absent, and reports it when it is neither.
func (l *loader) documentField(resource diag.Resource, d *values.Document, spec *yaml.Node, want document) *Source {
	n := values.Field(spec, want.name)
	if values.IsNull(n) {
		return nil
	}
	path := "spec." + want.name
	if n.Kind != want.kind && (n.Kind != yaml.ScalarNode || n.ShortTag() != "!!str") {
		l.invalid(diag.Got(values.KindOf(n), want.want).About(resource, path))
		return nil
	}
	return l.source(resource, path, path, d, n, "spec", want.name)
}

// replace is the strategy of values that stand alone.
const replace = "replace"

// packValues reads an override.
func (l *loader) packValues(resource diag.Resource, d *values.Document) {
	var file kindFile[PackValuesSpec]
	l.duplicates(resource, d, []string{"metadata"}) // decode reports the others
	isFaulty := l.decode(resource, d, &file)
	o := &Override{
		Pack:    file.Spec.PackRef.Name,
		Scope:   Scope(file.Spec.Scope),
		Replace: file.Spec.Strategy == replace,
		name:    resource.Name,
	}
	if o.Scope == "" {
		o.Scope = ScopeProfile
	}
	spec := values.Field(d.Root(), "spec")
	o.Values = l.documentField(resource, d, spec, documents[0])
	if isFaulty || o.Values == nil {
		if !isFaulty && values.IsNull(values.Field(spec, "values")) {
			f := diag.Missing("").About(resource, "spec.values")
			f.Accepted = "the values that come on top of the pack's own, as text or a mapping"
			l.invalid(f)
		}
		l.unread = append(l.unread, o.Pack)
		return
	}
	l.overrides = append(l.overrides, o)
	l.addPoint(o.Pack, o.Replace)
}
