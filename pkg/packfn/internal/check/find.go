package check

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	krmignore "github.com/monochromegane/go-gitignore"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/capact"
	"github.com/krm-packs/functions/pkg/packfn/internal/chart"
	"github.com/krm-packs/functions/pkg/packfn/internal/content"
	"github.com/krm-packs/functions/pkg/packfn/internal/gitignore"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/olm"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
	"github.com/krm-packs/functions/pkg/packfn/internal/terraform"
	"github.com/krm-packs/functions/pkg/packfn/internal/workspace"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// packageUnits returns the unit of a package, and the units of pack directories in it that
// .krmignore hides from kpt.
func (c *checker) packageUnits(dir string) ([]*unit, error) {
	p, err := kptpackage.ReadParts(dir)
	if err != nil {
		return nil, err
	}
	for _, name := range p.Misnamed {
		c.takeMisnamed(filepath.Join(dir, filepath.FromSlash(name)))
	}
	c.replaceIn(p)
	u := c.unitIn(workspace.New(p, newRoom()))
	u.kpt = p
	units := []*unit{u}
	var packs []string
	for _, name := range p.Ignored {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if filepath.Base(at) == packdir.Metadata {
			packs = append(packs, filepath.Dir(at))
			continue
		}
		c.partOfBundle(at)
		found, err := packdir.In(at)
		if err != nil {
			return nil, err
		}
		packs = append(packs, found...)
		if err := c.hiddenBundles(at); err != nil {
			return nil, err
		}
	}
	for _, at := range packs {
		if u, err := c.packUnit(at); err != nil {
			c.fault(at, err)
		} else {
			units = append(units, u)
		}
	}
	return units, nil
}

// partOfBundle adds the bundle directory that contains a hidden file or folder, because the part
// that kpt reads is not a complete bundle.
func (c *checker) partOfBundle(hidden string) {
	for _, part := range []string{hidden, filepath.Dir(hidden)} {
		base, dir := filepath.Base(part), filepath.Dir(part)
		if isPart := base == olm.Metadata || base == olm.Manifests; isPart && !c.olm.Has(dir) && olm.IsBundle(dir) {
			c.olm.AddBundle(dir)
		}
	}
}

// finder walks a folder that is not a package, and collects packages, pack directories, and files
// with resources that the suite reads. Other files of a repository are skipped, for example
// workflows, charts and their values, and compose files.
type finder struct {
	// checker gets what is found, and dir is the folder on disk that the paths start at.
	checker *checker
	dir     string
	// files reads below the folder only.
	files *folder.Folder
	// ignore knows the patterns of .krmignore, git what git ignores, and index the patterns of
	// .indexignore.
	ignore krmignore.IgnoreMatcher
	git    *gitignore.Walk
	index  *olm.Ignores
	// excludes reports what the user excludes.
	excludes func(name string, isDir bool) bool
	// isOurs reports whether the suite reads a file, or why not.
	isOurs func(*kptpackage.File) (bool, string)
	// charts are the folders with a Chart.yaml.
	charts []string
	// modules are the folders with Terraform files that define profiles, and others the other
	// Terraform files.
	modules map[string]bool
	others  []string
	// under is the path of the folder in the tree.
	under string
	// faults are errors about files that cannot be read. hasOthers is true if the folder contains
	// anything else that packfn recognizes, so the path is probably right.
	faults    []error
	hasOthers bool
}

// walk collects the inputs in a folder that the user names and that is not a package.
func (c *checker) walk(dir string) error {
	if err := packdir.Misnamed(dir); err != nil {
		return err
	}
	files, err := folder.Open(dir)
	if err != nil {
		return err
	}
	defer files.Close()
	f := finder{checker: c, dir: dir, files: files, excludes: c.Excluded, isOurs: content.NewResources(c.Functions).Find, index: olm.NewIgnores(files), modules: map[string]bool{}, under: c.tree.relative(dir)}
	if f.ignore, err = kptpackage.ReadIgnore(files, ".", "."); err != nil {
		return err
	}
	if f.git, err = gitignore.Open(dir); err != nil {
		return err
	}
	defer f.git.Close()
	if f.excludes == nil || f.excludes(dir, true) { // what the user names is not excluded
		f.excludes = func(string, bool) bool { return false }
	}
	c.tree.roots = append(c.tree.roots, f.under)
	before := len(c.inputs) + len(c.tree.files)
	if err := fs.WalkDir(files.Files(), ".", f.visit); err != nil {
		return err
	}
	for _, note := range slices.Concat(f.git.Notes(), f.index.Notes) {
		c.notRead("", diag.Say("%s", note))
	}
	f.findModules()
	if len(c.inputs)+len(c.tree.files) == before && !f.hasOthers { // the path is probably wrong
		return cmp.Or(errors.Join(f.faults...), nothingIn(dir))
	}
	return nil
}

// setUnit returns a unit with the files of a set, whose paths are relative to dir, and with the
// resources that isChosen reports, or all if it is nil.
func (c *checker) setUnit(dir string, s *fileSet, isChosen func(*list.Item) bool) *unit {
	var files []*kptpackage.File
	var all []*joined
	for _, one := range s.sources {
		files = append(files, one.files...)
		if one.joined != nil {
			all = append(all, one.joined)
		}
	}
	slices.SortFunc(files, func(a, b *kptpackage.File) int { return cmp.Compare(a.Path, b.Path) })
	u := c.outside(dir, files, all, c.ofSets, isChosen)
	u.set, u.found = s, true
	return u
}

// looseUnits returns the units of a set of files outside of packages. If the set has several
// ClusterContexts, they describe different clusters, so each is checked separately, and the packs
// are checked without a ClusterContext.
func (c *checker) looseUnits(dir string, s *fileSet) []*unit {
	all := c.setUnit(dir, s, nil)
	var alone []*unit
	hasPacks := len(all.joined) > 0
	for _, item := range all.Items() {
		switch {
		case pack.IsCluster(item):
			u := c.unitIn(workspace.Outside(dir, []*kptpackage.File{all.File(item.Resource().File)}, []*list.Item{item}))
			u.loose, u.found, u.set = true, true, s
			alone = append(alone, u)
		case pack.Wants(item):
			hasPacks = true
		}
	}
	if len(alone) < 2 {
		return []*unit{all}
	}
	if hasPacks {
		c.skip(report.NoFacts, filepath.Join(dir, filepath.FromSlash(s.name)), 0, "%d ClusterContexts are outside of packages here, so packs are checked without one; name the files that belong together", len(alone))
	}
	return append(alone, c.setUnit(dir, s, func(item *list.Item) bool { return !pack.IsCluster(item) }))
}

// visit handles a file or folder of the walk. It skips what is hidden, excluded or ignored, and notes
// for the user what was skipped.
func (f *finder) visit(name string, entry fs.DirEntry, err error) error {
	onDisk := filepath.Join(f.dir, filepath.FromSlash(name))
	switch {
	case err != nil && entry != nil && name != ".":
		f.unreadable(name, err)
		return nil
	case err != nil:
		return err
	case name != "." && (f.ignore.Match(name, entry.IsDir()) || entry.IsDir() && (entry.Name() == ".git" || entry.Name() == ".terraform" || staging.IsStaged(entry.Name()))):
		return skipDir(entry)
	case name != "." && f.excludes(onDisk, entry.IsDir()) && (entry.IsDir() || f.isRead(entry.Name())):
		f.hasOthers = true
		f.skip(name, excluded)
		return skipDir(entry)
	case (entry.IsDir() || f.isRead(entry.Name())) && f.git.Ignores(name, entry.IsDir()):
		f.hasOthers = true
		f.skip(name, ignoredByGit)
		return skipDir(entry)
	case !entry.IsDir():
		return f.file(name, entry)
	case f.checker.olm.IsPart(onDisk):
		return fs.SkipDir
	case kptpackage.IsPackage(onDisk):
		f.add(packageInput, onDisk)
		return fs.SkipDir
	case packdir.IsFound(onDisk):
		f.add(packInput, onDisk)
		return fs.SkipDir
	case olm.IsBundle(onDisk):
		f.checker.olm.AddBundle(onDisk)
		f.hasOthers = true
	}
	if _, err := fs.Stat(f.files.Files(), path.Join(name, "Chart.yaml")); err == nil {
		f.charts = append(f.charts, name)
		f.checker.tree.helm.charts = append(f.checker.tree.helm.charts, path.Join(f.under, name))
	}
	return nil
}

// isRead reports whether files with this name are read.
func (f *finder) isRead(name string) bool {
	return kptpackage.IsRead(name) || terraform.IsFile(name) || packdir.IsMisnamed(name) || kptpackage.IsMisnamed(name) || slices.Contains(list.KustomizationNames, name)
}

func (f *finder) add(kind inputKind, onDisk string) {
	f.checker.inputs = append(f.checker.inputs, input{kind: kind, path: onDisk, excludes: f.excludes})
}

// reportExcluded reports the files of a package that the user excludes, because that has no effect
// there.
func (c *checker) reportExcluded(u *unit, excludes func(name string, isDir bool) bool) {
	if excludes == nil {
		return
	}
	for _, file := range u.Files {
		if name := u.OnDisk(file.Path); excludes(name, false) {
			c.inform(name, diag.Say("the file is not excluded, because kpt reads it").Do("add it to the .krmignore of its package").Of(rule.ConfigNoEffect))
		}
	}
}

// skipDir returns the result of a walk function that skips a file, or a whole folder.
func skipDir(entry fs.DirEntry) error {
	if entry.IsDir() {
		return fs.SkipDir
	}
	return nil
}

// readText reads a file, or what replaces it.
func (f *finder) readText(name string) ([]byte, error) {
	if text, ok := f.checker.Replace[filepath.Join(f.dir, filepath.FromSlash(name))]; ok {
		return text, nil
	}
	return f.files.ReadText(filepath.FromSlash(name))
}

// file handles a file outside of packages.
func (f *finder) file(name string, entry fs.DirEntry) error {
	onDisk := filepath.Join(f.dir, filepath.FromSlash(name))
	if packdir.IsMisnamed(entry.Name()) {
		if err := packdir.Misnamed(filepath.Dir(onDisk)); err != nil {
			f.hasOthers = true
			f.checker.fault(filepath.Dir(onDisk), err)
		}
	}
	f.checker.takeMisnamed(onDisk)
	if slices.Contains(list.KustomizationNames, entry.Name()) && f.kustomization(name) {
		return nil
	}
	if terraform.IsFile(entry.Name()) {
		f.terraform(name)
	}
	if chart.IsArchive(entry.Name()) && f.chartOf(name) == "" {
		f.checker.tree.helm.archives = append(f.checker.tree.helm.archives, path.Join(f.under, name))
	}
	if !kptpackage.IsRead(entry.Name()) {
		return nil
	}
	if chart := f.chartOf(name); chart != "" {
		f.hasOthers = true
		f.skip(name, "it is in the chart "+f.checker.Display(filepath.Join(f.dir, filepath.FromSlash(chart))))
		return nil
	}
	text, err := f.readText(name)
	isCatalog := err == nil && olm.IsCatalog(text) || err != nil && isLarge(entry) && olm.IsCatalogFile(onDisk)
	switch {
	case isCatalog && f.index.Match(name):
		f.hasOthers = true
		f.skip(name, ignoredByOPM)
	case err != nil && isLarge(entry) && f.checker.takeLarge(onDisk):
		f.hasOthers = true
	case err != nil:
		if entry.Type()&fs.ModeSymlink != 0 && errors.Is(err, fs.ErrNotExist) {
			err = &fs.PathError{Path: name, Err: errors.New("it is a symbolic link to nothing")}
		}
		if encoding, ok := errors.AsType[*folder.EncodingError](err); ok && content.NamesGroup(bytes.ReplaceAll(encoding.Text, []byte{0}, nil)) { // UTF-16 has zeros
			f.hasOthers = true
			at := diag.Position{Line: encoding.Line()}
			f.checker.fault(f.dir, kptpackage.NewFault(f.dir, name, at, "the file %s", encoding.Reason()))
			return nil
		}
		f.unreadable(name, err)
	case f.checker.take(input{path: onDisk, text: text, excludes: f.excludes}):
		f.hasOthers = true
	default:
		f.resources(name, onDisk, text)
	}
	return nil
}

// resources handles a file that can only contain resources, if packfn reads it at all.
func (f *finder) resources(name, onDisk string, text []byte) {
	tree, file := f.checker.tree, &kptpackage.File{Path: path.Join(f.under, name), Package: ".", Text: text}
	ours, why := f.isOurs(file)
	tree.helm.take(file)
	if ours || capact.Is(text) {
		tree.files = append(tree.files, file)
		return
	}
	f.hasOthers = f.hasOthers || len(file.Items()) > 0
	hasKind := content.HasKind(text)
	if hasKind {
		dir := path.Dir(file.Path)
		tree.rest[dir] = append(tree.rest[dir], file.Path)
	}
	is := content.FormIn(name, text)
	if is == nil && content.HasMacro(text) && !hasKind {
		is = content.Values
	}
	if is != nil {
		f.checker.misplaced = append(f.checker.misplaced, misplaced{onDisk, is})
	} else if why != "" {
		f.skip(name, why)
	}
}

// kustomization reads a kustomization, and returns false if its text cannot be read.
func (f *finder) kustomization(name string) bool {
	text, err := f.readText(name)
	if err != nil {
		if !kptpackage.IsRead(path.Base(name)) {
			f.unreadable(name, err)
		}
		return false
	}
	f.checker.tree.helm.kustomization(path.Join(f.under, name), text)
	if err := f.checker.tree.addKustomization(path.Join(f.under, name), text); err != nil {
		f.checker.skip(report.OtherFunction, filepath.Join(f.dir, filepath.FromSlash(name)), 0, "the kustomization cannot be read, so the files that it names are checked as directories: %v", err)
	}
	f.hasOthers = true
	return true
}

// isLarge reports whether a file is too large to be read as a whole.
func isLarge(entry fs.DirEntry) bool {
	info, err := entry.Info()
	return err == nil && info.Size() > values.MaxBytes
}

// chartOf returns the folder of the chart that contains a file, or "" if there is none.
func (f *finder) chartOf(name string) string {
	at := slices.IndexFunc(f.charts, func(chart string) bool { return chart == "." || strings.HasPrefix(name, chart+"/") })
	if at < 0 {
		return ""
	}
	return f.charts[at]
}

// unreadable records a file or folder that cannot be read, and skips it.
func (f *finder) unreadable(name string, err error) {
	if errors.Is(err, folder.ErrOutside) {
		f.hasOthers = true
		f.checker.fault(f.dir, kptpackage.OutsideFault(f.dir, name, "it is not read. Name a folder that has both, or replace the link with the file"))
		return
	}
	if failure, ok := errors.AsType[*fs.PathError](err); ok {
		err = fmt.Errorf("%s: %w", filepath.Join(f.dir, filepath.FromSlash(name)), failure.Err)
	}
	f.faults = append(f.faults, err)
	f.checker.skipped = append(f.checker.skipped, skipped{why: err.Error()})
}

func (f *finder) skip(name, why string) {
	f.checker.skipped = append(f.checker.skipped, skipped{filepath.Join(f.dir, filepath.FromSlash(name)), why})
}
