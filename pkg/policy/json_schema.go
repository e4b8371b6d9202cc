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
	// pointers lead to those that are mappings.
	pointers map[uintptr]string
	// refs are what the references lead to.
	refs map[string]any
	// draft7 tells draft-07, where a reference stands alone, from 2020-12.
	draft7 bool
	whole  *jsonschema.Resolved
	// simple are the parts without schemas in them, compiled one by one.
	simple map[partKey]*jsonschema.Resolved
	nested *nestedParts
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

// maxSchemaNesting is the deepest nesting of schemas: the validator reads each one
// again for every schema that it is in.
const maxSchemaNesting = 250

// rootPointer is where nested parts have the whole schema.
const rootPointer = "/definitions/root"

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
	s := &jsonSchema{places: map[string]any{}, pointers: map[uintptr]string{}, refs: map[string]any{}, draft7: true, simple: map[partKey]*jsonschema.Resolved{}}
	if m, ok := document.(map[string]any); ok {
		version, _ := m["$schema"].(string)
		s.draft7 = strings.TrimSuffix(version, "#") != draft202012 && !strings.HasSuffix(strings.TrimSuffix(version, "#"), "//json-schema.org/draft/2020-12/schema")
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
	for _, keyword := range []string{"$dynamicRef", "$recursiveRef"} {
		if _, ok := schema[keyword].(string); ok && r.err == nil {
			r.err = fmt.Errorf("it has %s, which is not supported", keyword)
		}
	}
	if depth > maxSchemaNesting && r.err == nil {
		r.err = fmt.Errorf("its schemas are nested more than %d deep", maxSchemaNesting)
	}
	if err := misshapen(pointer, schema); err != nil && r.err == nil {
		r.err = err
	}
	if ref, ok := schema["$ref"].(string); ok {
		r.refs = append(r.refs, ref)
	}
	out := mapSchemas(schema, func(below string, sub any) any { return r.read(pointer+below, sub, depth+1) })
	r.of.places[pointer], r.of.pointers[address(out)] = out, pointer
	return out
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

// holds reports whether a part of the schema, some of the keywords of one place,
// accepts a value. keyword leads the part, and has the same part each time.
func (s *jsonSchema) holds(place map[string]any, keyword string, part map[string]any, value any) bool {
	if keyword == wholePlace || keywords[keyword] != noSchema {
		if s.nested == nil {
			s.nested = s.compileNested()
		}
		return s.nested.hold(s.pointers[address(place)], keyword, value)
	}
	key := partKey{address(place), keyword}
	compiled, ok := s.simple[key]
	if !ok {
		// What has been compiled within the whole can be compiled alone.
		compiled, _ = s.compile(part)
		s.simple[key] = compiled
	}
	return compiled == nil || compiled.Validate(value) == nil
}

// wholePlace stands for the keyword of the part that is all of a place.
const wholePlace = ""

// nestedParts are the parts that have schemas in them. Their references need the
// whole schema, so that they are compiled once and together: as the schemas of the
// properties of a mapping in which a value is put as the one that asks for its part.
type nestedParts struct {
	compiled *jsonschema.Resolved
	numbers  map[string]int
}

// partsPerGroup bounds the properties that the validator looks through for a part.
const partsPerGroup = 128

func (s *jsonSchema) compileNested() *nestedParts {
	p := &nestedParts{numbers: map[string]int{}}
	groups := map[string]any{}
	for _, pointer := range slices.Sorted(maps.Keys(s.places)) {
		place, ok := s.places[pointer].(map[string]any)
		if !ok {
			continue
		}
		for keyword, part := range nestedOf(place, pointer) {
			number := len(p.numbers)
			p.numbers[pointer+"\n"+keyword] = number
			group, name := numberNames(number)
			if groups[group] == nil {
				groups[group] = map[string]any{"properties": map[string]any{}}
			}
			groups[group].(map[string]any)["properties"].(map[string]any)[name] = part
		}
	}
	p.compiled, _ = s.compile(map[string]any{
		"definitions": map[string]any{strings.TrimPrefix(rootPointer, "/definitions/"): rebase("", s.root)},
		"properties":  groups,
	})
	return p
}

func numberNames(number int) (group, part string) {
	return strconv.Itoa(number / partsPerGroup), strconv.Itoa(number % partsPerGroup)
}

// nestedOf are the parts of a place that have schemas in them, which they refer to.
func nestedOf(place map[string]any, pointer string) map[string]any {
	at := func(below string) map[string]any {
		return map[string]any{"$ref": (&url.URL{Fragment: rootPointer + pointer + below}).String()}
	}
	parts := map[string]any{}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if list, ok := place[keyword].([]any); ok {
			branches := []any{}
			for i := range list {
				branches = append(branches, at("/"+keyword+"/"+strconv.Itoa(i)))
			}
			parts[keyword] = map[string]any{keyword: branches}
		}
	}
	if _, ok := place["not"]; ok {
		parts["not"] = map[string]any{"not": at("/not")}
	}
	if _, ok := place["if"]; ok {
		parts["if"] = at("/if")
	}
	if _, ok := place["contains"]; ok {
		part := map[string]any{"contains": at("/contains")}
		for _, keyword := range []string{"minContains", "maxContains"} {
			if bound, ok := place[keyword]; ok {
				part[keyword] = bound
			}
		}
		parts["contains"] = part
	}
	_, names := place["unevaluatedProperties"]
	_, items := place["unevaluatedItems"]
	if names || items {
		parts[wholePlace] = at("")
	}
	return parts
}

func (p *nestedParts) hold(pointer, keyword string, value any) bool {
	number, ok := p.numbers[pointer+"\n"+keyword]
	if !ok || p.compiled == nil {
		return true
	}
	group, part := numberNames(number)
	return p.compiled.Validate(map[string]any{group: map[string]any{part: value}}) == nil
}

// rebase makes references lead into the schema at rootPointer.
func rebase(_ string, n any) any {
	schema, ok := n.(map[string]any)
	if !ok {
		return n
	}
	out := mapSchemas(schema, rebase)
	if ref, ok := out["$ref"].(string); ok {
		out["$ref"] = "#" + rootPointer + strings.TrimPrefix(ref, "#")
	}
	return out
}
