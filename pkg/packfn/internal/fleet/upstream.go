package fleet

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/packfn/internal/render"
)

// upstreams are the packages that variants are copies of.
type upstreams struct {
	given []Upstream
	// trees are the packages of given, nil for those that faults are about.
	trees  []*render.Tree
	faults []error
	// others are the files of the packages that kpt does not read.
	others map[*render.Tree][]render.File
	// commits stand for the commits of the packages.
	commits map[*render.Tree]string
	notes   []string
}

// withOthers adds the files that kpt does not read to those of a package.
func withOthers(others, files []render.File) []render.File {
	files = append(files, others...)
	slices.SortFunc(files, func(a, b render.File) int { return cmp.Compare(a.Path, b.Path) })
	return files
}

// load reads a package, once for all upstreams of its folder.
func (u *upstreams) load(dir string, o *Options) (*render.Tree, error) {
	for i, given := range u.given[:len(u.trees)] {
		if filepath.Clean(given.Dir) == dir {
			return u.trees[i], u.faults[i]
		}
	}
	p, err := render.Read(dir)
	if err != nil {
		return nil, err
	}
	tree, err := render.Load(p)
	if err != nil {
		return nil, err
	}
	tree.KeepDocuments()
	u.commits[tree] = commitOf(tree)
	if o.KeepFiles || o.Like == Porch {
		u.others[tree], err = otherFiles(dir, p.Files)
	}
	return tree, err
}

// checkPaths rejects empty paths, and two packages for the same variants.
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

// loadUpstreams reads the packages. An error says that no variant has one that can be
// read.
func loadUpstreams(o *Options, in *input) (*upstreams, error) {
	u := &upstreams{given: o.Upstreams, others: map[*render.Tree][]render.File{}, commits: map[*render.Tree]string{}}
	for _, given := range o.Upstreams {
		tree, err := u.load(filepath.Clean(given.Dir), o)
		if err != nil {
			tree, err = nil, fmt.Errorf("--upstream: %w", err)
		}
		u.trees, u.faults = append(u.trees, tree), append(u.faults, err)
	}
	used := make([]bool, len(u.given))
	isReadable := len(in.variants) == 0
	var asked []string
	isIgnored := false // a revision
	for _, v := range in.variants {
		if v.fault != "" {
			continue
		}
		if v.existing != nil {
			if u.findOld(v); v.existing.old >= 0 {
				used[v.existing.old] = true
			}
		}
		if at := u.find(v); at >= 0 {
			used[at] = true
			isReadable = isReadable || u.faults[at] == nil
		} else if name := v.upstream(); !slices.Contains(asked, name) {
			asked = append(asked, name)
			isIgnored = isIgnored || v.isPorch && v.Spec.Upstream.HasRevision() && v.Spec.Upstream.WorkspaceName == ""
		}
	}
	slices.Sort(asked)
	if len(asked) > 0 {
		missing := "no --upstream for " + diag.AllOf(asked) + ". Give --upstream REPO/PACKAGE[@REVISION]=DIR for each"
		if isIgnored {
			missing += ". Porch ignores spec.upstream.revision and takes the branch main; a workspaceName pins a revision"
		}
		if !slices.Contains(used, true) {
			return nil, fmt.Errorf("%s", missing)
		}
		u.notes = append(u.notes, missing)
	}
	if at := slices.Index(used, true); at >= 0 && !isReadable {
		return nil, u.faults[at]
	}
	for i, given := range u.given {
		if name := given.Repo + "/" + given.Package; !used[i] && given.Repo != "" && len(in.variants) > 0 {
			var names []string
			for _, v := range in.variants {
				names = append(names, v.Spec.Upstream.Repo+"/"+v.Spec.Upstream.Package)
			}
			u.notes = append(u.notes, fmt.Sprintf("--upstream %s=%s: no PackageVariant asks for it%s", name, given.Dir, nearest.Hint(name, names)))
		}
	}
	return u, nil
}

// find returns the index of the upstream of a variant: that of its revision before that
// of its package, before the one for all. It is -1 when there is none.
func (u *upstreams) find(v *packageVariant) int {
	asked := v.Spec.Upstream
	found, rank := -1, 0
	for i, given := range u.given {
		here := 0
		switch {
		case given.Repo == "":
			here = 1
		case given.Repo != asked.Repo || given.Package != asked.Package:
		case given.Revision == "":
			here = 2
		case isRevision(given.Revision, v.revision()) || !v.isPorch && given.Revision == asked.WorkspaceName:
			here = 3
		}
		if here > rank {
			found, rank = i, here
		}
	}
	return found
}

// isRevision reports whether two revisions are the same: v3 is 3.
func isRevision(a, b string) bool {
	return strings.TrimPrefix(a, "v") == strings.TrimPrefix(b, "v") && b != ""
}
