package contract

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// opening are the calls that open files for reading, or whole folders.
var opening = regexp.MustCompile(`\b(os\.(Open|OpenFile|OpenInRoot|OpenRoot|ReadFile|DirFS)|ioutil\.\w+|fs\.ReadFile)\(`)

// openers are the files that may open others, and why.
var openers = map[string]string{
	"pkg/packfn/folder/folder.go":           "it is the one place",
	"pkg/function/files.go":                 "the user names them as arguments, and they may be pipes",
	"pkg/packfn/fleet/merge.go":             "the user names the shards, which are read as a stream",
	"pkg/packfn/staging/staging.go":         "it writes, and opens the folder for that",
	"pkg/packfn/lsp/form.go":                "the schemas are in the program",
	"pkg/function/functiontest/messages.go": "tests",
}

// All files are opened in one place, which refuses pipes, devices, links out of the folder
// and what is too large.
func TestOneDoor(t *testing.T) {
	found := map[string]bool{}
	for _, dir := range []string{"pkg", "functions"} {
		err := filepath.WalkDir(filepath.Join("..", "..", dir), func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
				return err
			}
			text, err := os.ReadFile(name)
			path := strings.TrimPrefix(filepath.ToSlash(name), "../../")
			if call := opening.Find(text); call != nil {
				if found[path] = true; openers[path] == "" {
					t.Errorf("%s has %s…); read files by pkg/packfn/folder", path, call)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for path := range openers {
		if !found[path] {
			t.Errorf("%s opens nothing; remove it from the list", path)
		}
	}
}

var (
	uses   = regexp.MustCompile(`(?m)^\s*(?:- )?uses:\s*(\S.*)$`)
	pinned = regexp.MustCompile(`^[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
)

// Actions of others are pinned by their commits, with the tag as a comment: a tag can be
// moved.
func TestPinnedActions(t *testing.T) {
	files, err := filepath.Glob("../../.github/workflows/*.yml")
	if err != nil {
		t.Fatal(err)
	}
	count, commits := 0, map[string]string{}
	for _, file := range append(files, "../../action.yml") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range uses.FindAllSubmatch(text, -1) {
			step := string(match[1])
			if strings.HasPrefix(step, "./") {
				continue
			}
			if count++; !pinned.MatchString(step) {
				t.Errorf("%s: uses %s; want OWNER/NAME@COMMIT # vX.Y.Z", filepath.Base(file), step)
				continue
			}
			name, commit, _ := strings.Cut(step, "@")
			if other := commits[name]; other != "" && other != commit {
				t.Errorf("%s has two versions: %s, %s", name, other, commit)
			}
			commits[name] = commit
		}
	}
	if count < 10 {
		t.Errorf("found %d actions", count)
	}
}
