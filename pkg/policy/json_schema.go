package policy

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// jsonSchema is the JSON schema of a Type. The validator stops at the first fault,
// which depends on the order of a map, and its words hold the value; so it judges
// here one keyword at a time, and what is told is found on the way.
type jsonSchema struct {
	// root has the keywords that the drafts define, and nothing else.
	root any
	// places are the schemas in it, by their JSON pointers.
	places map[string]any
	// refs are what the references lead to.
	refs map[string]any
	// draft7 tells draft-07, where a reference stands alone, from 2020-12.
	draft7 bool
	whole  *jsonschema.Resolved
	// simple are the parts without schemas in them, compiled one by one.
	simple map[partKey]*jsonschema.Resolved
	nested *nestedParts
}

// The drafts that the validator knows. Hubs write more of them, in several ways;
// their own is draft-07.
const (
	draft07     = "http://json-schema.org/draft-07/schema#"
	draft202012 = "https://json-schema.org/draft/2020-12/schema"
)

// maxSchemaNesting is the deepest nesting of schemas: the validator reads each one
// again for every schema that it is in.
const maxSchemaNesting = 250

// keywordShape is where a keyword has schemas.
type keywordShape int

const (
	noSchema keywordShape = iota
	oneSchema
	schemaList
	schemaOrList
	namedSchemas
)

// keywords are those that bear on validation. `$id` and anchors are none of them:
// references by them are refused.
var keywords = map[string]keywordShape{
	"$ref": noSchema, "$defs": namedSchemas, "definitions": namedSchemas,
	"type": noSchema, "enum": noSchema, "const": noSchema,
	"multipleOf": noSchema, "minimum": noSchema, "maximum": noSchema, "exclusiveMinimum": noSchema, "exclusiveMaximum": noSchema,
	"minLength": noSchema, "maxLength": noSchema, "pattern": noSchema,
	"items": schemaOrList, "prefixItems": schemaList, "additionalItems": oneSchema, "unevaluatedItems": oneSchema,
	"minItems": noSchema, "maxItems": noSchema, "uniqueItems": noSchema,
	"contains": oneSchema, "minContains": noSchema, "maxContains": noSchema,
	"properties": namedSchemas, "patternProperties": namedSchemas, "additionalProperties": oneSchema,
	"propertyNames": oneSchema, "unevaluatedProperties": oneSchema,
	"minProperties": noSchema, "maxProperties": noSchema, "required": noSchema,
	"dependencies": namedSchemas, "dependentRequired": noSchema, "dependentSchemas": namedSchemas,
	"allOf": schemaList, "anyOf": schemaList, "oneOf": schemaList, "not": oneSchema,
	"if": oneSchema, "then": oneSchema, "else": oneSchema,
}

// mapSchemas returns a schema with its keywords, and what f makes of each schema
// directly in it. f is called in the order of their JSON pointers. Where a schema is
// wanted null counts as absent.
func mapSchemas(schema map[string]any, f func(pointer string, sub any) any) map[string]any {
	out := map[string]any{}
	for _, keyword := range slices.Sorted(maps.Keys(schema)) {
		shape, known := keywords[keyword]
		if !known || schema[keyword] == nil && shape != noSchema {
			continue
		}
		pointer := "/" + keyword
		out[keyword] = schema[keyword]
		switch n := schema[keyword].(type) {
		case bool:
			if shape == oneSchema || shape == schemaOrList {
				out[keyword] = f(pointer, n)
			}
		case map[string]any:
			switch shape {
			case oneSchema, schemaOrList:
				out[keyword] = f(pointer, n)
			case namedSchemas:
				named := maps.Clone(n)
				for _, name := range slices.Sorted(maps.Keys(n)) {
					if isSchema(n[name]) {
						named[name] = f(pointer+"/"+escapePointer.Replace(name), n[name])
					}
				}
				out[keyword] = named
			}
		case []any:
			if shape == schemaList || shape == schemaOrList {
				list := slices.Clone(n)
				for i := range list {
					if isSchema(list[i]) {
						list[i] = f(pointer+"/"+strconv.Itoa(i), list[i])
					}
				}
				out[keyword] = list
			}
		}
	}
	return out
}

func isSchema(n any) bool {
	switch n.(type) {
	case bool, map[string]any:
		return true
	}
	return false
}

// misshapen says where a schema has something else in the place of schemas, in
// words of JSON: the validator's are those of Go.
func misshapen(pointer string, schema map[string]any) error {
	for _, keyword := range slices.Sorted(maps.Keys(schema)) {
		at := "#" + pointer + "/" + keyword
		n := schema[keyword]
		shape := keywords[keyword]
		if n == nil || shape == noSchema {
			continue
		}
		list, isList := n.([]any)
		mapping, isMapping := n.(map[string]any)
		switch {
		case shape == schemaList && !isList:
			return fmt.Errorf("%s: got %q, want a list of schemas", at, jsonType(n))
		case shape == namedSchemas && !isMapping:
			return fmt.Errorf("%s: got %q, want an object with schemas", at, jsonType(n))
		case shape == namedSchemas:
			for _, name := range slices.Sorted(maps.Keys(mapping)) {
				if _, names := mapping[name].([]any); !isSchema(mapping[name]) && !(names && keyword == "dependencies") {
					return notSchema(at+"/"+escapePointer.Replace(name), mapping[name])
				}
			}
		case isList && shape != oneSchema:
			for i := range list {
				if !isSchema(list[i]) {
					return notSchema(at+"/"+strconv.Itoa(i), list[i])
				}
			}
		case !isSchema(n):
			return notSchema(at, n)
		}
	}
	return nil
}

func notSchema(at string, n any) error {
	return fmt.Errorf("%s: got %q, want a schema: an object, true or false", at, jsonType(n))
}

var (
	escapePointer   = strings.NewReplacer("~", "~0", "/", "~1")
	unescapePointer = strings.NewReplacer("~1", "/", "~0", "~")
)

// readSchema reads and compiles the text of a JSON schema. It refuses references
// that lead out of it: no other document is read.
func readSchema(text string) (*jsonSchema, error) {
	var document any
	if err := json.Unmarshal([]byte(text), &document); err != nil {
		return nil, err
	}
	s := &jsonSchema{places: map[string]any{}, refs: map[string]any{}, draft7: true, simple: map[partKey]*jsonschema.Resolved{}}
	if m, ok := document.(map[string]any); ok {
		version, _ := m["$schema"].(string)
		_, later, _ := strings.Cut(draft202012, ":") // whatever the scheme is
		s.draft7 = !strings.HasSuffix(strings.TrimSuffix(version, "#"), later)
	}
	if !isSchema(document) {
		return nil, notSchema("#", document)
	}
	c := schemaReader{of: s}
	s.root = c.read("", document, 0)
	if c.err != nil {
		return nil, c.err
	}
	if c.ids && len(c.refs) > 0 {
		return nil, fmt.Errorf("it has both $ref and an $id below its root, which is not supported")
	}
	for _, ref := range c.refs {
		target, found := s.resolve(ref)
		if !found {
			return nil, fmt.Errorf("its $ref %q leads to no part of it: references are # or #/ and the way to a part of the schema", ref)
		}
		s.refs[ref] = target
	}
	var err error
	if s.whole, err = s.compile(s.root); err != nil {
		if first := s.fault("#", s.root); first != nil {
			err = first
		}
		return nil, err
	}
	return s, nil
}

// schemaReader copies a schema with the keywords that count.
type schemaReader struct {
	of   *jsonSchema
	refs []string
	// ids tells of an $id below the root, which changes what references mean.
	ids bool
	// err is what is wrong first.
	err error
}

func (r *schemaReader) read(pointer string, n any, depth int) any {
	if r.err != nil {
		return n
	}
	r.of.places[pointer] = n
	schema, ok := n.(map[string]any)
	if !ok {
		return n
	}
	if id, ok := schema["$id"].(string); ok && pointer != "" && !strings.HasPrefix(id, "#") {
		r.ids = true
	}
	if r.err = unsupported(schema, depth); r.err == nil {
		r.err = misshapen(pointer, schema)
	}
	if ref, ok := schema["$ref"].(string); ok {
		r.refs = append(r.refs, ref)
	}
	out := mapSchemas(schema, func(below string, sub any) any { return r.read(pointer+below, sub, depth+1) })
	r.of.places[pointer] = out
	return out
}

// unsupported says what a schema has that the validator, or we, can not do.
func unsupported(schema map[string]any, depth int) error {
	for _, keyword := range []string{"$dynamicRef", "$recursiveRef"} {
		if _, ok := schema[keyword].(string); ok {
			return fmt.Errorf("it has %s, which is not supported", keyword)
		}
	}
	if depth > maxSchemaNesting {
		return fmt.Errorf("its schemas are nested more than %d deep", maxSchemaNesting)
	}
	return nil
}

// resolve follows a reference.
func (s *jsonSchema) resolve(ref string) (any, bool) {
	fragment, ok := strings.CutPrefix(ref, "#")
	pointer, err := url.PathUnescape(fragment)
	if !ok || err != nil {
		return nil, false
	}
	steps := strings.Split(pointer, "/")
	for i, step := range steps {
		steps[i] = escapePointer.Replace(unescapePointer.Replace(step))
	}
	target, found := s.places[strings.Join(steps, "/")]
	return target, found
}

func (s *jsonSchema) compile(root any) (*jsonschema.Resolved, error) {
	text, err := json.Marshal(root)
	if err != nil {
		return nil, err
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(text, &schema); err != nil {
		return nil, err
	}
	if schema.Schema = draft202012; s.draft7 {
		schema.Schema = draft07
	}
	return schema.Resolve(nil)
}

// fault finds the first keyword that can not be compiled, the innermost first, so
// that the same one is told each time.
func (s *jsonSchema) fault(pointer string, n any) error {
	schema, ok := n.(map[string]any)
	if !ok {
		return nil
	}
	var first error
	shallow := mapSchemas(schema, func(below string, sub any) any {
		if first == nil {
			first = s.fault(pointer+below, sub)
		}
		return true
	})
	for _, keyword := range slices.Sorted(maps.Keys(shallow)) {
		if first != nil {
			break
		}
		if keyword == "$ref" {
			if _, text := shallow[keyword].(string); text {
				continue // it was followed
			}
		}
		_, err := s.compile(map[string]any{keyword: shallow[keyword]})
		var mistyped *json.UnmarshalTypeError
		if errors.As(err, &mistyped) {
			err = fmt.Errorf("got a value of the JSON type %s, which this keyword does not take", mistyped.Value)
		}
		if err != nil {
			first = fmt.Errorf("%s/%s: %w", pointer, keyword, err)
		}
	}
	return first
}
