package parents

import (
	"os"
	"path/filepath"
	"testing"
)

// A path is compared as the file system has it, also if it does not exist yet.
func TestIsWithin(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "a"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("a", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"a": true, "a/b/c": true, "link": true, "link/b": true, "a/../b": false, "ab": false, ".": false} {
		if got := IsWithin(filepath.Join(dir, filepath.FromSlash(name)), filepath.Join(dir, "a")); got != want {
			t.Errorf("%s: got %v", name, got)
		}
	}
	if IsWithin("", ".") {
		t.Error("no path is within a folder")
	}
}
