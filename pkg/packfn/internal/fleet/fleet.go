// Package fleet previews a fleet: for each variant of PackageVariantSets it makes the
// package that the variant's cluster gets, renders and checks it, in memory.
//
//	preview, err := fleet.Run(ctx, fleet.Options{Sets: []string{"clusters/"}, Upstreams: upstreams, Functions: suite.All()})
//	for _, row := range preview.Rows { … }
//
// What is equal in several packages is computed once: a run of a function is kept by all
// that it reads. The result does not depend on the number of cores.
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
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/render"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
)

// The functions that a preview needs in addition to those of the packages.
const (
	expandName  = "expand-variant-set"
	injectName  = "inject-config"
	resolveName = "resolve-macros"
)

// RecentBytes and MostRecentBytes are what programs should give [values.KeepRecent] for a preview:
// the steps of one package read the same resources, and the next package has most of them too.
const (
	RecentBytes     = 256 << 10
	MostRecentBytes = 8 << 20
)

// Options say what is previewed.
type Options struct {
	// Functions are the functions of the suite, and Checks the names of those that
	// check each package, also when its pipeline does not name them.
	Functions []function.Function
	Checks    []string
	// Sets are files and folders with PackageVariantSets and PackageVariants, and
	// Objects those with Repositories and in-cluster objects; none means Sets.
	Sets, Objects []string
	// Upstreams are the packages that variants are copies of.
	Upstreams []Upstream
	// Downstreams are packages that exist, which Porch upgrades.
	Downstreams []Downstream
	// Like says what makes the packages: Porch, also when it is "", or Kpt, for which
	// inject-config changes a package before it is rendered once.
	Like string
	// Kpt renders a package in a folder, in place, if its pipeline names functions of other
	// suites. The reason says why kpt does not render it. Nil renders no such package.
	Kpt func(dir string) (reason string, err error)
	// Shard is the part of the fleet that is computed; nil for all of it.
	Shard *Shard
	// Graphs reads what the packs of each upstream require of each other, for the page.
	Graphs bool
	// KeepFiles keeps the files of each package.
	KeepFiles bool
	// Cores is the number of goroutines; 0 means that of the cores.
	Cores int
	// Display returns how reports show the path of a file on disk.
	Display func(string) string
	// Progress is called when a package is done.
	Progress func(done, all int)

	// forgets says that each run of a function is made, also if an equal one was: a test
	// compares both.
	forgets bool
}

// Upstream is a package that variants are copies of.
type Upstream struct {
	// Repo and Package are as PackageVariants name them; both are "" for a package that
	// is used for all.
	Repo, Package string
	// Revision is "" for all revisions.
	Revision string
	Dir      string
}

// ParseUpstream reads REPO/PACKAGE[@REVISION]=DIR, or DIR.
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

// Row is the package of one variant.
type Row struct {
	// Variant is the name of the PackageVariant.
	Variant string
	// Repo and Package are its downstream: the cluster and the package there.
	Repo, Package string
	// Upstream is the package that it is a copy of: `blueprints/platform@v3`.
	Upstream string
	Outcome  Outcome
	// Reason says why the package cannot be computed, or why Porch refuses it before a
	// function runs.
	Reason string
	// Groups are the indexes of its groups of findings.
	Groups []int
	// Ran are the names of the functions that ran on the package.
	Ran []string
	// Files are the files of the package, when they were kept. They are nil when it was
	// not rendered.
	Files []render.File

	findings  []*found
	unmatched bool
	// hinted are the findings with the nearest names of objects that are not there. They
	// are nil for all rows but the first.
	hinted []*found
}

// Name names the package in a fleet: its folder.
func (r *Row) Name() string { return path.Join(r.Repo, r.Package) }

// Group is a finding about one or several packages.
type Group struct {
	report.Finding
	// Rows are the indexes of the packages.
	Rows []int
}

// Preview is the result of a run.
type Preview struct {
	// Rows are sorted by repository, package and variant.
	Rows []Row
	// Groups are equal findings, errors first, those about the most packages first.
	Groups []Group
	// Sets are findings about the sets.
	Sets *report.Report
	// Patches say what changes, when there is something to compare with.
	Patches *Patches
	// Notes are for people.
	Notes []string

	// Verdicts compare the outcomes with those of an earlier preview, when it recorded
	// them.
	Verdicts *Verdicts

	// given is the place of the first set or PackageVariant.
	given  report.Place
	graphs []graph
	// shard is the part of the fleet that was computed; nil for all of it.
	shard *Shard
	// inputs is a digest of what all shards of a preview are computed from.
	inputs string
	// made are the names of all packages of the fleet, also those of other shards.
	made []string
	// called is what users call a package; "" until it is known.
	called string
}

// Run previews a fleet. An error says why nothing can be previewed; what concerns one
// package or one set is in the preview.
func Run(ctx context.Context, o Options) (*Preview, error) {
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
	p := &Preview{Sets: in.sets, Notes: in.notes, given: in.given(&o)}
	upstreams, err := loadUpstreams(&o, in)
	if err != nil {
		return nil, err
	}
	if len(in.variants) == 0 && !p.Sets.Failed() && !failEmpty(p.Sets) {
		return nil, fmt.Errorf("%s: the sets make no PackageVariant", strings.Join(o.Sets, ", "))
	}
	in.findUnmet(&o, upstreams)
	in.findExec(&o, upstreams)
	p.Notes = append(p.Notes, upstreams.notes...)
	if o.KeepFiles {
		for _, v := range in.variants {
			p.made = append(p.made, path.Join(v.Spec.Downstream.Repo, v.Spec.Downstream.Package))
		}
	}
	if p.shard = o.Shard; p.shard != nil {
		p.inputs = o.digest(in, upstreams)
		in.keepShard(o.Shard)
	}
	p.Rows = make([]Row, len(in.variants))
	w := &work{options: &o, input: in, upstreams: upstreams, rows: p.Rows}
	if !o.forgets {
		w.memo = function.NewMemo()
	}
	all := make([]int, len(in.variants))
	for i := range all {
		all[i] = i
	}
	if err := w.run(ctx, all, false); err != nil {
		return nil, err
	}
	if err := w.hint(ctx); err != nil {
		return nil, err
	}
	if o.Graphs {
		for i, tree := range upstreams.trees {
			if tree != nil && !slices.Contains(upstreams.trees[:i], tree) {
				if g := newGraph(tree.Dir, o.Display(tree.Dir)); len(g.Nodes) > 0 {
					p.graphs = append(p.graphs, g)
				}
			}
		}
		var notes []string
		p.graphs, notes = drawable(p.graphs)
		p.Notes = append(p.Notes, notes...)
	}
	if p.shard == nil {
		p.group()
	}
	return p, nil
}

// work is what the goroutines of a run share.
type work struct {
	options   *Options
	input     *input
	upstreams *upstreams
	memo      *function.Memo
	starts    starts
	rows      []Row
	found     findings
	// mutex guards the count of packages that are done.
	mutex sync.Mutex
}

// run computes some rows on all cores.
func (w *work) run(ctx context.Context, indexes []int, withAll bool) error {
	cores := w.options.Cores
	if cores <= 0 {
		cores = runtime.GOMAXPROCS(0)
	}
	var next atomic.Int64
	done := 0
	var group sync.WaitGroup
	for range min(cores, len(indexes)) {
		group.Go(func() {
			worker := &worker{work: w, reporters: map[*render.Tree]*render.Reporter{}, places: map[string]*found{}, brought: map[*list.Item]bringing{}}
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(indexes) {
					return
				}
				worker.row(indexes[i], withAll)
				w.progress(&done, len(indexes))
			}
		})
	}
	group.Wait()
	if ctx.Err() != nil {
		return errors.New("interrupted before anything was written")
	}
	return nil
}

// progress counts a package that is done.
func (w *work) progress(done *int, all int) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if *done++; w.options.Progress != nil {
		w.options.Progress(*done, all)
	}
}
