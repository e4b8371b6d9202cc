package chart

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/internal/folder"
)

// An archive with a wrong checksum, or with more behind its end than a chart may have, is an
// error.
func TestDamagedArchive(t *testing.T) {
	packed := archive(t, "web", map[string]string{"Chart.yaml": `name: web
version: 1.0.0
`})
	if _, err := (&budget{}).unpack(packed, 0); err != nil {
		t.Fatal(err)
	}
	wrong := bytes.Clone(packed)
	wrong[len(wrong)-8] ^= 1 // the checksum is followed by the size
	if _, err := (&budget{}).unpack(wrong, 0); !errors.Is(err, gzip.ErrChecksum) {
		t.Errorf("a wrong checksum: %v", err)
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	var content, longer bytes.Buffer
	if _, err := content.ReadFrom(unpacked); err != nil {
		t.Fatal(err)
	}
	zipped, _ := gzip.NewWriterLevel(&longer, gzip.BestSpeed)
	zipped.Write(content.Bytes())
	zeros := make([]byte, 1<<20)
	for range 2*maxBytes>>20 + 1 {
		zipped.Write(zeros)
	}
	zipped.Close()
	if _, err := (&budget{}).unpack(longer.Bytes(), 0); !errors.Is(err, errTooLarge) {
		t.Errorf("a long end: %v", err)
	}
}

// A chart is read once for all packs that name it, and a run ends to read charts when those
// of many packs were large.
func TestBudgetOfARun(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "charts/web.tgz"), archive(t, "web", map[string]string{"Chart.yaml": `name: web
version: 1.0.0
`}))
	writeFile(t, filepath.Join(dir, "charts/other.tgz"), archive(t, "other", map[string]string{"Chart.yaml": "name: other\n"}))
	if err := os.Symlink("web.tgz", filepath.Join(dir, "charts/same.tgz")); err != nil {
		t.Fatal(err)
	}
	in, err := folder.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	r := &Run{}
	read := func(name string) (*Chart, int, error) {
		o := opener{run: r, in: in}
		c, err := o.read(name)
		r.spent.add(o.budget)
		return c, o.budget.files, err
	}
	first, files, err := read("charts/web.tgz")
	if err != nil || files != 1 {
		t.Fatal(files, err)
	}
	for _, name := range []string{"charts/web.tgz", "charts/same.tgz", "charts/../charts/web.tgz"} {
		if again, files, err := read(name); err != nil || again != first || files != 0 {
			t.Errorf("%s was read again: %d files, %v", name, files, err)
		}
	}
	for what, spent := range map[string]budget{
		"bytes": {bytes: maxPacks*maxBytes + 1}, "files": {files: maxPacks*maxFiles + 1}, "templates": {templates: maxPacks*maxTemplates + 1},
		"nodes": {nodes: maxPacks*maxNodes + 1}, "documents": {documents: maxPacks*maxDocuments + 1},
	} {
		r.spent = spent
		if _, _, err := read("charts/other.tgz"); !errors.Is(err, errRun) {
			t.Errorf("%s: %v", what, err)
		}
		if _, _, err := read("charts/web.tgz"); err != nil {
			t.Errorf("%s: a chart that was read: %v", what, err)
		}
	}
	r.spent = budget{bytes: maxPacks * maxBytes, files: maxPacks * maxFiles, templates: maxPacks * maxTemplates, nodes: maxPacks * maxNodes, documents: maxPacks * maxDocuments}
	if _, _, err := read("charts/other.tgz"); err != nil {
		t.Errorf("below the limits: %v", err)
	}
}

// The kept charts of many packs take no more memory than the charts of one pack.
func TestKeptCharts(t *testing.T) {
	dir := t.TempDir()
	for i := range 3 {
		writeFile(t, filepath.Join(dir, fmt.Sprintf("charts/%d.tgz", i)), archive(t, "web", map[string]string{"Chart.yaml": "name: web\n", "files/a": strings.Repeat("a", maxBytes/2-100)}))
	}
	in, err := folder.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	r := &Run{}
	o := opener{run: r, in: in}
	for i, want := range []int{1, 2, 1} {
		if i == 2 { // the charts of another pack
			o = opener{run: r, in: in}
		}
		if _, err := o.read(fmt.Sprintf("charts/%d.tgz", i)); err != nil || len(r.kept) != want || r.keptBytes > maxBytes {
			t.Errorf("after %d: kept %d charts of %d bytes, %v", i, len(r.kept), r.keptBytes, err)
		}
	}
}
