package suite

import (
	"fmt"
	"io/fs"
	"os"
	pathpkg "path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/functions"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/packfn/packfntest"
)

// What is published of a function says the same in all places, and names what is
// there.
func TestDocuments(t *testing.T) {
	const root, tree = "../../", "https://github.com/krm-packs/functions/tree/main/"
	index, err := os.ReadFile(root + "README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range All() {
		docs := functions.Docs(f.Name)
		var metadata struct {
			Image, Description string
			Emails             []string
			Source             string   `yaml:"sourceURL"`
			Examples           []string `yaml:"examplePackageURLs"`
		}
		if err := yaml.Unmarshal(docs.Metadata, &metadata); err != nil {
			t.Errorf("functions/%s/metadata.yaml: %v", f.Name, err)
		}
		_, short, _ := strings.Cut(string(docs.Readme), "<!--mdtogo:Short-->")
		short, _, _ = strings.Cut(short, "<!--mdtogo-->")
		if short = strings.Join(strings.Fields(short), " "); short != metadata.Description {
			t.Errorf("functions/%s: the README is about %q, metadata.yaml about %q", f.Name, short, metadata.Description)
		}
		if want := function.Image(f.Name); metadata.Image != want {
			t.Errorf("functions/%s/metadata.yaml: the image is %s, want %s", f.Name, metadata.Image, want)
		}
		if len(metadata.Emails) == 0 {
			t.Errorf("functions/%s/metadata.yaml has no emails, which the catalog of kpt requires", f.Name)
		}
		if len(metadata.Examples) == 0 {
			t.Errorf("functions/%s/metadata.yaml names no examples", f.Name)
		}
		for _, url := range append(metadata.Examples, metadata.Source) {
			path, ours := strings.CutPrefix(url, tree)
			if _, err := os.Stat(root + path); !ours || err != nil {
				t.Errorf("functions/%s/metadata.yaml: %s is not there", f.Name, url)
			}
		}
		if want := fmt.Sprintf("[`%[1]s`](functions/%[1]s)", f.Name); !strings.Contains(string(index), want) {
			t.Errorf("README.md does not name %s", f.Name)
		}
	}
}

// Each page of docs/ is in its index, and each function names its guide.
func TestGuides(t *testing.T) {
	index, err := os.ReadFile("../../docs/README.md")
	if err != nil {
		t.Fatal(err)
	}
	pages, err := fs.Glob(os.DirFS("../../docs"), "*.md")
	if err != nil || len(pages) < 2 {
		t.Fatalf("the pages are %v, %v", pages, err)
	}
	for _, page := range pages {
		if page != "README.md" && !strings.Contains(string(index), "]("+page+")") {
			t.Errorf("docs/README.md does not name %s", page)
		}
	}
	for _, f := range All() {
		if !strings.Contains(string(functions.Docs(f.Name).Readme), "\nGuide: [") {
			t.Errorf("functions/%s/README.md names no guide", f.Name)
		}
	}
}

// The jobs for CI systems name the version of the suite.
func TestVersionForCI(t *testing.T) {
	version, err := os.ReadFile("../../build/VERSION")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../../docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`(?m)(?:krm-packs/functions@|/packfn@|rev: )(\S+)$`).FindAllStringSubmatch(string(text), -1)
	if len(named) < 4 {
		t.Errorf("docs/ci.md names %d versions, want one for each job", len(named))
	}
	for _, found := range named {
		if want := strings.TrimSpace(string(version)); found[1] != want {
			t.Errorf("docs/ci.md: %s, want %s", found[0], want)
		}
	}
}

// What a document links to in the repository is there.
func TestLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`)
	root := os.DirFS("../..")
	err := fs.WalkDir(root, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && path != "." && strings.HasPrefix(entry.Name(), ".") {
			return fs.SkipDir
		}
		if entry.IsDir() || !strings.HasSuffix(path, ".md") {
			return nil
		}
		text, err := fs.ReadFile(root, path)
		for _, found := range link.FindAllStringSubmatch(string(text), -1) {
			if _, err := fs.Stat(root, pathpkg.Join(pathpkg.Dir(path), found[1])); err != nil {
				t.Errorf("%s links to %s, which is not there", path, found[1])
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// packfn check runs every function that only checks.
func TestChecksRun(t *testing.T) {
	for _, f := range All() {
		if !f.Mutates && !slices.Contains(packfntest.Checks, f.Name) {
			t.Errorf("%s only checks, but packfn check does not run it; add it to Names in pkg/packfn/internal/check", f.Name)
		}
	}
}
