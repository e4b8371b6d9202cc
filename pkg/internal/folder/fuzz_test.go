package folder

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// An archive is an error, or has files within it.
func FuzzArchive(f *testing.F) {
	for _, entries := range [][]tar.Header{{{Name: "p/pack.json", Size: 9}, {Name: "p/a/b", Size: 1}}, {{Name: "a"}, {Name: "a/b"}}, {{Name: "../a"}}, {{Name: "a", Typeflag: tar.TypeSymlink, Linkname: "b"}}} {
		unpacked, err := gzip.NewReader(bytes.NewReader(pack(f, entries...)))
		if err != nil {
			f.Fatal(err)
		}
		content, err := io.ReadAll(unpacked)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content, 0)
	}
	f.Fuzz(func(t *testing.T, content []byte, missing int) {
		var b bytes.Buffer
		zipped := gzip.NewWriter(&b)
		zipped.Write(content)
		zipped.Close()
		packed := b.Bytes()[:max(0, b.Len()-max(0, missing))]
		name := filepath.Join(t.TempDir(), "p-1.0.0"+ArchiveSuffix)
		if err := os.WriteFile(name, packed, 0o600); err != nil {
			t.Fatal(err)
		}
		in, err := Open(name)
		if err != nil {
			if !strings.Contains(err.Error(), name) {
				t.Errorf("does not name the file: %v", err)
			}
			return
		}
		defer in.Close()
		err = fs.WalkDir(in.Files(), ".", func(path string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() {
				_, err = in.Read(filepath.FromSlash(path), MaxBytes)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	})
}
