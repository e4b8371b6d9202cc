package fleet

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"strings"
	"sync"

	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/porch"
	"github.com/krm-packs/functions/pkg/packfn/internal/render"
	"github.com/krm-packs/functions/pkg/values"
	"github.com/krm-packs/functions/pkg/variant"
)

// The values of [Options.Like].
const (
	Porch = "porch"
	Kpt   = "kpt"
)

// Likes are all of them.
var Likes = []string{Porch, Kpt}

// start is the package that the changes of a PackageVariant are made in.
type start struct {
	// tree is nil when it is refused.
	tree *render.Tree
	// files is the package on disk that the lines of findings are in, and others are the
	// files of the package that kpt does not read.
	files  *render.Tree
	others []render.File
	// runs are the functions that ran on it, when one of them found errors. Then outcome
	// says at what.
	runs    []render.Run
	outcome Outcome
	// reason says why Porch refuses it before a function runs.
	reason string
}

// starts are those that several rows share.
type starts struct {
	mutex sync.Mutex
	all   map[startKey]func() (*start, error)
}

// of returns a start, which is computed once.
func (s *starts) of(key startKey, compute func() (*start, error)) (*start, error) {
	s.mutex.Lock()
	once, known := s.all[key]
	if !known {
		once = sync.OnceValues(compute)
		if s.all == nil {
			s.all = map[startKey]func() (*start, error){}
		}
		s.all[key] = once
	}
	s.mutex.Unlock()
	return once()
}

// startKey is all that the start of a clone depends on.
type startKey struct {
	upstream *render.Tree
	porch.Clone
}

// start returns the package that the changes of a PackageVariant are made in. For Porch
// that is the rendered clone: Porch renders before it makes any change.
func (w *work) start(v *packageVariant, upstream *render.Tree) (*start, error) {
	switch {
	case w.options.Like == Kpt:
		return &start{tree: upstream, files: upstream, others: w.upstreams.others[upstream]}, nil
	case v.existing == nil:
		return w.cloned(v, upstream)
	}
	if draft := w.input.openDraft(v); draft != "" {
		return &start{outcome: RefusedAtUpgrade, reason: fmt.Sprintf("cannot update upstream of downstream %q when it is not published; publish or delete this draft", draft)}, nil
	}
	return w.upgraded(v, upstream)
}

// cloned returns the rendered clone of an upstream.
func (w *work) cloned(v *packageVariant, upstream *render.Tree) (*start, error) {
	clone := porch.Clone{Package: v.Spec.Downstream.Package, Upstream: w.git(v), IsDeployment: w.input.isDeployment(v)}
	return w.starts.of(startKey{upstream, clone}, func() (*start, error) {
		tree, err := clone.Apply(upstream)
		if err != nil {
			return &start{files: upstream, outcome: RefusedAtClone, reason: err.Error()}, nil
		}
		var others []render.File
		for _, file := range w.upstreams.others[upstream] {
			if file, err = porch.IdentifyFile(file); err != nil {
				return &start{files: upstream, outcome: RefusedAtClone, reason: err.Error() + "; Porch reads all YAML files, also those that .krmignore names"}, nil
			}
			others = append(others, file)
		}
		s, err := w.rendered(tree, RefusedAtClone)
		if err != nil {
			return nil, err
		}
		s.files, s.others = upstream, others
		return s, nil
	})
}

// rendered renders a package. refused is the outcome when a function finds errors.
func (w *work) rendered(tree *render.Tree, refused Outcome) (*start, error) {
	result, err := tree.Render(render.Options{Functions: w.options.Functions, Evaluate: w.memo.Evaluate, Partly: true})
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

// noCommit stands for the commit of a clone: a change of the upstream must not be one of
// all Kptfiles.
var noCommit = strings.Repeat("0", commitDigits)

const commitDigits = 40

// git returns where Porch takes an upstream from, as far as that can be known without the
// repository.
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

// commitOf stands for the commit of an upstream in an upgrade, which must differ from the
// one before: a digest of its files, after zeros that no commit begins with.
func commitOf(tree *render.Tree) string {
	sum := sha256.New()
	for _, file := range tree.Files(tree.Items()) {
		fmt.Fprintf(sum, "%s %d\n%s", file.Path, len(file.Text), file.Text)
	}
	const digits = 12
	return strings.Repeat("0", commitDigits-digits) + hex.EncodeToString(sum.Sum(nil))[:digits]
}

// repository is what a preview needs of a Repository.
type repository struct {
	item                   *list.Item
	url, directory, branch string
	isDeployment           bool
}

// repositories are the Repositories among the objects, read when they are needed: a shard
// needs few.
type repositories struct {
	items map[string]*list.Item
	mutex sync.Mutex
	read  map[string]*repository
}

// The kind of repositories.
const repositoryKind = "Repository"

func newRepositories(items []*list.Item) *repositories {
	r := &repositories{items: map[string]*list.Item{}, read: map[string]*repository{}}
	for _, item := range items {
		if item.Kind() == repositoryKind && strings.HasPrefix(item.APIVersion(), variant.Group+"/") && item.Fault() == "" {
			r.items[variant.NamespaceOr(item.Namespace())+"/"+item.Name()] = item
		}
	}
	return r
}

// repository returns the Repository of a name in the namespace of a PackageVariant, nil
// when it is not given.
func (in *input) repository(v *packageVariant, name string) *repository {
	r, at := in.repositories, variant.NamespaceOr(v.Namespace)+"/"+name
	item := r.items[at]
	if item == nil {
		return nil
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.read[at] == nil {
		r.read[at] = readRepository(item)
	}
	return r.read[at]
}

func readRepository(item *list.Item) *repository {
	document, err := item.Document()
	if err != nil {
		return &repository{item: item} // it was read before
	}
	spec := values.Field(document.Root(), "spec")
	git := values.Field(spec, "git")
	return &repository{
		item: item, url: values.Text(values.Field(git, "repo")), directory: values.Text(values.Field(git, "directory")),
		branch: values.Text(values.Field(git, "branch")), isDeployment: values.Text(values.Field(spec, "deployment")) == "true",
	}
}

// isDeployment reports whether the repository of a downstream is for deployments. One that
// is not given counts as one.
func (in *input) isDeployment(v *packageVariant) bool {
	r := in.repository(v, v.Spec.Downstream.Repo)
	return r == nil || r.isDeployment
}
