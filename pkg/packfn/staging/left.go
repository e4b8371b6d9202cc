package staging

import (
	"io/fs"
	"os"
	"path"
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

// removeLeftTrees removes what killed runs have left of a folder with a name, next to it.
func removeLeftTrees(above, name string) {
	entries, _ := os.ReadDir(above)
	for _, entry := range entries {
		info, err := entry.Info()
		if err == nil && entry.IsDir() && IsStaged(entry.Name()) && strings.HasPrefix(entry.Name(), "."+name+".") && time.Since(info.ModTime()) > oldest {
			os.RemoveAll(filepath.Join(above, entry.Name()))
		}
	}
}

// removeLeft removes what killed runs have left in a folder: files with values that may
// be secrets. One of a run that is under way stays. What cannot be removed stays, too.
func removeLeft(root *os.Root) {
	fs.WalkDir(root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil, entry.IsDir() && entry.Name() == ".git":
			return fs.SkipDir
		case !entry.Type().IsRegular() || !IsStaged(path.Base(name)):
			return nil
		}
		if info, err := entry.Info(); err == nil && time.Since(info.ModTime()) > oldest {
			root.Remove(name)
		}
		return nil
	})
}
