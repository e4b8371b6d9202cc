// Package staging writes several files as one change.
//
// All texts are first written next to their files, under names that kpt does not read,
// and then renamed. What goes wrong before the first rename leaves every file as it
// was; what goes wrong later is undone.
//
// For example, a change of platform/vault.yaml is first platform/.vault.yaml.X1Y2Z3.packfn-tmp beside
// it. All paths are opened below the folders that the user named, and a symbolic link is followed only
// if it is the file itself.
package staging

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/krm-packs/functions/pkg/internal/parents"
)

// Suffix ends the names of files that are not yet renamed. kpt reads only files that
// end in .yaml, .yml and .json, and the Kptfile.
const Suffix = ".packfn-tmp"

// Change is what becomes of one file.
type Change struct {
	// Path is the file. Folders that are missing are made.
	Path string
	// In is the folder that the user named, and that has the file. It may be a symbolic link,
	// but no folder below it, and the file only one to another file in the folder. It is "" if the user named the file, which may be one.
	In string
	// Text is its new content.
	Text []byte
	// Write writes the new content in place of Text, if that is too much for the memory.
	Write func(io.Writer) error
	// IsPrivate lets only the owner read the file.
	IsPrivate bool
	// Remove removes the file instead; one that is absent is not an error.
	Remove bool
}

// Area writes changes, one set at a time. The zero Area is ready to use.
type Area struct {
	// writing is held while changes are written.
	writing sync.Mutex
	// Note gets a line for each symbolic link that was followed, if it is not nil.
	Note func(string)
	// links are those lines.
	links []string
}

// Wait returns when no change is under way, and lets none begin after that: what a
// program does before it ends by a signal.
func (a *Area) Wait() { a.writing.Lock() }

// Write makes all changes or none. A context that ends before the first rename leaves
// everything as it was; later it has no effect. A file keeps its mode and its owner.
// Symbolic links that the user named are followed, and so are links to files in the folder of the change. Others are
// refused. What a killed run has left of these files is removed.
func (a *Area) Write(ctx context.Context, changes []Change) error {
	a.writing.Lock()
	defer a.writing.Unlock()
	w := writer{area: a, roots: map[string]*os.Root{}, byName: map[place]*file{}}
	err := w.stage(ctx, changes)
	if err == nil {
		err = w.commit()
	}
	if err != nil {
		err = errors.Join(err, w.undo())
	}
	w.close()
	a.noteLinks(err)
	return err
}

var errInterrupted = errors.New("interrupted before anything was written")

// write writes the new content.
func (c *Change) write(out io.Writer) error {
	if c.Write != nil {
		return c.Write(out)
	}
	_, err := out.Write(c.Text)
	return err
}

// file is one change under way. Its names are from root.
type file struct {
	Change
	// root is the folder that the user named, and name the path in it.
	root   *os.Root
	name   string
	staged string // "" for a removal, and for a file that is written in place
	// before is the earlier content of the file, and mode its mode. existed is true if the file
	// existed.
	before  []byte
	mode    fs.FileMode
	existed bool
	// done is true once the file was renamed, written or removed.
	done bool
}

// place is a file or folder in a folder that the user named.
type place struct {
	// root is the folder, and name the path in it.
	root *os.Root
	name string
}

// writer writes one set of changes.
type writer struct {
	// area has the notes, and files are the changes under way.
	area  *Area
	files []*file
	// byName are the files by their places.
	byName map[place]*file
	// roots are the open folders by their paths.
	roots map[string]*os.Root
	// made are folders that users named, and folders those in them, parents first.
	made    []string
	folders []place
}

// stage writes the new texts beside their files. Nothing is visible to kpt before commit.
func (w *writer) stage(ctx context.Context, changes []Change) error {
	for _, change := range changes {
		err := w.stageOne(change)
		if err == nil && ctx.Err() != nil {
			err = errInterrupted
		}
		if err != nil {
			return err
		}
	}
	w.removeLeft()
	return nil
}

// stageOne writes the new text of one change.
func (w *writer) stageOne(change Change) error {
	in, err := change.In, error(nil)
	if in == "" {
		if change.Path, err = w.area.follow(change.Path); err != nil {
			return err
		}
		in = filepath.Dir(change.Path)
	}
	name, err := filepath.Rel(in, change.Path)
	if err != nil {
		return err
	}
	if err := CheckPath(filepath.ToSlash(name)); err != nil {
		return fmt.Errorf("%s: %w", change.Path, err)
	}
	f := &file{Change: change, name: name, mode: 0o644}
	if f.root, err = w.open(in); err != nil {
		return err
	}
	if err := w.makeFolders(f); err != nil {
		return err
	}
	info, err := f.root.Lstat(f.name)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if f.name, err = f.within(); err != nil {
			return err
		}
		info, err = f.root.Lstat(f.name)
	}
	if other := w.byName[place{f.root, f.name}]; other != nil {
		if bytes.Equal(f.Text, other.Text) && f.Remove == other.Remove && f.Write == nil {
			return nil
		}
		return fmt.Errorf("%s and %s are one file, because of a symbolic link, and would get different contents. Replace the link with a copy, or remove it", other.Path, f.Path)
	}
	switch {
	case err == nil && !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file", f.Path)
	case err == nil:
		f.existed, f.mode = true, info.Mode().Perm()
		if f.before, err = f.root.ReadFile(f.name); err != nil {
			return err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if f.IsPrivate {
		f.mode &= 0o600
	}
	w.files, w.byName[place{f.root, f.name}] = append(w.files, f), f
	if f.Remove {
		return nil
	}
	return f.stage(info)
}

// linkError returns the error about a symbolic link in the place of a file or a folder to write.
func linkError(name string) error {
	return fmt.Errorf("%s must be a file or a folder, got a symbolic link. Replace the link, or name its target", name)
}

// open returns the folder that a user named. It is made if it is absent.
func (w *writer) open(dir string) (*os.Root, error) {
	if root := w.roots[dir]; root != nil {
		return root, nil
	}
	named := dir
	dir, err := w.area.follow(dir)
	if err != nil {
		return nil, err
	}
	for at := range parents.Of(dir) {
		if _, err := os.Stat(at); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		w.made = append(w.made, at)
	}
	slices.Reverse(w.made)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	w.roots[named] = root
	return root, nil
}

// makeFolders makes the folders above a file, and refuses links among them.
func (w *writer) makeFolders(f *file) error {
	steps := strings.Split(filepath.ToSlash(f.name), "/")
	for i := 1; i < len(steps); i++ {
		name := filepath.Join(steps[:i]...)
		info, err := f.root.Lstat(name)
		switch {
		case err == nil && info.Mode()&fs.ModeSymlink != 0:
			return linkError(filepath.Join(f.root.Name(), name))
		case err == nil && !info.IsDir():
			return fmt.Errorf("%s is a file, not a folder", filepath.Join(f.root.Name(), name))
		case err == nil:
			continue
		case !errors.Is(err, fs.ErrNotExist):
			return err
		}
		if err := f.root.Mkdir(name, 0o755); err != nil {
			return err
		}
		w.folders = append(w.folders, place{f.root, name})
	}
	return nil
}

// stage writes the text next to the file. A file of an owner that this process cannot
// give to another one stays, and is written in place later, unless others must not read it.
func (f *file) stage(info fs.FileInfo) error {
	if f.existed { // a file that cannot be written is refused, although a rename could replace it
		probe, err := f.root.OpenFile(f.name, os.O_WRONLY, 0)
		if err != nil {
			return f.named(err)
		}
		probe.Close()
	}
	dir, base := filepath.Split(f.name)
	name := dir + stagedName(base)
	staged, err := f.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return f.named(err)
	}
	f.staged = name
	if err := errors.Join(f.write(staged), staged.Sync()); err != nil {
		return errors.Join(err, staged.Close())
	}
	if f.existed && giveTo(staged, info) != nil && !f.IsPrivate {
		err := errors.Join(staged.Close(), f.root.Remove(name))
		f.staged = ""
		return err
	}
	return errors.Join(staged.Chmod(f.mode), staged.Close())
}

// commit renames the staged files, and removes the files that go. The caller undoes what was done if
// it fails.
func (w *writer) commit() error {
	for _, f := range w.files {
		var err error
		switch {
		case f.staged != "":
			err = f.root.Rename(f.staged, f.name)
		case !f.Remove:
			f.done = true // what is written in place is undone also when it fails
			err = f.writeInPlace()
		case f.existed:
			err = f.root.Remove(f.name)
		}
		if err != nil {
			return err
		}
		f.done = true
	}
	return nil
}

// named returns an error about a path with the path that the user knows.
func (f *file) named(err error) error {
	if about, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("%s cannot be written: %w", f.Path, about.Err)
	}
	return err
}

// writeInPlace writes a file that stays the same file, because its owner could not be kept otherwise.
func (f *file) writeInPlace() error {
	out, err := f.root.OpenFile(f.name, os.O_WRONLY|os.O_TRUNC, f.mode)
	if err != nil {
		return err
	}
	return errors.Join(f.write(out), out.Close())
}

// undo restores the files that were changed already, and removes new folders.
func (w *writer) undo() error {
	var failures []error
	for _, f := range w.files {
		switch {
		case !f.done && f.staged != "":
			f.root.Remove(f.staged)
		case !f.done:
		case f.existed:
			failures = append(failures, f.root.WriteFile(f.name, f.before, f.mode))
		case f.staged != "":
			failures = append(failures, f.root.Remove(f.name))
		}
	}
	for _, made := range slices.Backward(w.folders) {
		made.root.Remove(made.name)
	}
	for _, made := range slices.Backward(w.made) {
		os.Remove(made)
	}
	return errors.Join(failures...)
}

// close closes the folders.
func (w *writer) close() {
	for _, root := range w.roots {
		root.Close()
	}
}
