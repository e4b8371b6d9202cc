package fleet

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"

	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
)

// Compare compares a preview with an earlier one that wrote its packages to a folder: the
// outcomes, if the folder records them, and the files of packages.
func (p *Preview) Compare(dir string) error {
	names, err := listPackages(dir)
	if err != nil {
		return err
	}
	switch before, err := readRecord(dir); {
	case errors.Is(err, errNoRecord):
		p.Notes = append(p.Notes, fmt.Sprintf("%s: outcomes cannot be compared: %v", dir, err))
	case err != nil:
		return err
	default:
		p.Verdicts = p.compareOutcomes(before)
	}
	if p.shard != nil {
		p.inputs += fmt.Sprintf(" %x", digestOf(fmt.Sprint(slices.Sorted(maps.Keys(names)), p.Verdicts != nil)))
	}
	patches := &Patches{}
	index := map[digest]int{}
	for i := range p.Rows {
		row := &p.Rows[i]
		name := row.Name()
		_, known := names[name]
		switch {
		case row.Files == nil:
			patches.Unknown = append(patches.Unknown, name)
			continue
		case !known:
			patches.New = append(patches.New, name)
			continue
		}
		earlier, err := readPackage(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		files, key, raw := comparePackage(row, earlier)
		if len(files) == 0 {
			patches.Same++
			continue
		}
		at, ok := index[key]
		if !ok {
			at = len(patches.Groups)
			index[key] = at
			patches.Groups = append(patches.Groups, Patch{Files: files, key: key, raw: raw})
		}
		group := &patches.Groups[at]
		group.Packages = append(group.Packages, name)
		group.NamesDiffer = group.NamesDiffer || group.raw != raw
	}
	for _, name := range p.made {
		delete(names, name)
	}
	patches.Gone = slices.Sorted(maps.Keys(names))
	patches.sort()
	p.Patches = patches
	return nil
}

// sort brings changes into their order: those of the most packages first.
func (p *Patches) sort() {
	slices.SortStableFunc(p.Groups, func(a, b Patch) int {
		return cmp.Or(cmp.Compare(len(b.Packages), len(a.Packages)), cmp.Compare(a.Packages[0], b.Packages[0]))
	})
}

// listPackages returns the packages in a folder by their paths: the outermost folders
// with a Kptfile.
func listPackages(dir string) (map[string]bool, error) {
	if err := folder.Require(dir); err != nil {
		return nil, err
	}
	packages := map[string]bool{}
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !entry.IsDir():
			return nil
		case entry.Name() == ".git", name != dir && staging.IsStaged(entry.Name()):
			return fs.SkipDir
		case name == dir || !kptpackage.IsPackage(name):
			return nil
		}
		relative, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		packages[filepath.ToSlash(relative)] = true
		return fs.SkipDir
	})
	return packages, err
}

// readPackage reads the files of a package by their paths.
func readPackage(dir string) (map[string][]byte, error) {
	files := map[string][]byte{}
	err := eachFile(dir, func(name string, read func() ([]byte, error)) (err error) {
		files[name], err = read()
		return err
	})
	return files, err
}

// eachFile calls a function for each regular file below a folder, with its path from there.
func eachFile(dir string, use func(name string, read func() ([]byte, error)) error) error {
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
