package preset

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function/functiontest"
)

// data makes a functionConfig in the form of a ConfigMap.
func data(entries string) string {
	return "{apiVersion: v1, kind: ConfigMap, metadata: {name: function-input}, data: {" + entries + "}}"
}

const vaultValues = "  values.yaml: |\n    replicas: 0\n"

// The short form names packs as keys and presets with commas between them, next
// to the options.
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
			output, results := evaluate(t, functiontest.List(tc.config, vault+vaultValues+"---\n"+consul))
			vaults, consuls, _ := strings.Cut(tc.replicas, " ")
			want := strings.Replace(vault+vaultValues, "replicas: 0", "replicas: "+vaults, 1) + "---\n" + strings.Replace(consul, "replicas: 0", "replicas: "+consuls, 1)
			if diff := cmp.Diff(want, functiontest.Documents(output)); diff != "" {
				t.Errorf("%q\n-want +got:\n%s", results, diff)
			}
			for _, r := range results {
				if strings.HasPrefix(r, "error") {
					t.Error(r)
				}
			}
		})
	}
}

// Packs of one name all get it (P8).
func TestPacksOfOneName(t *testing.T) {
	second := strings.Replace(vault, "vault-1", "vault-2", 1)
	items := vault + vaultValues + "---\n" + second + "  values.yaml: |\n    replicas: 2\n    standalone: {}\n"
	output, results := evaluate(t, functiontest.List(data("vault: ha"), items))
	want := strings.NewReplacer("replicas: 0", "replicas: 3", "replicas: 2\n    standalone: {}", "replicas: 3").Replace(items)
	if diff := cmp.Diff(want, functiontest.Documents(output)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]string{
		`info ConfigMap vault-1 data[values.yaml] | the preset "ha" (group "size") of the pack "vault" sets replicas (values.yaml) [preset/applied]`,
		`info ConfigMap vault-2 data[values.yaml] | the preset "ha" (group "size") of the pack "vault" removes standalone; sets replicas (values.yaml) [preset/applied]`,
	}, results); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}

	// An override that they share is edited once, for both.
	override := "---\napiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata:\n  name: more\nspec:\n  packRef: {name: vault}\n  values:\n    debug: true\n"
	output, results = evaluate(t, functiontest.List(data("vault: ha"), items+override))
	want = items + override + "    # three of them\n    replicas: 3\n    standalone: null\n"
	if diff := cmp.Diff(want, functiontest.Documents(output)); diff != "" {
		t.Errorf("shared: -want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]string{
		`info PackValues more spec.values | the preset "ha" (group "size") of the pack "vault" (ConfigMap vault-1) sets replicas (spec.values) [preset/applied]`,
		`info PackValues more spec.values | the preset "ha" (group "size") of the pack "vault" (ConfigMap vault-2) removes standalone; sets replicas (spec.values) [preset/applied]`,
	}, results); diff != "" {
		t.Errorf("shared: -want +got:\n%s", diff)
	}

	// Where it can not serve both, that is an error, told once.
	second = strings.Replace(second, "replicas: 3", "replicas: 5", 1)
	input := functiontest.List(data("vault: ha"), vault+vaultValues+"---\n"+second+vaultValues+override)
	output, results = evaluate(t, input)
	if output != input || len(results) != 1 || !strings.Contains(results[0], "the packs of this name have other values or presets each") {
		t.Errorf("got %q", results)
	}
	// So is an override that can not be read.
	_, results = evaluate(t, functiontest.List(data("vault: ha"), items+strings.Replace(override, "values:\n    debug: true\n", "values: |\n    debug: {{ x }}\n", 1)))
	if len(results) != 1 || !strings.Contains(results[0], "can not be read as values") {
		t.Errorf("got %q", results)
	}
}

// With an error anywhere nothing is written, and nothing is said to be applied.
func TestErrorWritesNothing(t *testing.T) {
	input := functiontest.List(asked("vault ha|consul none"), vault+vaultValues+"---\n"+strings.ReplaceAll(vault, "vault", "consul")+vaultValues)
	output, results := evaluate(t, input)
	if output != input || len(results) != 1 || !strings.Contains(results[0], "[preset/unknown]") {
		t.Errorf("got %q", results)
	}
}

// Messages name paths, never what stands there.
func TestMessagesHoldNoValues(t *testing.T) {
	const secret = "hunter2"
	presets := strings.NewReplacer("standalone", "token", "replicas: 3", "password: "+secret+"3\n        list: ["+secret+"]", "{replicas: 9}", "{password: "+secret+"4}").Replace(vault)
	for _, own := range []string{"password: " + secret, "password: &p " + secret + "\n    b: *p", "password: {{ " + secret, "password: " + secret + "\n    password: " + secret, "- " + secret} {
		_, results := evaluate(t, functiontest.List(asked("vault ha|vault many"), presets+"  values.yaml: |\n    "+own+"\n    token: "+secret+"\n"))
		if len(results) == 0 || strings.Contains(strings.Join(results, "\n"), secret) {
			t.Errorf("got %q", results)
		}
	}
}
