package report

import (
	"path/filepath"
	"testing"

	"github.com/krm-packs/functions/pkg/internal/cases"
)

// Paths are relative to the root of the git tree around the working directory.
func TestRoot(t *testing.T) {
	dir := t.TempDir()
	cases.Write(t, dir, map[string]string{"a/b/c": "", "d/e/f": "", "a/.git/HEAD": ""})
	for working, want := range map[string]string{"a/b": "a", "a": "a", "d/e": "d/e"} {
		t.Chdir(filepath.Join(dir, working))
		if got, err := Root(); err != nil || got != filepath.Join(dir, want) {
			t.Errorf("%s: got %s %v, want %s", working, got, err, want)
		}
	}
}
