package packfn

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Check checks presets that are not applied, and what kpt does with packs.
func TestCheckPacks(t *testing.T) {
	dir := t.TempDir()
	const presets = "  presets.yaml: |\n    presets:\n    - {name: ha, group: size, add: 'replicas: 3'}\n    - {name: single, group: size, add: 'replicas: 1'}\n"
	pack := func(values, presets string) string {
		return "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: vault\n" + local + "data:\n  pack.json: '{\"name\": \"vault\", \"version\": \"1.0.0\"}'\n  values.yaml: |\n" + values + presets
	}
	const comment = "    # spectrocloud.com/enabled-presets: size:ha\n"
	write(t, filepath.Join(dir, "p/Kptfile"), kptfileText)
	for _, tc := range []struct {
		name, text string
		want       []string
	}{
		{"nothing", pack(comment+"    replicas: 3\n", presets), nil},
		{"the comment names another preset of the group", pack(comment+"    replicas: 1\n", presets), []string{"info preset/comment p/vault.yaml:9:5"}},
		{"a value that was edited", pack(comment+"    replicas: 2\n", presets), nil},
		{"a comment without presets", pack(comment+"    replicas: 1\n", ""), nil},
		{"presets that are not YAML", pack("    a: 1\n", "  presets.yaml: |\n    presets: a: b\n"), []string{"error preset/invalid p/vault.yaml:11:15"}},
		{"a misspelt field", pack("    a: 1\n", strings.Replace(presets, "name: ha", "nme: ha", 1)), []string{"error preset/invalid p/vault.yaml:12:8"}},
		{"a preset twice", pack("    a: 1\n", strings.Replace(presets, "single", "ha", 1)), []string{"error preset/invalid p/vault.yaml:13:7"}},
		{"what a preset adds is not YAML", pack("    a: 1\n", strings.Replace(presets, "replicas: 3", "replicas: [3", 1)), []string{"error preset/invalid p/vault.yaml:12:49"}},
		{"for the cluster", strings.Replace(pack("    a: 1\n", ""), local, "", 1), []string{"warning resource/not-local p/vault.yaml:3:1"}},
		{"another ConfigMap", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: b}\n", nil},
		{"facts for the cluster", "apiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\nmetadata: {name: a}\nspec: {}\n", nil},
	} {
		write(t, filepath.Join(dir, "p/vault.yaml"), tc.text)
		code := 0
		if len(tc.want) > 0 && strings.HasPrefix(tc.want[0], "error") {
			code = 1
		}
		if diff := cmp.Diff(append([]string{}, tc.want...), append([]string{}, facts(findings(t, dir, code, "p"))...)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tc.name, diff)
		}
	}
	write(t, filepath.Join(dir, "d/pack.json"), `{"name": "vault", "version": "1.0.0"}`)
	write(t, filepath.Join(dir, "d/schema.yml"), "a: 1\n")
	write(t, filepath.Join(dir, "d/README.yml"), "a: 1\n")
	if diff := cmp.Diff([]string{"error pack/file-name d/pack.json:1:0", "info pack/catalogue d/pack.json:1:1"}, facts(findings(t, dir, 1, "d"))); diff != "" {
		t.Errorf("a pack directory: -want +got:\n%s", diff)
	}
}
