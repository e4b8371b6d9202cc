package config

import (
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/gitignore"
)

// Excluded returns what reports whether the configuration excludes a file or a folder. It is
// nil if nothing is excluded.
func (f *File) Excluded() (func(name string, isDir bool) bool, error) {
	return Excluded(f.Dir, f.Exclude)
}

// Excluded returns what reports whether patterns in the syntax of .gitignore match a file or a
// folder in a folder. It is nil without patterns.
func Excluded(dir string, patterns []string) (func(name string, isDir bool) bool, error) {
	var all []gitignore.Pattern
	for _, text := range patterns {
		pattern, err := newPattern(text)
		if err != nil {
			return nil, err
		}
		if pattern != nil {
			all = append(all, pattern)
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	dir, err := filepath.Abs(dir)
	matcher := gitignore.NewMatcher(all)
	return func(name string, isDir bool) bool {
		absolute, _ := filepath.Abs(name)
		relative, err := filepath.Rel(dir, absolute)
		if err != nil || relative == "." || !filepath.IsLocal(relative) {
			return false
		}
		return matcher.Match(strings.Split(filepath.ToSlash(relative), "/"), isDir)
	}, err
}

// stars are several in a name, which are as one.
var stars = regexp.MustCompile(`\*\*+`)

// newPattern reads a pattern. It is nil for an empty one and for a comment.
func newPattern(text string) (gitignore.Pattern, error) {
	if text = strings.TrimSpace(text); text == "" || strings.HasPrefix(text, "#") {
		return nil, nil
	}
	bare := strings.TrimPrefix(text, "!")
	if strings.Trim(bare, "/") == "" {
		return nil, fmt.Errorf("the pattern %q has no name, as charts/ has", text)
	}
	steps := strings.Split(bare, "/")
	for i, step := range steps {
		if _, err := path.Match(step, ""); err != nil {
			return nil, fmt.Errorf("the pattern %q is not one of .gitignore: close the bracket, or write \\[", text)
		}
		if step != "**" {
			steps[i] = stars.ReplaceAllLiteralString(step, "*")
		}
	}
	return gitignore.ParsePattern(text[:len(text)-len(bare)]+strings.Join(steps, "/"), nil), nil
}
