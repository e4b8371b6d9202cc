package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// notes returns the part of CHANGELOG.md about this version. The tag of the release, if
// it is given, must be the version.
func (s *suite) notes(tag string) (string, error) {
	if tag != "" && tag != s.version {
		return "", fmt.Errorf("the tag must be %s, as build/VERSION says, got %s", s.version, tag)
	}
	text, err := os.ReadFile(filepath.Join(s.root, "CHANGELOG.md"))
	if err != nil {
		return "", err
	}
	var notes []string
	found := false
	for line := range strings.SplitSeq(string(text), "\n") {
		if heading, ok := strings.CutPrefix(line, "## "); ok {
			if found {
				break
			}
			version, _, _ := strings.Cut(heading, " ")
			found = version == s.version
			continue
		}
		if found {
			notes = append(notes, line)
		}
	}
	if content := strings.TrimSpace(strings.Join(notes, "\n")); content != "" {
		return content + "\n", nil
	}
	return "", fmt.Errorf("CHANGELOG.md: no notes below a heading `## %s`; write what is new", s.version)
}
