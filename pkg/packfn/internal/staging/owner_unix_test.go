//go:build unix

package staging

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/internal/cases"
)

// A file keeps its owner.
func TestOwner(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can make a file of another owner")
	}
	path := filepath.Join(t.TempDir(), "a.yaml")
	if err := os.WriteFile(path, []byte("a"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(path, 1234, 2345); err != nil {
		t.Fatal(err)
	}
	var area Area
	if err := area.Write(t.Context(), []Change{{Path: path, Text: []byte("b")}}); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if owner := info.Sys().(*syscall.Stat_t); owner.Uid != 1234 || owner.Gid != 2345 || info.Mode().Perm() != 0o640 {
		t.Errorf("%d:%d %v", owner.Uid, owner.Gid, info.Mode())
	}
}

// A file whose owner cannot be kept is written in place, and restored by a failure.
func TestInPlace(t *testing.T) {
	dir := t.TempDir()
	cases.Write(t, dir, map[string]string{"a.yaml": "a", "b.yaml": "b"})
	var failure error
	put := func(out io.Writer) error {
		io.WriteString(out, "half")
		return failure
	}
	w := writer{roots: map[string]*os.Root{}, byName: map[place]*file{}}
	defer w.close()
	if err := w.stage(t.Context(), []Change{{Path: filepath.Join(dir, "a.yaml"), Text: []byte("new")}, {Path: filepath.Join(dir, "b.yaml"), Write: put}}); err != nil {
		t.Fatal(err)
	}
	failure = errors.New("failed")
	for _, f := range w.files {
		f.root.Remove(f.staged)
		f.staged = ""
	}
	if err := w.commit(); !errors.Is(err, failure) {
		t.Fatalf("got %v", err)
	}
	if diff := cmp.Diff(map[string]string{"a.yaml": "new", "b.yaml": "half"}, tree(t, dir)); diff != "" {
		t.Errorf("written in place: (-want +got):\n%s", diff)
	}
	if err := w.undo(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"a.yaml": "a", "b.yaml": "b"}, tree(t, dir)); diff != "" {
		t.Errorf("restored: (-want +got):\n%s", diff)
	}
}
