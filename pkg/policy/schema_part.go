package policy

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// partKey is a part of a schema: a place in it, and the keyword that leads the
// part.
type partKey struct {
	schema  uintptr
	keyword string
}

// rootPointer is where nested parts have the whole schema.
const rootPointer = "/definitions/root"

// holds reports whether a keyword of a schema, with those that change what it
// means, accepts a value.
func (s *jsonSchema) holds(schema map[string]any, keyword string, value any) bool {
	key := partKey{address(schema), keyword}
	if keyword == wholePlace || keywords[keyword] != noSchema {
		if s.nested == nil {
			s.nested = s.compileNested()
		}
		return s.nested.hold(key, value)
	}
	compiled, ok := s.simple[key]
	if !ok {
		// What has been compiled within the whole can be compiled alone.
		compiled, _ = s.compile(map[string]any{keyword: schema[keyword]})
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
	numbers  map[partKey]int
}

// partsPerGroup bounds the properties that the validator looks through for a part.
const partsPerGroup = 128

func (s *jsonSchema) compileNested() *nestedParts {
	p := &nestedParts{numbers: map[partKey]int{}}
	groups := map[string]any{}
	for _, pointer := range slices.Sorted(maps.Keys(s.places)) {
		place, ok := s.places[pointer].(map[string]any)
		if !ok {
			continue
		}
		for keyword, part := range nestedOf(place, pointer) {
			number := len(p.numbers)
			p.numbers[partKey{address(place), keyword}] = number
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

func (p *nestedParts) hold(key partKey, value any) bool {
	number, ok := p.numbers[key]
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
