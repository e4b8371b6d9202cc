// Package staging writes several files as one change.
//
//	var area staging.Area
//	err := area.Write(ctx, []staging.Change{{Path: "a.yaml", Text: text}, {Path: "b.yaml", Remove: true}})
//
// All texts are first written next to their files, under names that kpt does not read,
// and then renamed. What goes wrong before the first rename leaves every file as it
// was; what goes wrong later is undone.
package staging

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// Suffix ends the names of files that are not yet renamed. kpt reads only files that
// end in .yaml, .yml and .json, and the Kptfile.
const Suffix = ".packfn-tmp"

// Change is what becomes of one file.
type Change struct {
	// Path is the file. Folders that are missing are made.
	Path string
	// Text is its new content.
	Text []byte
	// Remove removes the file instead; one that is absent is no error.
	Remove bool
}

// Area writes changes, one set at a time. The zero Area is ready to use.
type Area struct{ writing sync.Mutex }

// Wait returns when no change is under way, and lets none begin after that: what a
// program does before it ends by a signal.
func (a *Area) Wait() { a.writing.Lock() }

// Write makes all changes or none. A context that ends before the first rename leaves
// everything as it was; later it has no effect. A file keeps its mode, and a symbolic
// link stays one: its target is written.
func (a *Area) Write(ctx context.Context, changes []Change) error {
	a.writing.Lock()
	defer a.writing.Unlock()
	w := writer{}
	err := w.stage(ctx, changes)
	if err == nil {
		err = w.commit()
	}
	if err != nil {
		err = errors.Join(err, w.undo())
	}
	w.removeStaged()
	return err
}

// file is one change under way.
type file struct {
	path   string // after symbolic links
	staged string // "" for a removal
	// before is the earlier content, and mode its mode; existed says that there was one.
	before  []byte
	mode    fs.FileMode
	existed bool
	done    bool
}

type writer struct {
	files   []*file
	folders []string // made for the change, parents first
}

func (w *writer) stage(ctx context.Context, changes []Change) error {
	for _, change := range changes {
		if err := ctx.Err(); err != nil {
			return errors.New("interrupted before anything was written")
		}
		f := &file{path: change.Path, mode: 0o644}
		if target, err := filepath.EvalSymlinks(change.Path); err == nil {
			f.path = target
		}
		info, err := os.Stat(f.path)
		switch {
		case err == nil && !info.Mode().IsRegular():
			return fmt.Errorf("%s is not a regular file", change.Path)
		case err == nil:
			f.existed, f.mode = true, info.Mode().Perm()
			if f.before, err = os.ReadFile(f.path); err != nil {
				return err
			}
		case !errors.Is(err, fs.ErrNotExist):
			return err
		}
		w.files = append(w.files, f)
		if change.Remove {
			continue
		}
		if err := w.makeFolder(filepath.Dir(f.path)); err != nil {
			return err
		}
		if err := f.stage(change.Text); err != nil {
			return err
		}
	}
	if ctx.Err() != nil {
		return errors.New("interrupted before anything was written")
	}
	return nil
}

// stage writes the text next to the file.
func (f *file) stage(text []byte) error {
	if f.existed { // a file that cannot be written is refused, although a rename could replace it
		probe, err := os.OpenFile(f.path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		probe.Close()
	}
	staged, err := os.CreateTemp(filepath.Dir(f.path), "."+filepath.Base(f.path)+".*"+Suffix)
	if err != nil {
		return err
	}
	f.staged = staged.Name()
	_, err = staged.Write(text)
	return errors.Join(err, staged.Chmod(f.mode), staged.Sync(), staged.Close())
}

func (w *writer) commit() error {
	for _, f := range w.files {
		var err error
		if f.staged != "" {
			err = os.Rename(f.staged, f.path)
		} else if f.existed {
			err = os.Remove(f.path)
		}
		if err != nil {
			return err
		}
		f.done = true
	}
	return nil
}

// undo restores the files that were changed already, and removes new folders.
func (w *writer) undo() error {
	var failures []error
	for _, f := range w.files {
		switch {
		case !f.done:
		case f.existed:
			failures = append(failures, os.WriteFile(f.path, f.before, f.mode))
		case f.staged != "":
			failures = append(failures, os.Remove(f.path))
		}
	}
	w.removeStaged()
	for i := len(w.folders) - 1; i >= 0; i-- {
		os.Remove(w.folders[i])
	}
	return errors.Join(failures...)
}

func (w *writer) removeStaged() {
	for _, f := range w.files {
		if f.staged != "" && !f.done {
			os.Remove(f.staged)
		}
	}
}

// makeFolder makes a folder and those above it, and remembers which are new.
func (w *writer) makeFolder(dir string) error {
	var missing []string
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(at); !errors.Is(err, fs.ErrNotExist) || at == filepath.Dir(at) {
			break
		}
		missing = append(missing, at)
	}
	for i := len(missing) - 1; i >= 0; i-- {
		if err := os.Mkdir(missing[i], 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		w.folders = append(w.folders, missing[i])
	}
	return nil
}
