package preset

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// data makes a functionConfig in the form of a ConfigMap.
func data(entries string) string {
	return "{apiVersion: v1, kind: ConfigMap, metadata: {name: function-input}, data: {" + entries + "}}"
}

const vaultValues = "  values.yaml: |\n    replicas: 0\n"

// The short form names packs as keys and presets with commas between them, next to the
// options.
func TestDataForm(t *testing.T) {
	consul := strings.ReplaceAll(vault, "vault", "consul") + vaultValues
	for _, tc := range []struct{ name, config, replicas string }{ // of vault, of consul
		{"one preset", data("vault: ha"), "3 0"},
		{"a preset by its group", data("vault: 'size:small'"), "1 0"},
		{"two packs", data("vault: ha, consul: small"), "3 1"},
		{"several presets, in their order", data("vault: ' ha, many '"), "9 0"},
		{"several presets, in the other order", data("vault: 'many,ha'"), "3 0"},
		{"beside options", data("vault: ha, consul: ha, packs: 'vault', severity: preset/applied=off"), "3 0"},
		{"typed, in its order", asked("vault many|consul many|vault ha"), "3 9"},
		{"typed, a preset twice", asked("vault ha|vault size:ha"), "3 0"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			output, facts := evaluate(t, tc.config, vault+vaultValues+"---\n"+consul)
			first, second, _ := strings.Cut(tc.replicas, " ")
			var got []string
			for _, resource := range strings.Split(output, "---\n") {
				_, in, _ := strings.Cut(resource, "values.yaml: |\n")
				_, replicas, _ := strings.Cut(in, "replicas: ")
				got = append(got, strings.TrimSpace(replicas))
			}
			if diff := cmp.Diff([]string{first, second}, got); diff != "" {
				t.Errorf("%q\n-want +got:\n%s", facts, diff)
			}
			if tc.name == "beside options" {
				facts = append(facts, "info")
			}
			for _, fact := range facts {
				if !strings.HasPrefix(fact, "info") && !strings.HasPrefix(fact, "warning preset/path-conflict") {
					t.Error(fact)
				}
			}
		})
	}
}

// Packs and options may have each other's names.
func TestDataFormNamesPacks(t *testing.T) {
	for _, name := range []string{"mode", "presets"} {
		items := strings.ReplaceAll(vault, `"vault"`, `"`+name+`"`) + vaultValues
		output, facts := evaluate(t, data(name+": ha"), items)
		if !strings.Contains(output, "    replicas: 3\n") || len(facts) != 1 {
			t.Errorf("%s: got %q", name, facts)
		}
	}
}

// Packs of one name all get it.
func TestPacksOfOneName(t *testing.T) {
	second := strings.Replace(vault, "vault-1", "vault-2", 1)
	items := vault + vaultValues + "---\n" + second + "  values.yaml: |\n    replicas: 2\n    standalone: {}\n"
	record := "size:ha"
	output, facts := evaluate(t, data("vault: ha"), items)
	want := strings.NewReplacer("replicas: 0", "# three of them\n    replicas: 3", "replicas: 2\n    standalone: {}", "# three of them\n    replicas: 3").Replace(recorded(recorded(items, "vault-1", record), "vault-2", record))
	if diff := cmp.Diff(want, output); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	applied := func(resource, group string) string {
		return "info preset/applied " + resource + " pack=vault group=" + group + " preset=ha"
	}
	if diff := cmp.Diff([]string{applied("ConfigMap/vault-1 data[values.yaml]", "size"), applied("ConfigMap/vault-2 data[values.yaml]", "size")}, facts); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}

	// An override that they share is edited once, for both.
	shared := override("  values:\n    debug: true\n")
	output, facts = evaluate(t, asked("vault ha > more"), items+shared)
	want = recorded(items+shared+"    # three of them\n    replicas: 3\n    standalone: null\n", "more", record)
	if diff := cmp.Diff(want, output); diff != "" {
		t.Errorf("shared: -want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]string{applied("PackValues/more spec.values", "size")}, facts); diff != "" {
		t.Errorf("shared: -want +got:\n%s", diff)
	}

	// Where it cannot serve both, that is an error, once.
	for _, other := range []string{
		strings.Replace(second, "replicas: 3", "replicas: 5", 1), strings.Replace(second, "group: size", "group: other", 1), strings.Replace(second, `["standalone"]`, "[alone]", 1),
	} {
		documents := vault + vaultValues + "---\n" + other + vaultValues + shared
		output, facts = evaluate(t, asked("vault ha > more"), documents)
		if diff := cmp.Diff([]string{"error preset/invalid PackValues/more spec.values pack=vault"}, facts); diff != "" || output != documents {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
	lists := strings.Replace(vault, "standalone", "l.$[].a", 1)
	documents := lists + "  values.yaml: |\n    l: [{a: 1, b: 1}]\n---\n" + strings.Replace(lists, "vault-1", "vault-2", 1) + "  values.yaml: |\n    l: [{a: 1, b: 2}]\n" + shared
	output, facts = evaluate(t, asked("vault ha > more"), documents)
	if diff := cmp.Diff([]string{"error input/invalid PackValues/more spec.values pack=vault"}, facts); diff != "" || output != documents {
		t.Errorf("-want +got:\n%s", diff)
	}
	// So is an override that cannot be read.
	_, facts = evaluate(t, data("vault: ha"), items+override("  values: |\n    debug: {{ x }}\n"))
	if diff := cmp.Diff([]string{"error input/invalid PackValues/more spec.values at=1:8 pack=vault"}, facts); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// So many presets of one pack are refused, before any is looked for; the other packs get
// theirs.
func TestTooManyPresets(t *testing.T) {
	consul := strings.ReplaceAll(vault, "vault", "consul") + vaultValues
	most, more := strings.Repeat("ha,", MaxPresets-1)+"ha", strings.Repeat("ha,", MaxPresets)+"ha"
	if _, facts := evaluate(t, data("vault: '"+most+"'"), vault+vaultValues); strings.HasPrefix(facts[0], "error") {
		t.Errorf("%d presets: %s", MaxPresets, facts[0])
	}
	_, facts := evaluate(t, data("vault: '"+more+"', consul: nothing"), vault+vaultValues+"---\n"+consul)
	if len(facts) != 2 || !strings.Contains(facts[0]+facts[1], `101 presets for the pack \"vault\"`) || !strings.Contains(facts[0]+facts[1], "preset/unknown") {
		t.Errorf("got %q", facts)
	}
}
