package fleet

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/workspace"
	"github.com/krm-packs/functions/pkg/rule"
)

// upstream is an [Upstream] with the package that was read from its folder.
type upstream struct {
	Upstream
	// tree is nil if the package has a fault.
	tree *workspace.Package
	// fault is the reason why the package cannot be read, or nil.
	fault error
	// others are the files of the package that kpt does not read.
	others []workspace.File
	// commit is the placeholder for the commit of the package; see commitOf.
	commit string
}

// withOthers adds the files that kpt does not read to the files of a package.
func withOthers(others, files []workspace.File) []workspace.File {
	files = append(files, others...)
	slices.SortFunc(files, func(a, b workspace.File) int { return cmp.Compare(a.Path, b.Path) })
	return files
}

// otherFiles returns the files of a package that kpt does not read.
func otherFiles(dir string, read []*kptpackage.File) ([]workspace.File, error) {
	known := map[string]bool{}
	for _, file := range read {
		known[file.Path] = true
	}
	var files []workspace.File
	err := kptpackage.EachFile(dir, func(name string, read func() ([]byte, error)) error {
		if known[name] {
			return nil
		}
		text, err := read()
		files = append(files, workspace.File{Path: name, Text: text})
		return err
	})
	return files, err
}

// read reads the package from its folder.
func (u *upstream) read(o *Options) error {
	p, err := workspace.Read(filepath.Clean(u.Dir))
	if err != nil {
		return err
	}
	tree, err := workspace.Load(p)
	if err != nil {
		return err
	}
	if o.KeepFiles || o.Like == Porch {
		if u.others, err = otherFiles(p.Dir, p.Files); err != nil {
			return err
		}
	}
	tree.KeepDocuments()
	u.tree, u.commit = tree, commitOf(tree)
	return nil
}

// checkPaths returns an error for an empty path, and for two upstreams of the same variants.
func (o *Options) checkPaths() error {
	for _, flag := range []struct {
		name  string
		paths []string
	}{{"--set", o.Sets}, {"--objects", o.Objects}} {
		if slices.Contains(flag.paths, "") || flag.name == "--set" && len(flag.paths) == 0 {
			return fmt.Errorf("%s: must be a file or a folder, got an empty path", flag.name)
		}
	}
	for i, given := range o.Upstreams {
		if given.Dir == "" {
			return fmt.Errorf("--upstream: must be a folder, got an empty path")
		}
		for _, other := range o.Upstreams[:i] {
			if given.Repo == other.Repo && given.Package == other.Package && given.Revision == other.Revision && filepath.Clean(given.Dir) != filepath.Clean(other.Dir) {
				return fmt.Errorf("--upstream: %s and %s are for the same variants; remove one", other.Dir, given.Dir)
			}
		}
	}
	return nil
}

// loadUpstreams reads the upstreams. It returns an error only if no variant has an upstream that
// can be read.
func (in *input) loadUpstreams(o *Options) error {
	for _, given := range o.Upstreams {
		u := &upstream{Upstream: given}
		isSame := func(other *upstream) bool { return filepath.Clean(other.Dir) == filepath.Clean(given.Dir) }
		if at := slices.IndexFunc(in.upstreams, isSame); at >= 0 {
			*u = *in.upstreams[at]
			u.Upstream = given
		} else if err := u.read(o); err != nil {
			u.fault = fmt.Errorf("--upstream: %w", err)
		}
		in.upstreams = append(in.upstreams, u)
	}
	used := map[*upstream]bool{}
	isReadable := len(in.variants) == 0
	var names, asked []string
	isIgnored := false // a revision
	for _, v := range in.variants {
		names = append(names, v.Spec.Upstream.Repo+"/"+v.Spec.Upstream.Package)
		if v.fault != "" {
			continue
		}
		if v.existing != nil {
			in.findOld(v)
			used[v.existing.old] = true
		}
		if u := in.upstreamOf(v); u != nil {
			used[u] = true
			isReadable = isReadable || u.fault == nil
		} else if name := v.upstream(); !slices.Contains(asked, name) {
			asked = append(asked, name)
			isIgnored = isIgnored || v.isPorch && v.Spec.Upstream.HasRevision() && v.Spec.Upstream.WorkspaceName == ""
		}
	}
	delete(used, nil)
	slices.Sort(asked)
	if len(asked) > 0 {
		missing := "no --upstream for " + diag.AllOf(asked) + ". Give --upstream REPO/PACKAGE[@REVISION]=DIR for each"
		if isIgnored {
			missing += ". Porch ignores spec.upstream.revision and takes the branch main; a workspaceName pins a revision"
		}
		if len(used) == 0 {
			return errors.New(missing)
		}
		in.sets.Skip(report.Skipped{Reason: report.Outside, Message: missing})
	}
	for _, u := range in.upstreams {
		name := u.Repo + "/" + u.Package
		switch {
		case used[u] && !isReadable && u.fault != nil:
			return u.fault
		case !used[u] && u.Repo != "" && len(in.variants) > 0:
			in.inform(rule.ConfigNoEffect, "--upstream %s=%s: no PackageVariant asks for it%s", name, u.Dir, nearest.Hint(name, names))
		}
	}
	return nil
}

// upstreamOf returns the most specific upstream of a variant: for its revision, for its package,
// or for all variants. It returns nil if there is none.
func (in *input) upstreamOf(v *packageVariant) (found *upstream) {
	asked := v.Spec.Upstream
	rank := 0
	for _, u := range in.upstreams {
		here := 0
		switch {
		case u.Repo == "":
			here = 1
		case u.Repo != asked.Repo || u.Package != asked.Package:
		case u.Revision == "":
			here = 2
		case isRevision(u.Revision, v.revision()) || !v.isPorch && u.Revision == asked.WorkspaceName:
			here = 3
		}
		if here > rank {
			found, rank = u, here
		}
	}
	return found
}

// treeOf returns the package that a variant is a copy of, or nil if it cannot be read.
func (in *input) treeOf(v *packageVariant) *workspace.Package {
	if u := in.upstreamOf(v); u != nil && v.fault == "" {
		return u.tree
	}
	return nil
}

// isRevision reports whether two revisions are the same; v3 equals 3.
func isRevision(a, b string) bool {
	return strings.TrimPrefix(a, "v") == strings.TrimPrefix(b, "v") && b != ""
}
