package render

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/kptpackage"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/nearest"
	"github.com/krm-packs/functions/pkg/pipeline"
	"github.com/krm-packs/functions/pkg/values"
)

// Options say how a package is rendered.
type Options struct {
	// Functions are the functions of the suite.
	Functions []function.Function
	// Evaluate runs a function over a list; nil is [function.Evaluate].
	Evaluate func(function.Function, *list.List) function.Outcome
	// Mutators runs the mutators alone. Validators may then be of any suite.
	Mutators bool
}

// Run is a function that was run.
type Run struct {
	pipeline.Step
	function.Outcome
	// changed names the function that changed an item last, by the item.
	changed map[spot]string
	// moved are the items whose lines are not those of the files.
	moved map[spot]bool
	// input are the items of the run.
	input []*list.Item
}

// ChangedBy returns the name of the function that changed the resource of a finding last
// before the run, "" for none.
func (r *Run) ChangedBy(f *diag.Finding) string { return r.changed[spotOf(f.Resource())] }

// spot names an item: its package, its file and its index there.
type spot struct {
	pkg, file string
	index     int
}

func spotOf(r diag.Resource) spot { return spot{r.PackagePath, r.File, r.Index} }

// Result is a rendered package.
type Result struct {
	// Runs are the functions that ran, in their order. A function that finds errors is
	// the last one, but for the other validators of its package.
	Runs []Run
	// Skipped are the functions that their field when keeps from running.
	Skipped []pipeline.Step
	// Items are those of the package and its subpackages after the render, nil when one
	// of its mutators or a subpackage has failed.
	Items []*list.Item
	// Failed says that a function found errors. Then nothing is to be written.
	Failed bool

	changed map[spot]string
	moved   map[spot]bool
}

// ChangedBy returns the name of the function that changed an item last, "" for none.
func (r *Result) ChangedBy(item *list.Item) string { return r.changed[spotOf(item.Resource())] }

// After makes a run of a function over the rendered package.
func (r *Result) After(s pipeline.Step, o function.Outcome) Run {
	return Run{Step: s, Outcome: o, changed: r.changed, moved: r.moved}
}

// Run makes a run of a function over the items of the tree.
func (t *Tree) Run(s pipeline.Step, o function.Outcome) Run {
	return Run{Step: s, Outcome: o, changed: t.changed, moved: t.moved}
}

// errFailed ends a render in which a function found errors.
var errFailed = errors.New("a function found errors")

// Render runs the pipelines of the package and its subpackages. An error says why they
// cannot be run: a function that is not of this suite, or what kpt refuses.
func (t *Tree) Render(o Options) (*Result, error) {
	if o.Evaluate == nil {
		o.Evaluate = function.Evaluate
	}
	if t.kptfiles["."].Annotations[bfsAnnotation] == "true" {
		return nil, fmt.Errorf("%s: packfn does not render packages with the annotation %s; run kpt fn render", path.Join(t.Dir, kptpackage.KptfileName), bfsAnnotation)
	}
	steps, err := t.Steps(o.Functions)
	if err != nil {
		return nil, err
	}
	changed := maps.Clone(t.changed)
	if changed == nil {
		changed = map[spot]string{}
	}
	r := &renderer{tree: t, options: o, result: &Result{changed: changed, moved: t.moved}, changed: changed, packages: map[string][]pipeline.Step{}, below: pipeline.Below(t.kptfiles), local: t.local()}
	var foreign []error
	for _, step := range steps {
		if o.Mutators && !step.Mutator {
			continue
		}
		if err := t.refused(&step, o.Functions); err != nil {
			foreign = append(foreign, err)
		}
		r.packages[step.Package] = append(r.packages[step.Package], step)
	}
	if err := errors.Join(foreign...); err != nil {
		return nil, err
	}
	r.result.Items, err = r.render(".")
	if errors.Is(err, errFailed) {
		r.result.Failed, err = true, nil
	}
	return r.result, err
}

// Steps returns the functions of the pipelines in their order.
func (t *Tree) Steps(functions []function.Function) ([]pipeline.Step, error) {
	return pipeline.StepsOf(t.Dir, t.kptfiles, functions, t.inFiles())
}

// bfsAnnotation asks kpt to render a package before its subpackages.
const bfsAnnotation = "kpt.dev/bfs-rendering"

// refused says why a function cannot be run.
func (t *Tree) refused(s *pipeline.Step, functions []function.Function) error {
	at := path.Join(t.Dir, s.Package, kptpackage.KptfileName) + ": " + s.Field
	name := s.Entry.Image + s.Entry.Exec
	switch {
	case s.Function.New == nil:
		var names []string
		for _, f := range functions {
			names = append(names, f.Name)
		}
		return fmt.Errorf("%s: %q is not a function of this suite%s; run kpt fn render, or packfn render --kpt", at, name, nearest.Hint(s.Entry.Program(), names))
	case len(s.Arguments()) > 0:
		return fmt.Errorf("%s: exec %q: %s takes no arguments in a pipeline: it would not read the resources", at, name, s.Function.Name)
	}
	return nil
}

// renderer is one render of a tree.
type renderer struct {
	tree    *Tree
	options Options
	result  *Result
	// packages are the steps by their packages.
	packages map[string][]pipeline.Step
	// below are the direct subpackages, and local the items, of each package.
	below map[string][]string
	local map[string][]*list.Item
	// changed names the function that changed an item last.
	changed map[spot]string
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
		return items, checkResources(items)
	}
	var failed error
	for i := range steps {
		if failed != nil && steps[i].Mutator {
			return nil, failed
		}
		after, err := r.step(&steps[i], items)
		switch {
		case errors.Is(err, errFailed):
			failed = err // other validators find what else is wrong
			if steps[i].Mutator {
				return nil, err
			}
		case err != nil && failed == nil:
			return nil, err
		case steps[i].Mutator:
			items = after
		}
	}
	return items, failed
}

// step runs a function over the items of its package, and returns them as they are after
// it.
func (r *renderer) step(s *pipeline.Step, items []*list.Item) ([]*list.Item, error) {
	var input []*list.Item
	places := make([]int, 0, len(items)) // of the input among the items
	for i, item := range items {
		count, err := s.Count(item)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path.Join(r.tree.Dir, PathOf(item)), err)
		}
		if count > 1 {
			return nil, fmt.Errorf("%s: %s: %d selectors choose %s (%s), which kpt refuses; let one choose it",
				path.Join(r.tree.Dir, s.Package, kptpackage.KptfileName), s.Field, count, item.Resource(), PathOf(item))
		}
		if count == 1 {
			input, places = append(input, item), append(places, i)
		}
	}
	runs, err := s.Runs(input)
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", path.Join(r.tree.Dir, s.Package, kptpackage.KptfileName), s.Field, err)
	}
	if !runs {
		r.result.Skipped = append(r.result.Skipped, *s)
		return items, nil
	}
	if err := checkResources(input); err != nil {
		return nil, fmt.Errorf("%s: %w", r.tree.Dir, err)
	}
	l := &list.List{}
	for _, item := range input {
		l.Items = append(l.Items, item.Next())
	}
	if err := r.configure(l, s, items); err != nil {
		return nil, err
	}
	outcome := r.options.Evaluate(s.Function, l)
	run := Run{Step: *s, Outcome: outcome, input: input, changed: map[spot]string{}, moved: r.tree.moved}
	for i := range outcome.Findings {
		at := spotOf(outcome.Findings[i].Resource())
		if name, ok := r.changed[at]; ok {
			run.changed[at] = name
		}
	}
	r.result.Runs = append(r.result.Runs, run)
	if outcome.Failed {
		return nil, errFailed
	}
	if !s.Mutator {
		return items, nil
	}
	return r.merge(s, items, places, l.Items)
}

// configure gives a list the functionConfig: for a mutator the resource in the package as
// mutated so far, for a validator as it was before the render.
func (r *renderer) configure(l *list.List, s *pipeline.Step, items []*list.Item) error {
	if s.Config == nil {
		return nil
	}
	l.SetConfig(s.Config)
	if s.Entry.ConfigRef != nil {
		item, err := s.Referred(slices.DeleteFunc(slices.Clone(items), func(item *list.Item) bool { return PackageOf(item) != s.Package }))
		if err == nil {
			err = l.SetConfigItem(item)
		}
		if err != nil {
			return fmt.Errorf("%s: %s: %w", path.Join(r.tree.Dir, s.Package, kptpackage.KptfileName), s.Field, err)
		}
		return nil
	}
	if s.Entry.ConfigPath == "" || !s.Mutator {
		return nil
	}
	for _, item := range items {
		// kpt compares the path as it is written.
		if PackageOf(item) == s.Package && item.Resource().File == s.Entry.ConfigPath {
			if err := l.SetConfigItem(item); err != nil {
				return fmt.Errorf("%s: %w", path.Join(r.tree.Dir, PathOf(item)), err)
			}
		}
	}
	return nil
}

// merge puts the items that a function returned in the places of those that it got. New
// ones come last.
func (r *renderer) merge(s *pipeline.Step, items []*list.Item, places []int, output []*list.Item) ([]*list.Item, error) {
	after := slices.Clone(items)
	var added []*list.Item
	for i, item := range output {
		switch {
		case item.Added():
			added = append(added, item)
		case item.Text() == nil:
			after[places[i]] = nil
		default:
			if _, changed := item.Edited(); changed {
				r.changed[spotOf(item.Resource())] = s.Function.Name
				after[places[i]] = item.Next()
			}
		}
	}
	after = slices.DeleteFunc(after, func(item *list.Item) bool { return item == nil })
	for _, item := range added {
		stored, err := r.store(s, after, item)
		if err != nil {
			return nil, err
		}
		r.changed[spotOf(stored.Resource())] = s.Function.Name
		after = append(after, stored)
	}
	return after, nil
}

// store gives a new item its place: the file that its annotations name, after what that
// has.
func (r *renderer) store(s *pipeline.Step, items []*list.Item, item *list.Item) (*list.Item, error) {
	document, err := item.Document()
	if err != nil {
		return nil, fmt.Errorf("%s: the new %s: %w", s.Function.Name, item.Resource(), err)
	}
	annotations := list.Texts(values.Field(document.Root(), "metadata", "annotations"))
	pkg, file := annotations[list.PackagePathAnnotation], cmp.Or(annotations[list.PathAnnotation], annotations[legacyPath])
	if pkg == "" {
		pkg = packagePath(s.Package)
	}
	if file == "" {
		file = strings.ToLower(path.Join(item.Namespace(), item.Kind()+"_"+item.Name()+".yaml"))
	}
	if file = path.Clean(file); !fsLocal(file) {
		return nil, fmt.Errorf("%s: the new %s has the path %s, which is not in the package", s.Function.Name, item.Resource(), file)
	}
	for name := range annotations {
		if strings.HasPrefix(name, "internal.config.kubernetes.io/") || name == legacyPath || name == legacyIndex {
			if document, _, err = document.Delete(values.Keys("metadata", "annotations", name)); err != nil {
				return nil, err
			}
		}
	}
	if left := values.Field(document.Root(), "metadata", "annotations"); left != nil && len(left.Content) == 0 {
		if document, _, err = document.Delete(values.Keys("metadata", "annotations")); err != nil {
			return nil, err
		}
	}
	index := 0
	for _, other := range slices.Concat(r.tree.read, r.tree.items, items) { // also of items that are gone
		if resource := other.Resource(); resource.PackagePath == pkg && resource.File == file {
			index = max(index, resource.Index+1)
		}
	}
	if asked, err := strconv.Atoi(cmp.Or(annotations[indexAnnotation], annotations[legacyIndex])); err == nil && asked >= 0 {
		index = asked
	}
	for _, other := range items {
		if resource := other.Resource(); resource.PackagePath == pkg && resource.File == file && resource.Index == index {
			return nil, fmt.Errorf("%s: the new %s has the path %s and the index %d, which %s has; kpt refuses it", s.Function.Name, item.Resource(), file, index, resource)
		}
	}
	return list.FileItem([]byte(document.Text()), file, index).InPackage(pkg), nil
}

// indexAnnotation is the place of a resource in its file. The annotations of its file and
// of its place there have older spellings.
const (
	indexAnnotation = "internal.config.kubernetes.io/index"
	legacyPath      = "config.kubernetes.io/path"
	legacyIndex     = "config.kubernetes.io/index"
)

// fsLocal reports whether a path with slashes stays in the folder that it is from.
func fsLocal(name string) bool {
	return !path.IsAbs(name) && name != ".." && !strings.HasPrefix(name, "../")
}
