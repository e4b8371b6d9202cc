package discovery

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	krmignore "github.com/monochromegane/go-gitignore"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/capact"
	"github.com/krm-packs/functions/pkg/packfn/internal/chart"
	"github.com/krm-packs/functions/pkg/packfn/internal/content"
	"github.com/krm-packs/functions/pkg/packfn/internal/gitignore"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/kustomization"
	"github.com/krm-packs/functions/pkg/packfn/internal/olm"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
	"github.com/krm-packs/functions/pkg/packfn/internal/terraform"
	"github.com/krm-packs/functions/pkg/values"
)

// finder walks a folder that is not a package, and collects packages, pack directories, and files
// with resources that the suite reads. Other files of a repository are skipped, for example
// workflows, charts and their values, and compose files.
type finder struct {
	// Found gets what is found, and dir is the folder on disk that the paths start at.
	*Found
	dir string
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
func (found *Found) walk(dir string) error {
	if err := packdir.Misnamed(dir); err != nil {
		return err
	}
	files, err := folder.Open(dir)
	if err != nil {
		return err
	}
	defer files.Close()
	f := finder{Found: found, dir: dir, files: files, excludes: found.options.Excluded, isOurs: content.NewResources(found.options.Functions).Find, index: olm.NewIgnores(files), modules: map[string]bool{}, under: found.Tree.Relative(dir)}
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
	found.Tree.Roots = append(found.Tree.Roots, f.under)
	before := len(found.Inputs) + len(found.Tree.Files)
	if err := fs.WalkDir(files.Files(), ".", f.visit); err != nil {
		return err
	}
	found.Notes = slices.Concat(found.Notes, f.git.Notes(), f.index.Notes)
	f.findModules()
	if len(found.Inputs)+len(found.Tree.Files) == before && !f.hasOthers { // the path is probably wrong
		return cmp.Or(errors.Join(f.faults...), nothingIn(dir))
	}
	return nil
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
		f.skip(name, Excluded)
		return skipDir(entry)
	case (entry.IsDir() || f.isRead(entry.Name())) && f.git.Ignores(name, entry.IsDir()):
		f.hasOthers = true
		f.skip(name, IgnoredByGit)
		return skipDir(entry)
	case !entry.IsDir():
		return f.file(name, entry)
	case f.OLM.IsPart(onDisk):
		return fs.SkipDir
	case kptpackage.IsPackage(onDisk):
		f.add(Package, onDisk)
		return fs.SkipDir
	case packdir.IsFound(onDisk):
		f.add(Pack, onDisk)
		return fs.SkipDir
	case olm.IsBundle(onDisk):
		f.OLM.AddBundle(onDisk)
		f.hasOthers = true
	}
	if _, err := fs.Stat(f.files.Files(), path.Join(name, "Chart.yaml")); err == nil {
		f.charts = append(f.charts, name)
		f.Tree.Helm.Charts = append(f.Tree.Helm.Charts, path.Join(f.under, name))
	}
	return nil
}

// isRead reports whether files with this name are read.
func (f *finder) isRead(name string) bool {
	return kptpackage.IsRead(name) || terraform.IsFile(name) || packdir.IsMisnamed(name) || kptpackage.IsMisnamed(name) || slices.Contains(list.KustomizationNames, name)
}

func (f *finder) add(kind Kind, onDisk string) {
	f.Inputs = append(f.Inputs, Input{Kind: kind, Path: onDisk, Excludes: f.excludes})
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
	if text, ok := f.options.Replace[filepath.Join(f.dir, filepath.FromSlash(name))]; ok {
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
			f.fault(filepath.Dir(onDisk), err)
		}
	}
	f.TakeMisnamed(onDisk)
	if slices.Contains(list.KustomizationNames, entry.Name()) && f.kustomization(name) {
		return nil
	}
	if terraform.IsFile(entry.Name()) {
		f.terraform(name)
	}
	if chart.IsArchive(entry.Name()) && f.chartOf(name) == "" {
		f.Tree.Helm.Archives = append(f.Tree.Helm.Archives, path.Join(f.under, name))
	}
	if !kptpackage.IsRead(entry.Name()) {
		return nil
	}
	if chart := f.chartOf(name); chart != "" {
		f.hasOthers = true
		f.skip(name, "it is in the chart "+f.options.Display(filepath.Join(f.dir, filepath.FromSlash(chart))))
		return nil
	}
	text, err := f.readText(name)
	isCatalog := err == nil && olm.IsCatalog(text) || err != nil && isLarge(entry) && olm.IsCatalogFile(onDisk)
	switch {
	case isCatalog && f.index.Match(name):
		f.hasOthers = true
		f.skip(name, IgnoredByOPM)
	case err != nil && isLarge(entry) && f.takeLarge(onDisk):
		f.hasOthers = true
	case err != nil:
		if entry.Type()&fs.ModeSymlink != 0 && errors.Is(err, fs.ErrNotExist) {
			err = &fs.PathError{Path: name, Err: errors.New("it is a symbolic link to nothing")}
		}
		if encoding, ok := errors.AsType[*folder.EncodingError](err); ok && content.NamesGroup(bytes.ReplaceAll(encoding.Text, []byte{0}, nil)) { // UTF-16 has zeros
			f.hasOthers = true
			at := diag.Position{Line: encoding.Line()}
			f.fault(f.dir, kptpackage.NewFault(f.dir, name, at, "the file %s", encoding.Reason()))
			return nil
		}
		f.unreadable(name, err)
	case f.take(Input{Path: onDisk, Text: text, Excludes: f.excludes}):
		f.hasOthers = true
	default:
		f.resources(name, onDisk, text)
	}
	return nil
}

// resources handles a file that can only contain resources, if packfn reads it at all.
func (f *finder) resources(name, onDisk string, text []byte) {
	tree, file := f.Tree, &kptpackage.File{Path: path.Join(f.under, name), Package: ".", Text: text}
	ours, why := f.isOurs(file)
	tree.Helm.take(file)
	if ours || capact.Is(text) {
		tree.Files = append(tree.Files, file)
		return
	}
	f.hasOthers = f.hasOthers || len(file.Items()) > 0
	hasKind := content.HasKind(text)
	if hasKind {
		dir := path.Dir(file.Path)
		tree.Rest[dir] = append(tree.Rest[dir], file.Path)
	}
	is := content.FormIn(name, text)
	if is == nil && content.HasMacro(text) && !hasKind {
		is = content.Values
	}
	if is != nil {
		f.Misplaced = append(f.Misplaced, Misplaced{onDisk, is})
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
	f.Tree.Helm.kustomization(path.Join(f.under, name), text)
	k, err := kustomization.Parse(path.Join(f.under, name), text, f.options.IsCheck)
	if f.Tree.Kustomizations[path.Dir(k.Path)] = k; err != nil {
		f.Unread = append(f.Unread, Fault{filepath.Join(f.dir, filepath.FromSlash(name)), err})
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
		f.fault(f.dir, kptpackage.OutsideFault(f.dir, name, "it is not read. Name a folder that has both, or replace the link with the file"))
		return
	}
	if failure, ok := errors.AsType[*fs.PathError](err); ok {
		err = fmt.Errorf("%s: %w", filepath.Join(f.dir, filepath.FromSlash(name)), failure.Err)
	}
	f.faults = append(f.faults, err)
	f.Skipped = append(f.Skipped, Skipped{Why: err.Error()})
}

func (f *finder) skip(name, why string) {
	f.Skipped = append(f.Skipped, Skipped{filepath.Join(f.dir, filepath.FromSlash(name)), why})
}

// terraform records a Terraform file.
func (f *finder) terraform(name string) {
	text, err := f.files.ReadText(filepath.FromSlash(name))
	dir := path.Dir(name)
	switch {
	case err != nil:
		f.unreadable(name, err)
	case !terraform.HasProfile(text):
		f.others = append(f.others, name)
	default:
		f.modules[dir] = true
	}
}

// NoProfile is the reason why a Terraform file is skipped.
const NoProfile = "it is Terraform without a cluster profile"

// findModules adds the Terraform modules with profiles as inputs, and skips the Terraform files
// in other folders.
func (f *finder) findModules() {
	for _, dir := range slices.Sorted(maps.Keys(f.modules)) {
		f.hasOthers = true
		f.add(Module, filepath.Join(f.dir, filepath.FromSlash(dir)))
	}
	for _, name := range f.others {
		f.hasOthers = true
		if !f.modules[path.Dir(name)] {
			f.skip(name, NoProfile)
		}
	}
}
