package jsonschema

import (
	"errors"
	"slices"
	"testing"

	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/common/util"
)

// schemasOfHelm are schemas with what drafts, or readers of YAML, can see in different ways.
var schemasOfHelm = []string{
	`{}`, `false`, `{"type": "object"}`, `{"required": ["c"]}`,
	`{"properties": {"a": {"type": ["integer", "null"]}}}`,
	`{"properties": {"a": {"type": "number", "multipleOf": 0.1}}}`,
	`{"properties": {"a": {"const": 1.0}, "b": {"enum": [null, "x", [1]]}}}`,
	`{"properties": {"a": {"minimum": 9007199254740993}}}`,
	`{"properties": {"a": {"exclusiveMinimum": true, "minimum": 1}}}`,
	`{"$schema": "http://json-schema.org/draft-04/schema#", "properties": {"a": {"exclusiveMinimum": true, "minimum": 1}}}`,
	`{"$schema": "http://json-schema.org/draft-04/schema#", "properties": {"a": {"const": "y"}}}`,
	`{"$schema": "http://json-schema.org/draft-06/schema#", "if": {}, "then": false}`,
	`{"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"a": {"format": "ipv4"}}}`,
	`{"properties": {"a": {"format": "ipv4"}}}`,
	`{"properties": {"a": {"items": [{"type": "integer"}], "additionalItems": false}}}`,
	`{"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"a": {"items": [{"type": "integer"}], "additionalItems": false}}}`,
	`{"$schema": "https://json-schema.org/draft/2019-09/schema", "properties": {"a": {"items": [{"type": "integer"}], "additionalItems": false}}}`,
	`{"properties": {"a": {"prefixItems": [{"type": "integer"}], "items": false, "uniqueItems": true}}}`,
	`{"properties": {"a": {"contains": {"type": "string"}, "minContains": 2}}}`,
	`{"dependencies": {"a": ["b"]}}`, `{"dependentRequired": {"a": ["b"]}}`, `{"dependentSchemas": {"a": {"minProperties": 2}}}`,
	`{"propertyNames": {"pattern": "^[a-b]$"}}`, `{"patternProperties": {"^a": {"type": "string"}}, "additionalProperties": false}`,
	`{"allOf": [{"properties": {"a": {}}}], "unevaluatedProperties": false}`,
	`{"oneOf": [{"required": ["a"]}, {"required": ["b"]}]}`, `{"anyOf": [{"required": ["b"]}, {"not": {}}]}`,
	`{"if": {"required": ["b"]}, "then": {"maxProperties": 1}, "else": {"properties": {"a": {"type": "string"}}}}`,
	`{"$ref": "#/$defs/x", "$defs": {"x": {"required": ["b"]}}}`, `{"$ref": "#/x", "x": {"required": ["b"]}}`, `{"$ref": "#/y"}`,
	`{"$ref": "#y", "$defs": {"x": {"$anchor": "y", "required": ["b"]}}}`, `{"$ref": "y", "$defs": {"x": {"$id": "y", "required": ["b"]}}}`,
	`{"$ref": "http://json-schema.org/draft-07/schema#"}`, `{"$ref": "other.json"}`, `{"$schema": "other"}`, `{"type": "strng"}`, `{"properties": {"a": null}}`,
}

// A schema is rejected only if Helm rejects it, whatever the values are. Of a schema that needs a server
// or exceeds a limit this is unknown.
func TestRejectedAsHelm(t *testing.T) {
	unsure := []string{
		`{"$ref": "https://schemas.example.com/a.json"}`, `{"$ref": "urn:example:a"}`, `{"$schema": "https://schemas.example.com/mine"}`,
		`{"$id": "https://schemas.example.com/root.json", "properties": {"a": {"$ref": "a.json"}}}`,
		`{"allOf": [` + repeat(200, `{"pattern": "#N a{900}"}`) + `]}`, `{"minimum": 1e400}`,
	}
	rejected := []string{
		"", "type: object", `{"type": "object",}`, "// a comment\n{}", `{} {}`, `[]`, `1`, `null`, `{"$ref": "file:///a.json"}`, `{"$ref": "ftp://example.com/a.json"}`,
		`{"$id": "root.json", "properties": {"a": {"$ref": "a.json"}}}`, `{"pattern": "^(?!a)"}`, `{"pattern": "a{2000}"}`, `{"description": 7}`,
		`{"properties": {"a": {"$ref": "#/a"}, "b": {"$ref": "https://schemas.example.com/a.json"}}}`,
	}
	for _, schema := range slices.Concat(schemasOfHelm, rejected) {
		_, err := Parse(schema)
		byHelm := util.ValidateAgainstSingleSchema(common.Values{}, []byte(schema))
		_, isViolation := errors.AsType[util.JSONSchemaValidationError](byHelm)
		if want := byHelm != nil && !isViolation; IsRejected(err) != want || slices.Contains(rejected, schema) && !want {
			t.Errorf("%s is rejected: %v (%v), but Helm: %v", schema, IsRejected(err), err, byHelm)
		}
	}
	for _, schema := range unsure {
		if _, err := Parse(schema); err == nil || IsRejected(err) {
			t.Errorf("%s is rejected: %v", schema, err)
		}
	}
}

// What Helm accepts is accepted, and nothing else.
func TestAsHelm(t *testing.T) {
	for _, schema := range schemasOfHelm {
		for _, text := range []string{"{}", "a: 1", "a: 1.0", "a: 0.30", "a: 9007199254740992", "a: x", "a: 10.0.0.1", "a: [1]", "a: [1, 1.0, z]", "a: [x, z]", "a:", "b: [1]", "{a: z, b: x}", "c: {}", "{a: 2001-01-01, b: ~}", "a: 0x10"} {
			given, err := common.ReadValues([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			byHelm := util.ValidateAgainstSingleSchema(given, []byte(schema))
			s, err := Parse(schema)
			if got := err == nil && accepts(s, root(t, text)); got != (byHelm == nil) {
				t.Errorf("%s accepts %s: %v (%v), but Helm: %v", schema, text, got, err, byHelm)
			}
		}
	}
}
