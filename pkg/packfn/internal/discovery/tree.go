package discovery

import (
	"io/fs"
	"os"
	"path/filepath"

	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/kustomization"
)

// NewTree returns a tree without files, for paths relative to a folder.
func NewTree(dir string, options *Options) *Tree {
	return &Tree{options: options, Dir: dir, Kustomizations: map[string]*kustomization.File{}, Rest: map[string][]string{}}
}

// Tree contains the files outside of packages in the folders that the user names.
type Tree struct {
	options *Options
	// Dir is the folder that paths are relative to.
	Dir string
	// Roots are the folders that the user names, relative to Dir.
	Roots []string
	// Files are the files with resources that the suite reads.
	Files []*kptpackage.File
	// Kustomizations are the kustomizations, by their folders.
	Kustomizations map[string]*kustomization.File
	// Rest are the files with resources that packfn does not read, by directory.
	Rest map[string][]string
	// Helm are the files that releases of Helm charts may be in.
	Helm HelmFiles
}

// OnDisk returns the path on disk of a path in the tree.
func (t *Tree) OnDisk(name string) string {
	if name = filepath.FromSlash(name); filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(t.Dir, name)
}

// Read returns the text of a file in the tree.
func (t *Tree) Read(name string) ([]byte, error) {
	if text, ok := t.options.Replace[t.OnDisk(name)]; ok {
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
func (t *Tree) rootOf(name string) (dir, inside string) {
	if filepath.IsLocal(filepath.FromSlash(name)) {
		return t.Dir, name
	}
	for _, root := range t.Roots {
		if inside, err := filepath.Rel(filepath.FromSlash(root), filepath.FromSlash(name)); err == nil && filepath.IsLocal(inside) {
			return t.OnDisk(root), filepath.ToSlash(inside)
		}
	}
	return "", ""
}

// Absent returns the reason why a path in the tree cannot be read, or "" if it can.
func (t *Tree) Absent(name string) string {
	_, inside := t.rootOf(name)
	if inside == "" {
		return "is outside of " + t.options.Display(t.Dir) + "; name a folder that has both"
	}
	info, err := os.Stat(t.OnDisk(name))
	switch {
	case err != nil:
		return "is not there"
	case info.IsDir():
		return "is a directory without a kustomization"
	}
	return ""
}

// Relative returns the path in the tree of a directory.
func (t *Tree) Relative(dir string) string {
	if relative, err := filepath.Rel(t.Dir, dir); err == nil {
		dir = relative
	}
	return filepath.ToSlash(dir)
}

// NamedDirs returns the folders on disk that the user names.
func (t *Tree) NamedDirs() (dirs []string) {
	for _, root := range t.Roots {
		if dir, err := filepath.Abs(t.OnDisk(root)); err == nil {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}
