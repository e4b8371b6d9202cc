package lsp

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/protocol"
)

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

// serves reports whether requests about a file are answered, because the file is open or in the
// workspace. The caller holds the lock.
func (s *Server) serves(path string) bool {
	if of := s.buffers[path]; of != nil {
		return !of.isLarge()
	}
	return path != "" && s.isInside(path)
}

// isWanted reports whether a unit is checked, because it is in the workspace or one of its files
// is open. The caller holds the lock.
func (s *Server) isWanted(unit string) bool {
	return s.buffers[unit] != nil || s.isInside(unit)
}

// isInside reports whether a file is in the workspace, or in a package that contains an open
// file, and no symbolic link on the way to the file leads out of it.
func (s *Server) isInside(path string) bool {
	top := s.folderOf(path)
	if top == "" {
		for open := range s.buffers { // the outermost, because a link may lead out of a package inside it
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
