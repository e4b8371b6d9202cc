package olm

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/internal/folder"
)

// What cannot be read, or is tried too often, leaves nothing out, and a note says so.
func TestIgnoresBounds(t *testing.T) {
	for what, tc := range map[string]struct {
		text, want string
	}{
		"too large": {strings.Repeat("*\n", maxIgnore/2+1), ".indexignore is not read: "},
		"a link":    {"", ".indexignore is not read: it is a symbolic link out of the folder"},
		"much work": {strings.Repeat("?a", 40_000) + "\n", "too many patterns for so many files"},
	} {
		t.Run(what, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "catalog")
			err := os.Mkdir(dir, 0o755)
			if name := filepath.Join(dir, ignoreName); tc.text == "" {
				err = errors.Join(err, os.Symlink(filepath.Join("..", "outside"), name), os.WriteFile(filepath.Join(dir, "..", "outside"), []byte("*\n"), 0o600))
			} else {
				err = errors.Join(err, os.WriteFile(name, []byte(tc.text), 0o600))
			}
			if err != nil {
				t.Fatal(err)
			}
			files, err := folder.Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			defer files.Close()
			ignores := NewIgnores(files)
			for range 1000 {
				if ignores.Match("d/" + strings.Repeat("a", 250) + ".yaml") {
					t.Fatal("it is left out")
				}
			}
			if len(ignores.Notes) != 1 || !strings.Contains(ignores.Notes[0], tc.want) {
				t.Errorf("the notes are %q", ignores.Notes)
			}
		})
	}
}
