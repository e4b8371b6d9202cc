package staging

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// WriteTree makes a folder with files, whose paths are from the folder. The folder must
// be absent or empty, and may be a symbolic link. It is written under another name next to its own and then renamed:
// what goes wrong leaves nothing.
func (a *Area) WriteTree(ctx context.Context, dir string, files []Change) (err error) {
	a.writing.Lock()
	defer a.writing.Unlock()
	defer func() { a.noteLinks(err) }()
	if dir, err = a.follow(filepath.Clean(dir)); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if len(entries) > 0 {
		return fmt.Errorf("%s is not empty; remove it, or name another folder", dir)
	}
	above := filepath.Dir(dir)
	if err := os.MkdirAll(above, 0o755); err != nil {
		return err
	}
	removeLeftTrees(above, filepath.Base(dir))
	staged := filepath.Join(above, stagedName(filepath.Base(dir)))
	if err := os.Mkdir(staged, 0o700); err != nil {
		return err
	}
	defer os.RemoveAll(staged)
	for _, file := range files {
		if ctx.Err() != nil {
			return errInterrupted
		}
		if err := CheckPath(filepath.ToSlash(file.Path)); err != nil {
			return err
		}
		name := filepath.Join(staged, file.Path)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, file.Text, 0o644); err != nil {
			return err
		}
	}
	if err := os.Chmod(staged, 0o755); err != nil {
		return err
	}
	if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Rename(staged, dir)
}
