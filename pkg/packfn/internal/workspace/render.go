package workspace

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/pipeline"
	"github.com/krm-packs/functions/pkg/packfn/internal/program"
)

// Options configure a render.
type Options struct {
	// Functions are the functions of the suite.
	Functions []function.Function
	// Evaluate runs a function over a list. If it is nil, [function.Evaluate] is used.
	Evaluate func(function.Function, *list.List) function.Outcome
	// Mutators runs only the mutators, and does not check the Kptfiles. Validators may belong to
	// any suite then.
	Mutators bool
	// Programs are programs for functions of other suites, and run them if the user allows it. It may be nil.
	Programs *program.Set
	// Partly leaves out functions that are not of this suite, see [Result.Foreign]. Otherwise
	// they are an error.
	Partly bool
}

// Run is a function that was run.
type Run struct {
	pipeline.Step
	function.Outcome
	// changed names the function that changed an item last, by the item.
	changed map[ID]string
	// moved are the items whose lines differ from the lines of the files.
	moved map[ID]bool
	// input are the items of the run.
	input []*list.Item
}

// ChangedBy returns the name of the last function that changed the resource of a finding before
// the run, or "" if there is none.
func (r *Run) ChangedBy(f *diag.Finding) string { return r.changed[IDOf(f.Resource())] }

// ID identifies an item by its package, its file and its index in the file.
type ID struct {
	// pkg is the path of the package, file the path of the file from the root, and index the number of
	// the document.
	pkg, file string
	index     int
}

// IDOf returns the ID of a resource.
func IDOf(r diag.Resource) ID { return ID{r.PackagePath, r.File, r.Index} }

// Result is a rendered package.
type Result struct {
	// Runs are the functions that ran, in their order. A function that finds errors is
	// the last one, but for the other validators of its package.
	Runs []Run
	// Skipped are the functions that their field when keeps from running.
	Skipped []pipeline.Step
	// Foreign are the programs that are not of this suite, and did not run.
	Foreign []string
	// Hidden are the packs and overrides that selectors hide from functions.
	Hidden []pipeline.Hidden
	// Items are the items of the package and its subpackages after the render, or nil if a
	// mutator or a subpackage has failed.
	Items []*list.Item
	// Failed is true if a function reported errors. The result must not be written then.
	Failed bool

	// changed and moved are as in [Package], after the render.
	changed map[ID]string
	moved   map[ID]bool
}

// ChangedBy returns the name of the last function that changed an item, or "" if there is none.
func (r *Result) ChangedBy(item *list.Item) string { return r.changed[IDOf(item.Resource())] }

// After returns the run of a function over the rendered package.
func (r *Result) After(s pipeline.Step, o function.Outcome) Run {
	return Run{Step: s, Outcome: o, input: r.Items, changed: r.changed, moved: r.moved}
}

// Run returns the run of a function over the items of the tree.
func (t *Package) Run(s pipeline.Step, o function.Outcome) Run {
	return Run{Step: s, Outcome: o, changed: t.changed, moved: t.moved}
}

// Unable is an error about a package that kpt may be able to render, but packfn is not.
type Unable struct{ error }

// Reasons returns the error, or the joined errors, that it consists of.
func (u Unable) Reasons() error { return u.error }

// errFailed ends a render in which a function reported errors.
var errFailed = errors.New("a function found errors")

// Render runs the pipelines of the package and its subpackages. It returns an error if they
// cannot be run, because a function does not belong to this suite, or because kpt would reject
// the package.
func (t *Package) Render(o Options) (*Result, error) {
	if o.Evaluate == nil {
		o.Evaluate = function.Evaluate
	}
	if t.isSet(bfsAnnotation) {
		return nil, Unable{fmt.Errorf("%s: %s: packfn does not render packages with this annotation; run kpt fn render",
			path.Join(t.Dir, kptpackage.KptfileName), t.Kptfiles["."].At("metadata.annotations["+bfsAnnotation+"]"))}
	}
	steps, faults := t.Steps(o.Functions)
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	r := &renderer{tree: t, options: o, result: &Result{changed: orMade(t.changed), moved: t.moved}, packages: map[string][]*pipeline.Step{}, unindexed: map[ID]bool{}, below: pipeline.Below(t.Kptfiles), local: t.local()}
	r.checker = pipeline.Checker{Kptfiles: t.Kptfiles, Steps: steps, Functions: o.Functions}
	var foreign, reported []error // errors that the checker reports as findings
	r.result.Runs = make([]Run, 0, len(steps))
	for i := range steps {
		step := &steps[i]
		of, ofErr := r.programFor(step)
		if o.Mutators && !step.Mutator && of == nil {
			continue
		}
		if of != nil {
			step.Function.Name, step.Function.Checks, step.Program = of.Name, !step.Mutator, of
			r.packages[step.Package] = append(r.packages[step.Package], step)
			continue
		}
		err := t.refused(step)
		if ofErr != nil {
			err = step.Fault(fmt.Errorf("%q does not run: %w", step.Entry.Image+step.Entry.Exec, ofErr))
		}
		switch {
		case o.Partly && step.Function.New == nil && step.Meant(o.Functions) == "":
			name := step.Entry.Program()
			if ofErr != nil {
				name += " (" + ofErr.Error() + ")"
			}
			r.result.Foreign = append(r.result.Foreign, name)
			continue
		case err != nil && step.Function.New == nil && step.Meant(o.Functions) == "":
			foreign = append(foreign, err)
		case err != nil:
			reported = append(reported, err)
		}
		r.packages[step.Package] = append(r.packages[step.Package], step)
	}
	if len(reported) > 0 && !o.Mutators {
		if r.check(); r.result.Failed {
			return r.result, nil
		}
	}
	// The user may accept a reported error, for example about a program whose name is similar to
	// the name of a function.
	if err := errors.Join(append(foreign, reported...)...); err != nil {
		return nil, Unable{err}
	}
	var err error
	r.result.Items, err = r.render(".")
	if errors.Is(err, errFailed) {
		r.result.Failed, err = true, nil
	}
	if !o.Mutators {
		r.check()
	}
	return r.result, err
}

// check adds the findings about Kptfiles before the findings of the functions. The render fails
// if a Kptfile has an unknown field.
func (r *renderer) check() {
	checker := &r.checker
	if checker.Hidden = r.result.Hidden; !checker.HasWork() {
		return
	}
	l, resources := &list.List{}, map[string]diag.Resource{}
	for _, item := range r.tree.items {
		if path.Base(item.Resource().File) == kptpackage.KptfileName {
			l.Items = append(l.Items, item.Next())
			resources[PackageOf(item)] = item.Resource()
		}
	}
	checker.Resources = resources
	f := checker.Function()
	run := Run{Step: pipeline.Step{Package: ".", Function: f}, input: l.Items, Outcome: function.Evaluate(f, l)}
	r.result.Runs = append([]Run{run}, r.result.Runs...)
	if run.Failed {
		r.result.Failed, r.result.Items = true, nil
	}
}

// Steps returns the functions of the pipelines in their order, see [pipeline.StepsOf].
func (t *Package) Steps(functions []function.Function) ([]pipeline.Step, []error) {
	return pipeline.StepsOf(t.Dir, t.Kptfiles, functions, t.inFiles())
}

// Annotations of the root Kptfile that change how kpt renders: the package before its
// subpackages, and files that are written although a function has failed.
const (
	bfsAnnotation = "kpt.dev/bfs-rendering"
	// SaveAnnotation is not followed: nothing is written if a function has failed.
	SaveAnnotation = "kpt.dev/save-on-render-failure"
)

// isSet reports whether the root Kptfile has an annotation. kpt takes "true" in any case.
func (t *Package) isSet(annotation string) bool {
	return strings.EqualFold(t.Kptfiles["."].Annotations[annotation], "true")
}

// SavesFailed reports whether kpt would write what ran before a function failed.
func (t *Package) SavesFailed() bool { return t.isSet(SaveAnnotation) }

// refused returns an error if a function cannot be run.
func (t *Package) refused(s *pipeline.Step) error {
	name := s.Entry.Image + s.Entry.Exec
	switch {
	case s.Function.New == nil:
		return s.Fault(fmt.Errorf("%q is not a function of this suite; run kpt fn render, or packfn render --kpt", name))
	case len(s.Arguments()) > 0:
		return s.Fault(fmt.Errorf("exec %q: %s takes no arguments in a pipeline: it would not read the resources", name, s.Function.Name))
	}
	return nil
}

// programFor returns the program that runs for a step of another suite, or nil. The error is why a program
// that there is does not run.
func (r *renderer) programFor(s *pipeline.Step) (*program.Program, error) {
	if s.Function.New != nil {
		return nil, nil
	}
	p, err := r.options.Programs.For(&s.Entry)
	if p == nil && s.Meant(r.options.Functions) != "" { // it is misspelt
		err = nil
	}
	return p, err
}

// renderer is one render of a tree.
type renderer struct {
	// tree is the package, options are the options, and result collects what ran.
	tree    *Package
	options Options
	result  *Result
	// checker reports about the Kptfiles.
	checker pipeline.Checker
	// packages are the steps by their packages.
	packages map[string][]*pipeline.Step
	// unindexed are new items without an index, which kpt gives one when it writes them.
	unindexed map[ID]bool
	// below are the direct subpackages, and local the items, of each package.
	below map[string][]string
	local map[string][]*list.Item
}

// render renders a package after its subpackages, and returns the items of all of them.
func (r *renderer) render(dir string) ([]*list.Item, error) {
	var items []*list.Item
	for _, sub := range r.below[dir] {
		below, err := r.render(sub)
		if err != nil {
			return nil, err
		}
		items = append(items, below...)
	}
	items = append(items, r.local[dir]...)
	steps := r.packages[dir]
	if len(steps) == 0 {
		return items, r.tree.checkResources(items)
	}
	var failed error
	for _, step := range steps {
		if failed != nil && step.Mutator {
			return nil, failed
		}
		after, err := r.step(step, items)
		switch {
		case errors.Is(err, errFailed) && !step.Mutator && r.options.Mutators:
			// Its findings are in the result, and no write depends on them.
		case errors.Is(err, errFailed):
			failed = err // other validators find what else is wrong
			if step.Mutator {
				return nil, err
			}
		case err != nil && failed == nil:
			return nil, err
		case step.Mutator:
			items = after
		}
	}
	return items, failed
}
