package functiontest

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

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
)

// The files of a case.
const (
	configFile    = "config.yaml"
	resourcesFile = "resources.yaml"
	findingsFile  = "findings"
	outputFile    = "output.yaml"
)

// Cases runs a function over the cases in the archives testdata/cases/*.txtar. A case is a folder of
// an archive:
//
//	-- two packs/config.yaml --
//	-- two packs/resources.yaml --
//	-- two packs/findings --
//	-- two packs/output.yaml --
//
// resources.yaml are the resources, as [List] takes them, and config.yaml is the functionConfig,
// if there is one. findings are the facts of what the function finds, see [Facts], one in a line; without
// the file it must find nothing. output.yaml is what the resources become; without the file they must
// stay as they are. A second run over it must change and find the same.
//
// A line `#include NAME` is replaced by the file NAME at the root of the archive, which the cases
// share. `#include resources.yaml` in output.yaml are the resources of the case, where others are only
// added. With UPDATE=1 in the environment findings and output.yaml are written, with such lines.
func Cases(t *testing.T, f function.Function) {
	t.Helper()
	files, err := filepath.Glob("testdata/cases/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("testdata/cases has no archives: %v", err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		cases, err := casesOf(archive)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, c := range cases {
			t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar")+"/"+c.name, func(t *testing.T) { c.run(t, f) })
		}
		if os.Getenv("UPDATE") == "" {
			continue
		}
		archive.Files = slices.DeleteFunc(archive.Files, func(f txtar.File) bool { return strings.Contains(f.Name, "/") })
		for _, c := range cases {
			archive.Files = append(archive.Files, c.files()...)
		}
		if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// testCase is a case of an archive: its files by their names, and those that it includes.
type testCase struct {
	name          string
	texts, shared map[string]string
}

// include is a line that a shared file replaces.
var include = regexp.MustCompile(`(?m)^#include (.*)\n`)

func casesOf(archive *txtar.Archive) ([]*testCase, error) {
	var cases []*testCase
	shared, used := map[string]string{}, map[string]bool{}
	for _, file := range archive.Files {
		name, part, isOfCase := strings.Cut(file.Name, "/")
		switch {
		case !isOfCase:
			shared[file.Name] = string(file.Data)
			continue
		case !slices.Contains([]string{configFile, resourcesFile, findingsFile, outputFile}, part):
			return nil, fmt.Errorf("%s is no file of a case", file.Name)
		case len(cases) == 0 || cases[len(cases)-1].name != name:
			if slices.ContainsFunc(cases, func(c *testCase) bool { return c.name == name }) {
				return nil, fmt.Errorf("the case %s is there twice", name)
			}
			cases = append(cases, &testCase{name, map[string]string{}, shared})
		}
		c := cases[len(cases)-1]
		if _, known := c.texts[part]; known {
			return nil, fmt.Errorf("%s is there twice", file.Name)
		}
		c.texts[part] = string(file.Data)
		for _, match := range include.FindAllStringSubmatch(string(file.Data), -1) {
			if part != outputFile || match[1] != resourcesFile {
				used[match[1]] = true
			}
		}
	}
	for _, c := range cases {
		if c.texts[resourcesFile] == "" {
			return nil, fmt.Errorf("the case %s has no %s", c.name, resourcesFile)
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
	if len(cases) == 0 {
		return nil, fmt.Errorf("there is no case")
	}
	return cases, nil
}

// text returns a file of the case with what it includes.
func (c *testCase) text(name string) string {
	return include.ReplaceAllStringFunc(c.texts[name], func(line string) string {
		included := include.FindStringSubmatch(line)[1]
		if name == outputFile && included == resourcesFile {
			return c.text(resourcesFile)
		}
		return c.shared[included]
	})
}

// shortened returns an output that includes what is in the archive already.
func (c *testCase) shortened(output string) string {
	if added, isAdded := strings.CutPrefix(output, c.text(resourcesFile)+"---\n"); isAdded {
		return "#include " + resourcesFile + "\n---\n" + added
	}
	documents := regexp.MustCompile(`(?m)^---\n`).Split(output, -1)
	for i, document := range documents {
		for _, name := range slices.Sorted(maps.Keys(c.shared)) {
			if document == c.shared[name] {
				documents[i] = "#include " + name + "\n"
			}
		}
	}
	return strings.Join(documents, "---\n")
}

// files returns the files of the case in their order.
func (c *testCase) files() []txtar.File {
	var files []txtar.File
	for _, name := range []string{configFile, resourcesFile, findingsFile, outputFile} {
		if text := c.texts[name]; text != "" {
			files = append(files, txtar.File{Name: c.name + "/" + name, Data: []byte(text)})
		}
	}
	return files
}

func (c *testCase) run(t *testing.T, f function.Function) {
	config := c.text(configFile)
	input := List(config, c.text(resourcesFile))
	list, outcome := RunList(t, f, input)
	findings := ""
	for _, line := range Facts(outcome.Findings) {
		findings += line + "\n"
	}
	output := Documents(list)
	if failed := slices.ContainsFunc(outcome.Findings, func(f diag.Finding) bool { return f.Level() == diag.Error }); outcome.Failed != failed {
		t.Errorf("it is %v that the function failed", outcome.Failed)
	}
	checkAgain(t, f, config, output, outcome)
	if output == Documents(input) {
		output = ""
	}
	if os.Getenv("UPDATE") != "" {
		c.texts[findingsFile], c.texts[outputFile] = findings, c.shortened(output)
		return
	}
	if diff := cmp.Diff(c.texts[findingsFile], findings); diff != "" {
		t.Errorf("findings: -want +got:\n%s", diff)
	}
	if diff := cmp.Diff(c.text(outputFile), output); diff != "" {
		t.Errorf("output: -want +got:\n%s", diff)
	}
}
