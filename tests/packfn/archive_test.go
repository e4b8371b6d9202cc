package packfn

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// archived writes a pack directory as the archive that is published of it, and returns the
// name of the archive.
func archived(t *testing.T, dir, pack string) string {
	t.Helper()
	var packed bytes.Buffer
	zipped := gzip.NewWriter(&packed)
	w := tar.NewWriter(zipped)
	err := filepath.WalkDir(pack, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(filepath.Dir(pack), path)
		if err != nil {
			return err
		}
		header := &tar.Header{Name: filepath.ToSlash(relative), Typeflag: tar.TypeReg, Mode: 0o644, Size: int64(len(text))}
		if err := w.WriteHeader(header); err != nil {
			return err
		}
		_, err = w.Write(text)
		return err
	})
	if err := errors.Join(err, w.Close(), zipped.Close()); err != nil {
		t.Fatal(err)
	}
	name := filepath.Base(pack) + ".tar.gz"
	write(t, filepath.Join(dir, name), packed.String())
	return name
}

// archiveDigest is what the record of an import has of an archive.
var archiveDigest = regexp.MustCompile(`,"digest":"sha256:[0-9a-f]{64}"`)

var duration = regexp.MustCompile(` in [0-9.]+m?s\b`)

// An archive is taken wherever the directory that it packs is, and gives the same.
func TestArchives(t *testing.T) {
	for _, pack := range packs(t) {
		dir, name := t.TempDir(), filepath.Base(pack)
		archive := archived(t, dir, pack)
		if err := os.CopyFS(filepath.Join(dir, name), os.DirFS(pack)); err != nil {
			t.Fatal(err)
		}
		checked := packfn(t, dir, "check", name)
		want := strings.ReplaceAll(strings.ReplaceAll(duration.ReplaceAllString(checked.stdout, ""), name+"/", archive+"/"), " in "+name, " in "+archive)
		got := packfn(t, dir, "check", archive)
		if diff := cmp.Diff(want, duration.ReplaceAllString(got.stdout, "")); diff != "" || got.exit != checked.exit {
			t.Errorf("check %s: exit %d, -directory +archive:\n%s", archive, got.exit, diff)
		}
		if imported := packfn(t, dir, "import", name, "--to", "a"); imported.exit != 0 {
			continue // the archive would be refused for the same reason
		}
		packfn(t, dir, "import", archive, "--to", "b").want(t, 0)
		files := tree(t, filepath.Join(dir, "b"))
		for path, text := range files {
			files[path] = archiveDigest.ReplaceAllString(text, "")
			if files[path] == text {
				t.Errorf("%s has no digest of %s", path, archive)
			}
		}
		if diff := cmp.Diff(tree(t, filepath.Join(dir, "a")), files); diff != "" {
			t.Errorf("import %s: -directory +archive:\n%s", archive, diff)
		}
		packfn(t, dir, "import", archive, "--to", "a").want(t, 0) // it equals the record of the directory
	}
}
