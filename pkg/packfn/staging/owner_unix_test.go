//go:build unix

package staging

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
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
	write(t, dir, map[string]string{"a.yaml": "a", "b.yaml": "b"})
	w := writer{}
	defer w.close()
	if err := w.stage(t.Context(), []Change{{Path: filepath.Join(dir, "a.yaml"), Text: []byte("new")}, {Path: filepath.Join(dir, "b.yaml"), Text: []byte("new")}}); err != nil {
		t.Fatal(err)
	}
	f := w.files[0]
	f.root.Remove(f.staged)
	f.staged = ""
	w.files[1].root.Remove(w.files[1].staged)
	if w.commit() == nil {
		t.Fatal("no error")
	}
	if text, _ := os.ReadFile(filepath.Join(dir, "a.yaml")); string(text) != "new" {
		t.Errorf("not written in place: %s", text)
	}
	if err := w.undo(); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(filepath.Join(dir, "a.yaml")); string(text) != "a" {
		t.Errorf("not restored: %s", text)
	}
}
