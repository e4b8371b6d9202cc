package check

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/monochromegane/go-gitignore"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/folder"
	"github.com/krm-packs/functions/pkg/packfn/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/packdir"
	"github.com/krm-packs/functions/pkg/packfn/staging"
)

// packageUnits returns a package, and the pack directories in it that .krmignore hides from
// kpt.
func (c *checker) packageUnits(dir string) ([]*unit, error) {
	p, err := kptpackage.Read(dir)
	if err != nil {
		return nil, err
	}
	c.noteOutside(p)
	units := []*unit{{pkg: p}}
	var packs []string
	for _, name := range p.Ignored {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if filepath.Base(at) == packdir.Metadata {
			packs = append(packs, filepath.Dir(at))
			continue
		}
		found, err := packdir.In(at)
		if err != nil {
			return nil, err
		}
		packs = append(packs, found...)
	}
	for _, at := range packs {
		u, err := packUnit(at)
		if err != nil {
			return nil, err
		}
		units = append(units, u)
	}
	return units, nil
}

func (c *checker) noteOutside(p *kptpackage.Package) {
	for _, link := range p.Outside {
		c.note("%s is a symbolic link out of the folder; it is not read", filepath.Join(p.Dir, link))
	}
}

// finder looks for what can be judged in a folder that is not a package: packages, pack
// directories, and files with resources that the suite reads. All else in a repository is
// no resource: workflows, charts and their values, compose files.
type finder struct {
	checker  *checker
	dir      string
	files    *folder.Folder
	ignore   gitignore.IgnoreMatcher
	excludes func(name string, isDir bool) bool
	isOurs   func(*kptpackage.File) (bool, string)
	// charts are the folders with a Chart.yaml.
	charts         []string
	kustomizations kustomizations
	units          []*unit
	loose          *kptpackage.Package
	// faults are those of files that cannot be read, and hasOthers says that there are files
	// with something else than resources of the suite.
	faults    []error
	hasOthers bool
}

// folderUnits returns the packages of a folder, its pack directories outside of packages,
// and its other files with resources together.
func (c *checker) folderUnits(dir string) ([]*unit, error) {
	files, err := folder.Open(dir)
	if err != nil {
		return nil, err
	}
	defer files.Close()
	f := finder{checker: c, dir: dir, files: files, excludes: c.Excluded, isOurs: c.judges(), kustomizations: kustomizations{}, loose: &kptpackage.Package{Dir: dir}}
	if f.ignore, err = kptpackage.ReadIgnore(files, ".", "."); err != nil {
		return nil, err
	}
	if f.excludes == nil || f.excludes(dir, true) { // what the user names is not excluded
		f.excludes = func(string, bool) bool { return false }
	}
	if err := fs.WalkDir(files.Files(), ".", f.visit); err != nil {
		return nil, err
	}
	if len(f.units)+len(f.loose.Files) == 0 && !f.hasOthers { // the path is probably wrong
		return nil, cmp.Or(errors.Join(f.faults...), nothingIn(dir))
	}
	c.noteOutside(f.loose)
	// The texts that replace files also say which files belong together.
	if err := replaceIn(f.loose, c.Replace, func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }); err != nil {
		return nil, err
	}
	groups, ok := f.kustomizations.groups(f.loose.Files)
	if !ok {
		c.note("%s: the kustomizations share too many files; all files outside of packages are judged together", c.Display(dir))
	}
	for _, files := range groups {
		f.units = append(f.units, c.looseUnits(&kptpackage.Package{Dir: dir, Files: files})...)
	}
	return f.units, nil
}

// looseUnits returns files that are in no package. Several ClusterContexts among them are for
// other files each: they are judged one by one, and the packs without one.
func (c *checker) looseUnits(p *kptpackage.Package) []*unit {
	var alone []*unit
	contexts := map[spot]bool{}
	hasPacks := false
	for _, file := range p.Files {
		for _, one := range file.Items() {
			switch {
			case pack.IsCluster(one):
				contexts[spot{file.Path, one.Resource().Index}] = true
				alone = append(alone, &unit{
					pkg: &kptpackage.Package{Dir: p.Dir, Files: []*kptpackage.File{file}}, loose: true, found: true,
					read: []item{{Item: one, pkg: "."}},
				})
			case pack.Wants(one):
				hasPacks = true
			}
		}
	}
	all := &unit{pkg: p, loose: true, found: true}
	if len(contexts) < 2 {
		return []*unit{all}
	}
	if hasPacks {
		c.note("%s: %d ClusterContexts are outside of packages; packs are judged without one. Name the files that belong together", c.Display(p.Dir), len(contexts))
	}
	all.chosen = func(at spot) bool { return !contexts[at] }
	return append(alone, all)
}

func (f *finder) visit(name string, entry fs.DirEntry, err error) error {
	onDisk := filepath.Join(f.dir, filepath.FromSlash(name))
	switch {
	case err != nil && entry != nil && name != ".":
		f.unreadable(name, err)
		return nil
	case err != nil:
		return err
	case name != "." && (f.ignore.Match(name, entry.IsDir()) || entry.IsDir() && (entry.Name() == ".git" || staging.IsStaged(entry.Name()))):
		return skipDir(entry)
	case name != "." && f.excludes(onDisk, entry.IsDir()) && (entry.IsDir() || kptpackage.IsRead(entry.Name())):
		f.hasOthers = true
		f.skip(name, excluded)
		return skipDir(entry)
	case !entry.IsDir():
		return f.file(name, entry)
	case kptpackage.IsPackage(onDisk):
		found, err := f.checker.packageUnits(onDisk)
		f.units = append(f.units, found...)
		if err == nil {
			f.noteExcluded(found[0].pkg)
		}
		return skipOr(f.checker.failed(onDisk, err))
	case packdir.IsFound(onDisk):
		found, err := packUnit(onDisk)
		if err == nil {
			f.units = append(f.units, found)
		}
		return skipOr(f.checker.failed(onDisk, err))
	}
	if _, err := fs.Stat(f.files.Files(), path.Join(name, "Chart.yaml")); err == nil {
		f.charts = append(f.charts, name)
	}
	return nil
}

// noteExcluded says that files of a package cannot be excluded.
func (f *finder) noteExcluded(p *kptpackage.Package) {
	for _, file := range p.Files {
		if name := filepath.Join(p.Dir, filepath.FromSlash(file.Path)); f.excludes(name, false) {
			f.checker.note("%s is not excluded, because kpt reads it: add it to the .krmignore of its package", name)
		}
	}
}

// skipDir leaves out a file, or all of a folder.
func skipDir(entry fs.DirEntry) error {
	if entry.IsDir() {
		return fs.SkipDir
	}
	return nil
}

// skipOr ends the walk with an error, or leaves a folder that was read.
func skipOr(err error) error {
	if err != nil {
		return err
	}
	return fs.SkipDir
}

// file reads a file that is in no package.
func (f *finder) file(name string, entry fs.DirEntry) error {
	if packdir.IsMisnamed(entry.Name()) {
		if err := packdir.Misnamed(filepath.Join(f.dir, filepath.FromSlash(path.Dir(name)))); err != nil {
			return err
		}
	}
	if slices.Contains(kustomizationNames, entry.Name()) {
		if text, err := f.files.ReadText(filepath.FromSlash(name)); err == nil {
			f.kustomizations.add(path.Dir(name), text)
		}
	}
	if !kptpackage.IsRead(entry.Name()) {
		return nil
	}
	if chart := f.chartOf(name); chart != "" {
		f.hasOthers = true
		f.skip(name, "it is in the chart "+f.checker.Display(filepath.Join(f.dir, filepath.FromSlash(chart))))
		return nil
	}
	text, err := f.files.ReadText(filepath.FromSlash(name))
	switch {
	case errors.Is(err, folder.ErrOutside):
		f.loose.Outside = append(f.loose.Outside, name)
		return nil
	case err != nil:
		if entry.Type()&fs.ModeSymlink != 0 && errors.Is(err, fs.ErrNotExist) {
			err = &fs.PathError{Path: name, Err: errors.New("it is a symbolic link to nothing")}
		}
		f.unreadable(name, err)
		return nil
	}
	file := &kptpackage.File{Path: name, Package: ".", Text: text}
	if ours, why := f.isOurs(file); !ours {
		f.hasOthers = f.hasOthers || len(file.Items()) > 0
		if why != "" {
			f.skip(name, why)
		}
		return nil
	}
	f.loose.Files = append(f.loose.Files, file)
	return nil
}

// chartOf returns the chart that a file is in, "" for none.
func (f *finder) chartOf(name string) string {
	at := slices.IndexFunc(f.charts, func(chart string) bool { return chart == "." || strings.HasPrefix(name, chart+"/") })
	if at < 0 {
		return ""
	}
	return f.charts[at]
}

// unreadable skips a file or folder that cannot be read.
func (f *finder) unreadable(name string, err error) {
	if failure, ok := errors.AsType[*fs.PathError](err); ok {
		err = fmt.Errorf("%s: %w", filepath.Join(f.dir, filepath.FromSlash(name)), failure.Err)
	}
	f.faults = append(f.faults, err)
	f.checker.skipped = append(f.checker.skipped, skipped{why: err.Error()})
}

func (f *finder) skip(name, why string) {
	f.checker.skipped = append(f.checker.skipped, skipped{filepath.Join(f.dir, filepath.FromSlash(name)), why})
}

// skipped is a file or a folder that is not judged. An error that says why has the path.
type skipped struct{ path, why string }

const excluded = "it is excluded"

// noteSkipped counts what is not judged, and with Verbose lists it.
func (c *checker) noteSkipped() {
	files := 0
	for _, one := range c.skipped {
		if one.why != excluded {
			files++
		}
		switch {
		case !c.Verbose:
		case one.path == "":
			c.note("%s; it is not judged", one.why)
		default:
			c.note("%s is not judged: %s", c.Display(one.path), one.why)
		}
	}
	var what []string
	if files > 0 {
		what = append(what, diag.Count(files, "file")+" outside of packages without a resource that packfn reads")
	}
	if n := len(c.skipped) - files; n > 0 {
		what = append(what, diag.Count(n, "excluded path"))
	}
	if len(what) > 0 && !c.Verbose {
		c.note("not judged: %s; --verbose lists them", strings.Join(what, ", "))
	}
}
