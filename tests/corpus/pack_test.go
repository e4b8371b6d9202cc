// Package corpus runs the functions over public packs, as published. They are not
// part of the project: without them the tests are skipped.
package corpus

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/schema"
)

// corpusPack is the directory of one pack.
type corpusPack struct {
	name  string // of the directory
	files map[string]string
}

// packs reads the corpus.
func packs(t *testing.T) []corpusPack {
	t.Helper()
	var all []corpusPack
	for _, dir := range functiontest.Corpus(t, "packs/*") {
		p := corpusPack{filepath.Base(dir), map[string]string{}}
		for _, name := range []string{"pack.json", "values.yaml", "schema.yaml", "presets.yaml"} {
			text, err := os.ReadFile(filepath.Join(dir, name))
			switch {
			case err == nil:
				p.files[name] = string(text)
			case !os.IsNotExist(err):
				t.Fatal(err)
			}
		}
		all = append(all, p)
	}
	return all
}

// withSchema are the packs that have a schema.
func withSchema(all []corpusPack) []corpusPack {
	return slices.DeleteFunc(all, func(p corpusPack) bool { return p.files["schema.yaml"] == "" })
}

// packName is the name that pack.json gives.
func (p corpusPack) packName(t *testing.T) string {
	t.Helper()
	var metadata struct {
		Name string `yaml:"name"`
	}
	if err := yaml.Unmarshal([]byte(p.files["pack.json"]), &metadata); err != nil {
		t.Fatalf("%s: %v", p.name, err)
	}
	return metadata.Name
}

// configMap is the pack as kustomize's configMapGenerator makes it: a key for
// each file, its text as it is.
func (p corpusPack) configMap() map[string]any {
	data := map[string]string{}
	for name, text := range p.files {
		data[name] = text
	}
	return map[string]any{
		"apiVersion": "v1", "kind": "ConfigMap", "data": data,
		"metadata": map[string]any{"name": p.objectName(), "annotations": map[string]string{"config.kubernetes.io/path": p.name + ".yaml"}},
	}
}

func (p corpusPack) objectName() string { return strings.ReplaceAll(p.name, "_", "-") }

// override sets values on top of the packs of a name.
func override(pack, text string) map[string]any {
	return map[string]any{
		"apiVersion": "packs.kpt.dev/v1alpha1", "kind": "PackValues",
		"metadata": map[string]any{"name": "override"},
		"spec":     map[string]any{"packRef": map[string]any{"name": pack}, "values": text},
	}
}

// listOf is the text of a ResourceList.
func listOf(t *testing.T, items ...any) []byte {
	t.Helper()
	text, err := yaml.Marshal(map[string]any{
		"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": items,
	})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// finding is a result, as far as the tests compare it.
type finding struct{ Rule, Key string }

// check runs the function over a list, and returns what it found of one
// severity.
func check(t *testing.T, input []byte, severity string) []finding {
	t.Helper()
	resources, err := list.Read(input)
	if err != nil {
		t.Fatal(err)
	}
	var found []finding
	for _, r := range function.Evaluate(schema.Function(), resources).Results() {
		if r.Tags["rule"] == "internal/panic" {
			t.Error(r.Message)
		}
		if string(r.Severity) == severity {
			found = append(found, finding{r.Tags["rule"], r.Tags["key"]})
		}
	}
	return found
}
