package fleet

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/node"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/macro"
	"github.com/krm-packs/functions/pkg/packfn/internal/fleet/preview"
	"github.com/krm-packs/functions/pkg/packfn/internal/pipeline"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/workspace"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/variant"
)

// worker computes rows, one at a time.
type worker struct {
	*work
	// reporters find the files and lines of findings, one for each package on disk.
	reporters map[*workspace.Package]*workspace.Reporter
	// places caches the findings with their locations, by the result of key.
	places map[string]*preview.Found
	// texts caches the resources that were origins of findings in previous packages.
	texts texts
	// row is the row of the current PackageVariant. files is its package on disk, for the line
	// numbers of findings.
	row *preview.Row
	// variant is the PackageVariant of the row.
	variant *packageVariant
	files   *workspace.Package
	// offered are the objects that inject-config may choose for the row, in the order of its
	// functionConfig.
	offered []*list.Item
	// injected are the objects that were copied into the injection points of the row.
	injected map[diag.Resource]*list.Item
	// read counts what the checks have read in the current package.
	read workspace.Tally
}

// preview computes the package of a variant, and then releases the variant, because the
// PackageVariants would take a third of the memory of a fleet. A row keeps copies of the names,
// because the names are substrings of the variants' texts.
func (w *worker) preview(i int) {
	v, row := w.input.variants[i], &w.rows[i]
	w.input.variants[i] = nil
	w.row, w.variant, w.offered, w.injected, w.read = row, v, nil, nil, workspace.Tally{}
	*row = preview.Row{
		Variant: strings.Clone(v.Name), Repo: strings.Clone(v.Spec.Downstream.Repo), Package: strings.Clone(v.Spec.Downstream.Package),
		Outcome: preview.Deployable,
	}
	if v.fault != "" {
		fail(row, v.fault)
		return
	}
	row.Upstream = v.upstream()
	u := w.input.upstreamOf(v)
	if u == nil {
		fail(row, "no --upstream for "+v.upstream())
		return
	}
	if u.fault != nil {
		fail(row, u.fault.Error())
		return
	}
	row.UpstreamDir = u.Dir
	defer func() { // one package must not end the others
		if what := recover(); what != nil {
			fail(row, fmt.Sprintf("packfn has failed: %v; please report it", what))
		}
	}()
	if err := w.compute(u); err != nil {
		fail(row, err.Error())
	}
	leaveOutRepeated(row)
}

// fail makes a package one that cannot be computed, with a reason on one line.
func fail(row *preview.Row, reason string) {
	row.Outcome, row.Reason = preview.Failed, diag.OneLine(reason)
}

// compute makes, renders and checks a package.
func (w *worker) compute(u *upstream) error {
	row, v := w.row, w.variant
	start, err := w.start(v, u)
	if err != nil {
		return err
	}
	if w.files = start.files; v.existing != nil {
		defer delete(w.reporters, w.files)
	}
	for i := range start.runs {
		w.report(&start.runs[i])
	}
	if start.tree == nil {
		row.Outcome, row.Reason = start.outcome, diag.OneLine(start.reason)
		return nil
	}
	injector := variant.Preview{AsPorch: w.options.Like == Porch, Known: v.PackageVariant, Findings: v.findings}
	inject, items := injector.Function(), start.tree.Items()
	l := &list.List{Items: items}
	var objects []*yaml.Node
	w.offered, objects = w.input.objects.of(v)
	l.SetConfig(injectConfig(v.Name, objects))
	injected := start.tree.Run(pipeline.Step{Package: ".", Function: inject}, function.Evaluate(inject, l))
	w.injected = w.input.injected(v, &injected)
	w.report(&injected)
	if injected.Failed {
		return nil
	}
	tree, err := start.tree.With(items, rule.InjectConfig)
	if err != nil {
		return err
	}
	partly := workspace.Options{Functions: w.options.Functions, Evaluate: w.memo.Evaluate, Partly: true, Programs: w.options.Programs}
	result, err := tree.Render(partly)
	if err != nil {
		return err
	}
	isKpts := len(result.Foreign) > 0 && w.options.Kpt != nil && !result.Failed
	if isKpts {
		var reason string
		if tree, reason, err = w.byKpt(tree, start.others); reason != "" {
			row.Outcome, row.Reason = preview.Refused, reason
		}
		if tree == nil || err != nil {
			return err
		}
		// Collect the findings of the functions of this suite.
		if result, err = tree.Render(partly); err != nil {
			return err
		}
	}
	for i := range result.Runs {
		w.report(&result.Runs[i])
	}
	if result.Items == nil {
		return nil // a mutator, or a subpackage, has failed
	}
	w.check(result)
	row.Checked = w.read.Of(result.Items)
	if isKpts {
		if w.options.KeepFiles {
			row.Files = withOthers(start.others, tree.FilesOf(tree.Items()))
		}
		return nil
	}
	if len(result.Foreign) > 0 {
		if row.Outcome == preview.Deployable {
			row.Outcome, row.Reason = preview.NotRendered, "its pipeline names functions of other suites: "+diag.SomeOf(result.Foreign)
		}
		return nil
	}
	if w.options.KeepFiles {
		row.Files = withOthers(start.others, tree.FilesOf(result.Items))
	}
	return nil
}

// check runs the checks that no pipeline of the package names. If no pipeline resolves macros, it also
// reports mistakes in macros, and how many stay unresolved.
func (w *worker) check(result *workspace.Result) {
	var steps []pipeline.Step
	for i := range result.Runs {
		steps = append(steps, result.Runs[i].Step)
	}
	steps = append(steps, result.Skipped...)
	evaluate := func(f function.Function, scope workspace.Scope, wants func(*list.Item) bool) {
		if !slices.ContainsFunc(scope.Items, func(item *list.Item) bool { return item.Fault() == "" && wants(item) }) {
			return
		}
		l := &list.List{}
		for _, item := range scope.Items {
			l.Items = append(l.Items, item.Next())
		}
		run := result.After(pipeline.Step{Package: scope.Package, Function: f}, w.memo.Evaluate(f, l))
		w.report(&run)
	}
	for _, f := range w.options.Functions {
		if !f.Checks {
			continue
		}
		for _, scope := range workspace.Unnamed(f.Name, steps, result.Items) {
			evaluate(f, scope, f.New().Wants)
		}
	}
	if !slices.ContainsFunc(steps, func(s pipeline.Step) bool { return s.Function.Name == rule.ResolveMacros }) {
		evaluate(macro.Unresolved(), workspace.Scope{Package: ".", Items: result.Items}, macro.MayHaveMacros)
	}
}

// injectKind is the kind of the functionConfig of inject-config.
var injectKind = variant.Function().Kind

// injectConfig returns the functionConfig of inject-config for a PackageVariant that is already
// parsed.
func injectConfig(name string, objects []*yaml.Node) *yaml.Node {
	spec := node.Map(node.Text("objects"), node.List(objects...))
	return node.Resource(function.ConfigGroupVersion, injectKind, name, node.Text("spec"), spec)
}

// report adds the findings of a function to the current row.
func (w *worker) report(run *workspace.Run) {
	row, name := w.row, run.Function.Name
	if !slices.Contains(row.Functions, name) {
		row.Functions = append(row.Functions, name)
	}
	w.read.Add(run)
	if run.Failed {
		row.Outcome = preview.Refused
	}
	for i := range run.Findings {
		f := &run.Findings[i]
		if f.Rule == rule.NothingToDo {
			continue
		}
		origins := w.origins(run, f)
		if f.Rule == rule.InputAmbiguousScalar && len(origins) > 0 {
			continue // it was reported where it is written
		}
		key := w.key(run, f, origins)
		if w.places[key] == nil {
			if len(w.places) > manyPlaces {
				clear(w.places)
			}
			located := w.locate(run, f, origins)
			w.places[key] = w.findings.Keep(located, identity(&located, f, len(origins) > 0 || w.variant.existing != nil))
		}
		row.Found = append(row.Found, w.places[key])
	}
}

// leaveOutRepeated removes findings that only repeat other findings of a row.
func leaveOutRepeated(r *preview.Row) {
	all := make([]*report.Finding, len(r.Found))
	for i, f := range r.Found {
		all[i] = &f.Finding
	}
	isRepeated := report.Repeated(all)
	at := -1
	r.Found = slices.DeleteFunc(r.Found, func(*preview.Found) bool {
		at++
		return isRepeated[at]
	})
}

// key returns a string of everything that the location of a finding depends on.
func (w *worker) key(run *workspace.Run, f *diag.Finding, origins []origin) string {
	resource := f.Resource()
	parts := []string{
		w.files.Dir, run.Function.Name, run.Package, run.Field, run.ChangedBy(f), string(f.Severity), f.Rule.ID,
		resource.PackagePath, resource.File, strconv.Itoa(resource.Index), resource.String(), f.Path(), f.Key, f.Pack, strconv.Itoa(f.Position.Line), strconv.Itoa(f.Position.Column), f.Message(),
	}
	for _, o := range origins {
		parts = append(parts, fmt.Sprintf("%p", o.item), o.field)
	}
	return strings.Join(parts, "\x00")
}

// locate returns a finding with its location.
func (w *worker) locate(run *workspace.Run, f *diag.Finding, origins []origin) report.Finding {
	if w.reporters[w.files] == nil {
		w.reporters[w.files] = workspace.NewReporter(w.files, w.options.Display)
	}
	located := w.reporters[w.files].Finding(run, f)
	if kind := located.Resource; kind != nil && kind.Kind == injectKind {
		// The PackageVariants are known from the packages of the finding.
		located.Resource = &report.Resource{APIVersion: variant.GroupVersion, Kind: variant.Kind}
		located.Field = strings.TrimPrefix(strings.TrimPrefix(located.Field, "spec.packageVariant"), ".")
		located.File, located.Line, located.Column, located.Path = "", 0, 0, ""
	}
	if len(origins) > 0 {
		w.move(&located, f, origins)
	}
	return located
}

// manyPlaces is the maximum number of findings that a worker caches.
const manyPlaces = 1_000

// identity returns a string that is equal for equal findings of several packages. It contains the
// fault, and also the location unless isOwn: then each package has a location of its own.
func identity(located *report.Finding, f *diag.Finding, isOwn bool) string {
	parts := []string{string(located.Severity), located.Rule, located.Function, located.Field, located.Key, located.Pack, located.Message}
	if isOwn {
		name := f.Resource().String()
		if f.Resource().Kind == injectKind {
			name = "" // the name of the PackageVariant, which differs between packages
		}
		parts = append(parts, name, f.Path())
		if last := len(located.Related) - 1; last >= 0 {
			parts = append(parts, located.Related[last].File, fmt.Sprint(located.Related[last].Line))
		}
	} else {
		parts = append(parts, located.File, fmt.Sprint(located.Line, located.Column), located.Resource.String())
	}
	return strings.Join(parts, "\x00")
}
