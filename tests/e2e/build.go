package e2e

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/rogpeppe/go-internal/lockedfile"
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

// BuildFunctions builds the functions of a repository, and returns the folder that they are in and their names.
func BuildFunctions(repository string) (bin string, names []string, err error) {
	if names, err = Functions(repository); err != nil {
		return "", nil, err
	}
	var packages []string
	for _, name := range names {
		packages = append(packages, "./functions/"+name)
	}
	bin, err = Build(repository, "functions", repository, packages...)
	return bin, names, err
}

// BuildTools builds the pinned kpt and kustomize, and returns the folder that they are in.
func BuildTools(repository string) (bin string, err error) {
	tools := filepath.Join(repository, "tests", "tools")
	return Build(repository, "bin", tools, "./kpt", "sigs.k8s.io/kustomize/kustomize/v5")
}

// Build builds programs of a module into a folder below .cache of a repository, which it returns. The tests of all
// packages share these folders: Go does not link a program again that is there and current. The programs are as they are
// released but for -trimpath, with which nothing that `go test` and `go vet` have compiled could be taken from the cache.
func Build(repository, folder, module string, packages ...string) (bin string, err error) {
	bin = filepath.Join(repository, ".cache", folder)
	if err := os.MkdirAll(bin, 0o755); err != nil {
		return "", err
	}
	// Without the lock, a test could start a program that another test is writing.
	unlock, err := lockedfile.MutexAt(bin + ".lock").Lock()
	if err != nil {
		return "", err
	}
	defer unlock()
	args := append([]string{"build", "-mod=readonly", "-ldflags", "-s -w", "-o", bin + string(filepath.Separator)}, packages...)
	_, err = succeed(module, []string{"CGO_ENABLED=0", "GOWORK=off"}, "go", args...)
	return bin, err
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
