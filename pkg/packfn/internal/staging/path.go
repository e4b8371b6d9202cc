package staging

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
)

// maxName is the number of bytes of a name that leaves room for what Area adds to it.
const maxName = 235

// CheckPath rejects a path with slashes, given by a package or a resource, that must not
// be written below a folder: one that leads out of it, or into git's own files. A step
// `.git` runs what the files in it say. File systems of Windows and macOS take other
// spellings for it: letter case, dots and spaces at the end, `git~1`. A step of more than
// 235 bytes and one with control characters are rejected, too.
func CheckPath(name string) error {
	for step := range strings.SplitSeq(strings.ReplaceAll(name, `\`, "/"), "/") {
		if isGit(step) {
			return fmt.Errorf("the path %q has the step %q, which belongs to git", name, step)
		}
		switch {
		case len(step) > maxName:
			return fmt.Errorf("must be a name of at most %d bytes, got %d: %s…", maxName, len(step), strings.ToValidUTF8(step[:32], ""))
		case strings.ContainsFunc(step, diag.IsHidden):
			return fmt.Errorf("must be a name without control characters, got %q", name)
		}
	}
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return fmt.Errorf("must be a path in a folder, got %q", name)
	}
	return nil
}

// isGit reports whether a step of a path is the folder of git's own files.
func isGit(step string) bool {
	step = strings.ToLower(strings.TrimRight(step, ". "))
	return step == ".git" || step == "git~1"
}

// CheckName rejects what cannot be the name of a file or folder on every system.
func CheckName(name string) error {
	if err := CheckPath(name); err != nil {
		return err
	}
	if strings.ContainsAny(name, `/\<>:"|?*`) || strings.TrimRight(name, ". ") != name {
		return fmt.Errorf("must be a name of a file, got %q", name)
	}
	stem, _, _ := strings.Cut(strings.ToLower(name), ".")
	switch {
	case stem == "con", stem == "prn", stem == "aux", stem == "nul", len(stem) == 4 && (stem[:3] == "com" || stem[:3] == "lpt") && stem[3] >= '0' && stem[3] <= '9':
		return fmt.Errorf("%q cannot be a name: Windows has a device of this one", name)
	}
	return nil
}
