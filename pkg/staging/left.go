package staging

import (
	"io/fs"
	"os"
	"path"
	"strings"
	"time"
)

// oldest is the age from which a file that is not renamed belongs to no run.
const oldest = time.Minute

// IsStaged reports whether a file of a name is one that is not yet renamed. Its content
// is of no use: the run that wrote it was killed, or is under way.
func IsStaged(name string) bool {
	return strings.HasPrefix(name, ".") && strings.HasSuffix(name, Suffix)
}

// removeLeft removes what killed runs have left in a folder: files with values that may
// be secrets. One of a run that is under way stays. What cannot be removed stays, too.
func removeLeft(root *os.Root) {
	fs.WalkDir(root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil, entry.IsDir() && entry.Name() == ".git":
			return fs.SkipDir
		case entry.IsDir() || !entry.Type().IsRegular() || !IsStaged(path.Base(name)):
			return nil
		}
		if info, err := entry.Info(); err == nil && time.Since(info.ModTime()) > oldest {
			root.Remove(name)
		}
		return nil
	})
}
