package folder

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// pack makes an archive of entries. Content is given to files alone.
func pack(t testing.TB, entries ...tar.Header) []byte {
	t.Helper()
	var b bytes.Buffer
	zipped := gzip.NewWriter(&b)
	w := tar.NewWriter(zipped)
	for _, e := range entries {
		if e.Typeflag == 0 {
			e.Typeflag = tar.TypeReg
		}
		if e.Typeflag != tar.TypeXGlobalHeader {
			e.Mode = 0o644
		}
		content := bytes.Repeat([]byte("a"), int(e.Size))
		if err := w.WriteHeader(&e); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(content); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), zipped.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func openPacked(t *testing.T, packed []byte) (*Folder, error) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "vault-0.6.0.tar.gz")
	if err := os.WriteFile(name, packed, 0o600); err != nil {
		t.Fatal(err)
	}
	return Open(name)
}

// An archive is read as the folder that it packs: its only folder, or its root.
func TestOpenArchive(t *testing.T) {
	for what, prefix := range map[string]string{"a folder": "vault-0.6.0/", "the root": "", "a dot": "./", "a folder after a dot": "./vault/"} {
		packed := pack(t, tar.Header{Typeflag: tar.TypeXGlobalHeader, PAXRecords: map[string]string{"comment": "x"}},
			tar.Header{Name: prefix + "pack.json", Size: 3}, tar.Header{Name: prefix + "charts/c/Chart.yaml", Size: 5}, tar.Header{Name: prefix + "more/", Typeflag: tar.TypeDir})
		in, err := openPacked(t, packed)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		defer in.Close()
		if text, err := in.ReadText("pack.json"); err != nil || string(text) != "aaa" {
			t.Errorf("%s: %q, %v", what, text, err)
		}
		if entries, err := fs.ReadDir(in.Files(), "charts"); err != nil || len(entries) != 1 || in.Digest() != fmt.Sprintf("sha256:%x", sha256.Sum256(packed)) {
			t.Errorf("%s: the charts %v, %v, the digest %s", what, entries, err, in.Digest())
		}
		charts, err := in.Sub("charts")
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if text, err := charts.Read("c/Chart.yaml", 5); err != nil || len(text) != 5 {
			t.Errorf("%s: %q, %v", what, text, err)
		}
		if _, err := charts.Read("c/Chart.yaml", 4); err == nil || !strings.Contains(err.Error(), "has 5 bytes; the functions read at most 4") {
			t.Errorf("%s: a file that is too large: %v", what, err)
		}
		if _, err := charts.Read("c", 10); err == nil || !strings.Contains(err.Error(), "it is a folder, but must be a file") {
			t.Errorf("%s: a folder is read: %v", what, err)
		}
		if path, err := charts.Path("c"); err != nil || !strings.HasSuffix(path, filepath.Join("vault-0.6.0.tar.gz", "charts", "c")) || !filepath.IsAbs(path) {
			t.Errorf("%s: the path %q, %v", what, path, err)
		}
		if _, err := in.Resolve("absent"); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), filepath.Join("vault-0.6.0.tar.gz", "absent")) {
			t.Errorf("%s: a file that is absent: %v", what, err)
		}
		if _, err := in.Resolve("../pack.json"); !errors.Is(err, ErrOutside) {
			t.Errorf("%s: a file above: %v", what, err)
		}
	}
}

func TestHostileArchive(t *testing.T) {
	good := pack(t, tar.Header{Name: "p/pack.json", Size: 300})
	damaged := bytes.Clone(good)
	damaged[len(damaged)-6] ^= 1
	many := make([]tar.Header, maxFiles+1)
	for i := range many {
		many[i] = tar.Header{Name: "p/" + strings.Repeat("d/", i%3), Typeflag: tar.TypeDir}
	}
	for what, tc := range map[string]struct {
		packed []byte
		want   string
	}{
		"a path above":            {pack(t, tar.Header{Name: "p/../../x"}), `the path "p/../../x" leads out of the archive`},
		"a Windows path":          {pack(t, tar.Header{Name: `p\..\x`}), "leads out of the archive"},
		"an absolute path":        {pack(t, tar.Header{Name: "/etc/x"}), "leads out of the archive"},
		"a symbolic link":         {pack(t, tar.Header{Name: "p/x", Linkname: "/etc/passwd", Typeflag: tar.TypeSymlink}), `"p/x" is a link to "/etc/passwd"`},
		"a hard link":             {pack(t, tar.Header{Name: "p/x", Linkname: "p/y", Typeflag: tar.TypeLink}), `"p/x" is a link to "p/y"`},
		"a device":                {pack(t, tar.Header{Name: "p/x", Typeflag: tar.TypeBlock}), `"p/x" is neither a file nor a folder`},
		"a pipe":                  {pack(t, tar.Header{Name: "p/x", Typeflag: tar.TypeFifo}), `"p/x" is neither a file nor a folder`},
		"a file and a folder":     {pack(t, tar.Header{Name: "p/x"}, tar.Header{Name: "p/x/y/z"}), `"p/x" is there as a file and as a folder`},
		"a folder and a file":     {pack(t, tar.Header{Name: "p/x/y/z"}, tar.Header{Name: "./p/x"}), `"p/x" is there as a file and as a folder`},
		"an empty folder":         {pack(t, tar.Header{Name: "p/x/", Typeflag: tar.TypeDir}, tar.Header{Name: "p/x"}), `"p/x" is there as a file and as a folder`},
		"a path that is too long": {pack(t, tar.Header{Name: strings.Repeat("a/", 3000) + "x"}), `… has 6001 bytes; an archive can have at most 4096`},
		"a file twice":            {pack(t, tar.Header{Name: "p/x"}, tar.Header{Name: "p//x"}), `"p//x" is there twice`},
		"a file without one":      {pack(t, tar.Header{Name: "."}), `"." is not the path of a file`},
		"too many files":          {pack(t, many...), "it has more than 10000 files"},
		"too large":               {pack(t, tar.Header{Name: "p/x", Size: MaxBytes}), "it has more than 64 MiB"},
		"too large behind":        {gzipped(t, append(make([]byte, 1024), make([]byte, MaxBytes)...)), "it has more than 64 MiB"},
		"cut off":                 {good[:len(good)-10], "is cut off"},
		"cut off early":           {good[:18], "is cut off"},
		"a wrong checksum":        {damaged, "its checksum is wrong"},
		"no archive":              {[]byte("hello, this is not an archive"), "is not a gzipped tar archive"},
		"gzip alone":              {gzipped(t, bytes.Repeat([]byte("hello "), 200)), "is not a gzipped tar archive"},
		"nothing":                 {nil, "is not a gzipped tar archive"},
	} {
		in, err := openPacked(t, tc.packed)
		if err == nil || !strings.Contains(err.Error(), tc.want) || !strings.Contains(err.Error(), "vault-0.6.0.tar.gz") {
			t.Errorf("%s: got %v, %v; want %s", what, in, err, tc.want)
		}
	}
}

func gzipped(t *testing.T, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(text); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Only a file is an archive, and only one of this name.
func TestIsArchive(t *testing.T) {
	dir := t.TempDir()
	if err := errors.Join(os.Mkdir(filepath.Join(dir, "dir.tar.gz"), 0o755), os.WriteFile(filepath.Join(dir, "a.tar.gz"), nil, 0o600),
		os.WriteFile(filepath.Join(dir, "a.tgz"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"a.tar.gz": true, "dir.tar.gz": false, "a.tgz": false, "absent.tar.gz": false} {
		if got := IsArchive(filepath.Join(dir, name)); got != want {
			t.Errorf("%s: got %v", name, got)
		}
	}
}

// What is not read of an archive counts, too.
func TestUntarLimits(t *testing.T) {
	large, many := errors.New("large"), errors.New("many")
	packed := pack(t, tar.Header{Name: "a", Size: 5000}, tar.Header{Name: "b"})
	for limit, want := range map[Limit]error{
		{Bytes: 1000, Entries: 9, TooLarge: large, TooMany: many}: large, {Bytes: 5700, Entries: 9, TooLarge: large, TooMany: many}: large,
		{Bytes: 7167, Entries: 9, TooLarge: large, TooMany: many}: large, {Bytes: 7168, Entries: 9, TooLarge: large, TooMany: many}: nil, {Bytes: 1 << 20, Entries: 2, TooLarge: large, TooMany: many}: nil, {Bytes: 1 << 20, Entries: 1, TooLarge: large, TooMany: many}: many,
	} {
		names := ""
		err := Untar(packed, limit, func(name string, _ *tar.Header, _ io.Reader) error {
			names += name
			return nil
		})
		if !errors.Is(err, want) || want == nil && names != "ab" {
			t.Errorf("%+v: got %v after %s", limit, err, names)
		}
	}
	wrong := errors.New("wrong")
	if err := Untar(packed, Limit{Bytes: 1 << 20, Entries: 9, TooLarge: large}, func(string, *tar.Header, io.Reader) error { return wrong }); !errors.Is(err, wrong) {
		t.Errorf("got %v", err)
	}
}
