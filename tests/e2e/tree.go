package e2e

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// tree is the content of a folder: file contents by slash-separated path.
type tree map[string]string

// readTree reads a folder with everything in it.
func readTree(dir string) (tree, error) {
	files := tree{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		files[filepath.ToSlash(name)] = string(data)
		return err
	})
	return files, err
}

// changes lists the files in which two trees differ; nothing when they are equal byte for byte.
func (before tree) changes(after tree) string {
	var lines []string
	for path, content := range before {
		switch now, ok := after[path]; {
		case !ok:
			lines = append(lines, fmt.Sprintf("%s is gone", path))
		case now != content:
			lines = append(lines, fmt.Sprintf("%s has changed:\n%s", path, indent(now)))
		}
	}
	for path := range after {
		if _, ok := before[path]; !ok {
			lines = append(lines, fmt.Sprintf("%s is new", path))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// indent sets a text off in a report.
func indent(text string) string {
	return "\t" + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n\t")
}
