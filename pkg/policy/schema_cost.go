package policy

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
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

// schemaCost counts what validations by a schema cost.
type schemaCost struct {
	root any
	refs map[string]any
}

// newSchemaCost reads a schema, and refuses references that lead out of it.
func newSchemaCost(text string) (*schemaCost, error) {
	c := &schemaCost{refs: map[string]any{}}
	if err := json.Unmarshal([]byte(text), &c.root); err != nil {
		return nil, err
	}
	ids := false
	err := c.walk(c.root, true, &ids)
	if err == nil && ids && len(c.refs) > 0 {
		err = fmt.Errorf("it has both $ref and an $id below its root, which is not supported")
	}
	return c, err
}

func (c *schemaCost) walk(n any, root bool, ids *bool) error {
	switch n := n.(type) {
	case map[string]any:
		if id, ok := n["$id"].(string); ok && !root && !strings.HasPrefix(id, "#") {
			*ids = true
		}
		for _, keyword := range []string{"$dynamicRef", "$recursiveRef"} {
			if _, ok := n[keyword].(string); ok {
				return fmt.Errorf("it has %s, which is not supported", keyword)
			}
		}
		if ref, ok := n["$ref"].(string); ok {
			target, found := c.resolve(ref)
			if !found {
				return fmt.Errorf("its $ref %q leads to no part of it: references are # or #/ and the way to a part of the schema", ref)
			}
			c.refs[ref] = target
		}
		for keyword, child := range n {
			switch keyword {
			case "const", "enum", "default", "examples":
				continue // data, which may look like a schema
			}
			if err := c.walk(child, false, ids); err != nil {
				return err
			}
		}
	case []any:
		for _, child := range n {
			if err := c.walk(child, false, ids); err != nil {
				return err
			}
		}
	}
	return nil
}

// resolve follows a JSON pointer.
func (c *schemaCost) resolve(ref string) (any, bool) {
	pointer, ok := strings.CutPrefix(ref, "#")
	if !ok || pointer != "" && pointer[0] != '/' {
		return nil, false
	}
	n := c.root
	for pointer != "" {
		step, rest, more := strings.Cut(pointer[1:], "/")
		step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
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

// check says why a value can not be validated, "" when it can.
func (c *schemaCost) check(value any) string {
	m := &costMeter{of: c, known: map[costKey]int{}}
	switch steps := m.cost(c.root, value, 0); {
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
	of    *schemaCost
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
		for name, child := range v {
			children = append(children, child)
			if sub, ok := properties[name]; ok {
				add(sub, child)
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

// subschemas are the schemas of a keyword: one, a list, or those of names.
func subschemas(keyword string, n any) []any {
	switch n := n.(type) {
	case []any:
		return n
	case map[string]any:
		switch keyword {
		case "dependentSchemas", "dependencies", "patternProperties":
			return slices.Collect(maps.Values(n))
		}
		return []any{n}
	}
	return nil
}
