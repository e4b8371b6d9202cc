package transfer_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/packfn/transfer"
)

// planned imports the folders below in/ of a folder into its folder to/, writes that, and
// returns what the plan says: its error, or the files and the notes.
func planned(t *testing.T, dir string, options transfer.Options, in ...string) []string {
	t.Helper()
	names := map[string]string{}
	for from, name := range options.Names {
		names[filepath.Join(dir, "in", from)] = name
	}
	options.Names = names
	var dirs []string
	for _, name := range in {
		dirs = append(dirs, filepath.Join(dir, "in", name))
	}
	plan, err := transfer.Import(filepath.Join(dir, "to"), dirs, options)
	if err != nil {
		return []string{"error " + strings.ReplaceAll(err.Error(), dir+"/", "")}
	}
	got := []string{}
	for _, change := range plan.Changes {
		got = append(got, "write "+strings.TrimPrefix(change.Path, dir+"/"))
		if err := os.MkdirAll(filepath.Dir(change.Path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(change.Path, change.Text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, note := range plan.Notes {
		got = append(got, strings.ReplaceAll(note, dir+"/", ""))
	}
	return got
}

// An import says what it does, and what it cannot do right. Nothing is planned then.
func TestPlans(t *testing.T) {
	const metadata = `{"name": "vault", "version": "1.0.0"}`
	pack := map[string]string{"in/vault/pack.json": metadata, "in/vault/values.yaml": "replicas: 1\n"}
	imported := func() (text string) {
		dir := files(t, pack)
		planned(t, dir, transfer.Options{}, "vault")
		all, err := os.ReadFile(filepath.Join(dir, "to/vault.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		return string(all)
	}()
	const presets = "presets:\n- {name: ha, displayName: HA, group: size, add: 'replicas: 3'}\n"
	for _, tc := range []struct {
		name    string
		options transfer.Options
		// files are those in addition to the pack vault; "-" removes one.
		files map[string]string
		in    []string
		want  []string
	}{
		{"a pack", transfer.Options{}, nil, []string{"vault"}, []string{"write to/vault.yaml", "to/vault.yaml: vault 1.0.0", "to has no Kptfile; kpt needs one: add it with kpt pkg init or --kptfile"}},
		{"into a package", transfer.Options{}, map[string]string{"to/Kptfile": kptfile}, []string{"vault"}, []string{"write to/vault.yaml", "to/vault.yaml: vault 1.0.0"}},
		{"a Pack", transfer.Options{Form: transfer.Pack}, map[string]string{"to/Kptfile": kptfile}, []string{"vault"}, []string{"write to/vault.yaml", "to/vault.yaml: vault 1.0.0"}},
		{"what stays behind", transfer.Options{}, map[string]string{"to/Kptfile": kptfile, "in/vault/README.md": "", "in/vault/logo.png": "", "in/vault/presets.yml": "a: 1\n"}, []string{"vault"}, []string{"write to/vault.yaml", "in/vault/presets.yml is left out; functions read presets.yaml: rename it if it is that file", "in/vault: left out README.md, logo.png and presets.yml, which functions do not read", "to/vault.yaml: vault 1.0.0"}},
		{"a file that no pack has", transfer.Options{With: []string{"README.md", "a.txt"}}, map[string]string{"to/Kptfile": kptfile, "in/vault/README.md": "# a\n"}, []string{"vault"}, []string{"error --with a.txt: no pack has this file"}},
		{"a file that comes along", transfer.Options{With: []string{"README.md"}}, map[string]string{"to/Kptfile": kptfile, "in/vault/README.md": "# a\n"}, []string{"vault"}, []string{"write to/vault.yaml", "to/vault.yaml: vault 1.0.0"}},
		{"a path that is not a key", transfer.Options{With: []string{"a/b.txt"}}, map[string]string{"to/Kptfile": kptfile, "in/vault/a/b.txt": "b\n"}, []string{"vault"}, []string{"error --with a/b.txt: the key of a ConfigMap has only letters, digits, '-', '_' and '.'"}},
		{"what a Pack has no place for", transfer.Options{Form: transfer.Pack, With: []string{"README.md"}}, nil, []string{"vault"}, []string{"error a Pack has no place for README.md; import it with --as configmap"}},
		{"a property of a Pack", transfer.Options{Form: transfer.Pack}, map[string]string{"to/Kptfile": kptfile, "in/vault/properties.yaml": "properties: []\n"}, []string{"vault"}, []string{"write to/vault.yaml", "to/vault.yaml: vault 1.0.0"}},
		{"a field that is a file of a Pack", transfer.Options{Form: transfer.Pack}, map[string]string{"in/vault/pack.json": `{"name": "vault", "version": "1.0.0", "values": "x"}`}, []string{"vault"}, []string{"error pack.json of the pack vault has the field values, which means the file in a Pack; import it with --as configmap"}},
		{"into a file", transfer.Options{}, map[string]string{"to": "text"}, []string{"vault"}, []string{"error to is a file; name the folder of a package"}},
		{"into a package that cannot be read", transfer.Options{}, map[string]string{"to/Kptfile": "kind: [\n"}, []string{"vault"}, []string{"error to/Kptfile: line 1: kpt rejects the Kptfile: cannot be read: a value is missing here: write one, or remove the comma or bracket"}},
		{"no pack", transfer.Options{}, map[string]string{"in/none/a.txt": ""}, []string{"none"}, []string{"error in/none holds no pack: a pack directory has the file pack.json"}},
		{"another name", transfer.Options{Names: map[string]string{"vault": "safe"}}, map[string]string{"to/Kptfile": kptfile}, []string{"vault"}, []string{"write to/safe.yaml", "to/safe.yaml: vault 1.0.0"}},
		{"a name for another directory", transfer.Options{Names: map[string]string{"valt": "safe"}}, map[string]string{"to/Kptfile": kptfile}, []string{"vault"}, []string{"error --name: in/valt is not among the directories to import"}},
		{"a name that no resource can have", transfer.Options{}, map[string]string{"to/Kptfile": kptfile, "in/vault/pack.json": `{"name": "___", "version": "1.0.0"}`}, []string{"vault"}, []string{`error in/vault: no resource can have the name "___"; choose one with --name NEW=in/vault`}},
		{"a name that becomes one", transfer.Options{}, map[string]string{"to/Kptfile": kptfile, "in/vault/pack.json": `{"name": "My_Vault", "version": "1.0.0"}`}, []string{"vault"}, []string{"write to/my-vault.yaml", "to/my-vault.yaml: My_Vault 1.0.0"}},
		{"two packs of a name", transfer.Options{}, map[string]string{"in/two/pack.json": metadata}, []string{"vault", "two"}, []string{"error in/vault and in/two are packs of one name, vault; choose another with --name NEW=in/two"}},
		{"two packs", transfer.Options{Names: map[string]string{"two": "two"}}, map[string]string{"to/Kptfile": kptfile, "in/two/pack.json": metadata}, []string{"vault", "two"}, []string{"write to/vault.yaml", "write to/two.yaml", "to/vault.yaml: vault 1.0.0", "to/two.yaml: vault 1.0.0"}},
		{"a file in the way", transfer.Options{}, map[string]string{"to/Kptfile": kptfile, "to/vault.yaml": "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\n"}, []string{"vault"}, []string{"error to/vault.yaml is there already, and is not the pack vault; choose another name with --name NEW=in/vault"}},
		{"a pack that was not imported", transfer.Options{}, map[string]string{"to/Kptfile": kptfile, "to/a.yaml": "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: vault}\nspec: {version: 1.0.0}\n"}, []string{"vault"}, []string{"error to/a.yaml has the pack vault, which was not imported; remove it, or choose another name with --name NEW=in/vault"}},
		{"again", transfer.Options{}, map[string]string{"to/Kptfile": kptfile, "to/vault.yaml": imported}, []string{"vault"}, []string{"to/vault.yaml: vault 1.0.0 is imported already; nothing to do"}},
		{"again, where users have changed it", transfer.Options{}, map[string]string{"to/Kptfile": kptfile, "to/vault.yaml": strings.Replace(imported, "replicas: 1", "replicas: 5", 1)}, []string{"vault"}, []string{"to/vault.yaml: vault 1.0.0 is imported already; nothing to do"}},
		{"another file", transfer.Options{}, map[string]string{"to/Kptfile": kptfile, "to/vault.yaml": imported, "in/vault/values.yaml": "replicas: 2\n"}, []string{"vault"}, []string{"error to/vault.yaml: in/vault differs from what was imported (values.yaml): use packfn upgrade to in/vault, or --force, which replaces the pack"}},
		{"more files", transfer.Options{}, map[string]string{"to/Kptfile": kptfile, "to/vault.yaml": imported, "in/vault/values.yaml": "-", "in/vault/presets.yaml": presets, "in/vault/schema.yaml": "{}\n"}, []string{"vault"}, []string{"error to/vault.yaml: in/vault differs from what was imported (presets.yaml, schema.yaml and values.yaml): use packfn upgrade to in/vault, or --force, which replaces the pack"}},
		{"another version", transfer.Options{}, map[string]string{"to/Kptfile": kptfile, "to/vault.yaml": imported, "in/vault/pack.json": `{"name": "vault", "version": "1.1.0"}`}, []string{"vault"}, []string{"error to/vault.yaml: in/vault differs from what was imported (version 1.1.0, before 1.0.0): use packfn upgrade to in/vault, or --force, which replaces the pack"}},
		{"another version by force", transfer.Options{Force: true}, map[string]string{"to/Kptfile": kptfile, "to/vault.yaml": imported, "in/vault/pack.json": `{"name": "vault", "version": "1.1.0"}`}, []string{"vault"}, []string{"write to/vault.yaml", "to/vault.yaml: vault 1.1.0 replaces 1.0.0"}},
		{"by another name", transfer.Options{Names: map[string]string{"vault": "safe"}}, map[string]string{"to/Kptfile": kptfile, "to/vault.yaml": imported}, []string{"vault"}, []string{"write to/safe.yaml", "to/safe.yaml: vault 1.0.0"}},
		{"a record that cannot be read", transfer.Options{}, map[string]string{"to/Kptfile": kptfile, "to/vault.yaml": strings.Replace(imported, `packs.kpt.dev/imported: '{`, `packs.kpt.dev/imported: '[{`, 1)}, []string{"vault"}, []string{"error to/vault.yaml: the annotation packs.kpt.dev/imported cannot be read; remove the resource and import the pack again"}},
		{"a Kptfile of images", transfer.Options{Kptfile: true}, nil, []string{"vault"}, []string{"write to/vault.yaml", "write to/Kptfile", "to/vault.yaml: vault 1.0.0", "to/Kptfile: a new Kptfile"}},
		{"a Kptfile of programs, with macros", transfer.Options{Kptfile: true, Exec: true}, map[string]string{"in/vault/values.yaml": "a: '{{ .spectro.var.A }}'\n"}, []string{"vault"}, []string{"write to/vault.yaml", "write to/Kptfile", "to/vault.yaml: vault 1.0.0", "to/Kptfile: a new Kptfile"}},
		{"a Kptfile that is there", transfer.Options{Kptfile: true}, map[string]string{"to/Kptfile": kptfile, "in/vault/values.yaml": "a: '{{ .spectro.var.A }}'\n"}, []string{"vault"}, []string{"write to/vault.yaml", "to/vault.yaml: vault 1.0.0", "to/Kptfile is there already; it stays as it is", "to/Kptfile: no mutator resolves the macros of the packs; add resolve-macros to pipeline.mutators"}},
		{"text that kpt quotes", transfer.Options{}, map[string]string{"to/Kptfile": kptfile, "in/vault/values.yaml": "a: |\n  x  \n  y\nb: 1  \n"}, []string{"vault"}, []string{"write to/vault.yaml", "in/vault/values.yaml: removed whitespace at the end of 1 line", "in/vault/values.yaml: kpt stores it as one quoted line, because line 2 ends in whitespace", "to/vault.yaml: vault 1.0.0"}},
		{"text that kpt quotes, exactly", transfer.Options{Exact: true}, map[string]string{"to/Kptfile": kptfile, "in/vault/values.yaml": "a: 1  \n"}, []string{"vault"}, []string{"write to/vault.yaml", "in/vault/values.yaml: kpt stores it as one quoted line, because line 1 ends in whitespace", "to/vault.yaml: vault 1.0.0"}},
		{"a chart that cannot be read", transfer.Options{}, map[string]string{"to/Kptfile": kptfile, "in/vault/pack.json": `{"name": "vault", "version": "1.0.0", "charts": ["charts/a.tgz"]}`}, []string{"vault"}, []string{"write to/vault.yaml", "in/vault/pack.json: charts: the chart charts/a.tgz is not in the directory of the pack (pack.json line 1). Add the chart, or correct its name", "to/vault.yaml: vault 1.0.0"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			all := map[string]string{}
			for _, more := range []map[string]string{pack, tc.files} {
				for name, text := range more {
					if all[name] = text; text == "-" {
						delete(all, name)
					}
				}
			}
			if diff := cmp.Diff(tc.want, planned(t, files(t, all), tc.options, tc.in...)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// What replaces a pack by force keeps what users have added, and nothing of the old import.
func TestForceKeepsUserKeys(t *testing.T) {
	dir := files(t, map[string]string{"to/Kptfile": kptfile, "in/vault/pack.json": `{"name": "vault", "version": "1.0.0"}`, "in/vault/values.yaml": "replicas: 1\n", "in/vault/NOTES": "old\n"})
	planned(t, dir, transfer.Options{With: []string{"NOTES"}}, "vault")
	path := filepath.Join(dir, "to/vault.yaml")
	old, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	changed := string(old) + "  mine: kept\n  schema.yaml: dropped\n  chart-facts.yaml: dropped\n"
	if err := os.Remove(filepath.Join(dir, "in/vault/NOTES")); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{path: changed, filepath.Join(dir, "in/vault/pack.json"): `{"name": "vault", "version": "2.0.0"}`, filepath.Join(dir, "in/vault/values.yaml"): "replicas: 2\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{"write to/vault.yaml", "to/vault.yaml: vault 2.0.0 replaces 1.0.0"}, planned(t, dir, transfer.Options{Force: true}, "vault")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{"  mine: kept\n": true, "replicas: 2": true, "NOTES": false, "dropped": false, "replicas: 1": false} {
		if strings.Contains(string(got), text) != want {
			t.Errorf("%q: want %v in\n%s", text, want, got)
		}
	}
}
