package deploy

import (
	"path"
	"strings"
)

// included returns the files of a chart in a folder that Helm reads: those that .helmignore
// does not name, and no hidden templates.
func included(files map[string][]byte) map[string][]byte {
	if files == nil {
		return nil
	}
	patterns := []pattern{{glob: "templates/.?*", isPath: true}}
	for line := range strings.Lines(string(files[".helmignore"])) {
		if line = strings.TrimSpace(line); !strings.HasPrefix(line, "#") {
			patterns = append(patterns, patternOf(line))
		}
	}
	kept := map[string][]byte{}
	for name, content := range files {
		if !isIgnored(patterns, name) {
			kept[name] = content
		}
	}
	return kept
}

// pattern is a line of .helmignore.
type pattern struct {
	glob string
	// isPath says that it is for the whole path, and not for the last part of it.
	isPath, isNegated, isFolder bool
}

func patternOf(line string) pattern {
	var p pattern
	line, p.isNegated = strings.CutPrefix(line, "!")
	line, p.isFolder = strings.CutSuffix(line, "/")
	line, p.isPath = strings.CutPrefix(line, "/")
	p.isPath = p.isPath || strings.Contains(line, "/")
	p.glob = line
	return p
}

func (p *pattern) matches(name string) bool {
	if !p.isPath {
		name = path.Base(name)
	}
	ok, err := path.Match(p.glob, name)
	return ok && err == nil
}

// isIgnored reports whether a file, or a folder that has it, is ignored.
func isIgnored(patterns []pattern, name string) bool {
	for at := 0; ; {
		next := strings.IndexByte(name[at:], '/')
		isFolder := next >= 0
		part := name
		if isFolder {
			part = name[:at+next]
		}
		for i := range patterns {
			switch p := &patterns[i]; {
			case p.isNegated && (p.isFolder && !isFolder || !p.matches(part)):
				return true
			case p.isNegated, p.isFolder && !isFolder:
			case p.matches(part):
				return true
			}
		}
		if !isFolder {
			return false
		}
		at += next + 1
	}
}
