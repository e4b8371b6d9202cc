package schema

import (
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/nearest"
	"github.com/krm-packs/functions/pkg/values"
)

// Schema is a pack's schema.yaml: what is asked of the values at each of its
// paths.
type Schema struct {
	Entries []Entry
}

// Entry is one key of a schema.
type Entry struct {
	// Key is the full dotted path as written.
	Key string
	// Path is the key, parsed.
	Path values.Path
	// Template is what is asked of the value.
	Template *Template
	// Position is where the key stands in the schema.
	Position values.Position
}

// Problem is a fault of a schema, its author's to mend.
type Problem struct {
	// Key is the schema's key, "" for a fault of the whole.
	Key      string
	Message  string
	Position values.Position
	// First is where a key that stands twice stands first; else it is zero.
	First values.Position
}

// Parse reads a schema. Entries with faults are left out; all others count. An
// empty document is a schema without constraints.
func Parse(document *values.Document) (*Schema, []Problem) {
	s := &Schema{}
	root := document.Root()
	if root == nil {
		return s, nil
	}
	if root.Kind != yaml.MappingNode {
		return s, []Problem{{Message: "is not a mapping of dotted paths to {schema: '{{ … }}'}", Position: values.At(root)}}
	}
	var problems []Problem
	twice := map[string]bool{}
	for _, d := range document.Duplicates() {
		twice[d.Path] = true
		problems = append(problems, Problem{Key: d.Path, Message: "stands twice; remove one", Position: d.Second, First: d.First})
	}
	for at := 0; at+1 < len(root.Content); at += 2 {
		key := root.Content[at]
		if twice[key.Value] {
			continue // which of them counts is not for us to say
		}
		entry, problem := parseEntry(key, values.Resolve(root.Content[at+1]))
		if problem != nil {
			problems = append(problems, *problem)
			continue
		}
		s.Entries = append(s.Entries, entry)
	}
	return s, problems
}

func parseEntry(key, value *yaml.Node) (Entry, *Problem) {
	e := Entry{Key: key.Value, Position: values.At(key)}
	fail := func(at *yaml.Node, format string, args ...any) (Entry, *Problem) {
		return Entry{}, &Problem{Key: key.Value, Message: fmt.Sprintf(format, args...), Position: values.At(at)}
	}
	var err error
	if e.Path, err = values.ParsePath(key.Value); err != nil {
		return fail(key, "is not a path: %v", err)
	}
	template := values.Field(value, "schema")
	if value.Kind == yaml.MappingNode {
		for at := 0; at+1 < len(value.Content); at += 2 {
			if name := value.Content[at].Value; name != "schema" {
				return fail(value.Content[at], "has the unknown field %q; known is schema%s", name, nearest.Hint(name, []string{"schema"}))
			}
		}
	}
	if template == nil || template.Kind != yaml.ScalarNode || template.ShortTag() != "!!str" {
		return fail(value, `wants a template as text, schema: '{{ required | format "${string}" }}'`)
	}
	if e.Template, err = ParseTemplate(template.Value); err != nil {
		var fault *TemplateError
		errors.As(err, &fault)
		return fail(template, "its template is wrong at character %d: %s", 1+len([]rune(template.Value[:fault.Offset])), fault.Reason)
	}
	return e, nil
}

// names returns the keys of the schema.
func (s *Schema) names() []string {
	names := make([]string, len(s.Entries))
	for i, e := range s.Entries {
		names[i] = e.Key
	}
	return names
}

// covers reports whether the schema says something about a dotted path: about
// the value itself, one above it, or one below.
func (s *Schema) covers(path string) bool {
	for _, e := range s.Entries {
		if e.Key == path || strings.HasPrefix(e.Key, path+".") || strings.HasPrefix(path, e.Key+".") {
			return true
		}
	}
	return false
}
