package packfn

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// palette is a profile that Palette exported, of the packs in testdata.
const palette = `{"metadata": {"name": "Site"}, "spec": {"version": "1.0.0", "template": {"type": "add-on", "packs": [
 {"name": "vault", "layer": "addon", "version": "0.6.0", "values": "replicas: '{{ .spectro.var.replicas }}'\npassword: hunter2\n"},
 {"name": "other", "layer": "addon", "version": "1.0.0", "values": "a: 1\n"}]},
 "variables": [{"name": "replicas", "format": "number", "defaultValue": "3"}, {"name": "pin", "isSensitive": true, "format": "number", "defaultValue": "hunter3"}]}}`

func TestProfile(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "profile.json"), palette)
	write(t, filepath.Join(dir, "broken.json"), strings.Replace(palette, `"spec": {`, `"spec": {,`, 1))
	write(t, filepath.Join(dir, "no.json"), `{"spec": {}}`)
	write(t, filepath.Join(dir, "unknown.json"), strings.Replace(palette, `"add-on"`, `"addon"`, 1))
	write(t, filepath.Join(dir, "twice.json"), strings.Replace(palette, `"pin"`, `"replicas"`, 1))
	write(t, filepath.Join(dir, "main.tf"), "resource \"spectrocloud_cluster_profile\" \"site\" {\n  name = \"Site\"\n  pack {\n    name   = \"vault\"\n    tag    = \"0.6.0\"\n    values = \"replicas: 3\\n\"\n  }\n  pack {\n    name   = \"other\"\n    values = var.other\n  }\n}\n")
	write(t, filepath.Join(dir, "broken.tf"), "resource {\n")
	source := filepath.Dir(testPack("vault-0.6.0"))

	before := len(tree(t, dir))
	for _, tc := range []struct {
		name string
		args []string
		word string
	}{
		{"broken JSON", []string{"import", "broken.json", "--to", "p"}, "broken.json:1:41: "},
		{"broken JSON, checked", []string{"check", "broken.json"}, "broken.json:1:41: "},
		{"no profile", []string{"import", "no.json", "--to", "p"}, "no.json: not a cluster profile that Palette exported: it has no metadata"},
		{"no profile, checked", []string{"check", "no.json"}, "no.json: not a cluster profile"},
		{"an unknown type", []string{"import", "unknown.json", "--to", "p"}, `unknown.json:1:82: spec.template.type: must be "cluster", "infra", "add-on" or "system", got "addon". Did you mean "add-on"?`},
		{"a name twice", []string{"import", "twice.json", "--to", "p"}, `the variable "replicas" is also defined in variables[0]`},
		{"one of two", []string{"import", "profile.json", "broken.json", "--to", "p"}, "broken.json:1:41: "},
		{"a source that is not there", []string{"import", "profile.json", "--source", "none", "--to", "p"}, "none: no such file or directory"},
		{"broken Terraform", []string{"import", "broken.tf", "--to", "p"}, "broken.tf:1:10: Unclosed configuration block"},
		{"an unknown profile", []string{"import", "main.tf", "--profile", "sit", "--to", "p"}, `no profile named "sit". Did you mean "site"?`},
		{"no package", []string{"export", "none", "--as", "profile"}, "none"},
		{"an unknown form", []string{"export", ".", "--as", "profil"}, `--as: must be "packs", "helm" or "profile", got "profil"`},
		{"no folder", []string{"export", "."}, "--to is missing"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := packfn(t, dir, tc.args...).want(t, 2, tc.word); got.stdout != "" {
				t.Errorf("printed %q", got.stdout)
			}
			if len(tree(t, dir)) != before {
				t.Error("something was written")
			}
		})
	}

	got := packfn(t, dir, "check", "profile.json", "--source", source).want(t, 1)
	if want := `: error: ClusterProfile site: spec.variables[1].defaultValue: must be a decimal number, got a different value (hidden) for the variable "pin" [profile/variable]`; !strings.Contains(got.stdout, want) {
		t.Errorf("no %q in\n%s", want, got.stdout)
	}
	for _, format := range []string{"table", "json", "sarif", "github", "junit", "markdown", "html"} {
		got := packfn(t, dir, "check", "profile.json", "--source", source, "--format", format)
		if all := got.stdout + got.stderr; strings.Contains(all, "hunter") {
			t.Errorf("%s shows a secret:\n%s", format, all)
		}
	}
	packfn(t, dir, "import", "profile.json", "--source", source, "--to", "p", "--exec").want(t, 0, "profile.json: no source has other 1.0.0;", "p/site.yaml: the profile Site with 2 packs")
	packfn(t, dir, "import", "profile.json", "--source", source, "--to", "p").want(t, 0, "Site is imported already; nothing to do")
	if kptfile, err := os.ReadFile(filepath.Join(dir, "p", "Kptfile")); err != nil || strings.Contains(string(kptfile), "resolve-macros") {
		t.Errorf("%v %s", err, kptfile)
	}
	equal := func(text string) bool {
		var a, b any
		if json.Unmarshal([]byte(palette), &a) != nil || json.Unmarshal([]byte(text), &b) != nil {
			return false
		}
		return reflect.DeepEqual(a, b)
	}
	if got := packfn(t, dir, "export", "p", "--as", "profile").want(t, 0); !equal(got.stdout) || got.stderr != "" {
		t.Errorf("%s%s", got.stdout, got.stderr)
	}
	packfn(t, dir, "export", "p", "--as", "profile", "--to", "profile.json").want(t, 2, "profile.json is there already with other content; use --force")
	packfn(t, dir, "export", "p", "--as", "profile", "--profile", "sites").want(t, 2, `no ClusterProfile named "sites". Did you mean "site"?`)

	// Overrides and presets are in the effective values.
	write(t, filepath.Join(dir, "p", "more.yaml"), "apiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata: {name: more, annotations: {config.kubernetes.io/local-config: \"true\"}}\nspec: {packRef: {name: other}, values: {a: 2}}\n")
	packfn(t, dir, "export", "p", "--as", "profile", "--to", "plain.json").want(t, 0, "left out 1 override of the package; --effective merges overrides into the values")
	packfn(t, dir, "export", "p", "--as", "profile", "--to", "effective.json", "--effective").want(t, 0)
	for name, want := range map[string]string{"plain.json": `"values": "a: 1\n"`, "effective.json": `"values": "a: 2\n"`} {
		if text, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
	}

	packfn(t, dir, "import", "main.tf", "--to", "q", "--source", source).want(t, 0, "main.tf:10:14: the pack other is left out: values reads var.other", "q/vault.yaml: vault 0.6.0")
	if text, err := os.ReadFile(filepath.Join(dir, "q", "vault.yaml")); err != nil || !strings.Contains(string(text), "schema.yaml") {
		t.Errorf("%v\n%s", err, text)
	}
}

// A profile that is imported, and rendered for a cluster, is exported with its macros.
func TestProfileAfterRender(t *testing.T) {
	dir := t.TempDir()
	profile, err := filepath.Abs("../../docs/profiles/edge-site.json")
	if err != nil {
		t.Fatal(err)
	}
	packfn(t, dir, "import", profile, "--source", filepath.Join(filepath.Dir(profile), "../packs"), "--to", "p").want(t, 0)
	exported := packfn(t, dir, "export", "p", "--as", "profile").want(t, 0).stdout
	write(t, filepath.Join(dir, "p/Kptfile"), "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\npipeline:\n  mutators:\n  - exec: resolve-macros\n    configMap: {variables.registry_host: r.example.com, variables.registry_port: '5001', variables.site: north}\n")
	packfn(t, dir, "render", "p").want(t, 0)
	if text := tree(t, dir)["p/registry.yaml"]; !strings.Contains(text, "r.example.com") || strings.Count(text, "# kpt-macro: ") != 2 {
		t.Errorf("nothing is rendered:\n%s", text)
	}
	if diff := cmp.Diff(exported, packfn(t, dir, "export", "p", "--as", "profile").want(t, 0).stdout); diff != "" || !strings.Contains(exported, "{{ .spectro.var.site }}") {
		t.Errorf("-imported +rendered:\n%s", diff)
	}
	effective := packfn(t, dir, "export", "p", "--as", "profile", "--effective").want(t, 0).stdout
	if strings.Contains(effective, "{{ .spectro.var.registry_host") || strings.Contains(effective, "kpt-macro") || !strings.Contains(effective, "r.example.com") {
		t.Errorf("effective values:\n%s", effective)
	}
}
