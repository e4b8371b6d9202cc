package check

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/kptpackage"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packdir"
	"github.com/krm-packs/functions/pkg/pipeline"
	"github.com/krm-packs/functions/pkg/place"
)

// unit is a set of resources that are checked together: a package with its subpackages,
// files outside of packages, or a pack directory.
type unit struct {
	// pkg has the files; for a pack directory it is nil.
	pkg *kptpackage.Package
	// base is the path of the package in pkg, "." for all of it.
	base string
	// loose says that the files are in no package.
	loose bool
	// pack is a pack directory.
	pack *packdir.Pack

	// rendered are the resources after the mutators, nil when the unit is judged as it is
	// on disk.
	rendered []item

	places map[string]*place.File
}

// collect finds the units that paths name.
func collect(paths []string, note func(string, ...any)) ([]*unit, error) {
	var units []*unit
	files := &kptpackage.Package{Dir: "."}
	for _, name := range paths {
		info, err := os.Stat(name)
		if err != nil {
			return nil, err
		}
		switch {
		case !info.IsDir():
			text, err := kptpackage.ReadText(name)
			if err != nil {
				return nil, err
			}
			files.Files = append(files.Files, &kptpackage.File{Path: filepath.ToSlash(name), Package: ".", Text: text})
		case packdir.Is(name):
			u, err := packUnit(name)
			if err != nil {
				return nil, err
			}
			units = append(units, u)
		default:
			found, err := folderUnits(name, note)
			if err != nil {
				return nil, err
			}
			units = append(units, found...)
		}
	}
	if len(files.Files) > 0 {
		units = append(units, &unit{pkg: files, base: ".", loose: true})
	}
	return units, nil
}

func packUnit(dir string) (*unit, error) {
	p, err := packdir.Read(dir)
	if err != nil {
		return nil, err
	}
	return &unit{pack: p}, nil
}

// folderUnits returns the packages of a folder, its pack directories outside of
// packages, and its other files together.
func folderUnits(dir string, note func(string, ...any)) ([]*unit, error) {
	p, err := readFolder(dir)
	if err != nil {
		return nil, err
	}
	for _, link := range p.pkg.Outside {
		note("%s is a symbolic link out of the folder; it is not read", filepath.Join(dir, link))
	}
	if p.pkg.Kptfiles["."] != nil {
		return []*unit{{pkg: p.pkg, base: "."}}, nil
	}
	var units []*unit
	var packages []string
	for _, name := range pipeline.Packages(p.pkg) {
		if !slices.ContainsFunc(pipeline.Packages(p.pkg), func(other string) bool { return other != name && pipeline.Within(name, other) }) {
			packages = append(packages, name)
		}
	}
	slices.Sort(packages)
	for _, name := range packages {
		units = append(units, &unit{pkg: p.pkg, base: name})
	}
	for _, name := range p.packs {
		u, err := packUnit(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		units = append(units, u)
	}
	loose := &kptpackage.Package{Dir: dir}
	for _, file := range p.pkg.Files {
		inPack := slices.ContainsFunc(p.packs, func(name string) bool { return strings.HasPrefix(file.Path, name+"/") })
		if file.Package == "." && !inPack {
			loose.Files = append(loose.Files, file)
		}
	}
	if len(loose.Files) > 0 {
		units = append(units, &unit{pkg: loose, base: ".", loose: true})
	}
	return units, nil
}

// replace puts texts in the place of files that were read.
func replace(units []*unit, texts map[string][]byte) error {
	for _, u := range units {
		if u.pack != nil {
			for i, f := range u.pack.Files {
				if text, ok := texts[u.onDisk(f.Name)]; ok {
					u.pack.Files[i].Text = text
				}
			}
			continue
		}
		for _, file := range u.pkg.Files {
			text, ok := texts[u.onDisk(u.relative(file.Path))]
			if !ok || !pipeline.Within(file.Package, u.base) {
				continue
			}
			file.Text = text
			if path.Base(file.Path) != kptpackage.KptfileName {
				continue
			}
			kptfile, err := kptpackage.ParseKptfile(text)
			if err != nil {
				return fmt.Errorf("%s: %w", u.onDisk(u.relative(file.Path)), err)
			}
			u.pkg.Kptfiles[path.Dir(file.Path)] = kptfile
		}
	}
	return nil
}

type folder struct {
	pkg *kptpackage.Package
	// packs are the paths of pack directories outside of packages.
	packs []string
}

// readFolder reads a folder. Below pack directories outside of packages only what
// belongs to the pack is read: charts are not resources.
func readFolder(dir string) (*folder, error) {
	f := &folder{}
	if !kptpackage.IsPackage(dir) {
		err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil || !entry.IsDir():
				return err
			case entry.Name() == ".git", name != dir && kptpackage.IsPackage(name):
				return fs.SkipDir
			case packdir.Is(name):
				relative, err := filepath.Rel(dir, name)
				f.packs = append(f.packs, filepath.ToSlash(relative))
				if err != nil {
					return err
				}
				return fs.SkipDir
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	var err error
	f.pkg, err = kptpackage.Read(dir, f.packs...)
	return f, err
}

// item is a resource with the path of the package that holds it.
type item struct {
	*list.Item
	pkg string
	// changedBy is the mutator that changed it last, "" for none.
	changedBy string
}

// items returns the resources of the unit, with paths as kpt gives them to functions:
// relative to the package. Each call makes new ones.
func (u *unit) items() ([]item, error) {
	if u.pack != nil {
		one, err := u.pack.Item()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", u.pack.Dir, err)
		}
		return []item{{Item: one, pkg: "."}}, nil
	}
	var items []item
	for _, one := range u.rendered {
		one.Item = one.Next()
		items = append(items, one)
	}
	if u.rendered != nil {
		return items, nil
	}
	for _, file := range u.pkg.Files {
		if !pipeline.Within(file.Package, u.base) {
			continue
		}
		for _, one := range list.FileItems(file.Text, u.relative(file.Path)) {
			items = append(items, item{Item: one, pkg: file.Package})
		}
	}
	return items, nil
}

// relative returns the path of a file from the package of the unit.
func (u *unit) relative(name string) string {
	if u.base == "." {
		return name
	}
	return strings.TrimPrefix(name, u.base+"/")
}

// onDisk returns the path of a file of the unit.
func (u *unit) onDisk(name string) string {
	if u.pack != nil {
		return filepath.Join(u.pack.Dir, name)
	}
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(u.pkg.Dir, filepath.FromSlash(path.Join(u.base, name)))
}

// place returns a file of the unit for finding places in it, nil when there is none.
func (u *unit) place(name string) *place.File {
	if file, ok := u.places[name]; ok {
		return file
	}
	if u.places == nil {
		u.places = map[string]*place.File{}
	}
	var found *place.File
	if u.pack != nil {
		if text := u.pack.File(name); text != nil {
			found = place.NewText(name, text)
		}
	} else {
		for _, file := range u.pkg.Files {
			if pipeline.Within(file.Package, u.base) && u.relative(file.Path) == name {
				found = place.NewFile(name, file.Text)
			}
		}
	}
	u.places[name] = found
	return found
}

// load reads the packs of the unit. The set is nil if reading them panics.
func (u *unit) load() (*pack.Set, function.Outcome, error) {
	items, err := u.items()
	if err != nil {
		return nil, function.Outcome{}, err
	}
	l := &list.List{}
	for _, one := range items {
		l.Items = append(l.Items, one.Item)
	}
	reader := &loader{}
	outcome := function.Evaluate(function.Function{Name: "packfn", New: func() function.Processor { return reader }}, l)
	return reader.set, outcome, nil
}

// packNames returns the names of the packs of the unit.
func (u *unit) packNames() ([]string, error) {
	set, _, err := u.load()
	if err != nil || set == nil {
		return nil, err
	}
	var names []string
	for _, p := range set.Packs {
		names = append(names, p.Name)
	}
	return names, nil
}

func (l *loader) Wants(item *list.Item) bool { return pack.Wants(item) }
