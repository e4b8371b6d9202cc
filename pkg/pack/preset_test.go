package pack

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/values"
)

// presetsOf loads a pack and reads its presets, one line each, with the facts of their
// faults and those of the document.
func presetsOf(t *testing.T, item string) (presets, faults []string) {
	t.Helper()
	p := load(t, "", item)
	if len(p.Faults) > 0 || len(p.Set.Packs) != 1 {
		t.Fatalf("got %d packs, %q", len(p.Set.Packs), p.Faults)
	}
	read, found := p.Set.Packs[0].ReadPresets()
	for _, preset := range read {
		found = append(found, preset.Faults...)
		added := "nothing"
		if preset.Add != nil {
			added = "a=" + values.Text(values.Field(preset.Add.Root(), "a"))
		}
		presets = append(presets, fmt.Sprintf("%s/%s/%s -%v +%s", preset.Name, preset.DisplayName, preset.Group, preset.Remove, added))
	}
	for _, fact := range functiontest.Facts(found) {
		fact, ok := strings.CutSuffix(fact, " pack=vault")
		if !ok {
			t.Errorf("not of the pack: %s", fact)
		}
		_, fact, _ = strings.Cut(strings.TrimSpace(fact), " ") // the resource
		faults = append(faults, fact)
	}
	return presets, faults
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
		name, item   string
		want, faults []string
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
		{"no list", configMap + "  presets.yaml: 'presets: {name: ha}'\n", nil, []string{`data[presets.yaml] key=presets at=1:10 got="a map" want="a list of presets"`}},
		{"a text", configMap + "  presets.yaml: 'none'\n", nil, []string{`data[presets.yaml] at=1:1 got="a string" want="a list of presets"`}},
		{"a key misspelt", configMap + "  presets.yaml: 'preset: []'\n", nil, []string{`data[presets.yaml] key=preset at=1:1 unknown="field \"preset\"" want=presets near=presets`}},
		{"a key twice", configMap + "  presets.yaml: \"presets: []\\npresets: []\"\n", nil, []string{"data[presets.yaml] key=presets at=2:1 duplicate-of=1:1"}},
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
    - {name: g, remove: [x, "a..b"]}
    - {name: h, add: {a: 1, a: 2}}
    - {name: i, add: "a: 1\na: 2"}
`, []string{
			"fine// -[] +nothing", "/nameless/ -[] +nothing", "a// -[] +nothing", "// -[] +nothing", "b// -[] +nothing", "c// -[] +nothing", "d// -[] +nothing",
			"e// -[] +nothing", "f// -[] +nothing", "// -[] +nothing", "// -[] +nothing", "g// -[x ] +nothing", "h// -[] +nothing", "i// -[] +nothing",
		}, []string{
			"data[presets.yaml] key=presets[1].name at=3:3 missing=",
			`data[presets.yaml] key=presets[2].ad at=4:13 unknown="field \"ad\"" want="name, displayName, group, remove or add" near=add`,
			`data[presets.yaml] key=presets[3].name at=5:10 got="a number" want="a string"`,
			`data[presets.yaml] key=presets[4].remove at=6:21 got="a string" want="a list"`,
			`data[presets.yaml] key=presets[5].add at=7:18 got="a list" want="a string or a map"`,
			`data[presets.yaml] key=presets[6].add at=8:19 got="a list" want="a map"`,
			"data[presets.yaml] key=presets[7].add at=9:30",
			`data[presets.yaml] key=presets[8].group at=10:20 got="a list" want="a string"`,
			`data[presets.yaml] key=presets[9] at=11:3 got="a string" want="a map"`,
			`data[presets.yaml] key=presets[10] at=12:2 got=null want="a map with name, add and remove"`,
			"data[presets.yaml] key=presets[11].remove[1] at=13:25",
			"data[presets.yaml] key=presets[12].add.a at=14:25 duplicate-of=14:19",
			"data[presets.yaml] key=presets[13].add.a at=15:25 duplicate-of=15:19",
		}},
		{"a fault of a list in text", configMap + "  presets.yaml: '[{}]'\n", []string{"// -[] +nothing"}, []string{"data[presets.yaml] key=[0].name at=1:2 missing="}},
		{"a fault of the typed list", typed + "  presets: [{}]\n", []string{"// -[] +nothing"}, []string{"spec.presets[0].name key=[0].name missing="}},
		{"a path that is not text", configMap + "  presets.yaml: '[{name: a, remove: [x, {y: z}]}]'\n", []string{"a// -[x ] +nothing"}, []string{`data[presets.yaml] key=[0].remove[1] at=1:24 got="a map" want="a string"`}},
		{"a fault of the typed text", typed + "  presets: \"- {name: a, add: 'b: {'}\"\n", []string{"a// -[] +nothing"}, []string{"spec.presets key=[0].add at=1:19"}},
		{"not YAML", configMap + "  presets.yaml: 'presets: ['\n", nil, []string{"data[presets.yaml] at=1:0"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			presets, faults := presetsOf(t, tc.item)
			if diff := cmp.Diff(tc.want, presets); diff != "" {
				t.Errorf("presets -want +got:\n%s", diff)
			}
			if diff := cmp.Diff(tc.faults, faults); diff != "" {
				t.Errorf("faults -want +got:\n%s", diff)
			}
		})
	}
}

func TestPresetPosition(t *testing.T) {
	p := load(t, "", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: vault}\ndata:\n  pack.json: '{\"name\": \"vault\"}'\n  presets.yaml: |\n    presets:\n    - {name: a}\n    # b\n    - {name: b}\n")
	presets, _ := p.Set.Packs[0].ReadPresets()
	if got := presets[1].Position; got != (values.Position{Line: 4, Column: 3}) {
		t.Errorf("got %s", got)
	}
}

// A fault in the text of what a preset adds has one place: that in presets.yaml.
func TestPresetAddPlace(t *testing.T) {
	const head = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: vault}\ndata:\n  pack.json: '{\"name\": \"vault\"}'\n  presets.yaml: |\n    # ours\n    - name: a\n"
	for _, tc := range []struct{ name, item, want string }{
		{"in a block", head + "      add: |\n        b: 1\n\n        d:\n          z: @bad\n", "key=[0].add at=7:10"},
		{"in a block with an indicator", head + "      add: |2-\n        b: 1\n        c: @bad\n", "key=[0].add at=5:8"},
		{"a key twice", head + "      add: |\n        b: 1\n        c: 1\n        b: 2\n", "key=[0].add.b at=6:5 duplicate-of=4:5"},
		{"not a map", head + "      add: |\n        # none\n        - b\n", `key=[0].add at=5:5 got="a list" want="a map"`},
		{"in quotes", head + "      add: \"b: 1\\nc: @bad\"\n", "key=[0].add at=3:18"},
		{"folded", head + "      add: >\n        b: 1\n\n        c: @bad\n", "key=[0].add at=3:8"},
		{"in a map", head + "      add:\n        b: 1\n        b: 2\n", "key=[0].add.b at=5:5 duplicate-of=4:5"},
	} {
		presets, _ := load(t, "", tc.item).Set.Packs[0].ReadPresets()
		if len(presets) != 1 || len(presets[0].Faults) != 1 {
			t.Fatalf("%s: got %+v", tc.name, presets)
		}
		got := functiontest.Facts(presets[0].Faults)[0]
		if _, got, _ = strings.Cut(got, "data[presets.yaml] "); !strings.HasPrefix(got, tc.want) {
			t.Errorf("%s: got %s, want %s", tc.name, got, tc.want)
		}
		if f := presets[0].Faults[0]; f.Kind == diag.KindUnreadable && strings.Contains(f.Found, "line ") {
			t.Errorf("%s: two places: %s", tc.name, f.Message())
		}
	}
}

func TestPresetString(t *testing.T) {
	for want, p := range map[string]Preset{`"ha"`: {Name: "ha"}, `"ha" (group "size")`: {Name: "ha", Group: "size"}} {
		if got := p.String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
