package fleet

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/krm-packs/functions/pkg/packfn/internal/fleet/preview"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/porch"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
	"github.com/krm-packs/functions/pkg/packfn/internal/workspace"
)

// The values of [Options.Like].
const (
	Porch = "porch"
	Kpt   = "kpt"
)

// Likes are all values of [Options.Like].
var Likes = []string{Porch, Kpt}

// start is the package that the changes of a PackageVariant are applied to.
type start struct {
	// tree is nil if the package is refused.
	tree *workspace.Package
	// files is the package on disk, for the line numbers of findings. others are the files of the
	// package that kpt does not read.
	files  *workspace.Package
	others []workspace.File
	// runs are the functions that ran on the package, if one of them reported errors. outcome is
	// set to the step that failed then.
	runs    []workspace.Run
	outcome preview.Outcome
	// reason explains why Porch refuses the package before a function runs.
	reason string
}

// startKey contains everything that the start of a clone depends on.
type startKey struct {
	// upstream is the package that is cloned.
	upstream *workspace.Package
	porch.Clone
}

// start returns the package that the changes of a PackageVariant are applied to. For Porch, this
// is the rendered clone, because Porch renders before it makes any change.
func (w *work) start(v *packageVariant, u *upstream) (*start, error) {
	switch {
	case w.options.Like == Kpt:
		return &start{tree: u.tree, files: u.tree, others: u.others}, nil
	case v.existing == nil:
		return w.cloned(v, u)
	}
	if draft := w.input.openDraft(v); draft != "" {
		return &start{outcome: preview.RefusedAtUpgrade, reason: fmt.Sprintf("cannot update upstream of downstream %q when it is not published; publish or delete this draft", draft)}, nil
	}
	return w.upgraded(v, u)
}

// cloned returns the rendered clone of an upstream.
func (w *work) cloned(v *packageVariant, u *upstream) (*start, error) {
	clone := porch.Clone{Package: v.Spec.Downstream.Package, Upstream: w.git(v), IsDeployment: w.input.isDeployment(v)}
	compute := func() (*start, error) {
		tree, err := clone.Apply(u.tree)
		if err != nil {
			return &start{files: u.tree, outcome: preview.RefusedAtClone, reason: err.Error()}, nil
		}
		var others []workspace.File
		for _, file := range u.others {
			if file, err = porch.IdentifyFile(file); err != nil {
				return &start{files: u.tree, outcome: preview.RefusedAtClone, reason: err.Error() + "; Porch reads all YAML files, also those that .krmignore names"}, nil
			}
			others = append(others, file)
		}
		s, err := w.rendered(tree, preview.RefusedAtClone)
		if err != nil {
			return nil, err
		}
		s.files, s.others = u.tree, others
		return s, nil
	}
	once, _ := w.starts.LoadOrStore(startKey{u.tree, clone}, sync.OnceValues(compute))
	return once.(func() (*start, error))()
}

// rendered renders a package. refused is the outcome if a function reports errors.
func (w *work) rendered(tree *workspace.Package, refused preview.Outcome) (*start, error) {
	result, err := tree.Render(workspace.Options{Functions: w.options.Functions, Evaluate: w.memo.Evaluate, Partly: true, Programs: w.options.Programs})
	if err != nil {
		return nil, err
	}
	if result.Failed {
		return &start{runs: result.Runs, outcome: refused}, nil
	}
	if len(result.Foreign) > 0 && w.options.Kpt != nil {
		after, reason, err := w.byKpt(tree, nil)
		if reason != "" {
			return &start{outcome: refused, reason: reason}, nil
		}
		return &start{tree: after}, err
	}
	after, err := tree.After(result)
	if err != nil {
		return nil, err
	}
	return &start{tree: after}, nil
}

// noCommit is the placeholder for the commit of a clone. It is constant, because a change of the
// upstream must not show up as a change of every Kptfile.
var noCommit = strings.Repeat("0", commitDigits)

const commitDigits = 40

// git returns the git location that Porch clones an upstream from, as far as it is known without
// access to the repository.
func (w *work) git(v *packageVariant) porch.Git {
	asked := v.Spec.Upstream
	git := porch.Git{Repo: asked.Repo, Directory: asked.Package, Ref: mainWorkspace, Commit: noCommit}
	if repository := w.input.repository(v, asked.Repo); repository != nil {
		if repository.url != "" {
			git.Repo = strings.TrimSuffix(repository.url, ".git") + ".git"
		}
		git.Directory = strings.TrimPrefix(path.Join(repository.directory, git.Directory), "/")
		git.Ref = cmp.Or(repository.branch, git.Ref)
	}
	if asked.WorkspaceName != "" && asked.WorkspaceName != mainWorkspace {
		git.Ref = asked.Package + "/" + asked.WorkspaceName
	}
	return git
}

// commitOf returns the placeholder for the commit of an upstream in an upgrade, which must differ
// from the previous commit. It is a digest of the files after a prefix of zeros, which a real
// commit does not have.
func commitOf(tree *workspace.Package) string {
	sum := sha256.New()
	for _, file := range tree.FilesOf(tree.Items()) {
		fmt.Fprintf(sum, "%s %d\n%s", file.Path, len(file.Text), file.Text)
	}
	const digits = 12
	return strings.Repeat("0", commitDigits-digits) + hex.EncodeToString(sum.Sum(nil))[:digits]
}

// byKpt returns a package rendered by [Options.Kpt] in a temporary folder. If kpt refuses the
// package, it returns nil and the reason.
func (w *work) byKpt(tree *workspace.Package, others []workspace.File) (after *workspace.Package, reason string, err error) {
	dir, err := os.MkdirTemp("", "packfn-fleet-")
	if err != nil {
		return nil, "", err
	}
	defer os.RemoveAll(dir)
	dir = filepath.Join(dir, "package")
	var files []staging.Change
	for _, file := range withOthers(others, tree.FilesOf(tree.Items())) {
		files = append(files, staging.Change{Path: file.Path, Text: file.Text})
	}
	if err := new(staging.Area).WriteTree(context.Background(), dir, files); err != nil {
		return nil, "", err
	}
	if reason, err = w.options.Kpt(dir); reason != "" || err != nil {
		return nil, reason, err
	}
	read, err := kptpackage.Read(dir)
	if err != nil {
		return nil, "", err
	}
	after, err = workspace.Load(read)
	return after, "", err
}
