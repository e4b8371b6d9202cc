package kptpackage

import (
	"io/fs"
	"path/filepath"

	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
)

// AllFiles returns the texts of all files of a package by their paths, also of files that kpt does not read.
func AllFiles(dir string) (map[string][]byte, error) {
	files := map[string][]byte{}
	err := EachFile(dir, func(name string, read func() ([]byte, error)) (err error) {
		files[name], err = read()
		return err
	})
	return files, err
}

// EachFile calls a function for each regular file below a folder, with its path from there. It leaves out the files of
// git, and files that an interrupted write has left.
func EachFile(dir string, use func(name string, read func() ([]byte, error)) error) error {
	from, err := folder.Open(dir)
	if err != nil {
		return err
	}
	defer from.Close()
	return fs.WalkDir(from.Files(), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != "." && (entry.Name() == ".git" || staging.IsStaged(entry.Name())):
			return fs.SkipDir
		case !entry.Type().IsRegular() || staging.IsStaged(entry.Name()):
			return nil
		}
		return use(name, func() ([]byte, error) { return from.Read(filepath.FromSlash(name), folder.MaxBytes) })
	})
}
