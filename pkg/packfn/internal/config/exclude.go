package config

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/krm-packs/functions/pkg/packfn/internal/gitignore"
)

// Excluded returns what reports whether the configuration excludes a file or a folder. It is
// nil if nothing is excluded.
func (f *File) Excluded() (func(name string, isDir bool) bool, error) {
	return Excluded(f.Dir, f.Exclude)
}

// Excluded returns what reports whether patterns in the syntax of .gitignore match a file or a
// folder in a folder. It is nil without patterns.
func Excluded(dir string, patterns []string) (func(name string, isDir bool) bool, error) {
	var all []string
	for _, text := range patterns {
		text = strings.TrimSpace(text)
		if err := checkPattern(text); err != nil {
			return nil, err
		}
		if text != "" && text[0] != '#' {
			all = append(all, text)
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	dir, err := filepath.Abs(dir)
	parsed := gitignore.Parse([]byte(strings.Join(all, "\n")))
	return func(name string, isDir bool) bool {
		absolute, _ := filepath.Abs(name)
		relative, err := filepath.Rel(dir, absolute)
		if err != nil || relative == "." || !filepath.IsLocal(relative) {
			return false
		}
		return parsed.Ignores(filepath.ToSlash(relative), isDir)
	}, err
}

// checkPattern returns the error about a pattern that matches nothing.
func checkPattern(text string) error {
	if text == "" || text[0] == '#' {
		return nil
	}
	bare := strings.TrimPrefix(text, "!")
	if strings.Trim(bare, "/") == "" {
		return fmt.Errorf("the pattern %q has no name, as charts/ has", text)
	}
	for step := range strings.SplitSeq(bare, "/") {
		if _, err := path.Match(step, ""); err != nil {
			return fmt.Errorf("the pattern %q is not one of .gitignore: close the bracket, or write \\[", text)
		}
	}
	return nil
}
