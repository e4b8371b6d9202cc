package check

import (
	"io/fs"
	"os"
	"path/filepath"

	"github.com/krm-packs/functions/pkg/internal/folder"
)

// onDisk returns the path on disk of a path in the tree.
func (t *tree) onDisk(name string) string {
	if name = filepath.FromSlash(name); filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(t.dir, name)
}

// read returns the text of a file in the tree.
func (t *tree) read(name string) ([]byte, error) {
	if text, ok := t.checker.Replace[t.onDisk(name)]; ok {
		return text, nil
	}
	dir, inside := t.rootOf(name)
	if inside == "" {
		return nil, &fs.PathError{Op: "open", Path: name, Err: folder.ErrOutside}
	}
	files, err := folder.Open(dir)
	if err != nil {
		return nil, err
	}
	defer files.Close()
	return files.ReadText(filepath.FromSlash(inside))
}

// rootOf returns the folder on disk that contains a path of the tree, and the path relative to
// that folder. Both are "" if the path is outside of the folders that the user names.
func (t *tree) rootOf(name string) (dir, inside string) {
	if filepath.IsLocal(filepath.FromSlash(name)) {
		return t.dir, name
	}
	for _, root := range t.roots {
		if inside, err := filepath.Rel(filepath.FromSlash(root), filepath.FromSlash(name)); err == nil && filepath.IsLocal(inside) {
			return t.onDisk(root), filepath.ToSlash(inside)
		}
	}
	return "", ""
}

// absent returns the reason why a path in the tree cannot be read, or "" if it can.
func (t *tree) absent(name string) string {
	_, inside := t.rootOf(name)
	if inside == "" {
		return "is outside of " + t.checker.Display(t.dir) + "; name a folder that has both"
	}
	info, err := os.Stat(t.onDisk(name))
	switch {
	case err != nil:
		return "is not there"
	case info.IsDir():
		return "is a directory without a kustomization"
	}
	return ""
}

// relative returns the path in the tree of a directory.
func (t *tree) relative(dir string) string {
	if relative, err := filepath.Rel(t.dir, dir); err == nil {
		dir = relative
	}
	return filepath.ToSlash(dir)
}
