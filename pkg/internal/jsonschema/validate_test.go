package jsonschema

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

const (
	as7    = `"$schema": "http://json-schema.org/draft-07/schema#", `
	as2020 = `"$schema": "https://json-schema.org/draft/2020-12/schema", `
)

func mustParse(t testing.TB, schema string) *Schema {
	t.Helper()
	s, err := Parse(schema)
	if err != nil {
		t.Fatalf("%s: %v", schema, err)
	}
	return s
}

func root(t testing.TB, text string) *yaml.Node {
	t.Helper()
	d, err := values.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return d.Root()
}

// accepts reports whether a schema accepts a value, without violations.
func accepts(s *Schema, n *yaml.Node) bool {
	all, err := s.Validate(n, 1)
	return err == nil && len(all) == 0
}

// violations returns the violations of a value as `line:column path keyword: message`.
func violations(t testing.TB, s *Schema, value string) []string {
	t.Helper()
	all, err := s.Validate(root(t, value), 100)
	if err != nil {
		return []string{err.Error()}
	}
	var texts []string
	for _, v := range all {
		if v.Message == "" || strings.Contains(fmt.Sprintf("%+v", v), "hunter2") {
			t.Errorf("the message is missing or has the value: %+v", v)
		}
		texts = append(texts, fmt.Sprintf("%d:%d %s %s: %s", v.Position.Line, v.Position.Column, v.Path, v.Schema, v.Message))
	}
	return texts
}

// Every violation has its place in the value and in the schema.
func TestValidate(t *testing.T) {
	for _, tc := range []struct {
		name, schema, value string
		want                []string
	}{
		{"nothing", `{"type": "object"}`, "a: 1", nil},
		{"an empty document is null", `{"type": "object"}`, "# nothing", []string{`0:0  #/type: must be a map, got null`}},
		{
			"in the order of the text", `{"required": ["z"], "properties": {"b": {"type": "string"}, "a": {"items": {"minimum": 3}}}}`,
			`a:
  - 5
  - 2
b: 1
`,
			[]string{
				`1:1  #/required: "z" is required, but missing`, `3:5 a[1] #/properties/a/items/minimum: must be a number of at least 3`, `4:4 b #/properties/b/type: must be a string, got an integer`},
		},
		{"keys that a JSON pointer escapes", `{"properties": {"a/b": {"properties": {"c~d": false}}}}`, "a/b: {c~d: 1}", []string{`1:12 a/b.c~d #/properties/a~1b/properties/c~0d: is not allowed by the schema`}},
		{"behind a reference", `{"properties": {"a": {"$ref": "#/definitions/x"}}, "definitions": {"x": {"type": "string"}}}`, "a: 1", []string{`1:4 a #/definitions/x/type: must be a string, got an integer`}},
		{"a type makes an enum superfluous", `{"enum": ["a"], "type": "string"}`, "5", []string{`1:1  #/type: must be a string, got an integer`}},
		{"a kind that an enum does not have", `{"enum": ["on", "off"]}`, "true", []string{`1:1  #/enum: must be "on" or "off", got a boolean`}},
		{"a value that an enum does not have", `{"enum": ["on", {"b": [1, null]}]}`, "hunter2", []string{`1:1  #/enum: must be "on" or {"b":[1,null]}`}},
		{"a long enum", `{"enum": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]}`, "11", []string{`1:1  #/enum: must be 1, 2, 3, 4, 5, 6, 7, 8 or 2 more`}},
		{
			"unknown keys, where they are", `{"properties": {"image": {}, "tag": {}}, "additionalProperties": false}`,
			`image: a
imgae: hunter2
other: 1`,
			[]string{
				`2:1 imgae #/additionalProperties: is not allowed by the schema (did you mean "image"?)`,
				`3:1 other #/additionalProperties: is not allowed by the schema. Available: "image", "tag"`},
		},
		{"no keys at all", `{"additionalProperties": false}`, "a: 1", []string{`1:1 a #/additionalProperties: is not allowed by the schema`}},
		{
			"other keys", `{"additionalProperties": {"type": "string"}, "patternProperties": {"^x": {"minimum": 2}}}`,
			`a: 1
x: 1`,
			[]string{
				`1:4 a #/additionalProperties/type: must be a string, got an integer`, `2:4 x #/patternProperties/^x/minimum: must be a number of at least 2`},
		},
		{"keys by a schema", `{"propertyNames": {"anyOf": [{"maxLength": 1}, {"pattern": "^x"}]}}`, "ab: hunter2", []string{`1:1  #/propertyNames/anyOf: key "ab": matches no schema of anyOf. The closest is anyOf/0: must be a string of at most 1 characters`}},
		{
			"keys that keys require", `{` + as2020 + `"dependentRequired": {"tls": ["cert", "key"]}}`,
			`tls: true
key: hunter2`,
			[]string{`1:1  #/dependentRequired/tls: together with "tls", "cert" is required, but missing`},
		},
		{"the closest by type", `{"anyOf": [{"type": "string"}, {"type": "object", "required": ["a"]}]}`, "{b: 1}", []string{`1:1  #/anyOf: matches no schema of anyOf. The closest is anyOf/1: "a" is required, but missing`}},
		{"the closest by a constant", `{"oneOf": [{"properties": {"kind": {"const": "a"}}}, {"properties": {"kind": {"const": "b"}, "n": {"maximum": 1}, "m": {"maximum": 1}}}]}`, "{kind: b, n: 2, m: 2}", []string{
			`1:1  #/oneOf: matches no schema of oneOf. The closest is oneOf/1: n: must be a number of at most 1 (and 1 more)`}},
		{"the closest by the number of faults", `{"anyOf": [{"additionalProperties": {"minimum": 3}}, {"properties": {"b": {"minimum": 2}}}]}`, "{a: 1, b: 1}", []string{
			`1:1  #/anyOf: matches no schema of anyOf. The closest is anyOf/1: b: must be a number of at least 2`}},
		{"so many items", `{"contains": {"const": 1}, "minContains": 2, "maxContains": 3}`, "[1, 2]", []string{`1:1  #/minContains: must be a list with at least 2 items that match contains`}},
		{"fewer items", `{"contains": {"const": 1}, "maxContains": 1}`, "[1, 1]", []string{`1:1  #/maxContains: must be a list with at most 1 items that match contains`}},
		{"a format of an earlier draft", `{` + as7 + `"format": "ipv4"}`, "hunter2", []string{`1:1  #/format: must be a string of the format "ipv4"`}},
		{"more than draft-07 lists", `{` + as7 + `"items": [{}], "additionalItems": false}`, "[1, 2, 3]", []string{`1:1  #/additionalItems: must be a list of at most 1 items`}},
		{"keys by a schema, below", `{"properties": {"b": {"items": {"propertyNames": {"maxLength": 1}}}}}`, "{a: [{cc: 1}], b: [{d: 1}, {cc: 1}, {e: {cc: 2}}], c: 1}", []string{`1:29 b[1] #/properties/b/items/propertyNames/maxLength: key "cc": must be a string of at most 1 characters`}},
		{"an item", `{"contains": {"const": 1}}`, "[2]", []string{`1:1  #/contains: must be a list with an item that matches contains`}},
		{"types alone", `{"oneOf": [{"type": "null"}, {"type": ["string", "integer"]}]}`, "true", []string{`1:1  #/oneOf: must be null or an integer or a string, got a boolean (oneOf)`}},
		{"more than one", `{"oneOf": [{"type": "string"}, {"minLength": 1}, {}]}`, "hunter2", []string{`1:1  #/oneOf: matches oneOf/0 and oneOf/1, but must match exactly one schema of oneOf`}},
		{"not", `{"not": {"type": "string"}}`, "hunter2", []string{`1:1  #/not: is not allowed by the schema`}},
		{
			"unevaluated", `{` + as2020 + `"allOf": [{"properties": {"a": {}}}], "unevaluatedProperties": false}`,
			`a: 1
b: 2`,
			[]string{`2:4 b #/unevaluatedProperties: is not allowed by the schema`},
		},
		{"a length in characters", `{"maxLength": 2}`, `"ÿ😀"`, nil},
		{"a pattern anywhere in a text", `{"pattern": "ü\\d"}`, "xü1x", nil},
		{"what several schemas reject alike", `{"allOf": [{"type": "string"}, {"type": "string"}]}`, "1", []string{`1:1  #/allOf/0/type: must be a string, got an integer`}},

		{
			"aliases", `{"properties": {"b": {"properties": {"c": {"type": "string"}}}}}`,
			`a: &a {c: 1}
b: *a`,
			[]string{`1:11 b.c #/properties/b/properties/c/type: must be a string, got an integer`},
		},
		{
			"merge keys", `{"properties": {"b": {"properties": {"c": {"maximum": 1}, "d": {"maximum": 1}}, "additionalProperties": false}}}`,
			`a: &a {c: 2, d: 2}
b: {<<: *a, d: 1}`,
			[]string{
				`1:11 b.c #/properties/b/properties/c/maximum: must be a number of at most 1`},
		},
		{
			"merge keys of merge keys", `{"properties": {"c": {"required": ["x", "y", "z"], "maxProperties": 3}}}`,
			`a: &a {x: 1, y: 1}
b: &b {<<: *a, z: 1}
c: {<<: [*a, *b]}`,
			nil,
		},
		{
			"the last of duplicate keys", `{"properties": {"a": {"type": "string"}}}`,
			`a: x
a: 1`,
			[]string{`2:4 a #/properties/a/type: must be a string, got an integer`},
		},
		{
			"tags and dates", `{"additionalProperties": {"type": "string"}}`,
			`a: !!str 5
b: 2001-01-01
c: !own x
d: 'null'`,
			nil,
		},
		{"bases", `{"additionalProperties": {"const": 16}}`, `a: 0x10
b: 0o20
c: 1_6
d: 16.0
e: 1.6e1`, nil},
		{
			"what JSON does not have", `true`,
			`a:
  - .inf`,
			[]string{`2:5 a[0] : must be a finite number of at most 308 digits`},
		},
		{"a key that JSON does not have", `true`, "a: {[1]: 2}", []string{`1:5 a : a key must be a string, got one that is no scalar`}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := mustParse(t, tc.schema)
			if diff := cmp.Diff(tc.want, violations(t, s, tc.value)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// The parts of a violation are there for those who word it themselves.
func TestViolationParts(t *testing.T) {
	all, err := mustParse(t, `{"properties": {"port": {"items": {"maximum": 65535}}}}`).Validate(root(t, "port: [1, 70000]"), 10)
	if err != nil {
		t.Fatal(err)
	}
	want := []Violation{{
		Path:     Path{{Key: "port"}, {Index: 1, IsIndex: true}},
		Position: values.Position{Line: 1, Column: 11},
		Keyword:  "maximum", Schema: "#/properties/port/items/maximum",
		Message: "must be a number of at most 65535",
	}}
	if diff := cmp.Diff(want, all); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// No more violations are returned than are asked for.
func TestViolationLimit(t *testing.T) {
	s := mustParse(t, `{"additionalProperties": {"type": "string"}}`)
	n := root(t, `a: 1
b: 2
c: 3`)
	for limit, want := range []int{0, 1, 2, 3, 3} {
		if all, err := s.Validate(n, limit); err != nil || len(all) != want {
			t.Errorf("limit %d: got %d, %v", limit, len(all), err)
		}
	}
}

// Violations are in the order of the text, whatever the order of the keywords.
func TestOrderOfViolations(t *testing.T) {
	s := mustParse(t, `{"properties": {"a": {"type": "integer"}, "b": {"type": "integer"}, "c": {"items": {"type": "integer"}}}, "additionalProperties": false}`)
	want := []string{"1:5 b", "1:8 x", "2:5 a", "3:6 c[0]", "3:9 c[1]"}
	var got []string
	for _, violation := range violations(t, s, `{b: x, x: 1,
 a: y,
 c: [x, y]}`) {
		got = append(got, violation[:strings.IndexByte(violation, ' ')+1]+strings.Fields(violation)[1])
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A value of the schema is in the message, in JSON and shortened.
func TestValuesInMessages(t *testing.T) {
	for constant, want := range map[string]string{
		`"x"`: `"x"`, `null`: "null", `true`: "true", `{"b": [1, "x"], "a": null}`: `{"a":null,"b":[1,"x"]}`, `[]`: "[]",
		`{"a": 1, "a": 2}`:                     `{"a":2}`,
		`["` + strings.Repeat("é", 200) + `"]`: `["` + strings.Repeat("é", 99) + "…",
	} {
		got := violations(t, mustParse(t, `{"const": `+constant+`}`), "other")
		if len(got) != 1 || !strings.Contains(got[0], "must be "+want) {
			t.Errorf("%.40s: got %q", constant, got)
		}
	}
}
