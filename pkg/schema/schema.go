package schema

import (
	"errors"
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/decode"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// Schema is a pack's schema.yaml: the constraints of the values, by their paths.
type Schema struct {
	// Entries are the entries in the order of the document.
	Entries []Entry
	// Origin is the place of the document.
	Origin *diag.Origin

	// keys are the keys as a tree, to compare names with.
	keys *keyTree
}

// Entry is one key of a schema.
type Entry struct {
	// Key is the full dotted path as written.
	Key string
	// Path is the parsed key.
	Path values.Path
	// Template is the constraint of the value.
	Template *Template
	// Position is the place of the key in the schema, and templateAt the place of the template.
	Position, templateAt diag.Position
}

// Parse reads a schema. It leaves out entries with faults, which the findings
// describe. An empty document is a schema without constraints.
func Parse(document *values.Document) (*Schema, []diag.Finding) {
	s := &Schema{Origin: document.Origin()}
	root := document.Root()
	if root == nil {
		return s, nil
	}
	var findings []diag.Finding
	fail := func(f diag.Finding, key string, at diag.Position) {
		findings = append(findings, f.In(s.Origin, key, at).Of(rule.SchemaInvalid))
	}
	if root.Kind != yaml.MappingNode {
		fail(diag.Got(values.KindOf(root), "a map of paths to {schema: '{{ … }}'}"), "", values.At(root))
		return s, findings
	}
	isDuplicate := map[string]bool{}
	for _, d := range document.Duplicates() {
		fail(diag.Duplicate(d.First, d.Second), d.Path, d.Second)
		isDuplicate[d.Path] = true
	}
	for _, p := range values.Pairs(root) {
		key := values.Resolve(p.Key)
		if isDuplicate[key.Value] {
			continue // the author must remove one first
		}
		entry, faults := parseEntry(key, p.Value)
		for _, f := range faults {
			fail(f, f.Key, f.Position)
		}
		if entry.Template != nil {
			s.Entries = append(s.Entries, entry)
		}
	}
	s.keys = newKeyTree(s.Entries)
	return s, findings
}

// isOfList reports whether the values are a list: a key starts with "$[]".
func (s *Schema) isOfList() bool {
	return slices.ContainsFunc(s.Entries, func(e Entry) bool { return e.Path.Steps()[0] == values.Wildcard })
}

const wantTemplate = `a template such as '{{ required | format "${string}" }}'`

// parseEntry reads an entry. One with faults has no template: it would check something
// else than its author wants.
//
//	server.replicas:
//	  schema: '{{ required | format "${number:[1-9]}" }}'
func parseEntry(key, value *yaml.Node) (Entry, []diag.Finding) {
	e := Entry{Key: key.Value, Position: values.At(key)}
	fail := func(f diag.Finding, at *yaml.Node) (Entry, []diag.Finding) {
		return e, []diag.Finding{f.At(key.Value, values.At(at))}
	}
	var err error
	if e.Path, err = values.ParsePath(key.Value); err != nil {
		return fail(diag.Say("%v", err), key)
	}
	if value.Kind != yaml.MappingNode {
		return fail(diag.Got(values.KindOf(value), "schema: with "+wantTemplate), value)
	}
	var fields struct {
		Schema *yaml.Node `json:"schema" required:"true"`
	}
	if faults := decode.Node(value, key.Value, &fields); len(faults) > 0 {
		isMisspelt := slices.ContainsFunc(faults, func(f diag.Finding) bool { return f.Nearest != "" })
		return e, slices.DeleteFunc(faults, func(f diag.Finding) bool {
			return f.Kind == diag.KindDuplicate || f.Kind == diag.KindMissing && isMisspelt // reported already
		})
	}
	template := fields.Schema
	e.templateAt = values.At(template)
	if template.Kind != yaml.ScalarNode || template.ShortTag() != "!!str" {
		return fail(diag.Got(values.KindOf(template), wantTemplate), template)
	}
	if e.Template, err = parseTemplate(template.Value); err != nil {
		var fault *templateError
		errors.As(err, &fault)
		f := fault.Finding
		f.Found += fmt.Sprintf(" at character %d of the template", 1+len([]rune(template.Value[:fault.Offset])))
		return fail(f, template)
	}
	return e, nil
}
