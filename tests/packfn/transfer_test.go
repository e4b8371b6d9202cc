package packfn

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/packfn/packfntest"
)

// What import writes, kpt leaves as it is, in both forms; and export gives back what an
// exact import took.
func TestImportAndExport(t *testing.T) {
	dirs := packs(t)
	folder := t.TempDir()
	forms := []packfntest.ImportOptions{{}, {Exact: true}, {Form: packfntest.PackForm}, {Form: packfntest.PackForm, Exact: true}}
	var area packfntest.Area
	for i, options := range forms {
		for _, dir := range dirs {
			to := filepath.Join(folder, string('a'+rune(i)), filepath.Base(dir))
			plan, err := packfntest.Import(to, []string{dir}, options)
			if err != nil {
				t.Errorf("%s: %v", dir, err)
				continue
			}
			if err := area.Write(t.Context(), plan.Changes); err != nil {
				t.Fatal(err)
			}
			again, err := packfntest.Import(to, []string{dir}, options)
			if err != nil || len(again.Changes) > 0 {
				t.Errorf("%s: the second import: %v, changes %d files", dir, err, len(again.Changes))
			}
		}
	}
	before := tree(t, folder)
	if len(before) != len(forms)*len(dirs) {
		t.Errorf("%d files of %d packs in %d forms", len(before), len(dirs), len(forms))
	}
	kptCat(t, folder)
	for path, text := range tree(t, folder) {
		if before[path] != text {
			t.Errorf("kpt changes %s:\n%s", path, cmp.Diff(before[path], text))
		}
	}
	quoted := 0
	for path, text := range before {
		if strings.HasPrefix(path, "a/") && strings.Contains(text, `\n`) && strings.Contains(text, `: "`) && strings.Contains(text, "  values.yaml: \"") {
			quoted++
			t.Logf("%s has values that kpt quotes", path)
		}
	}
	if quoted != 2 {
		t.Errorf("%d packs have values that kpt quotes, want two of testdata: one with an emoji, and one that is not YAML", quoted)
	}
	for _, form := range []string{"b", "d"} {
		for _, dir := range dirs {
			package_, to := filepath.Join(folder, form, filepath.Base(dir)), filepath.Join(folder, "back", form, filepath.Base(dir))
			packfn(t, folder, "export", package_, "--to", to).want(t, 0)
			compareFiles(t, dir, to, form == "d")
		}
	}
}

// compareFiles compares a pack directory with what came back: byte for byte, but for
// pack.json in the typed form, which is equal as JSON.
func compareFiles(t *testing.T, dir, back string, typed bool) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(back, "*"))
	if err != nil || len(found) != 1 {
		t.Errorf("%s: %v, %v", dir, found, err)
		return
	}
	for _, name := range packfntest.PackFiles {
		want, err := os.ReadFile(filepath.Join(dir, name))
		got, again := os.ReadFile(filepath.Join(found[0], name))
		switch {
		case (err == nil) != (again == nil):
			t.Errorf("%s: %s: %v before, %v after", dir, name, err, again)
		case typed && name == "pack.json":
			var one, other any
			if json.Unmarshal(bytes.TrimPrefix(want, []byte("\ufeff")), &one) != nil || json.Unmarshal(got, &other) != nil || !reflect.DeepEqual(one, other) {
				t.Errorf("%s: %s became\n%s", dir, name, got)
			}
		case !bytes.Equal(want, got):
			t.Errorf("%s: %s:\n%s", dir, name, cmp.Diff(string(want), string(got)))
		}
	}
}

func TestImport(t *testing.T) {
	dir := t.TempDir()
	vault, cni := testPack("vault-0.6.0"), testPack("cni-1.2.0")
	packfn(t, dir, "import", vault, cni, "--to", "p", "--with", "README.md", "--exec").
		want(t, 0, "removed whitespace at the end of 4 lines", "p/Kptfile: a new Kptfile")
	files := tree(t, filepath.Join(dir, "p"))
	for _, want := range []string{"- exec: resolve-macros", "- exec: validate-pack-values", "- exec: check-dependencies", "- exec: check-resources"} {
		if !strings.Contains(files["Kptfile"], want) {
			t.Errorf("the Kptfile lacks %q:\n%s", want, files["Kptfile"])
		}
	}
	for _, want := range []string{"kind: ConfigMap", "  name: vault\n", `config.kubernetes.io/local-config: "true"`, "packs.kpt.dev/imported: '{\"version\":\"0.6.0\",\"sha256\":{\"README.md\":", "  README.md: |\n    # Vault\n", "  values.yaml: |\n    # the values\n    replicas: 3\n"} {
		if !strings.Contains(files["vault.yaml"], want) {
			t.Errorf("vault.yaml lacks %q:\n%s", want, files["vault.yaml"])
		}
	}
	kptCat(t, filepath.Join(dir, "p"))
	if diff := cmp.Diff(files, tree(t, filepath.Join(dir, "p"))); diff != "" {
		t.Errorf("kpt changes the package:\n%s", diff)
	}

	// The same directory changes nothing, whatever users did to the text, and a file
	// that moved is found.
	edited := strings.Replace(files["vault.yaml"], "replicas: 3", "replicas: 30", 1)
	write(t, filepath.Join(dir, "p/moved/vault-pack.yaml"), edited)
	os.Remove(filepath.Join(dir, "p/vault.yaml"))
	before := tree(t, filepath.Join(dir, "p"))
	packfn(t, dir, "import", vault, cni, "--to", "p", "--kptfile").want(t, 0, "is imported already", "Kptfile is there already")
	if diff := cmp.Diff(before, tree(t, filepath.Join(dir, "p"))); diff != "" {
		t.Errorf("the second import changes:\n%s", diff)
	}
}

// Images are the default of --kptfile, and a pack without macros and resources needs no
// function for them.
func TestImportKptfile(t *testing.T) {
	dir := t.TempDir()
	packfn(t, dir, "import", testPack("cni-1.2.0"), "--to", "My Packs", "--kptfile").want(t, 0)
	want := `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: my-packs
  annotations:
    config.kubernetes.io/local-config: "true"
pipeline:
  validators:
  - image: ` + function.Image("validate-pack-values") + `
  - image: ` + function.Image("check-dependencies") + `
`
	if diff := cmp.Diff(want, tree(t, dir)["My Packs/Kptfile"]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A directory that has changed is refused; with --force it replaces the pack, and
// presets, labels and other annotations are carried over.
func TestImportChanged(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "p/vault.yaml")
	packfn(t, dir, "import", testPack("vault-0.6.0"), "--to", "p").want(t, 0)
	text := tree(t, dir)["p/vault.yaml"]
	text = strings.Replace(text, "  annotations:\n", "  labels:\n    team: a\n  annotations:\n    packs.kpt.dev/applied-presets: '[\"size:ha@0123456789ab@0.6.0\",\":gone@0123456789ab@0.6.0\"]'\n    example.com/mine: \"yes\"\n", 1)
	text += "  notes.txt: mine\n"
	write(t, path, "apiVersion: v1\nkind: Secret\nmetadata:\n  name: other\n---\n"+text)

	before := tree(t, dir)
	packfn(t, dir, "import", testPack("vault-0.7.0"), "--to", "p").want(t, 2, "version 0.7.0, before 0.6.0", "packfn upgrade", "--force")
	if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
		t.Errorf("a refused import changes:\n%s", diff)
	}
	// An edit is not dropped without a word.
	edited := strings.Replace(before["p/vault.yaml"], "port: 500", "port: 501", 1)
	write(t, path, edited)
	packfn(t, dir, "import", testPack("vault-0.7.0"), "--to", "p", "--force").want(t, 1, "packfn upgrade", "--discard-edits")
	if got := tree(t, dir)["p/vault.yaml"]; got != edited || edited == before["p/vault.yaml"] {
		t.Errorf("a refused import of an edited pack:\n%s", got)
	}
	packfn(t, dir, "import", testPack("vault-0.7.0"), "--to", "p", "--force", "--discard-edits").want(t, 0, "0.7.0 replaces 0.6.0")
	write(t, path, before["p/vault.yaml"])
	packfn(t, dir, "import", testPack("vault-0.7.0"), "--to", "p", "--force").
		want(t, 0, "0.7.0 replaces 0.6.0", "vault has no preset gone: what it set is gone")
	got := tree(t, dir)["p/vault.yaml"]
	for _, want := range []string{"kind: Secret\nmetadata:\n  name: other\n---\napiVersion: v1\nkind: ConfigMap\n", "    team: a\n", "example.com/mine: \"yes\"", "notes.txt: mine", "    replicas: 5\n", "port: 5001", `"version":"0.7.0"`, `"size:ha`} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %q:\n%s", want, got)
		}
	}
}

func TestImportForms(t *testing.T) {
	dir := t.TempDir()
	vault := testPack("vault-0.6.0")
	packfn(t, dir, "import", vault, "--to", "p", "--as", "pack", "--name", "store="+vault).want(t, 0)
	got := tree(t, dir)["p/store.yaml"]
	for _, want := range []string{"apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata:\n  name: store\n", "\nspec:\n  name: vault\n  version: 0.6.0\n", "  - 1.50\n", "    \"yes\": \"yes\"\n", "  values: |\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %q:\n%s", want, got)
		}
	}
	// A whole folder of packs at once; two versions of one by a name.
	packfn(t, dir, "import", vault, testPack("vault-0.7.0"), "--to", "q", "--name", "vault-new="+testPack("vault-0.7.0")).want(t, 0)
	write(t, filepath.Join(dir, "all/a/pack.json"), `{"name":"a","version":"1"}`)
	write(t, filepath.Join(dir, "all/b/c/pack.json"), `{"name":"c","version":"1"}`)
	write(t, filepath.Join(dir, "all/b/chart/values.yaml"), "a: 1\n")
	write(t, filepath.Join(dir, "all/b/chart/Chart.yaml"), "name: x\n")
	packfn(t, dir, "import", "all", "--to", "q").want(t, 0)
	for _, name := range []string{"q/vault.yaml", "q/vault-new.yaml", "q/a.yaml", "q/c.yaml"} {
		if tree(t, dir)[name] == "" {
			t.Errorf("no %s", name)
		}
	}
	odd := packfn(t, dir, "import", testPack("odd-1.0.0"), "--to", "q").want(t, 0, "values.yaml: kpt stores it as one quoted line, because line 2 has the character U+1F600")
	if tree(t, dir)["q/odd-pack.yaml"] == "" {
		t.Errorf("no odd-pack.yaml:\n%s", odd.stderr)
	}
}

// A folder that cannot be written is an error, and leaves nothing.
func TestImportUnwritable(t *testing.T) {
	if os.Geteuid() == 0 {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "p"), "a file")
		packfn(t, dir, "import", testPack("vault-0.6.0"), "--to", "p/q").want(t, 2, "not a directory")
		return
	}
	dir := t.TempDir()
	os.Mkdir(filepath.Join(dir, "p"), 0o555)
	packfn(t, dir, "import", testPack("vault-0.6.0"), "--to", "p").want(t, 2, "permission denied")
}

func TestExport(t *testing.T) {
	dir := t.TempDir()
	packfn(t, dir, "import", testPack("vault-0.6.0"), testPack("cni-1.2.0"), "--to", "p", "--exact").want(t, 0)
	packfn(t, dir, "export", "p", "--to", "d").want(t, 0)
	first := tree(t, filepath.Join(dir, "d"))
	packfn(t, dir, "export", "p", "--to", "d").want(t, 0, "0 new files")
	write(t, filepath.Join(dir, "d/vault/values.yaml"), "mine: 1\n")
	packfn(t, dir, "export", "p", "--to", "d").want(t, 2, "d/vault/values.yaml is there already", "--force")
	packfn(t, dir, "export", "p", "--to", "d", "--force").want(t, 0)
	if diff := cmp.Diff(first, tree(t, filepath.Join(dir, "d"))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The effective values have overrides merged, presets applied and macros resolved.
func TestExportEffective(t *testing.T) {
	dir := t.TempDir()
	packfn(t, dir, "import", testPack("vault-0.6.0"), "--to", "p").want(t, 0)
	write(t, filepath.Join(dir, "p/Kptfile"), `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: p
pipeline:
  mutators:
  - exec: apply-preset
    configMap:
      vault: ha
  - image: ghcr.io/krm-packs/resolve-macros:v1
    configMap:
      variables.HOST: example.com
`)
	write(t, filepath.Join(dir, "p/prod.yaml"), `apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata:
  name: prod
spec:
  packRef:
    name: vault
  values:
    registry:
      port: 5005 # ours
`)
	before := tree(t, filepath.Join(dir, "p"))
	packfn(t, dir, "export", "p", "--to", "d", "--effective").want(t, 0)
	if diff := cmp.Diff(before, tree(t, filepath.Join(dir, "p"))); diff != "" {
		t.Errorf("the package changed:\n%s", diff)
	}
	want := "# the values\nreplicas: 5\nregistry:\n  hostname: \"example.com\"\n  port: 5005  # the usual one\nlist:\n  - a\n  - b\nscript: |\n  one\n  two\n"
	if diff := cmp.Diff(want, tree(t, dir)["d/vault/values.yaml"]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	write(t, filepath.Join(dir, "p/Kptfile"), "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\npipeline: {mutators: [{image: example.com/other}]}\n")
	packfn(t, dir, "export", "p", "--to", "e", "--effective").want(t, 2, `pipeline.mutators[0]: "example.com/other" is not a function of this suite`)
}
