package olm

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/gitignore"

	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/internal/meter"
	"github.com/krm-packs/functions/pkg/internal/parents"
)

const (
	ignoreName = ".indexignore"
	// maxIgnore is the size of all .indexignore files of a folder: their patterns are tried for each file.
	maxIgnore = 1 << 20
)

// Ignores are the .indexignore files of a folder. They name the files that opm does not read as parts of a
// catalog, with go-git's patterns, whose meaning is not always the one of git:
//
//	/drafts        # a directory beside the .indexignore
//	*.md
//	!keep.yaml     # also in a directory that an earlier line names
type Ignores struct {
	// files reads the folder, and byDir are the files that were read, by their directories.
	files *folder.Folder
	byDir map[string]*ignoreFile
	left  int64 // of maxIgnore
	// meter bounds the work of matching.
	meter meter.Meter
	// Notes are about files that could not be read.
	Notes []string
}

// ignoreFile is a .indexignore.
type ignoreFile struct {
	// path are the steps of its path, by which opm orders them.
	path []string
	// lines are the lines that are patterns, and patterns the same as go-git reads them.
	lines    []string
	patterns []gitignore.Pattern
}

// NewIgnores returns the .indexignore files of a folder. They are read when they are needed.
func NewIgnores(files *folder.Folder) *Ignores {
	return &Ignores{files: files, byDir: map[string]*ignoreFile{}, left: maxIgnore}
}

// Match reports whether opm leaves out a file of the folder. A path has slashes.
func (x *Ignores) Match(name string) bool {
	var all []*ignoreFile
	for dir := range parents.OfSlash(path.Dir(name)) {
		if one := x.of(dir); one != nil {
			all = append(all, one)
		}
	}
	// The last pattern that matches decides, in the order in which a walk meets the files.
	slices.SortFunc(all, func(a, b *ignoreFile) int { return slices.Compare(a.path, b.path) })
	steps := strings.Split(name, "/")
	for _, one := range slices.Backward(all) {
		for i, pattern := range slices.Backward(one.patterns) {
			if work := 1 + len(one.lines[i])*len(name)/8; !x.meter.Charge(work) {
				x.note("the " + ignoreName + " files have too many patterns for so many files, so the rest is read")
				return false
			}
			if result := pattern.Match(steps, false); result != gitignore.NoMatch {
				return result == gitignore.Exclude
			}
		}
	}
	return false
}

// note keeps a note once.
func (x *Ignores) note(text string) {
	if !slices.Contains(x.Notes, text) {
		x.Notes = append(x.Notes, text)
	}
}

// of returns the .indexignore of a directory, or nil if there is none.
func (x *Ignores) of(dir string) *ignoreFile {
	if one, known := x.byDir[dir]; known {
		return one
	}
	x.byDir[dir] = nil
	name := path.Join(dir, ignoreName)
	text, err := x.files.Read(filepath.FromSlash(name), x.left)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		x.note(fmt.Sprintf("%s is not read: %s. The files that it names are read", name, folder.Reason(err)))
		return nil
	}
	x.left -= int64(len(text))
	one := &ignoreFile{path: strings.Split(name, "/")}
	var domain []string
	if dir != "." {
		domain = strings.Split(dir, "/")
	}
	for line := range bytes.Lines(text) {
		line := string(bytes.TrimSpace(line))
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		one.lines = append(one.lines, line)
		one.patterns = append(one.patterns, gitignore.ParsePattern(line, domain))
	}
	x.byDir[dir] = one
	return one
}
