package jsonschema

import (
	"fmt"
	"strings"
	"testing"
)

// benchmarkInput is a values file of 200 keys in 20 mappings, with a schema of 200
// properties as charts have them.
func benchmarkInput() (schema, value string) {
	var s, v strings.Builder
	s.WriteString(`{"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "definitions": {"port": {"type": "integer", "minimum": 1, "maximum": 65535}}, "properties": {`)
	for group := range 20 {
		if group > 0 {
			s.WriteString(", ")
		}
		fmt.Fprintf(&s, `"group%d": {"type": "object", "additionalProperties": false, "required": ["name0"], "properties": {`, group)
		fmt.Fprintf(&v, "group%d:\n", group)
		for n := range 5 {
			fmt.Fprintf(&s, `"name%d": {"type": "string", "minLength": 1, "pattern": "^[a-z-]+$"}, "port%d": {"anyOf": [{"$ref": "#/definitions/port"}, {"type": "null"}]}, `, n, n)
			fmt.Fprintf(&v, `  name%d: some-name
  port%d: 8080
`, n, n)
		}
		s.WriteString(`"labels": {"additionalProperties": {"type": "string"}}}}`)
	}
	s.WriteString("}}")
	return s.String(), v.String()
}

func BenchmarkParse(b *testing.B) {
	schema, _ := benchmarkInput()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(schema); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkValidate(b *testing.B) {
	schema, value := benchmarkInput()
	s := mustParse(b, schema)
	for _, bc := range []struct {
		name, value string
		violations  int
	}{
		{"valid", value, 0},
		{"faulty", strings.ReplaceAll(value, "8080", "808080"), 100},
	} {
		n := root(b, bc.value)
		b.Run(bc.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if all, err := s.Validate(n, 1000); err != nil || len(all) != bc.violations {
					b.Fatal(len(all), err)
				}
			}
		})
	}
}
