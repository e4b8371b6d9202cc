package pack

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/values"
)

// presetsOf loads a pack and reads its presets, one line each.
func presetsOf(t *testing.T, item string) (presets []string, problems []string, err error) {
	t.Helper()
	p := load(t, "", item)
	if len(p.Faults) > 0 || len(p.Set.Packs) != 1 {
		t.Fatalf("got %d packs, %q", len(p.Set.Packs), p.Faults)
	}
	read, found, err := p.Set.Packs[0].ReadPresets()
	for _, preset := range read {
		added := "nothing"
		if preset.Add != nil {
			added = "a=" + values.Text(values.Field(preset.Add.Root(), "a"))
		}
		presets = append(presets, fmt.Sprintf("%s/%s/%s -%v +%s", preset.Name, preset.DisplayName, preset.Group, preset.Remove, added))
	}
	for _, problem := range found {
		problems = append(problems, problem.String())
	}
	return presets, problems, err
}

func TestReadPresets(t *testing.T) {
	const configMap = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: vault}\ndata:\n  pack.json: '{\"name\": \"vault\"}'\n"
	const typed = "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: vault}\nspec:\n"
	const all = `
    - name: ha
      displayName: High availability
      group: size
      remove: [x.y, z]
      add: |
        a: 1
    - {name: mapping, add: {a: 2}}
    - {name: empty, add: ""}
    - {name: bare}
`
	want := []string{"ha/High availability/size -[x.y z] +a=1", "mapping// -[] +a=2", "empty// -[] +a=", "bare// -[] +nothing"}
	for _, tc := range []struct {
		name, item     string
		want, problems []string
	}{
		{"none", configMap, nil, nil},
		{"the text", configMap + "  presets.yaml: |\n    presets:" + all, want, nil},
		{"the text of a list", configMap + "  presets.yaml: |" + all, want, nil},
		{"the typed list", typed + "  presets:" + all, want, nil},
		{"the typed text", typed + "  presets: |\n    presets:" + all, want, nil},
		{"an empty text", configMap + "  presets.yaml: ''\n", nil, nil},
		{"a comment", configMap + "  presets.yaml: '# later'\n", nil, nil},
		{"an empty key", configMap + "  presets.yaml: 'presets:'\n", nil, nil},
		{"an empty list", configMap + "  presets.yaml: 'presets: []'\n", nil, nil},
		{"an alias", configMap + "  presets.yaml: |\n    presets: [&p {name: ha}, *p]\n", []string{"ha// -[] +nothing", "ha// -[] +nothing"}, nil},
		{"no list", configMap + "  presets.yaml: 'presets: {name: ha}'\n", nil, []string{"presets: got a mapping, want a list of presets"}},
		{"a text", configMap + "  presets.yaml: 'none'\n", nil, []string{"presets.yaml: got text, want a list of presets"}},
		{"a key misspelt", configMap + "  presets.yaml: 'preset: []'\n", nil, []string{`preset: unknown field; known are presets (did you mean "presets"?)`}},
		{"a key twice", configMap + "  presets.yaml: \"presets: []\\npresets: []\"\n", nil, []string{"presets: is given twice"}},
		{"a fault of one", configMap + `  presets.yaml: |
    presets:
    - name: fine
    - displayName: nameless
    - {name: a, ad: {}}
    - {name: 5}
    - {name: b, remove: x}
    - {name: c, add: [1]}
    - {name: d, add: "- 1"}
    - {name: e, add: "a: 1\n---\nb: 1"}
    - {name: f, group: [x]}
    - text
    -
`, []string{"fine// -[] +nothing"}, []string{
			"presets[1].name: is required",
			`presets[2].ad: unknown field; known are name, displayName, group, remove, add (did you mean "add"?)`,
			"presets[3].name: got a number, want text: put it in quotes",
			"presets[4].remove: got text, want a list",
			"presets[5].add: got a list, want text or a mapping",
			"presets[6].add: got a list, want a mapping",
			"presets[7].add: is not YAML: line 3, column 1: a second document starts here, want one document",
			"presets[8].group: got a list, want text",
			"presets[9]: got text, want a mapping",
			"presets[10]: got nothing, want a mapping",
		}},
		{"a fault of a list in text", configMap + "  presets.yaml: '[{}]'\n", nil, []string{"presets.yaml[0].name: is required"}},
		{"a fault of the typed list", typed + "  presets: [{}]\n", nil, []string{"spec.presets[0].name: is required"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			presets, problems, err := presetsOf(t, tc.item)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, presets); diff != "" {
				t.Errorf("presets -want +got:\n%s", diff)
			}
			if diff := cmp.Diff(tc.problems, problems); diff != "" {
				t.Errorf("problems -want +got:\n%s", diff)
			}
		})
	}
	presets, _, err := presetsOf(t, configMap+"  presets.yaml: 'presets: ['\n")
	if err == nil || presets != nil {
		t.Errorf("got %q of a text that is not YAML", presets)
	}
}

func TestPresetPosition(t *testing.T) {
	p := load(t, "", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: vault}\ndata:\n  pack.json: '{\"name\": \"vault\"}'\n  presets.yaml: |\n    presets:\n    - {name: a}\n    # b\n    - {name: b}\n")
	presets, _, _ := p.Set.Packs[0].ReadPresets()
	if got := presets[1].Position; got != (values.Position{Line: 4, Column: 3}) {
		t.Errorf("got %s", got)
	}
}
