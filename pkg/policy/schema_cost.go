package policy

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// The validator follows references as long as there are any, and tries every
// branch: a schema can make it run out of stack, or run for ever. So what a
// validation would cost is counted first, once for each pair of a schema and a
// value, and refused above these limits.
const (
	maxSchemaSteps = 1_000_000
	maxSchemaDepth = 5_000
)

// maxParameterNodes bounds the keys and values of a parameter, aliases followed:
// they are written for each selection.
const maxParameterNodes = 10_000

// tooCostly says why a value can not be validated, "" when it can.
func (s *jsonSchema) tooCostly(value any) string {
	m := &costMeter{of: s, known: map[costKey]int{}}
	switch steps := m.cost(s.root, value, 0); {
	case m.fault != "":
		return m.fault
	case steps >= maxSchemaSteps:
		return fmt.Sprintf("it takes more than %d steps to check", maxSchemaSteps)
	}
	return ""
}

// costKey is a pair of a schema and a value; scalars are all the same.
type costKey struct{ schema, value uintptr }

// pending is the cost of a pair that is being counted.
const pending = -1

type costMeter struct {
	of    *jsonSchema
	known map[costKey]int
	fault string
}

func address(n any) uintptr {
	switch n.(type) {
	case map[string]any, []any:
		return reflect.ValueOf(n).Pointer()
	}
	return 0
}

// inPlace are the keywords whose schemas are about the value itself, each those
// about what is in it.
var (
	inPlace = []string{"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "dependencies"}
	inEach  = []string{"patternProperties", "additionalProperties", "unevaluatedProperties", "items", "additionalItems", "prefixItems", "contains", "unevaluatedItems"}
)

// cost counts the steps of a validation, up to the limit.
func (m *costMeter) cost(schema, value any, depth int) int {
	s, ok := schema.(map[string]any)
	if !ok || m.fault != "" {
		return 1
	}
	key := costKey{address(s), address(value)}
	switch known := m.known[key]; {
	case known == pending:
		m.fault = "it refers to itself without an end"
		return maxSchemaSteps
	case known > 0:
		return known
	case depth > maxSchemaDepth || len(m.known) > maxSchemaSteps:
		m.fault = "it is too large to check the value by it"
		return maxSchemaSteps
	}
	m.known[key] = pending
	sum := 1
	add := func(schema, value any) { sum = min(sum+m.cost(schema, value, depth+1), maxSchemaSteps) }
	if ref, ok := s["$ref"].(string); ok {
		add(m.of.refs[ref], value)
	}
	for _, keyword := range inPlace {
		for _, sub := range subschemas(keyword, s[keyword]) {
			add(sub, value)
		}
	}
	var children []any
	switch v := value.(type) {
	case map[string]any:
		properties, _ := s["properties"].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(v)) {
			children = append(children, v[name])
			if sub, ok := properties[name]; ok {
				add(sub, v[name])
			}
			add(s["propertyNames"], name)
		}
	case []any:
		children = v
	}
	for _, keyword := range inEach {
		for _, sub := range subschemas(keyword, s[keyword]) {
			for _, child := range children {
				add(sub, child)
			}
		}
	}
	m.known[key] = sum
	return sum
}

// subschemas are the schemas of a keyword: one, a list, or those of names in the
// order of the names.
func subschemas(keyword string, n any) []any {
	switch n := n.(type) {
	case []any:
		return n
	case map[string]any:
		if keywords[keyword] != namedSchemas {
			return []any{n}
		}
		var all []any
		for _, name := range slices.Sorted(maps.Keys(n)) {
			all = append(all, n[name])
		}
		return all
	}
	return nil
}
