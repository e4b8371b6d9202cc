package gitignore

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/internal/meter"
	"github.com/krm-packs/functions/pkg/internal/parents"
)

const (
	fileName = ".gitignore"
	gitName  = ".git"
	// maxIgnore is the maximum size of a .gitignore together with the .gitignore files of its
	// parent directories, because each pattern is tried for each file.
	maxIgnore = 64 << 10
	// maxIndex is the size of the largest index that is read.
	maxIndex = 64 << 20
	// maxLink is the size of the largest file that names a directory of git.
	maxLink = 4096
)

// Walk tells a walk of a directory what git ignores in it. It reads the .gitignore files of the working tree
// that the directory is in, and its index. Nothing is read outside of the working tree, except for the index
// of a linked worktree (git worktree add), which must name the working tree in turn. Links are not followed.
//
// A walk must ask for a directory before it asks for its entries. A path that cannot be decided is not ignored.
type Walk struct {
	top *folder.Folder // nil if git ignores nothing
	// dir is the working tree without links, and under the path of the directory in it.
	dir, under string
	// levels are the directories from the working tree to the one that is walked.
	levels []level
	// meter bounds the work, and notes are about files that could not be read.
	meter meter.Meter
	notes []string
	// isOver is true if there are too many patterns for the number of files.
	isOver bool
}

// level is a directory.
type level struct {
	name     string
	patterns *Patterns // nil if there are none
	size     int       // of the patterns of the directory and those above it
	// tree is the working tree that the directory is in.
	tree *tree
	// isIgnored is true if git ignores everything in the directory that is not in the index.
	isIgnored bool
}

// tree is a working tree: the tree of the walk, or a tree inside it, such as a submodule.
type tree struct {
	name string
	// index is git's index, which is read when it is first needed.
	index  index
	isRead bool
	err    error
}

// Open returns what git ignores in a directory. If the directory is in no working
// tree, or is ignored itself, nothing is ignored: a user who names an ignored
// directory wants to know about its files.
func Open(dir string) (*Walk, error) {
	w := &Walk{}
	real, err := filepath.Abs(dir)
	if err == nil {
		real, err = filepath.EvalSymlinks(real)
	}
	if err != nil {
		return nil, err
	}
	for at := range parents.Of(real) {
		if !isTop(at) {
			continue
		}
		if w.top, err = folder.Open(at); err != nil {
			return nil, err
		}
		relative, err := filepath.Rel(at, real)
		if err != nil {
			return nil, err
		}
		w.dir, w.under = at, filepath.ToSlash(relative)
		w.enter(w.under)
		if w.levels[len(w.levels)-1].isIgnored {
			w.Close()
		}
		break
	}
	return w, nil
}

// Close releases the working tree. After it nothing is ignored.
func (w *Walk) Close() {
	if w.top != nil {
		w.top.Close()
		w.top = nil
	}
}

// Notes returns notes about .gitignore files and indexes that could not be read, and the
// consequences.
func (w *Walk) Notes() []string { return w.notes }

// Ignores reports whether git ignores a file or a directory of the walk, and all that is in it.
func (w *Walk) Ignores(name string, isDir bool) bool {
	if w.top == nil || name == "." {
		return false
	}
	name = path.Join(w.under, name)
	w.enter(path.Dir(name))
	in := &w.levels[len(w.levels)-1]
	if !in.isIgnored && !w.matches(name, isDir) || w.isOver {
		return false
	}
	return !w.holds(in.tree, name, isDir)
}

// enter pushes and pops levels so that the last one is the level of a directory.
func (w *Walk) enter(dir string) {
	last := len(w.levels) - 1
	for last >= 0 && !isIn(dir, w.levels[last].name) {
		last--
	}
	w.levels = w.levels[:last+1]
	if last < 0 {
		w.push(".")
	}
	from := w.levels[len(w.levels)-1].name
	for i := len(from) + 1; from == "." || i < len(dir); {
		if dir == from {
			return
		}
		if from == "." {
			i, from = 0, ""
		}
		next := strings.IndexByte(dir[i:], '/')
		if next < 0 {
			w.push(dir)
			return
		}
		w.push(dir[:i+next])
		i += next + 1
	}
}

// isIn reports whether a path is a directory, or in it.
func isIn(name, dir string) bool {
	return dir == "." || name == dir || strings.HasPrefix(name, dir+"/")
}

// push adds a directory to the levels, the last of which is the one around it.
func (w *Walk) push(dir string) {
	var one level
	if len(w.levels) > 0 {
		above := w.levels[len(w.levels)-1]
		one = level{tree: above.tree, size: above.size, isIgnored: above.isIgnored || w.matches(dir, true)}
	}
	one.name = dir
	if dir == "." || isTop(w.onDisk(dir)) {
		one.tree, one.size, one.isIgnored = &tree{name: dir}, 0, false
	}
	if !one.isIgnored { // git reads no .gitignore there
		one.patterns = w.read(&one)
	}
	w.levels = append(w.levels, one)
}

func (w *Walk) onDisk(name string) string { return filepath.Join(w.dir, filepath.FromSlash(name)) }

// read reads the .gitignore of a directory. It returns nil if there is none.
func (w *Walk) read(in *level) *Patterns {
	name := path.Join(in.name, fileName)
	if info, err := os.Lstat(w.onDisk(name)); err != nil || !info.Mode().IsRegular() { // git follows no link
		return nil
	}
	text, err := w.top.Read(filepath.FromSlash(name), int64(maxIgnore-in.size))
	if err != nil {
		why := folder.Reason(err)
		if in.size > 0 {
			why = fmt.Sprintf("it has more than %d bytes together with those above it", maxIgnore)
		}
		w.note("%s is not read: %s. What only it matches is checked", w.onDisk(name), why)
		return nil
	}
	in.size += len(text)
	if !w.charge(len(text)) {
		return nil
	}
	return Parse(text)
}

func (w *Walk) note(format string, args ...any) {
	w.notes = append(w.notes, fmt.Sprintf(format, args...))
}

// charge reports whether there are steps left.
func (w *Walk) charge(steps int) bool {
	if !w.isOver && !w.meter.Charge(steps) {
		w.isOver = true
		w.note("the .gitignore files of %s have too many patterns for so many files, so the rest is checked as if git ignored nothing", w.dir)
	}
	return !w.isOver
}

// matches reports whether the patterns of the directories around a path ignore it.
func (w *Walk) matches(name string, isDir bool) bool {
	of := w.levels[len(w.levels)-1].tree
	for i := len(w.levels) - 1; i >= 0 && w.levels[i].tree == of; i-- {
		in := &w.levels[i]
		if in.patterns == nil {
			continue
		}
		relative := name
		if in.name != "." {
			relative = name[len(in.name)+1:]
		}
		if ignored, known := in.patterns.Match(relative, isDir, w.charge); known || w.isOver {
			return ignored
		}
	}
	return false
}

// holds reports whether a file, or something in a directory, is in the index of a working tree.
func (w *Walk) holds(in *tree, name string, isDir bool) bool {
	if !in.isRead {
		in.isRead = true
		if in.index, in.err = w.readIndex(in); in.err != nil {
			w.note("the index of %s cannot be read, so files that git ignores are checked: %s", w.onDisk(in.name), folder.Reason(in.err))
		}
	}
	if in.name != "." {
		name = name[len(in.name)+1:]
	}
	return in.err != nil || in.index.holds(name, isDir)
}

// readIndex reads the index of a working tree. Without one, git has no file.
func (w *Walk) readIndex(in *tree) (index, error) {
	git, err := w.gitFolder(in)
	if err != nil {
		return nil, err
	}
	defer git.Close()
	text, err := git.Read("index", maxIndex)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return readIndex(text)
}

// gitFolder opens the directory of git of a working tree:
//
//	.git/                                    # usual
//	.git: "gitdir: ../.git/modules/sub"      # a submodule: in the .git of a directory above
//	.git: "gitdir: /main/.git/worktrees/w"   # a linked worktree, of which /main/.git/worktrees/w/gitdir is the path of .git
func (w *Walk) gitFolder(in *tree) (*folder.Folder, error) {
	name := filepath.FromSlash(path.Join(in.name, gitName))
	if info, err := os.Lstat(filepath.Join(w.dir, name)); err != nil || info.IsDir() {
		if err != nil {
			return nil, err
		}
		return w.top.Sub(name)
	}
	text, err := w.top.Read(name, maxLink)
	if err != nil {
		return nil, err
	}
	target := strings.TrimSpace(strings.TrimPrefix(string(text), gitLink))
	if !filepath.IsAbs(target) {
		target = filepath.Join(w.onDisk(in.name), filepath.FromSlash(target))
	}
	for above := range parents.Of(filepath.Dir(w.onDisk(in.name))) {
		relative, err := filepath.Rel(filepath.Join(above, gitName), target)
		if err != nil || !filepath.IsLocal(relative) || !isDir(filepath.Join(above, gitName)) {
			continue
		}
		around, err := folder.Open(filepath.Join(above, gitName))
		if err != nil {
			return nil, err
		}
		defer around.Close()
		return around.Sub(relative)
	}
	outside := errors.New("its directory of git is elsewhere, and does not name it")
	git, err := folder.Open(target)
	if err != nil {
		return nil, outside
	}
	back, err := git.Read("gitdir", maxLink)
	if err != nil || !isSame(strings.TrimSpace(string(back)), filepath.Join(w.dir, name)) {
		git.Close()
		return nil, outside
	}
	return git, nil
}

// isSame reports whether two paths are of one file.
func isSame(a, b string) bool {
	one, err := os.Stat(a)
	other, otherErr := os.Stat(b)
	return err == nil && otherErr == nil && os.SameFile(one, other)
}

func isDir(name string) bool {
	info, err := os.Lstat(name)
	return err == nil && info.IsDir()
}

// gitLink is what a file .git begins with.
const gitLink = "gitdir: "

// isTop reports whether a directory is a working tree: its .git is a directory of git, or a file that names
// one.
func isTop(dir string) bool {
	name := filepath.Join(dir, gitName)
	info, err := os.Lstat(name)
	switch {
	case err != nil:
		return false
	case info.IsDir():
		_, err := os.Lstat(filepath.Join(name, "HEAD"))
		return err == nil
	}
	if !info.Mode().IsRegular() {
		return false
	}
	text, err := folder.Read(name, maxLink)
	return err == nil && bytes.HasPrefix(text, []byte(gitLink))
}
