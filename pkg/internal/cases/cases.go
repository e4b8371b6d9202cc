// Package cases runs tests over cases that are files in txtar archives, so that a case can be added
// without Go. A case is a folder of an archive:
//
//	-- two packs/resources.yaml --
//	-- two packs/want --
//
// A line `#include NAME` is replaced by the file NAME of the case, or else of the root of the archive, whose
// files the cases share. A shared file can include those before it. With UPDATE=1 in the environment what the
// tests find is written.
package cases

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// Case is a folder of an archive. Files that a test does not ask for are an error: their names may be misspelt.
type Case struct {
	Name          string
	names         []string // of its files, in their order
	texts, shared map[string]string
	asked         map[string]bool
}

// include is a line that a file replaces.
var include = regexp.MustCompile(`(?m)^#include (.*)\n`)

// Has reports whether the case has a file.
func (c *Case) Has(name string) bool {
	c.asked[name] = true
	return c.has(name)
}

func (c *Case) has(name string) bool { return slices.Contains(c.names, name) }

// unread returns a file that the test did not ask for, or "" if there is none.
func (c *Case) unread() string {
	if i := slices.IndexFunc(c.names, func(name string) bool { return !c.asked[name] }); i >= 0 {
		return c.names[i]
	}
	return ""
}

// Text returns a file with what it includes, or "" if it is not there.
func (c *Case) Text(name string) string {
	c.asked[name] = true
	return include.ReplaceAllStringFunc(c.texts[name], func(line string) string {
		included := include.FindStringSubmatch(line)[1]
		if included != name && c.has(included) {
			return c.Text(included)
		}
		return c.shared[included]
	})
}

// Files returns the files of the case with what they include, without those that are excepted.
func (c *Case) Files(except ...string) map[string]string {
	files := map[string]string{}
	for _, name := range c.names {
		if c.asked[name] = true; !slices.Contains(except, name) {
			files[name] = c.Text(name)
		}
	}
	return files
}

// Compare compares a text with a file of the case; for "" the case must not have
// the file. With UPDATE=1 it writes the text, and replaces the parts that are in
// the archive already by includes.
func (c *Case) Compare(t *testing.T, name, got string) {
	t.Helper()
	c.asked[name] = true
	if !isUpdate() {
		if diff := cmp.Diff(c.Text(name), got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
		return
	}
	c.names = slices.DeleteFunc(c.names, func(other string) bool { return other == name })
	if got != "" {
		c.names = append(c.names, name)
		c.texts[name] = c.shortened(name, got)
	}
}

// shortened returns a text in which includes replace the parts that are in the
// archive already: a file of the case at its start, and shared documents.
func (c *Case) shortened(name, text string) string {
	for _, own := range c.names {
		if added, isAdded := strings.CutPrefix(text, c.Text(own)+"---\n"); isAdded && own != name {
			return "#include " + own + "\n---\n" + added
		}
	}
	documents := regexp.MustCompile(`(?m)^---\n`).Split(text, -1)
	for i, document := range documents {
		for _, shared := range slices.Sorted(maps.Keys(c.shared)) {
			if document == c.shared[shared] {
				documents[i] = "#include " + shared + "\n"
			}
		}
	}
	text = strings.Join(documents, "---\n")
	for _, shared := range slices.Sorted(maps.Keys(c.shared)) {
		if part := c.shared[shared]; strings.Count(part, "\n") >= leastPart {
			text = strings.ReplaceAll("\n"+text, "\n"+part, "\n#include "+shared+"\n")[1:]
		}
	}
	return text
}

// leastPart is the number of lines from which a shared file is included as a part of a document.
const leastPart = 5

// Write writes files below a directory, by their paths with slashes.
func Write(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func isUpdate() bool { return os.Getenv("UPDATE") != "" }

// Run runs a test for each case of the archives that match a pattern. Each case has the files that are
// needed.
func Run(t *testing.T, pattern string, test func(t *testing.T, c *Case), needed ...string) {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("%s has no archives: %v", pattern, err)
	}
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		cases, err := of(archive, needed)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, c := range cases {
			t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar")+"/"+c.Name, func(t *testing.T) {
				test(t, c)
				if name := c.unread(); name != "" && !t.Skipped() {
					t.Errorf("the test does not read %s", name)
				}
			})
		}
		if isUpdate() {
			write(t, name, archive, cases)
		}
	}
}

// Table runs a test over the cases of testdata/NAME.txtar, where NAME may be a pattern. What it returns is the
// file want of the case.
func Table(t *testing.T, name string, outcome func(t *testing.T, c *Case) string) {
	t.Helper()
	Run(t, "testdata/"+name+".txtar", func(t *testing.T, c *Case) {
		got := outcome(t, c)
		if got != "" && !strings.HasSuffix(got, "\n") {
			got += "\n"
		}
		c.Compare(t, "want", got)
	})
}

// write writes an archive with the files that its cases have now.
func write(t *testing.T, name string, archive *txtar.Archive, cases []*Case) {
	archive.Files = slices.DeleteFunc(archive.Files, func(f txtar.File) bool { return strings.Contains(f.Name, "/") })
	for _, c := range cases {
		for _, file := range c.names {
			archive.Files = append(archive.Files, txtar.File{Name: c.Name + "/" + file, Data: []byte(c.texts[file])})
		}
	}
	if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
		t.Fatal(err)
	}
}

// of returns the cases of an archive.
func of(archive *txtar.Archive, needed []string) ([]*Case, error) {
	var cases []*Case
	shared, used := map[string]string{}, map[string]bool{}
	for _, file := range archive.Files {
		name, part, isOfCase := strings.Cut(file.Name, "/")
		if !isOfCase {
			text := string(file.Data)
			for _, match := range include.FindAllStringSubmatch(text, -1) {
				if used[match[1]] = true; shared[match[1]] == "" {
					return nil, fmt.Errorf("%s includes %s, which is not before it", file.Name, match[1])
				}
			}
			shared[file.Name] = include.ReplaceAllStringFunc(text, func(line string) string { return shared[include.FindStringSubmatch(line)[1]] })
			continue
		}
		if len(cases) == 0 || cases[len(cases)-1].Name != name {
			if slices.ContainsFunc(cases, func(c *Case) bool { return c.Name == name }) {
				return nil, fmt.Errorf("the case %s is there twice", name)
			}
			cases = append(cases, &Case{Name: name, texts: map[string]string{}, shared: shared, asked: map[string]bool{}})
		}
		c := cases[len(cases)-1]
		if c.has(part) {
			return nil, fmt.Errorf("%s is there twice", file.Name)
		}
		c.names = append(c.names, part)
		c.texts[part] = string(file.Data)
	}
	if len(cases) == 0 {
		return nil, fmt.Errorf("there is no case")
	}
	for _, c := range cases {
		for _, name := range needed {
			if c.texts[name] == "" {
				return nil, fmt.Errorf("the case %s has no %s", c.Name, name)
			}
		}
		for _, part := range c.names {
			for _, match := range include.FindAllStringSubmatch(c.texts[part], -1) {
				if included := match[1]; included == part || !c.has(included) {
					used[included] = true
				}
			}
		}
	}
	for name := range used {
		if _, known := shared[name]; !known {
			return nil, fmt.Errorf("there is no file %s to include", name)
		}
	}
	for name := range shared {
		if !used[name] {
			return nil, fmt.Errorf("no case includes %s", name)
		}
	}
	return cases, nil
}
