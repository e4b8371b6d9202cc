package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The committed schemas are those of the types as they are now.
func TestSchemasAreCurrent(t *testing.T) {
	files, crds, err := generate(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range crds {
		files[filepath.Join("..", "crds", name)] = text
	}
	committed, err := filepath.Glob("*.json")
	if err != nil {
		t.Fatal(err)
	}
	definitions, err := filepath.Glob(filepath.Join("..", "crds", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(committed, definitions...) {
		if files[name] == nil {
			t.Errorf("%s belongs to no kind: remove it", name)
		}
	}
	for name, want := range files {
		got, err := os.ReadFile(name)
		if err != nil {
			t.Errorf("%v: run go run ./build/schemas", err)
			continue
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s is old, run go run ./build/schemas (-want +got):\n%s", name, diff)
		}
	}
}

func TestSchema(t *testing.T) {
	files, _, err := generate(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	var s struct {
		Properties struct {
			Kind struct{ Const string }
			Spec struct {
				Properties map[string]struct {
					Description string
					Enum        []string
					Type        any
				}
				Required             []string
				AdditionalProperties bool
			}
		}
	}
	read := func(name string) {
		t.Helper()
		s.Properties.Spec.Required = nil
		if err := json.Unmarshal(files[name], &s); err != nil {
			t.Fatal(err)
		}
	}
	read("packvalues.json")
	spec := s.Properties.Spec
	if s.Properties.Kind.Const != "PackValues" || spec.AdditionalProperties {
		t.Errorf("got %+v", s)
	}
	if diff := cmp.Diff([]string{"packRef"}, spec.Required); diff != "" {
		t.Error(diff)
	}
	if scope := spec.Properties["scope"]; scope.Description == "" || cmp.Diff([]string{"profile", "cluster"}, scope.Enum) != "" || scope.Type != "string" {
		t.Errorf("scope is %+v", scope)
	}
	read("validatepackvalues.json")
	for _, field := range []string{"severity", "packs", "unknownKeys", "targets"} {
		if s.Properties.Spec.Properties[field].Description == "" {
			t.Errorf("%s has no description", field)
		}
	}
	read("selectimplementations.json")
	if order := s.Properties.Spec.Properties["policyOrder"]; order.Type != "array" || order.Enum != nil {
		t.Errorf("policyOrder is %+v: the enum is for its entries", order)
	}
	read("implementation.json")
	if requires := s.Properties.Spec.Properties["requires"]; requires.Type != "object" {
		t.Errorf("requires is %+v, want a map of prefixes", requires)
	}
	read("pack.json")
	if !s.Properties.Spec.AdditionalProperties {
		t.Error("a Pack may have any field of pack.json")
	}
}
