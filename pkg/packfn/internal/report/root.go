package report

import (
	"os"
	"path/filepath"

	"github.com/krm-packs/functions/pkg/internal/parents"
)

// Root returns the folder that paths in reports are relative to: the root of the git repository
// that contains the working directory, or else the working directory.
func Root() (string, error) { return RootOf("") }

// RootOf is like [Root] for a folder; "" means the working directory.
func RootOf(dir string) (string, error) {
	working, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for dir := range parents.Of(working) {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			return dir, nil
		}
	}
	return working, nil
}
