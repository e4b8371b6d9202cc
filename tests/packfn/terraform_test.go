package packfn

import (
	"path/filepath"
	"strings"
	"testing"
)

// A folder of Terraform is imported and checked with all its files.
func TestTerraformModule(t *testing.T) {
	dir := t.TempDir()
	source := filepath.Dir(testPack("vault-0.6.0"))
	for name, text := range map[string]string{
		"m/data.tf":        "data \"spectrocloud_pack\" \"vault\" {\n  name    = \"vault\"\n  version = \"0.6.0\"\n}\nvariable \"name\" {}\n",
		"m/profile.tf":     "resource \"spectrocloud_cluster_profile\" \"site\" {\n  name = var.name\n  pack {\n    name   = data.spectrocloud_pack.vault.name\n    tag    = data.spectrocloud_pack.vault.version\n    values = data.spectrocloud_pack.vault.values\n  }\n  pack {\n    name   = \"own\"\n    values = \"port: [\"\n  }\n}\n",
		"m/a.auto.tfvars":  "name = \"north\"\n",
		"m/broken.tf":      "locals {\n  a = \n}\n",
		"m/more.tf.json":   "{}",
		"both/main.tf":     "resource \"spectrocloud_cluster_profile\" \"other\" {\n  pack {\n    name = \"x\"\n  }\n}\n",
		"both/p/pack.json": `{"name": "p", "version": "1.0.0"}`,
	} {
		write(t, filepath.Join(dir, name), text)
	}
	packfn(t, dir, "import", "m", "--to", "p", "--source", source).want(t, 0, "m/broken.tf:2:7: Invalid expression", "m/more.tf.json is not read", "p/vault.yaml: vault 0.6.0", "the profile north with 2 packs")
	if text := tree(t, dir)["p/vault.yaml"]; !strings.Contains(text, "schema.yaml") || !strings.Contains(text, "  values.yaml: |") {
		t.Errorf("%s", text)
	}
	packfn(t, dir, "import", "m/data.tf", "--to", "q", "--profile", "site", "--source", source).want(t, 0, "the profile north with 2 packs")
	packfn(t, dir, "import", "m/broken.tf", "--to", "r").want(t, 2, "m/broken.tf:2:7: Invalid expression")
	packfn(t, dir, "import", "both", "--to", "s").want(t, 0, "both also has Terraform, which is not imported: name its files *.tf", "s/p.yaml: p 1.0.0")
	packfn(t, dir, "import", "both/main.tf", "--to", "u").want(t, 0, "u/x.yaml: x")
	got := packfn(t, dir, "check", "m", "--source", source).want(t, 1)
	for _, want := range []string{"m/broken.tf\n  2:7: error: Invalid expression", "  10:15: error: ConfigMap own: spectrocloud_cluster_profile.site.pack[1].values: "} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("no %q in\n%s", want, got.stdout)
		}
	}
	if strings.Contains(got.stdout, "port: [") {
		t.Errorf("values are shown:\n%s", got.stdout)
	}
}
