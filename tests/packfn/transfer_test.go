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
