package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/packfn/packfntest"
	"github.com/krm-packs/functions/pkg/variant"
)

// The resources of the examples satisfy their schemas, and each functionConfig names its
// schema for editors.
func TestExamples(t *testing.T) {
	root := filepath.Join("..", "..")
	files, _, err := generate(root)
	if err != nil {
		t.Fatal(err)
	}
	schemas := map[string]*packfntest.Schema{}
	ids := map[string]string{}
	for name, text := range files {
		var about struct {
			ID         string `json:"$id"`
			Properties map[string]struct {
				Const string `json:"const"`
			} `json:"properties"`
		}
		if err := json.Unmarshal(text, &about); err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(about.ID, "/build/schemas/"+name) {
			t.Errorf("%s has the $id %q", name, about.ID)
		}
		key := about.Properties["apiVersion"].Const + " " + about.Properties["kind"].Const
		if schemas[key], err = packfntest.ParseSchema(string(text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		ids[key] = about.ID
	}
	paths, err := filepath.Glob(filepath.Join(root, "examples", "*", "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	checked, configs := 0, 0
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.ToSlash(strings.TrimPrefix(path, filepath.Join(root, "examples")+string(filepath.Separator)))
		for _, document := range strings.Split("\n"+string(text), "\n---\n") {
			var node yaml.Node
			if err := yaml.Unmarshal([]byte(document), &node); err != nil || node.Kind == 0 {
				t.Errorf("%s: %v", name, err)
				continue
			}
			var resource struct {
				APIVersion string `yaml:"apiVersion"`
				Kind       string
			}
			if err := node.Decode(&resource); err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			key := resource.APIVersion + " " + resource.Kind
			schema := schemas[key]
			isPorch := strings.HasPrefix(resource.APIVersion, variant.Group+"/") // whose kinds fail on purpose
			if schema == nil || isPorch && strings.Contains(name, "-failing/") {
				continue
			}
			checked++
			if resource.APIVersion == function.ConfigGroupVersion {
				configs++
				first, _, _ := strings.Cut(string(text), "\n")
				if want := "# yaml-language-server: $schema=" + ids[key]; first != want {
					t.Errorf("%s begins with %q, want %q", name, first, want)
				}
			}
			violations, err := schema.Validate(node.Content[0], 100)
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			for _, v := range violations {
				t.Errorf("%s: %s: %s: %s", name, key, v.Path, v.Message)
			}
		}
	}
	if checked == 0 || configs == 0 {
		t.Errorf("checked %d resources, %d of them functionConfigs", checked, configs)
	}
}
