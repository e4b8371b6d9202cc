package pack

import (
	"cmp"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/values"
)

// document is a document of a pack: a file of a ConfigMap, or a field of a Pack, which may
// be text or a structure.
type document struct {
	// file is the name of the file, and field the name of the field in the spec of a Pack.
	file, field string
	// kind is the kind of the field as a structure.
	kind yaml.Kind
	// of is where a pack has it.
	of func(*Pack) **Source
}

// documents are all documents of a pack but pack.json. The charts' facts are a file of no
// directory: import writes it.
var documents = []document{
	{valuesFile, "values", yaml.MappingNode, func(p *Pack) **Source { return &p.Values }},
	{"schema.yaml", "schema", yaml.MappingNode, func(p *Pack) **Source { return &p.Schema }},
	{"presets.yaml", "presets", yaml.SequenceNode, func(p *Pack) **Source { return &p.Presets }},
	{"properties.yaml", "properties", yaml.SequenceNode, func(p *Pack) **Source { return &p.Properties }},
	{"dependencies.yaml", "dependencies", yaml.SequenceNode, func(p *Pack) **Source { return &p.Dependencies }},
	{"chart-facts.yaml", "chartFacts", yaml.MappingNode, func(p *Pack) **Source { return &p.ChartFacts }},
}

// pack reads the typed form of a pack.
func (l *loader) pack(resource diag.Resource, d *values.Document) {
	if l.status.IsPending {
		l.addWaiting(cmp.Or(values.Text(values.Field(d.Root(), "spec", "name")), resource.Name))
		return
	}
	var file kindFile[*yaml.Node]
	// decode reports the duplicate keys of all other fields.
	l.duplicates(resource, d, []string{"metadata", "spec"}, "spec.values", "spec.schema")
	isFaulty := l.decode(resource, d, &file)
	spec := file.Spec
	if values.IsNull(spec) {
		return
	}
	if spec.Kind != yaml.MappingNode {
		l.invalid(diag.Got(values.KindOf(spec), "a map").About(resource, "spec"))
		return
	}
	l.ambiguous(resource, spec, "spec", new(PackSpec))
	if presets := values.Field(spec, "presets"); !values.IsNull(presets) {
		l.ambiguous(resource, presets, "spec.presets", new([]presetEntry))
	}
	p := &Pack{Resource: resource, Metadata: l.source(resource, "spec", "spec", d, spec, "spec")}
	known := slices.Clone(metadataFields)
	for _, want := range documents {
		known = append(known, want.field)
	}
	misspelt := l.misspelt(p.Metadata.Origin, spec, known...)
	for _, field := range misspelt {
		if at := slices.IndexFunc(documents, func(d document) bool { return d.field == field }); at >= 0 {
			p.unread = append(p.unread, documents[at].file)
		}
	}
	l.misplaced(p.Metadata.Origin, spec, misspelt)
	for _, into := range []struct {
		name string
		text *string
	}{{"name", &p.Name}, {"version", &p.Version}, {"layer", &p.Layer}} {
		if n := values.Field(spec, into.name); !values.IsNull(n) && n.Kind != yaml.ScalarNode {
			l.invalid(diag.Got(values.KindOf(n), "a string").About(resource, "spec."+into.name))
			isFaulty = true
		} else {
			*into.text = values.Text(n)
		}
	}
	p.Name = cmp.Or(p.Name, resource.Name)
	for _, want := range documents {
		source := l.documentField(resource, d, spec, want)
		if *want.of(p) = source; source == nil && !values.IsNull(values.Field(spec, want.field)) {
			p.unread = append(p.unread, want.file)
		}
	}
	if !isFaulty {
		l.add(p, spec)
	}
}

// documentField returns a field that is text or a structure, or nil if it is absent, and reports it
// when it is neither.
func (l *loader) documentField(resource diag.Resource, d *values.Document, spec *yaml.Node, want document) *Source {
	n := values.Field(spec, want.field)
	if values.IsNull(n) {
		return nil
	}
	path := "spec." + want.field
	if n.Kind != want.kind && (n.Kind != yaml.ScalarNode || n.ShortTag() != "!!str") {
		l.invalid(diag.Got(values.KindOf(n), "a string or "+values.KindOf(&yaml.Node{Kind: want.kind})).About(resource, path))
		return nil
	}
	return l.source(resource, path, path, d, n, "spec", want.field)
}

// replace is the strategy of values that stand alone.
const replace = "replace"

// packValues reads an override.
func (l *loader) packValues(resource diag.Resource, d *values.Document) {
	spec := values.Field(d.Root(), "spec")
	if l.status.IsPending {
		l.addPoint(values.Text(values.Field(spec, "packRef", "name")), values.Text(values.Field(spec, "strategy")) == replace)
		return
	}
	var file kindFile[PackValuesSpec]
	l.duplicates(resource, d, []string{"metadata"}) // decode reports the others
	isFaulty := l.decode(resource, d, &file)
	o := &Override{
		Pack:    file.Spec.PackRef.Name,
		Scope:   cmp.Or(Scope(file.Spec.Scope), ScopeProfile),
		Replace: file.Spec.Strategy == replace,
	}
	o.Values = l.documentField(resource, d, spec, documents[0])
	if isFaulty || o.Values == nil {
		if !isFaulty && values.IsNull(values.Field(spec, "values")) {
			f := diag.Missing("").About(resource, "spec.values")
			f.Accepted = "the values of the override: a map, or a string that contains one"
			l.invalid(f)
		}
		l.unread = append(l.unread, o.Pack)
		return
	}
	l.overrides = append(l.overrides, o)
	l.addPoint(o.Pack, o.Replace)
}
