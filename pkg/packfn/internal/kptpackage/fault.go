package kptpackage

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
)

// Fault is what kpt rejects in a file of a package. The rest of the package can be read.
type Fault struct {
	// Dir is the folder that was read, and File the path of the file in it, with slashes.
	Dir, File string
	diag.Finding
}

// NewFault returns a fault at a place in a file of a folder.
func NewFault(dir, file string, at diag.Position, format string, args ...any) *Fault {
	f := diag.Say(format, args...)
	f.Position = at
	return &Fault{Dir: dir, File: file, Finding: f.Of(rule.InputInvalid)}
}

// In returns an error about a file of a folder.
func In(dir, file string, err error) error {
	if fault, ok := errors.AsType[*Fault](err); ok {
		of := *fault
		of.Dir, of.File = dir, file
		return &of
	}
	return fmt.Errorf("%s: %w", path.Join(filepath.ToSlash(dir), file), err)
}

// Path is the path of the file on disk. Files that the user names may be absolute.
func (f *Fault) Path() string {
	if name := filepath.FromSlash(f.File); filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(f.Dir, filepath.FromSlash(f.File))
}

// Error returns the file, the line and the message.
func (f *Fault) Error() string {
	text := f.Message()
	if f.Position.Line > 0 {
		text = fmt.Sprintf("line %d: %s", f.Position.Line, text)
	}
	if f.File == "" {
		return text
	}
	return filepath.ToSlash(f.Path()) + ": " + text
}
