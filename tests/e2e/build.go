package e2e

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Functions are the names of the programs below functions/ in a repository. That there are none is an error.
func Functions(repository string) ([]string, error) {
	mains, err := filepath.Glob(filepath.Join(repository, "functions", "*", "main.go"))
	if err != nil {
		return nil, err
	}
	if len(mains) == 0 {
		return nil, errors.New("no programs in functions/: nothing to test")
	}
	var names []string
	for _, main := range mains {
		names = append(names, filepath.Base(filepath.Dir(main)))
	}
	slices.Sort(names)
	return names, nil
}

// BuildFunctions builds the functions of a repository into a folder.
func BuildFunctions(repository, bin string) ([]string, error) {
	names, err := Functions(repository)
	if err != nil {
		return nil, err
	}
	var packages []string
	for _, name := range names {
		packages = append(packages, "./functions/"+name)
	}
	return names, goBuild(repository, bin, packages...)
}

// BuildTools builds the pinned kpt and kustomize into a folder.
func BuildTools(repository, bin string) error {
	tools := filepath.Join(repository, "tests", "tools")
	return goBuild(tools, bin, "-mod=readonly", "./kpt", "sigs.k8s.io/kustomize/kustomize/v5")
}

// goBuild builds programs into a folder, as they are released but for -trimpath, with which nothing that `go test` and
// `go vet` have compiled could be taken from the cache.
func goBuild(dir, bin string, arguments ...string) error {
	if err := os.MkdirAll(bin, 0o755); err != nil {
		return err
	}
	args := append([]string{"build", "-ldflags", "-s -w", "-o", bin + "/"}, arguments...)
	_, err := succeed(dir, []string{"CGO_ENABLED=0", "GOWORK=off"}, "go", args...)
	return err
}

// Watch looks at all that goes into the programs and the examples, so that `go test` does not take the outcome from its
// cache when some of it has changed: it knows the files that a test opens, not those that the programs open which the
// test starts.
func Watch(repository string) error {
	names := []string{"go.mod", "go.sum", "functions", "pkg", "examples", "build", "tests/tools", "tests/e2e/testdata"}
	for _, name := range names {
		err := filepath.WalkDir(filepath.Join(repository, name), func(_ string, _ fs.DirEntry, err error) error { return err })
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("watch %s: %w", name, err)
		}
	}
	return nil
}
