package render

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/packfn/internal/check"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/revision"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
)

// RevisionPrefix marks a revision that has the name of a folder.
const RevisionPrefix = "rev:"

// Earlier returns the version of the package in dir that it is compared with, and what removes its temporary files.
// The version is in a folder, or at a revision of git. If withCharts is true, all files of the revision are read, because
// charts and values may be outside of the package.
func Earlier(ctx context.Context, area *staging.Area, dir, version string, withCharts bool) (d check.Deployment, done func(), err error) {
	name, isRevision := strings.CutPrefix(version, RevisionPrefix)
	if info, err := os.Stat(version); !isRevision && err == nil && info.IsDir() {
		if !kptpackage.IsPackage(version) {
			return d, nil, fmt.Errorf("%s has no Kptfile; name the folder of the package", version)
		}
		return check.Deployment{Paths: []string{version}}, func() {}, nil
	}
	read := revision.Read
	if withCharts {
		read = revision.ReadAll
	}
	tree, err := read(ctx, dir, name)
	if err != nil {
		return d, nil, err
	}
	kptfile := filepath.Join(tree.Dir, kptpackage.KptfileName)
	if !slices.ContainsFunc(tree.Files, func(file staging.Change) bool { return file.Path == kptfile }) {
		return check.Deployment{Name: name}, func() {}, nil
	}
	temporary, err := os.MkdirTemp("", "packfn-")
	if err != nil {
		return d, nil, err
	}
	done = func() { os.RemoveAll(temporary) }
	defer func() {
		if err != nil {
			done()
		}
	}()
	copied := filepath.Join(temporary, "revision")
	if err := area.WriteTree(ctx, copied, tree.Files); err != nil {
		return d, nil, err
	}
	if tree.Config != nil { // it makes the folder the root of a repository, with its remotes
		if err := os.Mkdir(filepath.Join(copied, ".git"), 0o700); err != nil {
			return d, nil, err
		}
		if err := os.WriteFile(filepath.Join(copied, ".git", "config"), tree.Config, 0o600); err != nil {
			return d, nil, err
		}
	}
	root, err := report.Root()
	if err != nil {
		return d, nil, err
	}
	display := (&check.Options{Root: root}).Display
	there, here := display(copied), display(tree.Root)
	return check.Deployment{Paths: []string{filepath.Join(copied, tree.Dir)}, Show: func(file string) string {
		if rest, ok := strings.CutPrefix(file, there); ok {
			return name + ":" + path.Join(here, rest)
		}
		return file
	}}, done, nil
}
