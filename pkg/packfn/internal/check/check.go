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
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/krm-packs/functions/pkg/dependency"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/capact"
	"github.com/krm-packs/functions/pkg/packfn/internal/chart"
	"github.com/krm-packs/functions/pkg/packfn/internal/child"
	"github.com/krm-packs/functions/pkg/packfn/internal/deploy"
	"github.com/krm-packs/functions/pkg/packfn/internal/discovery"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/olm"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/packfn/internal/program"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/ruleset"
	"github.com/krm-packs/functions/pkg/packfn/internal/sets"
	"github.com/krm-packs/functions/pkg/packfn/internal/terraform"
	"github.com/krm-packs/functions/pkg/rule"
)

// Options configure a check.
type Options struct {
	// Functions are the functions of the suite.
	Functions []function.Function
	ruleset.Rules
	Library
	Files
	// Packs are the names of the packs to check; an empty list means all packs.
	Packs []string
	// Scopes are the scopes of Capact policies in files that are not resources.
	Scopes capact.Scopes
	// AsDeployed checks pack directories like packs of a package. Otherwise, missing things that
	// a published pack cannot contain are infos: other packs, machine pools, values to fill in.
	AsDeployed bool
	// Rendered checks packages after their mutators have changed them, in memory. Programs are programs for functions
	// of other suites, which run with the mutators if the user allows it. If it is nil, none runs.
	Rendered bool
	Programs *program.Set
	// Cluster contains facts about the cluster from the user, which replace the ClusterContexts
	// of packages.
	Cluster deploy.Cluster
	// Template renders the charts of packs. If it is nil, no chart is rendered.
	Template *deploy.Deployer
	// Evaluator is the process that evaluates Terraform. If it is nil, this program is started
	// for it. It is closed at the end of a run.
	Evaluator *child.Process
	// Root is the folder that paths are relative to; see [report.Root].
	Root string
	// Released, if set, is called with each release that is checked.
	Released func(*Released)
	// Facts keeps what charts read from one run to the next. It may be nil.
	Facts *chart.Store
	// Shared keeps what former runs read of charts and sources. It may be nil.
	Shared *Shared
	// Progress, if set, is called with the number of finished units and their total number.
	Progress func(done, total int)
}

// Library is where packs, charts and bundles are found that are not checked themselves.
type Library struct {
	// Charts are pack directories with the charts of packs in packages.
	Charts []string
	// Catalogs are files and folders with bundles that could be installed, in addition to the
	// checked paths. They can satisfy requirements, and advice names them.
	Catalogs []string
	// Sources are folders with pack directories. They provide the packs of profiles, and charts
	// like the folders of Charts.
	Sources []string
	// Archive returns the path of a locally available archive of a pack from Registries, or "" if
	// there is none. It is used like Sources.
	Archive    func(name, version string) string
	Registries []string
}

// Files say which files below the paths are read, and what is read in their place.
type Files struct {
	// Stdin is the text of standard input, which the path - stands for.
	Stdin []byte
	// Replace maps paths on disk to texts that are read instead of the files.
	Replace map[string][]byte
	// Excluded reports whether a file or folder below the paths is skipped. It is not called for
	// files of packages, because kpt reads them.
	Excluded func(name string, isDir bool) bool
	// Unused are files with almost the name of the configuration of packfn, which is not read from them.
	Unused []string
	// Verbose lists the files that are not checked. Otherwise they are counted.
	Verbose bool
}

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

// fault adds a finding about a part of a folder that cannot be read. The rest is still checked.
func (c *checker) fault(dir string, err error) {
	if fault, ok := errors.AsType[*kptpackage.Fault](err); ok {
		c.faulty[filePosition{fault.Path(), fault.Position}] = true
		c.faulty[filePosition{fault.Path(), diag.Position{Line: fault.Position.Line}}] = true
		c.add(report.OfFault(fault, c.Display))
		return
	}
	if err == nil {
		return
	}
	f := diag.Say("%s", diag.OneLine(err.Error())).Of(rule.InputInvalid)
	out := report.Of("", &f)
	if failure, ok := errors.AsType[*fs.PathError](err); ok && filepath.IsAbs(failure.Path) {
		dir = failure.Path
	}
	switch {
	case kptpackage.IsPackage(dir):
		dir = filepath.Join(dir, kptpackage.KptfileName)
	case packdir.Is(dir) && !folder.IsArchive(dir):
		dir = filepath.Join(dir, packdir.Metadata)
	}
	if encoding, ok := errors.AsType[*folder.EncodingError](err); ok {
		dir = encoding.Name
	}
	out.Path, out.File = dir, c.Display(dir)
	c.add(out)
}

// checker is the state of a run: what is in the paths, what is at hand to check it, and what was found so far.
type checker struct {
	Options
	// checks are the functions that only check, in the order in which they run.
	checks []function.Function
	// Found is what is in the paths, and tree the files outside of packages there.
	*discovery.Found
	tree *sets.Tree
	// ofSets bounds the memory of the documents that all sets of files outside of packages share,
	// because a repository may have thousands of sets. known are the packs of sets that were already listed; see isNew.
	ofSets *list.Room
	known  map[string]bool
	atHand
	profiles
	olmBundles
	findings
	counts
	// deployed is called with the rendered resources of each pack in [Deploy]. It is nil in a
	// check. side is what is deployed, for [Compare].
	deployed func(*deploy.Rendered)
	side     side
	// report gets the findings of each unit when it is done.
	report *report.Report
}

// atHand are the charts at hand, and the packs that have them.
type atHand struct {
	// sources are the packs in Options.Sources, and charts the pack directories of Options.Charts and Options.Sources.
	sources *packdir.Sources
	charts  []*packdir.Pack
	// chartRun keeps the charts that were read in the run, and catalog has the charts that releases may name.
	chartRun *chart.Run
	catalog  *chart.Catalog
}

// profiles is what the cluster profiles of a run share.
type profiles struct {
	// terraform is the state that the Terraform modules share. told contains the positions of
	// their profiles and faults that were already handled.
	terraform *terraform.Run
	told      map[filePosition]bool
	// missing are the packs of profiles that no source contains, by the file of the profile.
	missing map[string][]string
}

// olmBundles are the bundles of OLM outside of packages.
type olmBundles struct {
	// bundles are the bundles below the paths, or nil before they were collected.
	bundles *candidates
	// ofCatalogs are the bundles and catalogs in Options.Catalogs, and offered their bundles for advice, once
	// they are read. areOffersRead is true then.
	ofCatalogs    olm.Found
	offered       []dependency.Offer
	areOffersRead bool
}

// findings are what was found so far.
type findings struct {
	// found are the findings about the current unit, which are not in the report yet.
	found []report.Finding
	// shared are the findings about sets of files outside of packages, and informed the findings about files that are
	// in no unit, and about options.
	shared   []inSet
	informed []diag.Finding
	// faulty are the positions and lines of faults that kpt reports, with the paths of their files
	// on disk.
	faulty map[filePosition]bool
	// on are the rules that the functions which ran can report.
	on map[string]bool
}

// counts is what was checked, and what was not.
type counts struct {
	// read are the resources that functions have read, targets the Kptfiles among them that are targets of a
	// check, charted the packs whose charts were at hand, and counted the resources that are in the report. The
	// line of a position is the number of the document.
	read, targets, charted, counted map[filePosition]bool
	// released is the number of releases of a unit whose charts were at hand.
	released map[*unit]int
	// unjudged are the kinds in units in which nothing was read, and leftOut the kinds of manifests of Capact that no
	// check reads.
	unjudged []string
	leftOut  map[leftDocument]string
	// unread counts the files that are skipped.
	unread discovery.Unread
}

func newCounts() counts {
	return counts{read: map[filePosition]bool{}, targets: map[filePosition]bool{}, charted: map[filePosition]bool{}, counted: map[filePosition]bool{}, released: map[*unit]int{}}
}

// checking returns the functions that only check, in the order in which they run.
func (o *Options) checking() []function.Function {
	return slices.DeleteFunc(slices.Clone(o.Functions), func(f function.Function) bool { return !f.Checks })
}

// Names returns the names of the functions of a suite that only check.
func Names(functions []function.Function) (names []string) {
	for _, f := range (&Options{Functions: functions}).checking() {
		names = append(names, f.Name)
	}
	return names
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

// Display returns a path as reports show it.
func (o *Options) Display(path string) string {
	if path == StandardName {
		return path
	}
	if absolute, err := filepath.Abs(path); err == nil && o.Root != "" {
		if relative, err := filepath.Rel(o.Root, absolute); err == nil {
			path = relative
		}
	}
	return filepath.ToSlash(path)
}
