package chart

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// archive packs files as `helm package` does. Without a folder their names have it.
func archive(t *testing.T, folder string, files map[string]string) []byte {
	t.Helper()
	var packed bytes.Buffer
	zipped := gzip.NewWriter(&packed)
	w := tar.NewWriter(zipped)
	if folder != "" {
		folder += "/"
		if err := w.WriteHeader(&tar.Header{Name: folder, Mode: 0o755, Typeflag: tar.TypeDir}); err != nil {
			t.Fatal(err)
		}
	}
	files = withArchives(t, files)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := w.WriteHeader(&tar.Header{Name: folder + name, Mode: 0o644, Size: int64(len(files[name]))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(files[name])); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), zipped.Close()); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}

// withArchives packs the files below each NAME.tgz.
func withArchives(t *testing.T, files map[string]string) map[string]string {
	t.Helper()
	all, packed := map[string]string{}, map[string]map[string]string{}
	for name, text := range files {
		outer, inner, isPacked := strings.Cut(name, ".tgz/")
		if outer += ".tgz"; !isPacked {
			all[name] = text
		} else if packed[outer] == nil {
			packed[outer] = map[string]string{inner: text}
		} else {
			packed[outer][inner] = text
		}
	}
	for name, files := range packed {
		all[name] = string(archive(t, "", files))
	}
	return all
}

func writeFile(t *testing.T, name string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

// opened is a chart named web of its files.
func opened(t *testing.T, files map[string]string) (*Chart, error) {
	t.Helper()
	if files["Chart.yaml"] == "" {
		files["Chart.yaml"] = `name: web
version: 1.0.0
`
	}
	name := filepath.Join(t.TempDir(), "web-1.0.0.tgz")
	writeFile(t, name, archive(t, "web", files))
	return Open(name)
}

func open(t *testing.T, files map[string]string) *Chart {
	t.Helper()
	c, err := opened(t, files)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	nested := string(archive(t, "web", map[string]string{"Chart.yaml": "name: web"}))
	for range maxNesting + 1 {
		nested = string(archive(t, "web", map[string]string{"Chart.yaml": "name: web", "charts/a.tgz": nested}))
	}
	for name, tc := range map[string]struct {
		packed []byte
		want   string
	}{
		"not an archive":          {[]byte("text that is not packed"), "gzip"},
		"no chart":                {archive(t, "web", map[string]string{"a": ""}), "no Chart.yaml"},
		"an absolute path":        {archive(t, "/web", map[string]string{"Chart.yaml": "name: web"}), "leads out"},
		"too large":               {archive(t, "web", map[string]string{"Chart.yaml": "name: web", "x": strings.Repeat("x", maxBytes+1)}), "MiB"},
		"nested too deep":         {[]byte(nested), "nested"},
		"folders nested too deep": {archive(t, "web", folders(maxNesting+1)), "charts are nested more than"},
		"a large archive":         {nil, "MiB"},
	} {
		file := filepath.Join(dir, "web.tgz")
		writeFile(t, file, tc.packed)
		if tc.packed == nil { // it takes no space
			if err := os.Truncate(file, maxBytes+1); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := Open(file); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	b := &budget{files: maxFiles}
	if _, err := b.unpack(archive(t, "web", map[string]string{"Chart.yaml": "name: web"}), 0); err == nil || !strings.Contains(err.Error(), "files") {
		t.Errorf("too many files: got %v", err)
	}
	if _, err := Open(filepath.Join(dir, "absent.tgz")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: got %v", err)
	}
	if _, err := Open(filepath.Join(dir, "absent/web.tgz")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no folder: got %v", err)
	}
	large := filepath.Join(dir, "large")
	writeFile(t, filepath.Join(large, "Chart.yaml"), []byte("name: web"))
	writeFile(t, filepath.Join(large, "files/a"), nil)
	for size, want := range map[int64]bool{maxBytes - int64(len("name: web")): true, maxBytes - int64(len("name: we")): false, maxBytes + 1: false} {
		if err := os.Truncate(filepath.Join(large, "files/a"), size); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(large); (err == nil) != want {
			t.Errorf("a folder with %d bytes: got %v", size, err)
		}
	}
	open(t, folders(maxNesting))
	for levels, want := range map[int]bool{maxNesting: true, maxNesting + 1: false} {
		unpacked := filepath.Join(dir, fmt.Sprint("nested", levels))
		for name, text := range folders(levels) {
			writeFile(t, filepath.Join(unpacked, name), []byte(text))
		}
		if _, err := Open(unpacked); (err == nil) != want {
			t.Errorf("a folder with %d levels: got %v", levels, err)
		}
	}
}

// folders are the files of a chart with subcharts in folders, each in the one before.
func folders(levels int) map[string]string {
	files := map[string]string{}
	for i := range levels + 1 {
		files[strings.Repeat("charts/a/", i)+"Chart.yaml"] = "name: web"
	}
	return files
}

// Subcharts are in the order of their names and versions, wherever they are.
func TestSubcharts(t *testing.T) {
	c := open(t, map[string]string{
		"charts/1.tgz/c/Chart.yaml": "{name: c, version: 2.0.0}", "charts/2/Chart.yaml": "{name: c, version: 1.0.0}",
		"charts/3/Chart.yaml": "{name: b}", "charts/4.tgz/a/Chart.yaml": "{name: a}", "charts/5.txt": "no chart",
	})
	var got []string
	for _, sub := range c.subcharts {
		got = append(got, sub.Name+sub.Version)
	}
	if want := []string{"a", "b", "c1.0.0", "c2.0.0"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

// The digest of a chart is of the names and the content of all its files, in an archive and in a folder.
func TestDigest(t *testing.T) {
	inFolder := func(files map[string]string) string {
		dir := filepath.Join(t.TempDir(), "web")
		for name, text := range files {
			writeFile(t, filepath.Join(dir, name), []byte(text))
		}
		c, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		return c.Digest
	}
	seen := map[string]string{}
	for name, files := range map[string]map[string]string{
		"a chart": {"values.yaml": "a: 1\n"}, "other content": {"values.yaml": "a: 2\n"}, "another name": {"values.yml": "a: 1\n"},
		"one more file": {"values.yaml": "a: 1\n", "templates/a.yaml": ""}, "a longer file": {"values.yaml": "a: 1\n\n"},
	} {
		for _, digest := range []func() string{func() string { return open(t, files).Digest }, func() string { return inFolder(files) }} {
			first := digest()
			if other, ok := seen[first]; ok || first == "" || digest() != first {
				t.Errorf("%s: the digest %s is that of %s, or differs", name, first, other)
			}
			seen[first] = name
		}
	}
}

// A text that is published with a chart is in a file or a file name of the chart or of a subchart.
func TestHas(t *testing.T) {
	c := open(t, map[string]string{"files/name.txt": "content", "charts/db/Chart.yaml": "name: db\n", "charts/db/files/low.txt": "deep"})
	for text, want := range map[string]bool{"name.txt": true, "content": true, "low.txt": true, "deep": true, "absent": false} {
		if got := c.Has(text); got != want {
			t.Errorf("%s: got %v", text, got)
		}
	}
}
