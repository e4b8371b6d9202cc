package check

import (
	"errors"
	"maps"
	"slices"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/pipeline"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
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
// as it is on disk, which is recorded. It returns the resources that the selectors of the
// mutators exclude.
func (c *checker) render(u *unit) []pipeline.Hidden {
	// Like kpt, a render also reads subpackages in folders that .krmignore names.
	p, err := workspace.WithIgnored(u.kpt)
	if err != nil {
		c.fault(u.Dir, err)
		return nil
	}
	c.replaceIn(p)
	left := func(name string, line int, why string) []pipeline.Hidden {
		c.skip(report.NoMutator, u.OnDisk(name), line, "the mutators do not run: %s", why)
		return nil
	}
	for _, dir := range slices.Sorted(maps.Keys(p.Kptfiles)) {
		if kptfile := p.Kptfiles[dir]; len(kptfile.Unknown) > 0 {
			return left(pipeline.KptfileOf(dir), kptfile.Unknown[0].Position.Line, "packfn does not know a field of the Kptfile")
		}
	}
	room := newRoom()
	tree, err := workspace.LoadKept(p, room)
	if err != nil { // a folder of packages is no package
		return left("", 0, err.Error())
	}
	result, err := tree.Render(workspace.Options{Functions: c.Functions, Mutators: true, Partly: c.deployed == nil, Programs: c.Programs})
	if isFaulty := func(item *list.Item) bool { return item.Fault() != "" }; err != nil && slices.ContainsFunc(tree.Items(), isFaulty) { // which is reported
		return left(kptpackage.KptfileName, 0, "a resource cannot be read")
	}
	if _, ok := errors.AsType[workspace.Unable](err); ok {
		return left(kptpackage.KptfileName, 0, diag.OneLine(err.Error()))
	}
	if err != nil {
		c.fault(p.Dir, err)
		return nil
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
			c.skip(report.NoMutator, u.OnDisk(kptpackage.KptfileName), 0, "the pipeline stops at the errors of a mutator, so the package is checked as it is on disk")
		}
		return nil
	}
	u.setPackage(c, tree.Rendered(result, room))
	return result.Hidden
}

// runsPrograms reports whether a program runs for one of the steps.
func (c *checker) runsPrograms(steps []pipeline.Step) bool {
	return slices.ContainsFunc(steps, func(s pipeline.Step) bool {
		p, _ := c.Programs.For(&s.Entry)
		return p != nil && s.Function.New == nil
	})
}

// skipOthers records the functions of other suites in the pipelines of a package, which do not run.
func (c *checker) skipOthers(u *unit, steps []pipeline.Step) {
	for i := range steps {
		s := &steps[i]
		p, why := c.Programs.For(&s.Entry)
		if s.Function.New != nil || p != nil && c.Rendered || p == nil && s.Meant(c.Functions) != "" {
			continue
		}
		what := "what it finds is not known"
		if s.Mutator {
			what = "what it changes is checked as it is without it"
		}
		if why != nil {
			what += "; " + why.Error()
		}
		c.skip(report.OtherFunction, u.OnDisk(s.Kptfile()), u.Kptfiles[s.Package].Line(s.Field), "%s: %s does not run here: %s", s.Field, s.Entry.Program(), what)
	}
}
