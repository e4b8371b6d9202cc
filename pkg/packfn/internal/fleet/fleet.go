// Package fleet previews a fleet: for each variant of PackageVariantSets it makes the
// package that the variant's cluster gets, renders and checks it, in memory.
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
	"github.com/krm-packs/functions/pkg/packfn/internal/render"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
)

// RecentBytes and MostRecentBytes are what programs should give [values.KeepRecent] for a preview:
// the steps of one package read the same resources, and the next package has most of them too.
const (
	RecentBytes     = 256 << 10
	MostRecentBytes = 8 << 20
)

// Options say what is previewed.
type Options struct {
	// Functions are the functions of the suite. Those that check do so in each package, also
	// when its pipeline does not name them.
	Functions []function.Function
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

	// Forgets says that each run of a function is made, also if an equal one was: a test
	// compares both.
	Forgets bool
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

// Preview is the result of a run.
type Preview struct {
	// Rows are sorted by repository, package and variant.
	Rows []Row
	// Groups are equal findings, errors first, those about the most packages first.
	Groups []Group
	// Sets are findings about the sets.
	Sets *report.Report
	// Patches say what changes, when there is something to compare with, and Audience is who
	// may see them.
	Patches  *Patches
	Audience diag.Audience
	// Notes are for people.
	Notes []string

	earlier *earlier
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
	if err := in.loadUpstreams(&o); err != nil {
		return nil, err
	}
	if len(in.variants) == 0 && !in.sets.Failed() && !failEmpty(in.sets) {
		return nil, fmt.Errorf("%s: the sets make no PackageVariant", strings.Join(o.Sets, ", "))
	}
	in.findUnmet(&o)
	in.findExec(&o)
	p := &Preview{Sets: in.sets, Notes: in.notes, given: in.given(&o)}
	if o.KeepFiles {
		for _, v := range in.variants {
			p.made = append(p.made, path.Join(v.Spec.Downstream.Repo, v.Spec.Downstream.Package))
		}
	}
	in.findHinted()
	if p.shard = o.Shard; p.shard != nil {
		p.inputs = o.digest(in)
		in.keepShard(o.Shard)
	}
	p.Rows = make([]Row, len(in.variants))
	w := &work{options: &o, input: in, rows: p.Rows, findings: map[digest]*found{}}
	if !o.Forgets {
		w.memo = function.NewMemo()
	}
	if err := w.run(ctx); err != nil {
		return nil, err
	}
	if o.Graphs {
		p.addGraphs(&o, in.upstreams)
	}
	if p.shard == nil {
		p.groupFindings()
	}
	return p, nil
}

// work is what the goroutines of a run share.
type work struct {
	options *Options
	input   *input
	memo    *function.Memo
	// starts are the clones that several rows share, by their startKey.
	starts sync.Map
	rows   []Row
	// mutex guards the findings, and the count of packages that are done.
	mutex sync.Mutex
	// findings are those of all packages by what is shown of them: most packages have the same.
	findings map[digest]*found
}

// run computes the rows on all cores.
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
			worker := &worker{work: w, reporters: map[*render.Tree]*render.Reporter{}, places: map[string]*found{}, texts: texts{}}
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

// progress counts a package that is done.
func (w *work) progress(done *int) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if *done++; w.options.Progress != nil {
		w.options.Progress(*done, len(w.rows))
	}
}
