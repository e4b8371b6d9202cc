package check

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/functions/suite"
)

// What a kustomization names and check does not read is said, and nothing outside of the folder is
// read.
func TestUnreadKustomizations(t *testing.T) {
	const wrong = "error values/format "
	const generator = "configMapGenerator:\n- name: a\n  files: [packs/a/pack.json, packs/a/values.yaml, packs/a/schema.yaml]\n"
	packs := func(files map[string]string) map[string]string {
		files["packs/a/pack.json"], files["packs/a/values.yaml"] = `{"name": "a", "version": "1.0.0"}`, "port: 3\n"
		files["packs/a/schema.yaml"] = "port: {schema: '{{ format \"${number:[1-5]}\" }}'}\n"
		return files
	}
	for _, tc := range []struct {
		name  string
		files map[string]string
		want  []string
		note  string
	}{
		{"one that is not YAML", map[string]string{"k/kustomization.yaml": "resources: [\n", "k/a.yaml": packNamed("a")},
			[]string{wrong + "k/a.yaml:7"}, "k/kustomization.yaml cannot be read, so the files that it names are checked as directories: line "},
		{"one that is a list", map[string]string{"k/kustomization.yaml": "- a.yaml\n", "k/a.yaml": packNamed("a")}, []string{wrong + "k/a.yaml:7"}, ""},
		{"a component alone", map[string]string{"k/kustomization.yaml": "kind: Component\nresources: [a.yaml]\n", "k/a.yaml": packNamed("a")}, []string{wrong + "k/a.yaml:7"}, ""},
		{"a directory without a kustomization", map[string]string{"k/kustomization.yaml": "resources: [a.yaml, ../b]\n", "k/a.yaml": goodPack("a", ""), "b/b.yaml": packNamed("b")},
			[]string{wrong + "b/b.yaml:7"}, "k/kustomization.yaml names b, which is a directory without a kustomization"},
		{"a cycle of three", map[string]string{
			"a/kustomization.yaml": "resources: [../b, a.yaml]\n", "b/kustomization.yaml": "resources: [../c]\n", "c/kustomization.yaml": "components: [../a]\n", "a/a.yaml": packNamed("a")},
			[]string{wrong + "a/a.yaml:7"}, ""},
		{"a remote base by ssh", map[string]string{"k/kustomization.yaml": "resources: [a.yaml, 'git@example.com:org/repo//base']\n", "k/a.yaml": packNamed("a")},
			[]string{wrong + "k/a.yaml:7"}, "not applied: k/kustomization.yaml (git@example.com:org/repo//base)"},
		{"a file outside", packs(map[string]string{"kustomization.yaml": generator + "- {name: a, behavior: merge, files: [values.yaml=../../../../../../etc/passwd]}\n"}),
			nil, "kustomization.yaml names ../../../../../../etc/passwd, which is outside of .; name a folder that has both"},
		{"a file by an absolute path", packs(map[string]string{"kustomization.yaml": generator + "- {name: a, behavior: merge, files: [values.yaml=/etc/passwd]}\n"}),
			nil, "kustomization.yaml names /etc/passwd, which is outside of .; name a folder that has both"},
		{"resources outside", map[string]string{"kustomization.yaml": "resources: [a.yaml, ../../etc, /etc/passwd]\n", "a.yaml": packNamed("a")},
			[]string{wrong + "a.yaml:7"}, "which is outside of ."},
		{"a file that is not there", packs(map[string]string{"kustomization.yaml": generator + "- {name: a, behavior: merge, files: [values.yaml=other.yaml]}\n"}),
			nil, "kustomization.yaml names other.yaml, which is not there"},
		{"a file that is a directory", packs(map[string]string{"kustomization.yaml": generator + "- {name: a, behavior: merge, files: [values.yaml=packs]}\n"}),
			nil, "kustomization.yaml names packs, which is a directory"},
		{"a file that is too large", packs(map[string]string{"kustomization.yaml": generator + "- {name: a, behavior: merge, files: [values.yaml=large.txt]}\n", "large.txt": strings.Repeat("# 3456789\n", 4<<20)}),
			nil, "kustomization.yaml names large.txt, which cannot be read: large.txt has "},
		{"values in the kustomization", packs(map[string]string{"kustomization.yaml": generator + "- name: a\n  behavior: merge\n  literals: ['values.yaml=port: 9']\n"}),
			nil, "not applied: kustomization.yaml (configMapGenerator a)"},
		{"values for a resource", map[string]string{"kustomization.yaml": "resources: [a.yaml]\nconfigMapGenerator:\n- name: a\n  behavior: merge\n  files: [values.yaml]\n", "values.yaml": "port: 9\n",
			"a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  pack.json: '{\"name\": \"a\", \"version\": \"1.0.0\"}'\n  values.yaml: 'port: 3'\n"},
			nil, "not applied: kustomization.yaml (configMapGenerator a)"},
		{"values that no kustomization makes a ConfigMap of", packs(map[string]string{"values.yaml": "owner: '{{ .spectro.system.user.name }}'\n"}),
			nil, "not checked: values.yaml: the values.yaml of a pack; name the directory"},
	} {
		found, notes := checked(t, Options{}, tc.files)
		if text := strings.Join(notes, "\n"); !slices.Equal(found, tc.want) || !strings.Contains(text, tc.note) || strings.Contains(text, "root:") {
			t.Errorf("%s: got %q and %q", tc.name, found, notes)
		}
	}
}

// Symbolic links out of the folder are not read, whatever names them.
func TestLinkedKustomizations(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret.yaml")
	writeFile(t, secret, "resources: [a.yaml]\nport: 9\n")
	dir := folderOf(t, map[string]string{
		"kustomization.yaml": "configMapGenerator:\n- name: a\n  files: [p/pack.json, p/values.yaml, p/schema.yaml]\n",
		"p/pack.json":        `{"name": "a", "version": "1.0.0"}`, "p/schema.yaml": "port: {schema: '{{ format \"${number:[1-5]}\" }}'}\n",
		"k/a.yaml": packNamed("a"), "l/a.yaml": packNamed("a"),
	})
	for _, name := range []string{"p/values.yaml", "k/kustomization.yaml", "l/Kustomization"} {
		if err := os.Symlink(secret, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	var notes []string
	r, err := runNoted([]string{dir}, Options{Functions: suite.All(), Root: dir, Note: func(line string) { notes = append(notes, below(dir, line)) }})
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, f := range r.Findings {
		if f.Severity == "error" {
			found = append(found, f.Rule+" "+f.File)
		}
	}
	text := strings.Join(notes, "\n")
	if want := []string{"values/format k/a.yaml", "values/format l/a.yaml", "input/invalid p/values.yaml"}; !slices.Equal(found, want) || !strings.Contains(text, "p/values.yaml, which is a symbolic link out of the folder") || !strings.Contains(text, "k/kustomization.yaml is a symbolic link out") {
		t.Errorf("got %q and %q", found, notes)
	}
}

// Folders that are named together may be anywhere.
func TestKustomizationsByPath(t *testing.T) {
	files := map[string]string{
		"base/kustomization.yaml": "configMapGenerator:\n- name: a\n  files: [p/pack.json, p/values.yaml, p/schema.yaml]\n",
		"base/p/pack.json":        `{"name": "a", "version": "1.0.0"}`, "base/p/values.yaml": "port: 3\n", "base/p/schema.yaml": "port: {schema: '{{ format \"${number:[1-5]}\" }}'}\n",
		"prod/kustomization.yaml": "resources: [../base]\nconfigMapGenerator:\n- {name: a, behavior: merge, files: [values.yaml=port.yaml]}\n", "prod/port.yaml": "port: 9\n",
	}
	dir := folderOf(t, files)
	working, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	relative, err := filepath.Rel(working, dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []string{dir, relative, "."} {
		if at == "." {
			t.Chdir(dir)
		}
		r, err := runNoted([]string{filepath.Join(at, "base"), filepath.Join(at, "prod")}, Options{Functions: suite.All(), Root: dir})
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		for _, f := range r.Findings {
			if f.Severity == "error" {
				found = append(found, fmt.Sprintf("%s %s:%d", f.Rule, f.File, f.Line))
			}
		}
		if want := []string{"values/format prod/port.yaml:1"}; !slices.Equal(found, want) {
			t.Errorf("%s: got %q", at, found)
		}
	}
}
