package kustomization

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/list"
)

// never is for functions that change resources.
func never(*list.Item) bool { return false }

// Paths are relative to the folder of the kustomization. A text over several lines is a resource, not a path.
func TestParse(t *testing.T) {
	const text = `kind: Component
resources: [../base, web.yaml, "https://example.com/a", /a.yaml, 1, ""]
transformers:
- apply.yaml
- |
  kind: A
namePrefix: dev-
patches:
- target: {kind: ConfigMap}
- patch: |
    kind: Secret
replacements: [{targets: [{select: {kind: Job}}]}]
generatorOptions: {annotations: {owner: a}}
configMapGenerator:
- name: vault
  behavior: merge
  files: [pack.json, values.yaml=vault/values.yaml]
  options: {annotations: {b: c}}
  literals: [a=b]
- {name: other, literals: [values.yaml=a]}
`
	got, err := Parse("web/dev/kustomization.yaml", []byte(text), never)
	if err != nil {
		t.Fatal(err)
	}
	want := &File{
		Path:        "web/dev/kustomization.yaml",
		Names:       []string{"web/base", "web/dev/web.yaml", "/a.yaml", "web/dev/1", "web/dev/apply.yaml"},
		Remote:      []string{"https://example.com/a"},
		Functions:   []string{"web/dev/apply.yaml"},
		IsComponent: true,
		Changes: map[string][]string{
			"transformers": {""}, "namePrefix": {""}, "patches": {"ConfigMap", "Secret"}, "replacements": {"Job"},
		},
		Generators: []Generator{
			{
				Name: "vault", Behavior: "merge", Keys: []string{"pack.json", "values.yaml"},
				Paths:       map[string]string{"pack.json": "web/dev/pack.json", "values.yaml": "web/dev/vault/values.yaml"},
				Annotations: map[string]string{"owner": "a", "b": "c"},
			},
			{Name: "other", Paths: map[string]string{}, Annotations: map[string]string{"owner": "a"}, HasTexts: true},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Of what is no YAML the path is known. Other values of fields name nothing.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"", "- a\n", "resources: [\n", "resources: a\n", "resources: &a [*a]\n", "configMapGenerator: [a, {files: [=, a=]}]\n", "patches: [a, [b], {targets: [a]}]\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := Parse("a/kustomization.yaml", []byte(text), never)
		if got == nil || got.Path != "a/kustomization.yaml" || err != nil && (got.Names != nil || got.Generators != nil) {
			t.Errorf("%q: got %+v, %v", text, got, err)
		}
	})
}
