package workspace

import (
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"

	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
)

// Read reads a package for a render. Also subpackages in folders that .krmignore names
// are read: kpt renders them.
func Read(dir string) (*kptpackage.Package, error) {
	p, err := kptpackage.Read(dir)
	if err != nil {
		return nil, err
	}
	return WithIgnored(p)
}

// WithIgnored returns a package with the files that [Read] reads in addition to
// [kptpackage.Read].
func WithIgnored(read *kptpackage.Package) (*kptpackage.Package, error) {
	p := *read
	p.Files, p.Kptfiles = slices.Clone(read.Files), maps.Clone(read.Kptfiles)
	dir := p.Dir
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		if (entry.Name() == ".git" || staging.IsStaged(entry.Name())) && name != dir {
			return fs.SkipDir
		}
		relative, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		at := filepath.ToSlash(relative)
		if p.Kptfiles[at] != nil || at == "." || !kptpackage.IsPackage(name) {
			return nil
		}
		ignored, err := Read(name)
		if err != nil {
			return err
		}
		for _, file := range ignored.Files {
			file.Path, file.Package = path.Join(at, file.Path), path.Join(at, file.Package)
			p.Files = append(p.Files, file)
		}
		for sub, kptfile := range ignored.Kptfiles {
			p.Kptfiles[path.Join(at, sub)] = kptfile
		}
		return fs.SkipDir
	})
	return &p, err
}
