// Package kptpackage reads kpt packages from disk as kpt does, and lays resources out
// as kpt does.
//
// It knows which files kpt reads: YAML and JSON files and the Kptfile, in the package
// and its subpackages, without those that .krmignore names.
//
// # The data
//
// The suite reads these fields of a Kptfile:
//
//	apiVersion: kpt.dev/v1
//	kind: Kptfile
//	metadata: {name: platform}
//	pipeline:
//	  mutators:
//	  - image: ghcr.io/krm-packs/resolve-macros:v0.1.0
//	    configPath: macros.yaml
//	    selectors: [{kind: Pack}]
//
// and decodes all others strictly, because kpt rejects a Kptfile with an unknown field or a wrong
// type. [Read] walks a folder once: it notes each Kptfile, applies the .krmignore of the innermost
// package, and keeps the texts of the files. What kpt rejects is a [Fault] with its place, and the
// rest of the folder is still read.
package kptpackage

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/monochromegane/go-gitignore"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/internal/parents"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
	"github.com/krm-packs/functions/pkg/values"
)

// KptfileName is the name of the file that makes a folder a package.
const KptfileName = "Kptfile"

const ignoreName = ".krmignore"

// maxIgnore is the size of the largest .krmignore: each of its patterns is tried for each file.
const maxIgnore = 64 << 10

// File is a file of a package that kpt reads.
type File struct {
	// Path is its path from the folder that was read, with slashes.
	Path string
	// Package is the path of the innermost package that holds it, "." for the folder
	// that was read, which need not be a package.
	Package string
	// Text is the content.
	Text []byte
}

// Items returns the resources in the file. Their file is the path of f.
func (f *File) Items() []*list.Item { return list.FileItems(f.Text, f.Path) }

// Package is a folder with all that kpt reads in it.
type Package struct {
	// Dir is the folder.
	Dir string
	// Files are in the order in which kpt reads them.
	Files []*File
	// Kptfiles are the packages in the folder by their paths, "." for the folder
	// itself.
	Kptfiles map[string]*Kptfile
	// Faults are about Kptfiles that kpt rejects, which are not among Kptfiles, and about files
	// and folders that cannot be read, which are not among Files.
	Faults []error
	// Ignored are the folders, and the files of names that kpt reads, that .krmignore names.
	Ignored []string
	// Misnamed are the files with nearly the name of a Kptfile in folders without one.
	Misnamed []string
}

// IsPackage reports whether a folder has a Kptfile.
func IsPackage(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, KptfileName))
	return err == nil && !info.IsDir()
}

// IsMisnamed reports whether the name of a file is nearly Kptfile, such as kptfile or
// Kptfile.yaml. kpt accepts only the exact name.
func IsMisnamed(name string) bool {
	stem := name
	if ext := path.Ext(name); IsRead("a" + strings.ToLower(ext)) {
		stem = strings.TrimSuffix(name, ext)
	}
	return name != KptfileName && (strings.EqualFold(stem, KptfileName) || nearest.IsTypo(stem, KptfileName))
}

// Around returns the innermost package that would read a file, which may be absent: "" if there is
// none, or if its .krmignore names the file or a folder above it.
func Around(name string) (string, error) {
	for dir := range parents.Of(filepath.Dir(name)) {
		if !IsPackage(dir) {
			continue
		}
		files, err := folder.Open(dir)
		if err != nil {
			return "", err
		}
		defer files.Close()
		matcher, err := ReadIgnore(files, ".", ".")
		if err != nil {
			return "", err
		}
		below, err := filepath.Rel(dir, name)
		if err != nil {
			return "", err
		}
		for at := range parents.OfSlash(filepath.ToSlash(below)) {
			if at != "." && matcher.Match(at, at != filepath.ToSlash(below)) {
				return "", nil
			}
		}
		return dir, nil
	}
	return "", nil
}

// Read reads a folder, which may be a package, hold packages, or only files. Errors
// are about files that cannot be read and Kptfiles that kpt rejects. Resources are not
// looked at.
func Read(dir string) (*Package, error) {
	p, err := ReadParts(dir)
	if err == nil {
		err = errors.Join(p.Faults...)
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}

// ReadParts is [Read] of what kpt does not reject.
func ReadParts(dir string) (*Package, error) { return ReadWithout(dir, nil) }

// ReadWithout is [ReadParts] without what leave reports outside of packages: a file of a name that kpt
// reads, or a folder with all that is in it. No package can leave out a file that kpt reads.
func ReadWithout(dir string, leave func(name string, isDir bool) bool) (*Package, error) {
	if err := folder.Require(dir); err != nil {
		return nil, err
	}
	files, err := folder.Open(dir)
	if err != nil {
		return nil, err
	}
	defer files.Close()
	r := reader{files: files, p: &Package{Dir: dir, Kptfiles: map[string]*Kptfile{}}, packages: map[string]bool{}, leave: leave}
	if err := fs.WalkDir(files.Files(), ".", r.visit); err != nil {
		return nil, err
	}
	return r.p, nil
}

// ReadFile reads a single file as a package of its own. Its path is its name.
func ReadFile(name string) (*Package, error) {
	text, err := folder.ReadText(name)
	if err != nil {
		return nil, err
	}
	return &Package{Dir: filepath.Dir(name), Files: []*File{{Path: filepath.Base(name), Package: ".", Text: text}}}, nil
}

// reader walks a folder.
type reader struct {
	// files reads below the folder, and p gets what is read.
	files *folder.Folder
	p     *Package
	// ignores are the .krmignore files of the packages around the current folder, the innermost last.
	ignores []ignore
	// packages are the paths of the packages.
	packages map[string]bool
	// leave reports whether a file outside of packages is left out. If it is nil, all files are
	// read.
	leave func(name string, isDir bool) bool
}

// around returns the innermost package that contains a folder, or "." if there is none.
func (r *reader) around(dir string) string {
	for at := range parents.OfSlash(dir) {
		if r.packages[at] {
			return at
		}
	}
	return "."
}

// leaves reports whether a file or a folder is left out.
func (r *reader) leaves(name string, isDir bool) bool {
	return r.leave != nil && !r.packages[r.around(path.Dir(name))] && r.leave(name, isDir)
}

// ignore is the .krmignore of a package. It covers the package alone: packages below have
// their own.
type ignore struct {
	// dir is the path of the package, and matcher has the patterns.
	dir     string
	matcher gitignore.IgnoreMatcher
}

// visit handles a file or folder of the walk.
func (r *reader) visit(name string, entry fs.DirEntry, err error) error {
	switch {
	case err != nil && name == ".":
		if failure, ok := errors.AsType[*fs.PathError](err); ok {
			err = failure.Err
		}
		return fmt.Errorf("%s: %w", r.p.Dir, err)
	case err != nil:
		r.fault(name, err)
		return fs.SkipDir
	case entry.IsDir():
		return r.folder(name, entry)
	}
	if IsMisnamed(entry.Name()) && !r.packages[path.Dir(name)] && !r.ignored(name, path.Dir(name), false) {
		r.p.Misnamed = append(r.p.Misnamed, name)
	}
	if !IsRead(entry.Name()) {
		return nil
	}
	if r.ignored(name, path.Dir(name), false) {
		r.p.Ignored = append(r.p.Ignored, name)
		return nil
	}
	if r.leaves(name, false) {
		return nil
	}
	text, err := r.files.ReadText(name)
	switch isLink := entry.Type()&fs.ModeSymlink != 0; {
	case isLink && errors.Is(err, fs.ErrNotExist):
		r.fault(name, errors.New("the file is a symbolic link to nothing"))
		return nil
	case isLink && errors.Is(err, folder.ErrOutside):
		r.p.Faults = append(r.p.Faults, OutsideFault(r.p.Dir, name, "kpt would read and write it there, and packfn does neither. Replace the link with the file"))
		return nil
	case err != nil:
		r.fault(name, err)
		return nil
	}
	pkg := r.around(path.Dir(name))
	r.p.Files = append(r.p.Files, &File{Path: name, Package: pkg, Text: text})
	if at := directive.FindIndex(text); at != nil {
		place := diag.Position{Line: 1 + bytes.Count(text[:at[1]], []byte("\n")), Column: 1}
		r.p.Faults = append(r.p.Faults, NewFault(r.p.Dir, name, place, "kpt rejects directives of YAML; remove the line"))
	}
	if entry.Name() != KptfileName {
		return nil
	}
	kptfile, err := ParseKptfile(text)
	if err != nil {
		r.p.Faults = append(r.p.Faults, In(r.p.Dir, name, err))
		return nil
	}
	r.p.Kptfiles[pkg] = kptfile
	return nil
}

// directive matches a line such as `%YAML 1.1` at the start of a text, where kpt takes none, and one with another
// version than its parser takes anywhere.
var directive = regexp.MustCompile(`\A(?:[ \t]*(?:#.*)?\r?\n)*%[A-Za-z]|(?m)^%YAML[ \t]+1\.(?:[02-9]|1\d)`)

// OutsideFault returns the fault of a symbolic link out of a folder, which is not followed. what
// describes the consequence, and the advice.
func OutsideFault(dir, name, what string) *Fault {
	target, err := os.Readlink(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil { // a folder above it is the link
		return NewFault(dir, name, diag.Position{Line: 1, Column: 1}, "the file is outside of the folder, behind a symbolic link; %s", what)
	}
	return NewFault(dir, name, diag.Position{Line: 1, Column: 1}, "the symbolic link leads out of the folder, to %s; %s", diag.OneLine(filepath.ToSlash(target)), what)
}

// fault records why a file or a folder cannot be read.
func (r *reader) fault(name string, err error) {
	if failure, ok := errors.AsType[*fs.PathError](err); ok {
		err = failure.Err
	}
	why, at := err.Error(), diag.Position{}
	if encoding, ok := errors.AsType[*folder.EncodingError](err); ok {
		why, at.Line = "the file "+encoding.Reason(), encoding.Line()
	}
	r.p.Faults = append(r.p.Faults, NewFault(r.p.Dir, name, at, "%s", why))
}

// folder decides whether the walk goes into a folder, and notes whether it is a package.
func (r *reader) folder(name string, entry fs.DirEntry) error {
	r.packages[name] = IsPackage(filepath.Join(r.p.Dir, name))
	switch {
	case name == ".":
	case entry.Name() == ".git" || staging.IsStaged(entry.Name()):
		return fs.SkipDir
	case r.ignored(name, name, true):
		r.p.Ignored = append(r.p.Ignored, name)
		return fs.SkipDir
	case r.leaves(name, true):
		return fs.SkipDir
	case !r.packages[name]:
		return nil
	}
	matcher, err := ReadIgnore(r.files, name, name)
	r.ignores = append(r.ignores, ignore{name, matcher})
	return err
}

// ignored reports whether the innermost package that holds a folder ignores a name in it. Like
// kpt it takes the folder sub2 for one in the package sub: the same files must be read.
func (r *reader) ignored(name, dir string, isDir bool) bool {
	last := len(r.ignores) - 1
	for last > 0 && !strings.HasPrefix(dir, r.ignores[last].dir) {
		last--
	}
	r.ignores = r.ignores[:last+1]
	return r.ignores[last].matcher.Match(name, isDir)
}

// ReadIgnore reads the .krmignore of a folder. It matches paths in base, which is the folder
// as the caller names it. Without the file nothing matches.
func ReadIgnore(files *folder.Folder, name, base string) (gitignore.IgnoreMatcher, error) {
	text, err := files.Read(filepath.Join(name, ignoreName), maxIgnore)
	if errors.Is(err, fs.ErrNotExist) {
		return gitignore.DummyIgnoreMatcher(false), nil
	}
	if err != nil {
		return nil, unwrapped(err)
	}
	for line := range bytes.Lines(text) { // what kpt's reader panics at
		if line = bytes.TrimSpace(line); len(line) > 0 && len(bytes.Trim(bytes.TrimPrefix(line, []byte("!")), "/")) == 0 {
			return nil, fmt.Errorf("%s: kpt cannot read the pattern %q; remove it", path.Join(filepath.ToSlash(name), ignoreName), line)
		}
	}
	return gitignore.NewGitIgnoreFromReader(base, bytes.NewReader(text)), nil
}

// unwrapped is the error about a file without the name of the call that failed.
func unwrapped(err error) error {
	if failure, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("%s: %w", failure.Path, failure.Err)
	}
	return err
}

// Advice returns the advice for a file of a package that is not a resource, or "" if there is
// none. Values should become a resource, a merge conflict should be resolved, and other files
// should be hidden from kpt. A chart or a pack directory should be hidden as a whole. pkg is the
// package that contains the file. Both are paths relative to the root. file returns a file by its
// path, or nil if it does not exist.
func Advice(pkg, name string, file func(name string) *File) string {
	if f := file(name); f != nil && values.HasConflict(string(f.Text)) {
		return ""
	}
	hidden := name
	for dir := range parents.OfSlash(path.Dir(name)) {
		if dir == "." || dir == pkg {
			break
		}
		if file(path.Join(dir, "Chart.yaml")) != nil || file(path.Join(dir, "pack.json")) != nil {
			hidden = dir + "/"
		}
	}
	if hidden == name && IsValues(name) {
		return "if these are values of a pack, make the file a PackValues of " + pack.GroupVersion + ", with the values below spec.values and the pack in spec.packRef.name"
	}
	if pkg != "." {
		hidden = strings.TrimPrefix(hidden, pkg+"/")
	}
	return fmt.Sprintf("if it is not a resource, add the line %s to %s", hidden, path.Join(pkg, ignoreName))
}

// IsValues reports whether the name of a file is one that values have: values.yaml, values-prod.yaml.
func IsValues(name string) bool {
	return valuesName.MatchString(path.Base(name))
}

var valuesName = regexp.MustCompile(`^values\b.*\.ya?ml$`)

// IsRead reports whether kpt reads files of a name.
func IsRead(name string) bool {
	switch filepath.Ext(name) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return name == KptfileName
}
