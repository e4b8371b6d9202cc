package policy

import (
	"encoding/json"
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
	// refs are what the references lead to.
	refs map[string]any
	// draft7 tells draft-07, where a reference stands alone, from 2020-12.
	draft7 bool
	whole  *jsonschema.Resolved
	// rooted is root with references that hold below rootPointer.
	rooted any
	parts  map[partKey]*jsonschema.Resolved
}

// partKey is a part of a schema: a place in it, and the keyword that leads the
// part.
type partKey struct {
	schema  uintptr
	keyword string
}

// The drafts that the validator knows. Hubs write more of them, in several ways;
// their own is draft-07.
const (
	draft07     = "http://json-schema.org/draft-07/schema#"
	draft202012 = "https://json-schema.org/draft/2020-12/schema"
)

// rootPointer is where a part has the whole schema, for its references.
const rootPointer = "#/definitions/root"

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
// directly in it. f is called in the order of their JSON pointers.
func mapSchemas(schema map[string]any, f func(pointer string, sub any) any) map[string]any {
	isSchema := func(n any) bool {
		switch n.(type) {
		case bool, map[string]any:
			return true
		}
		return false
	}
	out := map[string]any{}
	for _, keyword := range slices.Sorted(maps.Keys(schema)) {
		shape, known := keywords[keyword]
		if !known {
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
	s := &jsonSchema{refs: map[string]any{}, draft7: true, parts: map[partKey]*jsonschema.Resolved{}}
	if m, ok := document.(map[string]any); ok {
		version, _ := m["$schema"].(string)
		s.draft7 = strings.TrimSuffix(version, "#") != draft202012 && !strings.HasSuffix(strings.TrimSuffix(version, "#"), "//json-schema.org/draft/2020-12/schema")
	}
	c := schemaReader{}
	s.root = c.read("", document)
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
	refs []string
	// ids tells of an $id below the root, which changes what references mean.
	ids bool
	err error
}

func (r *schemaReader) read(pointer string, n any) any {
	schema, ok := n.(map[string]any)
	if !ok {
		return n
	}
	if id, ok := schema["$id"].(string); ok && pointer != "" && !strings.HasPrefix(id, "#") {
		r.ids = true
	}
	for _, keyword := range []string{"$dynamicRef", "$recursiveRef"} {
		if _, ok := schema[keyword].(string); ok && r.err == nil {
			r.err = fmt.Errorf("it has %s, which is not supported", keyword)
		}
	}
	if ref, ok := schema["$ref"].(string); ok {
		r.refs = append(r.refs, ref)
	}
	return mapSchemas(schema, r.read)
}

// resolve follows a reference.
func (s *jsonSchema) resolve(ref string) (any, bool) {
	fragment, ok := strings.CutPrefix(ref, "#")
	pointer, err := url.PathUnescape(fragment)
	if !ok || err != nil || pointer != "" && pointer[0] != '/' {
		return nil, false
	}
	n := s.root
	for pointer != "" {
		step, rest, more := strings.Cut(pointer[1:], "/")
		step = unescapePointer.Replace(step)
		if pointer = ""; more {
			pointer = "/" + rest
		}
		switch parent := n.(type) {
		case map[string]any:
			if n, ok = parent[step]; !ok {
				return nil, false
			}
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(parent) {
				return nil, false
			}
			n = parent[i]
		default:
			return nil, false
		}
	}
	return n, true
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
		if _, err := s.compile(map[string]any{keyword: shallow[keyword]}); err != nil {
			first = fmt.Errorf("%s/%s: %w", pointer, keyword, err)
		}
	}
	return first
}

// holds reports whether a part of the schema, some of the keywords of one place,
// accepts a value. keyword leads the part, and has the same part each time.
func (s *jsonSchema) holds(place map[string]any, keyword string, part map[string]any, value any) bool {
	key := partKey{address(place), keyword}
	compiled, ok := s.parts[key]
	if !ok {
		compiled = s.part(part)
		s.parts[key] = compiled
	}
	// What has been compiled within the whole can be compiled alone.
	return compiled == nil || compiled.Validate(value) == nil
}

func (s *jsonSchema) part(part map[string]any) *jsonschema.Resolved {
	if text, err := json.Marshal(part); err == nil && strings.Contains(string(text), `"$ref"`) {
		if s.rooted == nil {
			s.rooted = rebase("", s.root)
		}
		part = map[string]any{
			"definitions": map[string]any{strings.TrimPrefix(rootPointer, "#/definitions/"): s.rooted},
			"allOf":       []any{rebase("", part)},
		}
	}
	compiled, err := s.compile(part)
	if err != nil {
		return nil
	}
	return compiled
}

// rebase makes references lead into the schema at rootPointer.
func rebase(_ string, n any) any {
	schema, ok := n.(map[string]any)
	if !ok {
		return n
	}
	out := mapSchemas(schema, rebase)
	if ref, ok := out["$ref"].(string); ok {
		out["$ref"] = rootPointer + strings.TrimPrefix(ref, "#")
	}
	return out
}
