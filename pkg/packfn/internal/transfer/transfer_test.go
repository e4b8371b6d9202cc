package transfer_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
	"github.com/krm-packs/functions/pkg/packfn/internal/transfer"
)

// files writes files by their names into a new folder.
func files(t *testing.T, all map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range all {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const (
	kptfile = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: x}\n"
	packOfA = "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: p}\nspec:\n  version: 1.0.0\n  values:\n    a: 1\n    b: 2\n"
)

// The newer version of a pack has the user's keys of data, labels and annotations, and not
// the record of the older one.
func TestNewer(t *testing.T) {
	dir := files(t, map[string]string{
		"1/pack.json": `{"name": "p", "version": "1.0.0"}`, "1/values.yaml": "a: 1\n", "1/presets.yaml": "presets: []\n",
		"2/pack.json": `{"name": "p", "version": "2.0.0"}`, "2/values.yaml": "a: 2   \n", "2/notes.md": "left out",
		"q/pack.json": `{"name": "q", "version": "2.0.0"}`,
	})
	pkg, older, newer := filepath.Join(dir, "pkg"), filepath.Join(dir, "1"), filepath.Join(dir, "2")
	plan, err := transfer.Import(pkg, []string{older}, transfer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(plan.Changes[0].Text), "metadata:\n", "metadata:\n  labels: {team: a}\n", 1) + "  mine.txt: kept\n"
	other := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: other}\n---\n"
	var area staging.Area
	if err := area.Write(t.Context(), []staging.Change{{In: pkg, Path: plan.Changes[0].Path, Text: []byte(other + text)}}); err != nil {
		t.Fatal(err)
	}
	target, err := transfer.OpenTarget(pkg)
	if err != nil {
		t.Fatal(err)
	}
	n, err := target.Newer(newer, older)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := n.File(n.After)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{other, "team: a", "mine.txt: kept", `"version": "2.0.0"`, "    a: 2\n"} {
		if !strings.Contains(string(whole), want) {
			t.Errorf("no %q in\n%s", want, whole)
		}
	}
	if strings.Contains(string(whole), "presets.yaml") {
		t.Errorf("a file of the older version is there:\n%s", whole)
	}
	if !strings.Contains(string(n.Base), "    a: 1\n") || !strings.Contains(string(n.Base), "mine.txt") {
		t.Errorf("the base is\n%s", n.Base)
	}
	notes := strings.Join(n.Notes, "\n")
	if !strings.Contains(notes, "removed whitespace at the end of 1 line") || !strings.Contains(notes, "left out notes.md") || strings.Contains(notes, older) {
		t.Errorf("got %q", n.Notes)
	}
	for from, want := range map[string]string{newer: "version 2.0.0, before 1.0.0", filepath.Join(dir, "absent"): "absent"} {
		if _, err := target.Newer(newer, from); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("from %s: got %v", from, err)
		}
	}
	if _, err := target.Newer(filepath.Join(dir, "q"), ""); err == nil || !strings.Contains(err.Error(), "no pack named \"q\". Available: \"p\"") {
		t.Errorf("got %v", err)
	}
	if err := os.WriteFile(filepath.Join(older, "values.yaml"), []byte("a: 3\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := target.Newer(newer, older); err == nil || !strings.Contains(err.Error(), "values.yaml") {
		t.Errorf("got %v", err)
	}
}

// A pack that is in a package twice is named with both files.
func TestNewerOfTwo(t *testing.T) {
	dir := files(t, map[string]string{"pkg/a.yaml": packOfA, "pkg/b.yaml": packOfA, "p/pack.json": `{"name": "p", "version": "2.0.0"}`})
	target, err := transfer.OpenTarget(filepath.Join(dir, "pkg"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := target.Newer(filepath.Join(dir, "p"), ""); err == nil || !strings.Contains(err.Error(), "a.yaml and b.yaml; remove one") {
		t.Errorf("got %v", err)
	}
}

// Export writes what differs, and replaces nothing unless it is told to.
func TestExport(t *testing.T) {
	dir := files(t, map[string]string{"out/p/values.yaml": "mine\n", "out/p/pack.json": "{}\n"})
	all := []transfer.Exported{{Name: "p", Pack: "p", Files: []packdir.File{{Name: "pack.json", Text: []byte("{}\n")}, {Name: "values.yaml", Text: []byte("a: 1\n")}}}}
	to := filepath.Join(dir, "out")
	if _, err := transfer.Export(to, all, false); err == nil || !strings.Contains(err.Error(), "values.yaml is there already") || strings.Contains(err.Error(), "pack.json") {
		t.Errorf("got %v", err)
	}
	plan, err := transfer.Export(to, all, true)
	if err != nil || len(plan.Changes) != 1 || !strings.HasSuffix(plan.Changes[0].Path, "values.yaml") || !strings.Contains(plan.Notes[0], "1 new file") {
		t.Errorf("got %+v, %v", plan, err)
	}
	all = append(all, transfer.Exported{Name: "P", Pack: "q"})
	if _, err := transfer.Export(to, all, true); err == nil || !strings.Contains(err.Error(), "one directory") {
		t.Errorf("got %v", err)
	}
}

// One directory that is named twice is one pack, and one of several packs may have a file
// that --with names.
func TestImportNames(t *testing.T) {
	dir := files(t, map[string]string{"p/pack.json": `{"name": "p", "version": "1.0.0"}`, "p/notes.txt": "p\n", "q/pack.json": `{"name": "q", "version": "1.0.0"}`})
	p, q := filepath.Join(dir, "p"), filepath.Join(dir, "q")
	for _, dirs := range [][]string{{p, q}, {p, p + "/", q}, {dir, p}} {
		plan, err := transfer.Import(filepath.Join(dir, "pkg"), dirs, transfer.Options{With: []string{"notes.txt"}})
		if err != nil || len(plan.Changes) != 2 {
			t.Errorf("%q: %v, %+v", dirs, err, plan)
		}
	}
	if _, err := transfer.Import(filepath.Join(dir, "pkg"), []string{p, q}, transfer.Options{With: []string{"none.txt"}}); err == nil || !strings.Contains(err.Error(), "none.txt: no pack has this file") {
		t.Errorf("got %v", err)
	}
}

// A pack whose text is twice in its file is not replaced: which one is meant is unknown.
func TestImportOfCopies(t *testing.T) {
	dir := files(t, map[string]string{"p/pack.json": `{"name": "p", "version": "1.0.0"}`, "p/values.yaml": "a: 1\n"})
	pkg, p := filepath.Join(dir, "pkg"), filepath.Join(dir, "p")
	plan, err := transfer.Import(pkg, []string{p}, transfer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	text := string(plan.Changes[0].Text)
	for name, file := range map[string]string{"p/values.yaml": "a: 2\n", "pkg/p.yaml": text + "---\n" + text} {
		name = filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(file), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := transfer.Import(pkg, []string{p}, transfer.Options{Force: true}); err == nil || !strings.Contains(err.Error(), "move the pack to a separate file") {
		t.Errorf("got %v", err)
	}
}

// The files of a Pack read as its fields: lists below their key, and numbers that JSON writes
// otherwise as numbers of JSON.
func TestPackFiles(t *testing.T) {
	dir := files(t, map[string]string{"p.yaml": "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: p}\nspec:\n  version: 1.0.0\n  hex: 0x10\n  half: .5\n  exact: 1.50\n  text: '<a & b>'\n  date: 2001-01-01\n" +
		"  presets:\n  - {name: a, add: 'x: 1'}\n  values:\n    a: 1\n"})
	p, err := kptpackage.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	all, err := transfer.Packs(p)
	if err != nil || len(all) != 1 {
		t.Fatalf("%v, %d packs", err, len(all))
	}
	got := map[string]string{}
	for _, f := range all[0].Files {
		got[f.Name] = string(f.Text)
	}
	want := map[string]string{
		"pack.json":    "{\n  \"name\": \"p\",\n  \"version\": \"1.0.0\",\n  \"hex\": 16,\n  \"half\": 0.5,\n  \"exact\": 1.50,\n  \"text\": \"<a & b>\",\n  \"date\": \"2001-01-01\"\n}\n",
		"presets.yaml": "presets:\n- {name: a, add: 'x: 1'}\n", "values.yaml": "a: 1\n",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// The new Kptfile of an import has the functions that the packs need.
func TestImportMakesKptfile(t *testing.T) {
	for metadata, want := range map[string]string{
		`{"name": "p", "version": "1.0.0"}`: "  validators:\n  - exec: validate-pack-values\n  - exec: check-dependencies\n",
		`{"name": "p", "version": "1.0.0", "constraints": {"resources": [{"type": "cpu", "minLimit": 100}]}}`: "  validators:\n  - exec: validate-pack-values\n  - exec: check-dependencies\n  - exec: check-resources\n",
	} {
		dir := files(t, map[string]string{"p/pack.json": metadata})
		plan, err := transfer.Import(filepath.Join(dir, "pkg"), []string{filepath.Join(dir, "p")}, transfer.Options{Kptfile: true, Exec: true})
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(plan.Changes, func(c staging.Change) bool { return filepath.Base(c.Path) == "Kptfile" })
		if at < 0 || !strings.HasSuffix(string(plan.Changes[at].Text), "pipeline:\n"+want) {
			t.Errorf("%s: got %+v", metadata, plan.Changes)
		}
	}
}
