// Package fleet previews a fleet: for each variant of PackageVariantSets it makes the
// package that the variant's cluster gets, renders and checks it, in memory.
//
// Work that several packages share is done once: the result of a function is cached by all of its
// inputs. The result of a preview does not depend on the number of cores.
//
// # The way of the data
//
// [Run] reads the sets, the PackageVariants and the in-cluster objects (input.go), and makes a
// PackageVariant of each target of a set. Then a worker computes each of them (worker.go), in the
// order in which Porch would:
//
//	upstream ─ clone, or merge into the existing package ─→ start
//	start ─ inject-config ─ render ─ checks of no pipeline ─→ preview.Row
//
// A step whose functions report errors ends the way, and decides the [preview.Outcome] of the row. The
// location of a finding is moved to its origin, which may be a field of the set or an in-cluster
// object instead of a file of the upstream (origin.go).
//
// The result is a [preview.Preview], which groups equal findings of the rows. The output formats, the comparison
// with an earlier preview, and the merge of the shards of a fleet need nothing but that. [Manifests] adds what changes
// in the manifests that packages deploy.
package fleet

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/check"
	"github.com/krm-packs/functions/pkg/packfn/internal/fleet/preview"
	"github.com/krm-packs/functions/pkg/packfn/internal/program"
	"github.com/krm-packs/functions/pkg/packfn/internal/workspace"
)

// RecentBytes and MostRecentBytes are the arguments of [values.KeepRecent] for programs that run
// a preview: the steps of one package read the same resources, and the next package has most of
// them too.
const (
	RecentBytes     = 256 << 10
	MostRecentBytes = 8 << 20
)

// Options are the inputs and settings of a preview.
type Options struct {
	// Functions are the functions of the suite. Functions that only check run in each package,
	// even if its pipeline does not name them.
	Functions []function.Function
	// Sets are files and folders with PackageVariantSets and PackageVariants. Objects are files
	// and folders with Repositories and in-cluster objects; if it is empty, they are read from
	// Sets.
	Sets, Objects []string
	// Upstreams are the packages that variants are copies of.
	Upstreams []Upstream
	// Downstreams are the folders of existing packages, which Porch upgrades.
	Downstreams []Downstream
	// Programs are programs for functions of other suites. If it is nil, or if the user does not allow it,
	// none runs.
	Programs *program.Set
	// Like names the tool that makes the packages: Porch, which is the default, or Kpt. With Kpt,
	// inject-config changes a package before the package is rendered once.
	Like string
	// Kpt renders the package in a folder, in place. It is called if the pipeline of the package
	// names functions of other suites. A non-empty reason explains why kpt refused the package.
	// If Kpt is nil, such packages are not rendered.
	Kpt func(dir string) (reason string, err error)
	// Shard is the part of the fleet to compute, or nil for the whole fleet.
	Shard *preview.Shard
	// Graphs adds the dependency graph of the packs of each upstream, for the HTML page.
	Graphs bool
	// KeepFiles keeps the files of each package in its row.
	KeepFiles bool
	// Cores is the number of goroutines. 0 means the number of CPU cores.
	Cores int
	// Display returns how reports show the path of a file on disk.
	Display func(string) string
	// Progress is called when a package is done.
	Progress func(done, all int)

	// Forgets disables the cache of function results. Tests use it to compare a preview with and
	// without the cache.
	Forgets bool
}

// Upstream is a package that variants are copies of.
type Upstream struct {
	// Repo and Package are the names in the PackageVariants. Both are "" if the package is the
	// upstream of all variants.
	Repo, Package string
	// Revision is "" for all revisions.
	Revision string
	// Dir is the path of the package's folder.
	Dir string
}

// ParseUpstream parses the value of --upstream, REPO/PACKAGE[@REVISION]=DIR or DIR:
//
//	blueprints/platform@v3=../platform
//	blueprints/platform=../platform
//	../platform
func ParseUpstream(text string) (Upstream, error) {
	name, dir, ok := strings.Cut(text, "=")
	if !ok {
		return Upstream{Dir: text}, nil
	}
	name, revision, _ := strings.Cut(name, "@")
	repo, pkg, ok := strings.Cut(name, "/")
	if !ok || repo == "" || pkg == "" || dir == "" {
		return Upstream{}, fmt.Errorf("must be REPO/PACKAGE[@REVISION]=DIR, or DIR, got %q", text)
	}
	return Upstream{repo, pkg, revision, dir}, nil
}

// Run previews a fleet. It returns an error only if nothing can be previewed. Errors about one
// package or one set are part of the preview.
func Run(ctx context.Context, o Options) (*preview.Preview, error) {
	if o.Like == "" {
		o.Like = Porch
	}
	if !slices.Contains(Likes, o.Like) {
		f := diag.GotName(o.Like, Likes)
		return nil, fmt.Errorf("--like: %s", f.Message())
	}
	if o.Display == nil {
		o.Display = filepath.ToSlash
	}
	if err := o.checkPaths(); err != nil {
		return nil, err
	}
	in, err := read(&o)
	if err != nil {
		return nil, err
	}
	if err := in.loadUpstreams(&o); err != nil {
		return nil, err
	}
	if len(in.variants) == 0 && !in.sets.Failed() && !failEmpty(in.sets) {
		return nil, fmt.Errorf("%s: the sets make no PackageVariant", strings.Join(o.Sets, ", "))
	}
	in.findUnmet(&o)
	in.findExec(&o)
	in.sets.SetAside()
	p := &preview.Preview{Sets: in.sets, Given: in.given(&o)}
	if o.KeepFiles {
		for _, v := range in.variants {
			p.Made = append(p.Made, path.Join(v.Spec.Downstream.Repo, v.Spec.Downstream.Package))
		}
	}
	in.findHinted()
	if p.Shard = o.Shard; p.Shard != nil {
		p.Inputs = o.digest(in)
		in.keepShard(o.Shard)
	}
	p.Rows = make([]preview.Row, len(in.variants))
	w := &work{options: &o, input: in, rows: p.Rows}
	if !o.Forgets {
		w.memo = function.NewMemo()
	}
	if err := w.run(ctx); err != nil {
		return nil, err
	}
	if o.Graphs {
		addGraphs(p, &o, in.upstreams)
	}
	if p.Shard == nil {
		p.Group()
	}
	return p, nil
}

// addGraphs adds the dependency graphs of the upstreams to a preview. An upstream has none if its packs cannot be
// read, because the checks report that.
func addGraphs(p *preview.Preview, o *Options, upstreams []*upstream) {
	for i, u := range upstreams {
		if u.tree == nil || slices.ContainsFunc(upstreams[:i], func(other *upstream) bool { return other.tree == u.tree }) {
			continue
		}
		found, err := check.Packs([]string{u.tree.Dir}, check.Options{})
		if err != nil {
			continue
		}
		packs := make([]*pack.Pack, len(found))
		for i := range found {
			packs[i] = found[i].Pack
		}
		p.AddGraph(o.Display(u.tree.Dir), packs)
	}
}

// work is the state that the goroutines of a run share.
type work struct {
	// options are the options of the run, with defaults filled in.
	options *Options
	// input is shared by all goroutines and is not changed after it is read.
	input *input
	// memo caches the results of functions, or is nil if [Options.Forgets] is set.
	memo *function.Memo
	// starts caches the clones that several rows share, by startKey.
	starts sync.Map
	// rows has one row for each variant of the input, in the same order.
	rows []preview.Row
	// findings holds each distinct finding once.
	findings preview.Findings
	// mutex guards the number of finished packages.
	mutex sync.Mutex
}

// run computes the rows in parallel.
func (w *work) run(ctx context.Context) error {
	cores := w.options.Cores
	if cores <= 0 {
		cores = runtime.GOMAXPROCS(0)
	}
	var next atomic.Int64
	done := 0
	var group sync.WaitGroup
	for range min(cores, len(w.rows)) {
		group.Go(func() {
			worker := &worker{work: w, reporters: map[*workspace.Package]*workspace.Reporter{}, places: map[string]*preview.Found{}, texts: texts{}}
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(w.rows) {
					return
				}
				worker.preview(i)
				w.progress(&done)
			}
		})
	}
	group.Wait()
	if ctx.Err() != nil {
		return errors.New("interrupted before anything was written")
	}
	return nil
}

// progress counts a finished package and calls [Options.Progress].
func (w *work) progress(done *int) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if *done++; w.options.Progress != nil {
		w.options.Progress(*done, len(w.rows))
	}
}
