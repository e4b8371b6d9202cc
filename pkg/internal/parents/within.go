package parents

import (
	"path/filepath"
	"strings"
)

// IsWithin reports whether a path is a folder or inside it. It returns false for an empty path.
func IsWithin(name, dir string) bool {
	absolute, err := Real(name)
	base, baseErr := Real(dir)
	if err != nil || baseErr != nil || name == "" {
		return false
	}
	relative, err := filepath.Rel(base, absolute)
	return err == nil && filepath.IsLocal(relative)
}

// Real returns the absolute path without symbolic links of a file that may not exist yet.
func Real(name string) (string, error) {
	absolute, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	for dir := range Of(absolute) {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			return filepath.Join(real, strings.TrimPrefix(absolute, dir)), nil
		}
	}
	return absolute, nil
}
