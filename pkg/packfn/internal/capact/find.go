package capact

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/packfn/internal/gitignore"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
)

// Found is a file with documents of Capact.
type Found struct {
	*File
	// Path is the file on disk.
	Path string
}

// Find returns the files with documents of Capact that a path names: the file, or all in a folder
// outside of packages, pack directories and charts. note takes a line for each file in it that cannot
// be read.
func Find(name string, scopes Scopes, note func(string, ...any)) (all []Found, err error) {
	add := func(onDisk string, text []byte) {
		if Is(text) {
			all = append(all, Found{Read(text, filepath.ToSlash(onDisk), scopes.Of(onDisk), nil), onDisk})
		}
	}
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		if !kptpackage.IsRead(filepath.Base(name)) {
			return nil, nil
		}
		text, err := folder.ReadText(name)
		if err == nil {
			add(name, text)
		}
		return all, err
	}
	if packdir.Is(name) {
		return nil, nil
	}
	files, err := folder.Open(name)
	if err != nil {
		return nil, err
	}
	defer files.Close()
	git, err := gitignore.Open(name)
	if err != nil {
		return nil, err
	}
	defer git.Close()
	ignored := 0
	err = fs.WalkDir(files.Files(), ".", func(inside string, entry fs.DirEntry, err error) error {
		onDisk := filepath.Join(name, filepath.FromSlash(inside))
		switch {
		case err != nil && inside == ".":
			return err
		case err != nil:
			note("%s: %s; it is left out", onDisk, folder.Reason(err))
			return nil
		case entry.IsDir() && inside != "." && (isOther(onDisk) || strings.HasPrefix(entry.Name(), ".") || staging.IsStaged(entry.Name())):
			return fs.SkipDir
		case (entry.IsDir() || kptpackage.IsRead(path.Base(inside))) && git.Ignores(inside, entry.IsDir()):
			ignored++
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		case entry.IsDir() || !kptpackage.IsRead(path.Base(inside)):
			return nil
		}
		text, err := files.ReadText(filepath.FromSlash(inside))
		switch {
		case errors.Is(err, folder.ErrOutside):
			note("%s is a symbolic link out of the folder; it is not read", onDisk)
		case err != nil:
			note("%s: %s; it is left out", onDisk, folder.Reason(err))
		default:
			add(onDisk, text)
		}
		return nil
	})
	if len(all) > 0 {
		for _, one := range git.Notes() {
			note("%s", one)
		}
		if ignored > 0 {
			note("%s: not read: %s that git ignores", name, diag.Count(ignored, "path"))
		}
	}
	return all, err
}

// isOther reports whether a folder is read as something else.
func isOther(dir string) bool {
	return packdir.IsChart(dir) || kptpackage.IsPackage(dir) || packdir.IsFound(dir)
}
