package staging

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// oldest is the age from which a file that is not renamed belongs to no run.
const oldest = time.Minute

// IsStaged reports whether a file or folder of a name is one that is not yet renamed. Its content
// is of no use: the run that wrote it was killed, or is under way.
func IsStaged(name string) bool {
	return strings.HasPrefix(name, ".") && strings.HasSuffix(name, Suffix)
}

// isLeft reports whether a killed run has left a file or folder. One of a run that is under way
// is none.
func isLeft(entry fs.DirEntry) bool {
	info, err := entry.Info()
	return err == nil && IsStaged(entry.Name()) && time.Since(info.ModTime()) > oldest
}

// removeLeftTrees removes what killed runs have left of a folder with a name, next to it.
func removeLeftTrees(above, name string) {
	entries, _ := os.ReadDir(above)
	for _, entry := range entries {
		if entry.IsDir() && strings.HasPrefix(entry.Name(), "."+name+".") && isLeft(entry) {
			os.RemoveAll(filepath.Join(above, entry.Name()))
		}
	}
}

// removeLeft removes what killed runs have left in a folder: files with values that may
// be secrets. What cannot be removed stays.
func removeLeft(root *os.Root) {
	fs.WalkDir(root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() && entry.Name() == ".git" {
			return fs.SkipDir
		}
		if entry.Type().IsRegular() && isLeft(entry) {
			root.Remove(name)
		}
		return nil
	})
}
