package lsp

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/internal/parents"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/protocol"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
)

// workspace is the files as the editor has them.
type workspace struct {
	// encoding is the encoding of positions, which initialize agrees with the client.
	encoding string
	// folders are the folders of the workspace, and buffers the open files by path.
	folders []string
	buffers map[string]*open
	// disk counts the changes of files on disk that the client has reported.
	disk int
}

// open is an open file.
type open struct {
	*protocol.Buffer
	// version is the number that the client gave the text.
	version int
}

// maxBuffer is the size of the largest buffer that is checked. A check takes many times as much
// memory as the text of a buffer, and runs after each change.
const maxBuffer = 4 << 20

// isLarge reports whether a buffer is too large to be checked.
func (o *open) isLarge() bool { return len(o.Text) > maxBuffer }

// tooLarge returns the only diagnostic of a buffer that is too large to be checked.
func (o *open) tooLarge() protocol.Diagnostic {
	return protocol.Diagnostic{Severity: protocol.SeverityWarning, Source: "packfn", Message: fmt.Sprintf(
		"the buffer has %d bytes; packfn lsp reads buffers of at most %d: split the file, or run packfn check", len(o.Text), maxBuffer)}
}

// enter sets the folders of the workspace.
func (w *workspace) enter(p *protocol.InitializeParams) {
	for _, folder := range p.WorkspaceFolders {
		w.folders = append(w.folders, protocol.PathOf(folder.URI))
	}
	if len(w.folders) == 0 {
		w.folders = []string{cmp.Or(protocol.PathOf(p.RootURI), p.RootPath)}
	}
	// The root of the file system is not used as a workspace. Its files are checked while they
	// are open.
	w.folders = slices.DeleteFunc(w.folders, func(folder string) bool { return !filepath.IsAbs(folder) || folder == filepath.Dir(folder) })
}

// Buffer returns a text with the positions of the client.
func (w *workspace) Buffer(text string) *protocol.Buffer {
	return protocol.NewBuffer(text, w.encoding)
}

// Text returns the current text of a file: of its buffer, or else the text on disk.
func (w *workspace) Text(path string) *protocol.Buffer {
	if of := w.buffers[path]; of != nil {
		return of.Buffer
	}
	text, _ := folder.ReadText(path) // empty if the file was deleted
	return w.Buffer(string(text))
}

// Folder returns the workspace folder that contains a path, or "" if there is none.
func (w *workspace) Folder(path string) (found string) {
	for _, folder := range w.folders {
		if within(path, folder) {
			found = folder
		}
	}
	return found
}

// texts returns the buffers that are checked.
func (w *workspace) texts() map[string]*protocol.Buffer {
	texts := map[string]*protocol.Buffer{}
	for path, of := range w.buffers {
		if !of.isLarge() {
			texts[path] = of.Buffer
		}
	}
	return texts
}

// unitOf returns the path to check after a change of a file: the outermost package or pack
// directory that contains the file, or else its workspace folder. For a file outside of the
// workspace and of packages, it is the file itself.
func (w *workspace) unitOf(path string) string {
	top := w.Folder(path)
	unit := cmp.Or(top, path)
	for dir := range parents.Of(filepath.Dir(path)) {
		if isUnit(dir) {
			unit = dir
		}
		if dir == top {
			break
		}
	}
	return unit
}

// dirOf returns the pack directory of a file, or else its package, or else its folder.
func (w *workspace) dirOf(path string) string {
	unit := w.unitOf(path)
	for dir := range parents.Of(filepath.Dir(path)) {
		if !within(dir, unit) {
			break
		}
		if packdir.IsFound(dir) {
			return dir
		}
	}
	if kptpackage.IsPackage(unit) {
		return unit
	}
	return filepath.Dir(path)
}

// rootOf returns the folder that the paths in the report about a unit are relative to.
func (w *workspace) rootOf(unit string) string { return cmp.Or(w.Folder(unit), filepath.Dir(unit)) }

// serves reports whether requests about a file are answered, because the file is open or in the
// workspace.
func (w *workspace) serves(path string) bool {
	if of := w.buffers[path]; of != nil {
		return !of.isLarge()
	}
	return path != "" && w.isInside(path)
}

// isWanted reports whether a unit is checked, because it is in the workspace or one of its files
// is open.
func (w *workspace) isWanted(unit string) bool {
	return w.buffers[unit] != nil || w.isInside(unit)
}

// isInside reports whether a file is in the workspace, or in a package that contains an open
// file, and no symbolic link on the way to the file leads out of it.
func (w *workspace) isInside(path string) bool {
	top := w.Folder(path)
	if top == "" {
		for open := range w.buffers { // the outermost, because a link may lead out of a package inside it
			if unit := w.unitOf(open); unit != open && within(path, unit) && (top == "" || len(unit) < len(top)) {
				top = unit
			}
		}
	}
	if top == "" {
		return false
	}
	in, err := folder.Open(top)
	if err != nil {
		return false
	}
	defer in.Close()
	name, err := filepath.Rel(top, path)
	if err == nil {
		_, err = in.Resolve(name)
	}
	return !errors.Is(err, folder.ErrOutside)
}

func isUnit(dir string) bool { return kptpackage.IsPackage(dir) || packdir.IsFound(dir) }

// within reports whether a path on disk is a folder, or below it.
func within(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
}
