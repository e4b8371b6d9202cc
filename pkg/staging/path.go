package staging

import (
	"fmt"
	"path/filepath"
	"strings"
)

// CheckPath rejects a path with slashes, given by a package or a resource, that must not
// be written below a folder: one that leads out of it, or into git's own files. A step
// `.git` runs what the files in it say. File systems of Windows and macOS take other
// spellings for it: letter case, dots and spaces at the end, `git~1`.
func CheckPath(name string) error {
	for step := range strings.SplitSeq(strings.ReplaceAll(name, `\`, "/"), "/") {
		switch strings.ToLower(strings.TrimRight(step, ". ")) {
		case ".git", "git~1":
			return fmt.Errorf("got %q; want a path without the step %q, which belongs to git", name, step)
		}
	}
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return fmt.Errorf("got %q; want a path in a folder", name)
	}
	return nil
}
