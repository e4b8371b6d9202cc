package jsonschema

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// Whatever a schema and a value are, the judgment ends without a panic, is
// the same each time and without a report, and no message has the value.
func FuzzValidate(f *testing.F) {
	for _, schema := range schemasOfHelm {
		f.Add(schema, "a: {b: [1, x, null]}")
	}
	f.Add(`{"properties": {"a/b": {"minLength": 40}}, "additionalProperties": false}`, "{a/b: secretsecret, c: secretsecret}")
	f.Add(`{"anyOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a"}], "$defs": {"a": {"items": {"$ref": "#"}}}}`, "[[[secretsecret]]]")
	f.Add(`{"$schema": "http://json-schema.org/draft-04/schema#", "exclusiveMinimum": true, "minimum": 1e10}`, `a: &a {b: 1}
c: {<<: *a, 2001-01-01: .inf}`)
	f.Add(`{"oneOf": [{"type": "string", "pattern": "(a?){50}b"}, {"enum": [1, [2]]}], "not": {"const": null}}`, "aaaaaaaaaaaaaaaaaaaa")
	f.Fuzz(func(t *testing.T, schema, value string) {
		if len(schema)+len(value) > 1<<14 {
			return
		}
		document, err := values.Parse(value)
		if err != nil {
			return
		}
		n := document.Root()
		for _, read := range []func() (*Schema, error){
			func() (*Schema, error) { return Parse(schema) },
			func() (*Schema, error) { return compileYAML(schema) },
		} {
			s, err := read()
			if again, other := read(); fmt.Sprint(err) != fmt.Sprint(other) || (s == nil) != (again == nil) {
				t.Fatalf("got %v, and then %v", err, other)
			}
			if s != nil {
				checkViolations(t, s, schema, n)
			}
		}
	})
}

func compileYAML(text string) (*Schema, error) {
	document, err := values.Parse(text)
	if err != nil {
		return nil, err
	}
	return Compile(document.Root())
}

func checkViolations(t *testing.T, s *Schema, schema string, n *yaml.Node) {
	all, err := s.Validate(n, 50)
	again, other := s.Validate(n, 50)
	if diff := cmp.Diff(all, again); diff != "" || fmt.Sprint(err) != fmt.Sprint(other) {
		t.Fatalf("the second judgment differs: %v, %v\n%s", err, other, diff)
	}
	if err != nil {
		return
	}
	one, err := s.Validate(n, 1)
	if err != nil || (len(one) == 0) != (len(all) == 0) {
		t.Errorf("with a limit of one: got %v, %v, want some of %v", one, err, all)
	}
	for _, v := range all {
		place := values.Follow(n, v.Path)
		if v.Schema != "" && place == nil && n != nil {
			t.Errorf("there is nothing at %s", v.Path)
		}
		if v.Message == "" || strings.Contains(v.Message, "\n") {
			t.Errorf("got the message %q", v.Message)
		}
		if said := v.Message + v.Path.String(); strings.Contains(said, "secretsecret") && !strings.Contains(schema, "secretsecret") && !isKey(n, "secretsecret") {
			t.Errorf("%s has the value", said)
		}
	}
}

// isKey reports whether a text is in a key of a value, which messages may have.
func isKey(n *yaml.Node, text string) bool {
	n = values.Resolve(n)
	for at, child := range n.Content {
		if n.Kind == yaml.MappingNode && at%2 == 0 && strings.Contains(values.Resolve(child).Value, text) || isKey(child, text) {
			return true
		}
	}
	return false
}
