package lsp

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/krm-packs/functions/pkg/internal/folder"
)

// maxBuffer is the size of the largest buffer that is checked. What a buffer takes is many times
// its text, and again with each change.
const maxBuffer = 4 << 20

// isLarge reports whether a buffer is not checked.
func (o *open) isLarge() bool { return len(o.text) > maxBuffer }

// tooLarge is the only diagnostic of a buffer that is not checked.
func (o *open) tooLarge() diagnostic {
	return diagnostic{Severity: severityWarning, Source: "packfn", Message: fmt.Sprintf(
		"the buffer has %d bytes; packfn lsp reads buffers of at most %d: split the file, or run packfn check", len(o.text), maxBuffer)}
}

// serves reports whether requests about a file are answered: it is open, or of the workspace. The
// caller has the lock.
func (s *Server) serves(path string) bool {
	if of := s.buffers[path]; of != nil {
		return !of.isLarge()
	}
	return path != "" && s.isInside(path)
}

// isWanted reports whether a unit is checked: it is in the workspace, or a file of it is open. The
// caller has the lock.
func (s *Server) isWanted(unit string) bool {
	return s.buffers[unit] != nil || s.isInside(unit)
}

// isInside reports whether a file is in the workspace, or in a package of which a file is open, and
// no link on the way to it leads out of there.
func (s *Server) isInside(path string) bool {
	top := s.folderOf(path)
	if top == "" {
		for open := range s.buffers { // the outermost, since a link may lead out of one in it
			if unit := s.unitOf(open); unit != open && within(path, unit) && (top == "" || len(unit) < len(top)) {
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
