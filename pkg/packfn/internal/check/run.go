package check

import (
	"cmp"
	"maps"
	"path"
	"slices"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/content"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/pipeline"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/workspace"
)

// run is a function over some items of a unit: a step of a pipeline, or a check that no pipeline
// names, whose step has no field in a Kptfile.
type run struct {
	pipeline.Step
	// items are the resources that the function gets.
	items []*list.Item
}

func runOf(f function.Function) run { return run{Step: pipeline.Step{Function: f}} }

// runsOf returns the runs of a function: one for each pipeline step that names it, and one for each
// scope that no pipeline covers, see [workspace.Unnamed].
func (c *checker) runsOf(u *unit, f function.Function, steps []pipeline.Step) (runs []run) {
	steps = slices.Clone(steps)
	for i := range steps {
		step := &steps[i]
		if step.Function.Name != f.Name {
			continue
		}
		r := run{Step: *step}
		r.Function = f // which may know more than the suite does
		for _, item := range u.ItemsIn(step.Package) {
			if isConfig(step, item) {
				continue
			}
			if ok, err := step.Selects(item); ok || err != nil { // the function reports the error
				r.items = append(r.items, item)
			}
		}
		switch ok, err := step.Runs(r.items); {
		case err != nil:
			c.fault(u.Dir, step.Fault(err))
			step.Function.Name = "" // the check runs as if the pipeline did not name it
		case ok:
			runs = append(runs, r)
		}
	}
	scopes := []workspace.Scope{{Package: ".", Items: u.Items()}}
	if u.Kptfiles != nil {
		scopes = workspace.Unnamed(f.Name, steps, u.Items())
	}
	for _, scope := range scopes {
		r := runOf(f)
		r.items = scope.Items
		if u.loose {
			c.takeConfig(u, &r)
		}
		runs = append(runs, r)
	}
	return runs
}

// checkConfigs reports faults of functionConfigs outside of packages whose functions do not run
// here. If the files contain no pack, names that are not found are not reported, because they may
// be in other files.
func (c *checker) checkConfigs(u *unit) {
	for _, f := range c.Functions {
		if slices.ContainsFunc(c.checks, func(check function.Function) bool { return check.Name == f.Name }) {
			continue
		}
		r := runOf(f)
		for _, item := range u.Items() {
			r.items = append(r.items, item.AsItCame()) // the function may change it
		}
		if c.takeConfig(u, &r); r.Config == nil {
			continue
		}
		outcome, _ := pipeline.Run(f, r.Config, r.items)
		located := u.Run(r.Step, outcome)
		all := outcome.All()
		for i := range all {
			found := &all[i]
			isElsewhere := found.Kind == diag.KindNotFound && len(u.packNames()) == 0
			if found.Resource().Kind == f.Kind && found.Resource().File == "" && !isElsewhere {
				c.add(c.finding(u, &located, found))
			}
		}
	}
}

// sound adds findings about everything that kpt rejects in a package. It returns the steps that
// can run, and whether kpt accepts the package.
func (c *checker) sound(u *unit) (steps []pipeline.Step, isSound bool) {
	if u.kpt == nil {
		return nil, true
	}
	steps, faults := u.steps(c.Functions)
	faults = append(faults, u.kpt.Faults...)
	for _, err := range faults {
		c.fault(u.Dir, err)
	}
	isSound = len(faults) == 0
	if u.Kptfiles != nil {
		isSound = c.reportUnnamed(u, steps) && isSound && !u.hasList()
	}
	return steps, isSound
}

// hasList reports whether a package contains a List, which each function reports.
func (u *unit) hasList() bool {
	return slices.ContainsFunc(u.Items(), func(item *list.Item) bool {
		_, isList := item.Elements(nil)
		return isList
	})
}

// reportUnnamed reports resources that kpt refuses to pass to functions: resources without a
// name, and resources that a function would get twice. It returns true if there are none.
func (c *checker) reportUnnamed(u *unit, steps []pipeline.Step) (isSound bool) {
	known, withSteps := map[workspace.ID]bool{}, map[string]bool{}
	report := func(item *list.Item, fault func(diag.Resource) error) {
		if at := workspace.IDOf(item.Resource()); !known[at] {
			known[at] = true
			c.fault(u.Dir, fault(item.Resource()))
		}
	}
	unnamed := func(one *list.Item) {
		if _, isList := one.Elements(nil); isList || one.Name() != "" || one.Fault() != "" || one.IsKustomization() || one.Is(pack.GroupVersion, content.ConfigKind) {
			return
		}
		report(one, func(resource diag.Resource) error {
			name := u.FileOf(resource)
			place := u.reporter.File(name).Resource(resource.Index, "metadata.name")
			return kptpackage.NewFault(u.Dir, name, place, "the resource has no metadata.name; kpt rejects it")
		})
	}
	for i := range steps {
		step := &steps[i]
		withSteps[step.Package] = true
		for _, one := range u.ItemsIn(step.Package) {
			switch count, _ := step.Count(one); {
			case count > 1:
				report(one, func(resource diag.Resource) error { return step.Repeated(count, one, u.FileOf(resource)) })
			case count > 0:
				unnamed(one)
			}
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(u.Kptfiles)) {
		if withSteps[dir] {
			continue
		}
		for _, one := range u.ItemsIn(dir) {
			unnamed(one)
		}
	}
	return len(known) == 0
}

// takeConfig moves the functionConfig among files outside of packages from the items to the run,
// like the function's own program does. A functionConfig applies to its directory and below, and of
// several the nearest. If there are several and none is in a directory above the set, none is used,
// because each is for other files.
func (c *checker) takeConfig(u *unit, r *run) {
	var items, configs []*list.Item
	for _, one := range r.items {
		if _, err := one.Document(); err != nil || !one.Is(function.ConfigGroupVersion, r.Function.Kind) { // the function reports the error
			items = append(items, one)
		} else {
			configs = append(configs, one)
		}
	}
	r.items = items
	dirOf := func(item *list.Item) string { return path.Dir(item.Resource().File) }
	near := configs
	if base := u.setName(); base == "" && u.found && len(configs) > 1 { // bundles of a whole tree
		near = nil
	} else if base != "" {
		near = slices.DeleteFunc(slices.Clone(configs), func(item *list.Item) bool { return !pipeline.Within(base, dirOf(item)) })
		slices.SortStableFunc(near, func(a, b *list.Item) int { return len(dirOf(b)) - len(dirOf(a)) })
	}
	if len(near) == 0 && len(configs) == 1 {
		near = configs
	}
	if len(near) == 0 {
		if len(configs) > 0 {
			c.skip(report.Outside, u.OnDisk(cmp.Or(u.setName(), ".")), 0, "%d files outside of packages are a %s; none is used. Name the files to check with one", len(configs), r.Function.Kind)
		}
		return
	}
	for _, second := range near[1:] {
		if u.set == nil || dirOf(second) == dirOf(near[0]) {
			resource := second.Resource()
			at := u.reporter.File(resource.File).Resource(resource.Index, "")
			c.fault(u.Dir, kptpackage.NewFault(u.Dir, resource.File, at, "this is the second %s of these files; name one of them", r.Function.Kind))
		}
	}
	document, _ := near[0].Document()
	r.Config, r.ConfigFile, r.ConfigIndex = document.Root(), near[0].Resource().File, near[0].Resource().Index
}

// choosePacks adds the packs that the user chose to the functionConfig.
func (c *checker) choosePacks(u *unit, r *run) {
	if len(c.Packs) == 0 || !pipeline.HasPacks(r.Function) {
		return
	}
	known := u.packNames()
	var chosen []string
	for _, name := range c.Packs {
		if slices.Contains(known, name) {
			chosen = append(chosen, name)
		}
	}
	if len(chosen) == 0 {
		r.items = nil // no pack of the unit is chosen
		return
	}
	r.Config = pipeline.WithPacks(r.Config, r.Function.Kind, chosen)
}

// run runs a function and adds its findings.
func (c *checker) run(u *unit, r *run) {
	if r.items == nil && r.ConfigFile == "" && r.Function.Name != checkInputs {
		return
	}
	c.switchOn(r.Function, r.Config)
	own := r.items
	isElsewhere := c.withBundles(u, r)
	r.asLibrary(u)
	outcome, _ := pipeline.Run(r.Function, r.Config, c.withCluster(r))
	c.recordCases(u, r, own, outcome.Wanted)
	if r.Function.Kind != "" { // a function of the suite
		c.addRead(u, r.Config, outcome.Wanted)
	}
	located := u.Run(r.Step, outcome)
	found := outcome.All()
	for i := range found {
		f := &found[i]
		if isElsewhere(f) || c.drops(u, r, f) {
			continue
		}
		if other, ok := c.elsewhere(u, f); ok {
			f = &other
		}
		f = new(u.ofSet(f))
		c.add(c.finding(u, &located, f))
	}
}

// withCluster returns the items of a run, with the facts about the cluster that the user gave.
func (c *checker) withCluster(r *run) []*list.Item {
	if standIn := c.Cluster.StandIn(); standIn != nil && !r.Function.NeedsNodes {
		return append(slices.Clone(r.items), standIn)
	}
	return r.items
}

// recordCases records a test case for each of the items that a function has read.
func (c *checker) recordCases(u *unit, r *run, items []*list.Item, wanted []diag.Resource) {
	isRead := map[diag.Resource]bool{}
	for _, resource := range wanted {
		isRead[resource] = true
	}
	for _, one := range items {
		if resource := one.Resource(); isRead[resource] {
			c.report.Cases = append(c.report.Cases, report.Case{
				Function: r.Function.Name, File: c.Display(u.OnDisk(u.FileOf(resource))), Resource: *report.ResourceOf(resource),
			})
		}
	}
}
