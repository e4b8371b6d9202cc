package staging

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// follow returns the file or folder that a path leads to, which the user named. It is another
// one if the path is a symbolic link. One to nothing and one into git's own files are rejected.
func (a *Area) follow(name string) (string, error) {
	name = filepath.Clean(name) // a slash at the end would follow the link
	info, err := os.Lstat(name)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return name, nil // what cannot be written is found later
	}
	target, err := filepath.EvalSymlinks(name)
	if err != nil {
		return "", fmt.Errorf("%s is a symbolic link that leads to nothing; make its target, or name another path", name)
	}
	if slices.ContainsFunc(strings.Split(filepath.ToSlash(target), "/"), isGit) {
		return "", fmt.Errorf("%s is a symbolic link to %s, which belongs to git; name another path", name, target)
	}
	if line := fmt.Sprintf("%s is a symbolic link; its target %s is written", name, target); !slices.Contains(a.links, line) {
		a.links = append(a.links, line)
	}
	return target, nil
}

// noteLinks prints notes about links that were followed, unless nothing was written.
func (a *Area) noteLinks(err error) {
	for _, line := range a.links {
		if a.Note != nil && err == nil {
			a.Note(line)
		}
	}
	a.links = nil
}

// within returns the file in the folder of a change that a symbolic link leads to. It is an error if there is none, if
// the file belongs to git, or if the link is to be removed.
func (f *file) within() (string, error) {
	root, err := filepath.EvalSymlinks(f.root.Name())
	if err != nil {
		return "", err
	}
	target, err := filepath.EvalSymlinks(filepath.Join(root, f.name))
	if err != nil || f.In == "" || f.Remove {
		return "", linkError(f.Path)
	}
	name, err := filepath.Rel(root, target)
	if err != nil || CheckPath(filepath.ToSlash(name)) != nil {
		return "", linkError(f.Path)
	}
	return name, nil
}
