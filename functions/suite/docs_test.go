package suite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	pathpkg "path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/functions"
	"github.com/krm-packs/functions/pkg/function"
)

const root = "../../"

// What is published of a function is made of its README and its examples. UPDATE=1 writes it, and
// the rows that the lists lack, in words that you then improve.
func TestDocuments(t *testing.T) {
	var listed []string
	for _, f := range All() {
		short := functions.Docs(f.Name).Short()
		examples := examplesOf(t, f)
		if short == "" {
			t.Errorf("functions/%s/README.md has no text between <!--mdtogo:Short--> and <!--mdtogo-->", f.Name)
		}
		if len(examples) == 0 || short == "" {
			continue
		}
		slices.SortStableFunc(examples, func(a, b string) int { return rank(a) - rank(b) })
		checkText(t, "functions/"+f.Name+"/metadata.yaml", metadata(t, f, short, examples))
		addRow(t, "README.md", fmt.Sprintf("| [`%[1]s`](functions/%[1]s) |", f.Name), listed, thirdPerson(strings.TrimSuffix(short, ".")))
		listed = append(listed, fmt.Sprintf("| [`%[1]s`](functions/%[1]s) |", f.Name))
		var others []string
		for _, name := range examples {
			title, _, _ := strings.Cut(readText(t, "examples/"+name+"/README.md"), "\n")
			_, about, _ := strings.Cut(title, ": ")
			addRow(t, "examples/README.md", fmt.Sprintf("| [%[1]s](%[1]s) |", name), others, about)
			others = append(others, fmt.Sprintf("| [%[1]s](%[1]s) |", name))
		}
	}
}

// examplesOf returns the names of the examples of a function, which must have some.
func examplesOf(t *testing.T, f function.Function) []string {
	t.Helper()
	examples, err := fs.Glob(os.DirFS(root+"examples"), f.Name+"-*")
	if err != nil {
		t.Fatal(err)
	}
	if len(examples) == 0 {
		t.Errorf("examples/%s-* is missing: add a package that passes, and one that fails", f.Name)
	}
	return examples
}

// thirdPerson says of a function what a text tells it to do: `Check that` is `checks that`.
func thirdPerson(text string) string {
	verb, rest, _ := strings.Cut(text, " ")
	switch verb = strings.ToLower(verb); {
	case regexp.MustCompile("[^aeiou]y$").MatchString(verb):
		verb = strings.TrimSuffix(verb, "y") + "ies"
	case regexp.MustCompile("(s|x|z|ch|sh)$").MatchString(verb):
		verb += "es"
	default:
		verb += "s"
	}
	return verb + " " + rest
}

// The rows of README.md are in the third person.
func TestThirdPerson(t *testing.T) {
	for text, want := range map[string]string{"Check that": "checks that", "Apply a": "applies a", "Make one": "makes one", "Patch all": "patches all"} {
		if got := thirdPerson(text); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

// rank puts the simple example first, and the others in the order of their names.
func rank(example string) int {
	if strings.HasSuffix(example, "-simple") {
		return 0
	}
	return 1
}

// metadata is the metadata.yaml of a function, as the catalog of kpt requires it. Its tags are
// those that it has.
func metadata(t *testing.T, f function.Function, short string, examples []string) string {
	const tree = "https://github.com/krm-packs/functions/tree/main/"
	var have struct{ Tags []string }
	if err := yaml.Unmarshal(functions.Docs(f.Name).Metadata, &have); err != nil {
		t.Fatal(err)
	}
	if have.Tags == nil {
		have.Tags = []string{"validator", "packs"}
		if f.Mutates {
			have.Tags[0] = "mutator"
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, `image: %s
description: %s
tags:
`, function.Image(f.Name), short)
	for _, tag := range have.Tags {
		fmt.Fprintf(&b, "  - %s\n", tag)
	}
	fmt.Fprintf(&b, `sourceURL: %sfunctions/%s
examplePackageURLs:
`, tree, f.Name)
	for _, name := range examples {
		fmt.Fprintf(&b, "  - %sexamples/%s\n", tree, name)
	}
	b.WriteString(`emails:
  - krm-packs@users.noreply.github.com
license: Apache-2.0
hidden: false
`)
	return b.String()
}

// addRow requires a row that begins with start, and adds it after the last one of others.
func addRow(t *testing.T, file, start string, others []string, about string) {
	text := readText(t, file)
	if strings.Contains(text, "\n"+start) {
		return
	}
	at := strings.LastIndex(text, "\n|")
	for _, other := range others {
		if found := strings.Index(text, "\n"+other); found >= 0 {
			at = found
		}
	}
	at += 1 + strings.Index(text[at+1:], "\n")
	checkText(t, file, text[:at]+"\n"+start+" "+about+" |"+text[at:])
}

func readText(t *testing.T, file string) string {
	text, err := os.ReadFile(root + file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// checkText compares a file with what it must be, or writes it.
func checkText(t *testing.T, file, want string) {
	have, err := os.ReadFile(root + file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(have)); diff == "" {
		return
	} else if os.Getenv("UPDATE") == "" {
		t.Errorf("%s: UPDATE=1 writes it; -want +got:\n%s", file, diff)
	} else if err := os.WriteFile(root+file, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Each page of docs/ and each function is in the index, and each function names its guide, which shows it at work.
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
		if !strings.Contains(string(index), "](../functions/"+f.Name+"/README.md)") {
			t.Errorf("docs/README.md does not link functions/%s/README.md", f.Name)
		}
		guide := regexp.MustCompile(`\nGuide: \[[^\]]+\]\(\.\./\.\./(docs/[^)#]+)`).FindSubmatch(functions.Docs(f.Name).Readme)
		switch {
		case guide == nil:
			t.Errorf("functions/%s/README.md names no guide: end it with a line `Guide: [TITLE](../../docs/PAGE.md).`", f.Name)
		case !strings.Contains(readText(t, string(guide[1])), f.Name):
			t.Errorf("functions/%s/README.md links %s as its guide, which does not name the function: show it at work there, or on a new page", f.Name, guide[1])
		}
	}
}

// The reference has each annotation of the suite but those that functions wrote once.
func TestAnnotations(t *testing.T) {
	reference := readText(t, "docs/reference.md")
	for _, name := range function.Annotations() {
		isFormer := name == "packs.kpt.dev/preset-leaves"
		if strings.HasPrefix(name, "packs.kpt.dev/") && strings.Contains(reference, "| `"+name) == isFormer {
			t.Errorf("docs/reference.md has %s: %t, want %t", name, isFormer, !isFormer)
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
