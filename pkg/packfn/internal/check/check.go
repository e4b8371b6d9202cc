// Package check runs all checks of the suite over packages, files and pack directories, and
// reports their findings with locations on disk.
//
// # The way of the data
//
//	paths ─ discovery.Find ─→ Found ─ units ─→ units ─ checkUnit ─→ found ─→ Report
//
// The package discovery finds what is in the paths that the user names: packages, pack directories,
// Terraform modules, catalogs of OLM, manifests of Capact, and files with resources that the suite
// reads. Everything else is skipped, and counted for the user.
//
// A unit is what is checked at once, such as a package. The files outside of packages are divided into
// sets that are deployed together (package sets).
//
// checkUnit checks the Kptfiles, runs the mutators if the user asks for that (rendered.go), runs each
// function that only checks (run.go), and then the checks that are no function of the suite: packs,
// charts, variants and rendered charts (packages.go, charts.go, variants.go, template.go). Each of
// these is a [function.Processor], so that findings, severities and acceptances are handled in one
// place.
//
// A finding passes drop.go, which leaves out findings that do not apply to the medium of the unit, and
// places.go, which finds its file and line.
package check

import (
	"fmt"
	"slices"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/pipeline"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
)

// Run checks the packages, KRM files and pack directories that paths name. It returns an error
// only if the check could not run.
func Run(paths []string, options Options) (*report.Report, error) {
	if err := options.Validate(); err != nil {
		return nil, err
	}
	c, units, err := newChecker(paths, options)
	if err != nil {
		return nil, err
	}
	if err := c.checkPackNames(units, "--packs"); err != nil {
		return nil, err
	}
	if err := c.openCharts(); err != nil {
		return nil, err
	}
	c.findBundles(units)
	c.report.Findings = c.flush()
	for i, u := range units {
		if c.Progress != nil {
			c.Progress(i, len(units))
		}
		if err := c.checkUnit(u); err != nil {
			return nil, err
		}
		found := report.WithoutRepeated(c.flush())
		c.setNear(u, found)
		for _, f := range found {
			if u.set != nil {
				c.shared = append(c.shared, inSet{f, u.set})
			} else {
				c.report.Findings = append(c.report.Findings, f)
			}
		}
		c.count(u)
	}
	if err := c.checkReleasesOfTree(); err != nil {
		return nil, err
	}
	c.addShared(units)
	c.checkMisnamed()
	c.reportHub()
	c.checkBundles()
	c.reportMisplaced()
	c.reportUnread()
	c.reportSwitchedOff()
	c.reportInputs()
	c.report.Findings = append(c.report.Findings, c.flush()...)
	c.report.Given = c.given(paths)
	c.conclude(paths)
	c.report.Finish()
	return c.report, nil
}

// checkUnit runs the checks over a unit.
func (c *checker) checkUnit(u *unit) error {
	var hidden []pipeline.Hidden
	c.readTargets(u)
	steps, isSound := c.sound(u)
	c.skipOthers(u, steps)
	if c.Rendered && (u.isMutated() || c.runsPrograms(steps)) {
		if c.report.Mutated = true; isSound {
			hidden = c.render(u)
			steps, _ = u.steps(c.Functions)
		} else {
			c.skip(report.NoMutator, u.OnDisk(kptpackage.KptfileName), 0, "the mutators do not run: kpt refuses the package")
		}
	}
	for _, f := range c.checks {
		runs := c.runsOf(u, f, steps)
		for i := range runs {
			c.choosePacks(u, &runs[i])
			c.run(u, &runs[i])
		}
	}
	if u.loose {
		c.checkConfigs(u)
	}
	c.capactFaults(u)
	c.checkKptfiles(u, steps, hidden)
	c.checkMacros(u, steps)
	c.checkPacks(u, steps)
	c.checkCharts(u)
	c.releasesIn(u).check()
	c.checkVariants(u, steps)
	return c.checkTemplate(u)
}

// checkPackNames returns an error if a chosen name is not the name of a pack.
func (c *checker) checkPackNames(units []*unit, flag string) error {
	if len(c.Packs) == 0 {
		return nil
	}
	var known []string
	for _, u := range units {
		known = append(known, u.packNames()...)
	}
	slices.Sort(known)
	known = slices.Compact(known)
	for _, name := range c.Packs {
		if !slices.Contains(known, name) {
			f := diag.NotFound("pack", name, known)
			f.Unseen = ""
			return fmt.Errorf("%s: %s", flag, f.Message())
		}
	}
	return nil
}
