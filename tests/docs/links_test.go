package docs

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

var anchorLink = regexp.MustCompile(`\]\(([^)#: ]*)#([^)]+)\)`)

// A link to a heading names one that is there, as GitHub makes anchors of headings.
func TestAnchors(t *testing.T) {
	files, headings := os.DirFS(root), map[string]map[string]bool{}
	anchorsOf := func(name string) map[string]bool {
		if headings[name] == nil {
			text, err := fs.ReadFile(files, name)
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			headings[name] = anchors(string(text))
		}
		return headings[name]
	}
	for _, pattern := range append([]string{"*.md", "build/*/*.md"}, documents...) {
		names, err := fs.Glob(files, pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := fs.ReadFile(files, name)
			if err != nil {
				t.Fatal(err)
			}
			for _, link := range anchorLink.FindAllStringSubmatch(string(text), -1) {
				to := name
				if link[1] != "" {
					to = path.Join(path.Dir(name), link[1])
				}
				if info, err := fs.Stat(files, to); err == nil && info.IsDir() {
					to = path.Join(to, "README.md") // which GitHub shows
				}
				if !anchorsOf(to)[link[2]] {
					t.Errorf("%s links to %s#%s: there is no such heading", name, to, link[2])
				}
			}
		}
	}
}

// anchors returns the anchors of the headings of a document.
func anchors(text string) map[string]bool {
	found, isCode := map[string]bool{}, false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "```") {
			isCode = !isCode
		}
		if isCode || !strings.HasPrefix(line, "#") {
			continue
		}
		found[strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, strings.TrimSpace(strings.TrimLeft(line, "#")))] = true
	}
	return found
}
