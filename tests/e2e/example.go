package e2e

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Example is a package with what a run of it must give.
type Example struct {
	Name   string // the name of its folder
	Dir    string // its folder
	Config Config

	// Kustomization is true if the example has a kustomization.yaml.
	Kustomization bool

	// expected has the content of the files in .expected by their names.
	expected map[string]string
}

// Examples finds the examples in a folder. That there are none is an error.
func Examples(dir string) ([]Example, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var examples []Example
	for _, entry := range entries {
		if !entry.IsDir() {
			continue
		}
		examples = append(examples, Example{Name: entry.Name(), Dir: filepath.Join(dir, entry.Name())})
	}
	if len(examples) == 0 {
		return nil, fmt.Errorf("%s: no examples, so nothing was tested", dir)
	}
	return examples, nil
}

const expectedDir = ".expected"

// Files that may be in .expected.
const (
	configFile          = "config.yaml"
	resultsFile         = "results.yaml"
	resultsAgainFile    = "results-again.yaml"
	diffFile            = "diff.patch"
	kustomizeFile       = "kustomize.yaml"
	kustomizeStderrFile = "kustomize.stderr"
)

var expectedFiles = []string{configFile, resultsFile, resultsAgainFile, diffFile, kustomizeFile, kustomizeStderrFile}

// Load reads .expected, and fails when it cannot be right. With update it takes what is there, however incomplete.
func (e *Example) Load(update bool) error {
	var problems []error
	fail := func(format string, args ...any) { problems = append(problems, fmt.Errorf(format, args...)) }

	for _, name := range []string{"kustomization.yaml", "kustomization.yml", "Kustomization"} {
		if _, err := os.Stat(filepath.Join(e.Dir, name)); err == nil {
			e.Kustomization = true
		}
	}
	ignored, err := os.ReadFile(filepath.Join(e.Dir, ".krmignore"))
	if err != nil || !slices.Contains(strings.Fields(string(ignored)), expectedDir) {
		fail(".krmignore does not list %s: kpt would take the expectations for resources", expectedDir)
	}

	e.expected = map[string]string{}
	dir := filepath.Join(e.Dir, expectedDir)
	entries, err := os.ReadDir(dir)
	if err != nil && (!update || !errors.Is(err, fs.ErrNotExist)) {
		fail("an example needs a folder %s: %w", expectedDir, err)
		return errors.Join(problems...)
	}
	for _, entry := range entries {
		if !slices.Contains(expectedFiles, entry.Name()) {
			fail("%s/%s: unknown file; known are %s", expectedDir, entry.Name(), strings.Join(expectedFiles, ", "))
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			fail("%w", err)
		}
		e.expected[entry.Name()] = string(data)
	}
	if e.Config, err = readConfig(filepath.Join(dir, configFile)); err != nil {
		fail("%w", err)
	}
	if !update {
		problems = append(problems, e.incomplete()...)
	}
	return errors.Join(problems...)
}

// incomplete returns errors about files that are missing in .expected, and about files that do
// not belong there.
func (e *Example) incomplete() []error {
	var problems []error
	fail := func(format string, args ...any) { problems = append(problems, fmt.Errorf(format, args...)) }
	if !e.has(resultsFile) {
		fail("%s/%s is missing; UPDATE=1 writes it", expectedDir, resultsFile)
	}
	if e.has(diffFile) && strings.TrimSpace(e.expected[diffFile]) == "" {
		fail("%s/%s is empty: remove it when nothing changes", expectedDir, diffFile)
	}
	switch succeeds, fails := e.has(kustomizeFile), e.has(kustomizeStderrFile); {
	case e.Kustomization && !succeeds && !fails:
		fail("the example has a kustomization, but neither %s nor %s; UPDATE=1 writes it", kustomizeFile, kustomizeStderrFile)
	case e.Kustomization && succeeds && fails:
		fail("kustomize cannot succeed and fail: remove %s or %s", kustomizeFile, kustomizeStderrFile)
	case !e.Kustomization && (succeeds || fails):
		fail("the example has no kustomization: remove %s and %s", kustomizeFile, kustomizeStderrFile)
	}
	return problems
}

func (e *Example) has(file string) bool {
	_, ok := e.expected[file]
	return ok
}

// update writes a file in .expected, or removes it when its content is empty.
func (e *Example) update(file, content string) error {
	name := filepath.Join(e.Dir, expectedDir, file)
	if content == "" {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(content), 0o644)
}
