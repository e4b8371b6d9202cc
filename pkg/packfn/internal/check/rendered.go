package check

import (
	"errors"
	"maps"
	"slices"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/pipeline"
	"github.com/krm-packs/functions/pkg/packfn/internal/workspace"
)

// isMutated reports whether any Kptfile of a package names mutators.
func (u *unit) isMutated() bool {
	for _, kptfile := range u.Kptfiles {
		if len(kptfile.Mutators) > 0 {
			return true
		}
	}
	return false
}

// render runs the mutators of a package, adds their findings, and replaces the resources of the
// unit with the result. If the mutators report errors, or packfn cannot run them, the unit stays
// as it is on disk, and a note explains this. It returns the resources that the selectors of the
// mutators exclude.
func (c *checker) render(u *unit) []pipeline.Hidden {
	// Like kpt, a render also reads subpackages in folders that .krmignore names.
	p, err := workspace.WithIgnored(u.kpt)
	if err != nil {
		c.fault(u.Dir, err)
		return nil
	}
	c.replaceIn(p)
	for _, dir := range slices.Sorted(maps.Keys(p.Kptfiles)) {
		kptfile := p.Kptfiles[dir]
		if len(kptfile.Unknown) > 0 {
			c.note("%s: the mutators do not run, because packfn does not know a field of %s", p.Dir, u.OnDisk(pipeline.KptfileOf(dir)))
			return nil
		}
	}
	room := newRoom()
	tree, err := workspace.LoadKept(p, room)
	if err != nil { // a folder of packages is no package
		c.note("%v; its mutators do not run", err)
		return nil
	}
	result, err := tree.Render(workspace.Options{Functions: c.Functions, Mutators: true, Partly: c.deployed == nil})
	if isFaulty := func(item *list.Item) bool { return item.Fault() != "" }; err != nil && slices.ContainsFunc(tree.Items(), isFaulty) { // which is reported
		c.note("%s: the mutators do not run, because a resource cannot be read", p.Dir)
		return nil
	}
	if _, ok := errors.AsType[workspace.Unable](err); ok {
		c.note("%s: the mutators do not run: %s", p.Dir, diag.OneLine(err.Error()))
		return nil
	}
	if err != nil {
		c.fault(p.Dir, err)
		return nil
	}
	if names := result.Foreign; len(names) > 0 {
		c.foreign = append(c.foreign, foreign{p.Dir, names})
	}
	for i := range result.Runs {
		c.switchOn(result.Runs[i].Function, result.Runs[i].Config)
	}
	for _, f := range workspace.NewReporter(tree, c.Display).Report(result).Findings {
		c.add(f)
	}
	if result.Failed {
		c.report.Stopped = true
		if c.deployed == nil {
			c.note("%s: the pipeline stops at the errors of a mutator, so packfn checks the package as it is on disk", p.Dir)
		}
		return nil
	}
	u.setPackage(c, tree.Rendered(result, room))
	return result.Hidden
}

// foreign lists the mutators of other suites in a package.
type foreign struct {
	dir   string
	names []string
}

// noteForeign adds a note with the mutators that do not run.
func (c *checker) noteForeign() {
	var dirs, names []string
	for _, one := range c.foreign {
		dirs, names = append(dirs, c.Display(one.dir)), append(names, one.names...)
	}
	slices.Sort(names)
	if len(dirs) > 0 {
		c.note("%s: mutators of other suites do not run (%s): what they change is checked as it is without them", diag.SomeOf(dirs), diag.SomeOf(slices.Compact(names)))
	}
}
