package check

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// One note names the packs whose charts are unknown: they have no facts and no directory.
func TestNoteCharts(t *testing.T) {
	const form = "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: %s, annotations: {config.kubernetes.io/local-config: \"true\"}}\nspec: {version: 1.0.0, values: {a: 1}%s}\n"
	files := map[string]string{"Kptfile": kptfileHead}
	for name, rest := range map[string]string{
		"web": ", charts: [charts/web]", "vault": ", charts: [charts/vault]", "plain": "", "empty": ", charts: []",
		"half":  ", charts: [charts/half], chartFacts: {manifests: {vip: '*'}}",
		"known": ", charts: [charts/known], chartFacts: {charts: {known: {reads: '*'}}}",
	} {
		files[name+".yaml"] = fmt.Sprintf(form, name, rest)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"pack.json": `{"name": "vault", "version": "1.0.0", "charts": ["charts/vault"]}`, "charts/vault/Chart.yaml": "name: vault\n", "charts/vault/templates/a.yaml": "{{ .Values.port }}{{ .Values.host }}"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, tc := range []struct {
		options Options
		want    []string
	}{
		{Options{}, []string{"the charts of 3 packs were not looked at (half, vault, web):"}},
		{Options{Charts: []string{dir}}, []string{"the charts of 2 packs were not looked at (half, web):"}},
		{Options{Packs: []string{"vault"}}, []string{"the charts of 1 pack were not looked at (vault):"}},
		{Options{Packs: []string{"known", "plain", "empty"}}, nil},
		{Options{Packs: []string{"vault"}, Registries: []string{"oci://a/b", "oci://c"}}, []string{"the charts of 1 pack were not looked at (vault): import their directories again, which adds what their charts read, or name them with --charts or --source; the cache has no archives of them from oci://a/b and oci://c"}},
		{Options{Packs: []string{"vault"}, Archive: func(name, version string) string {
			if name+version == "vault1.0.0" {
				return dir
			}
			return ""
		}}, nil},
	} {
		_, notes := checked(t, tc.options, files)
		isOther := func(note string) bool { return !strings.Contains(note, "the charts of") }
		if notes = slices.DeleteFunc(notes, isOther); !slices.EqualFunc(notes, tc.want, strings.HasPrefix) {
			t.Errorf("%+v: got %q", tc.options, notes)
		}
		if len(tc.options.Registries) == 0 && strings.Contains(strings.Join(notes, ""), "the cache has") {
			t.Errorf("%+v: without registries: got %q", tc.options, notes)
		}
	}
	found, _ := checked(t, Options{Charts: []string{dir}, Packs: []string{"vault"}}, map[string]string{
		"Kptfile": kptfileHead, "pack.yaml": strings.Replace(fmt.Sprintf(form, "vault", ""), "{a: 1}", "{charts: {vault: {port: 1}}}", 1),
		"values.yaml": strings.Replace(strings.Replace(valuesText, "{port: 8}", "{port: 8, host: a}", 1), "name: a}", "name: vault}", 1),
		"others.yaml": strings.Replace(strings.Replace(strings.Replace(valuesText, "name: site", "name: edge", 1), "{port: 8}", "{host: b}", 1), "name: a}", "name: vault}", 1),
	})
	if want := []string{"warning values/misplaced others.yaml:4", "warning values/misplaced values.yaml:4", "warning values/misplaced values.yaml:4"}; !slices.Equal(found, want) {
		t.Errorf("keys at the root: got %q, want %q", found, want)
	}
	for name := range files {
		files[name] = strings.ReplaceAll(files[name], "version: 1.0.0", "version: 2.0.0")
	}
	if _, notes := checked(t, Options{Charts: []string{dir}}, files); len(notes) != 2 {
		t.Errorf("charts of another version: got %q", notes)
	}
}
