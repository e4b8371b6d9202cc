package staging

import (
	"crypto/rand"
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

// randomLength is the number of characters that distinguish the staged files of one name.
const randomLength = 6

// stagedName returns a name for what will have a name in its folder.
func stagedName(base string) string { return "." + base + "." + rand.Text()[:randomLength] + Suffix }

// stagedFor returns the name that a staged file or folder would have got; "" if a name is not one
// that [stagedName] makes.
func stagedFor(name string) string {
	stem, isStaged := strings.CutSuffix(name, Suffix)
	at := len(stem) - randomLength - 1
	if !isStaged || at < 1 || stem[0] != '.' || stem[at] != '.' || strings.Trim(stem[at+1:], "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") != "" {
		return ""
	}
	return stem[1:at]
}

// isLeft reports whether a killed run has left a file or folder of a kind. One of a run that is
// under way is none.
func isLeft(entry fs.DirEntry, kind fs.FileMode) bool {
	info, err := entry.Info()
	return err == nil && info.Mode().Type() == kind && time.Since(info.ModTime()) > oldest
}

// removeLeftTrees removes what killed runs have left of a folder with a name, next to it.
func removeLeftTrees(above, name string) {
	entries, _ := os.ReadDir(above)
	for _, entry := range entries {
		if stagedFor(entry.Name()) == name && isLeft(entry, fs.ModeDir) {
			os.RemoveAll(filepath.Join(above, entry.Name()))
		}
	}
}

// removeLeft removes what killed runs have left of the files, next to them: it may have values
// that are secrets. What cannot be removed stays.
func (w *writer) removeLeft() {
	names := map[place]map[string]bool{}
	for _, f := range w.files {
		at := place{f.root, filepath.Dir(f.name)}
		if names[at] == nil {
			names[at] = map[string]bool{}
		}
		names[at][filepath.Base(f.name)] = true
	}
	for at, of := range names {
		entries, _ := fs.ReadDir(at.root.FS(), filepath.ToSlash(at.name))
		for _, entry := range entries {
			if of[stagedFor(entry.Name())] && isLeft(entry, 0) {
				at.root.Remove(filepath.Join(at.name, entry.Name()))
			}
		}
	}
}
