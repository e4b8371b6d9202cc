// Package check runs all checks of the suite over packages, files and pack directories,
// and reports what they find with its place on disk.
package check

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/krm-packs/functions/pkg/dependency"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/internal/parents"
	"github.com/krm-packs/functions/pkg/packfn/internal/capact"
	"github.com/krm-packs/functions/pkg/packfn/internal/chart"
	"github.com/krm-packs/functions/pkg/packfn/internal/child"
	"github.com/krm-packs/functions/pkg/packfn/internal/deploy"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/olm"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/shown"
	"github.com/krm-packs/functions/pkg/packfn/internal/terraform"
	"github.com/krm-packs/functions/pkg/rule"
)

// Options say what is checked.
type Options struct {
	// Functions are the functions of the suite.
	Functions []function.Function
	// Only are the ids of the rules to report; none means all. Inputs that cannot be
	// read are always reported.
	Only []string
	// Severity overrides the severity of rules.
	Severity map[string]diag.Severity
	// Configured is the severity of the rules that Severity does not have.
	Configured map[string]diag.Severity
	// Packs are the names of the packs to check; none means all.
	Packs []string
	// Scopes are those of the policies of Capact in files that are no resources.
	Scopes capact.Scopes
	// AsDeployed checks pack directories as packs of a package. Otherwise what a
	// published pack cannot have is an info: other packs, pools, values to fill in.
	AsDeployed bool
	// Rendered checks packages as their mutators change them, in memory.
	Rendered bool
	// Charts are pack directories with the charts of packs in packages.
	Charts []string
	// Catalogs are files and folders with bundles that could be installed, besides those of the
	// paths: they satisfy what others require, and advice names them.
	Catalogs []string
	// Cluster is what the user says of the cluster, in place of the ClusterContexts of packages.
	Cluster deploy.Cluster
	// Template renders the charts of packs; nil renders none.
	Template *deploy.Deployer
	// Evaluator is the process that evaluates Terraform; nil for this program. A run ends it.
	Evaluator *child.Process
	// Sources are folders with pack directories: the packs of profiles, and charts that are used
	// like those of Charts.
	Sources []string
	// Archive returns the archive of a pack of Registries that is at hand, "" for none. It is
	// used like the sources.
	Archive    func(name, version string) string
	Registries []string
	// Root is the folder that paths are relative to; see [Root].
	Root string
	// Replace has texts to read in place of files, by their paths on disk.
	Replace map[string][]byte
	// Excluded reports whether a file or folder in what the user names is left out. Files of
	// packages are not asked for: kpt reads them.
	Excluded func(name string, isDir bool) bool
	// Verbose lists the files that are not checked, which are counted otherwise.
	Verbose bool
	// Note takes lines for the user that are not part of the report.
	Note func(string)
	// Progress, if set, is called with the work that is done and all of it.
	Progress func(done, total int)
}

// Run checks what paths name: packages, KRM files and pack directories. An error says
// why it could not run.
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
		c.noteIdle(u, u.set == nil && (u.loose || u.isNamed))
	}
	c.addShared(units)
	c.checkMisnamed()
	c.noteHub()
	c.checkBundles()
	c.noteMisplaced()
	c.noteElsewhere()
	c.noteForeign()
	c.noteSkipped()
	c.noteCharts()
	c.noteSwitchedOff()
	c.report.Findings = append(c.report.Findings, c.flush()...)
	c.report.Given = c.given(paths)
	c.report.Finish()
	return c.report, nil
}

// fault reports why a part of what is in a folder cannot be read. The rest is checked.
func (c *checker) fault(dir string, err error) {
	if fault, ok := errors.AsType[*kptpackage.Fault](err); ok {
		c.faulty[filePosition{fault.Path(), fault.Position}] = true
		c.faulty[filePosition{fault.Path(), diag.Position{Line: fault.Position.Line}}] = true
		text, isReplaced := c.Replace[fault.Path()]
		if !isReplaced {
			text, _ = folder.ReadText(fault.Path())
		}
		c.add(report.OfFault(fault, c.Display, shown.New(fault.File, text, nil)))
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

type checker struct {
	Options
	checks []function.Function
	report *report.Report
	// found are the findings that are not in the report yet: those of the unit that is checked.
	found []report.Finding
	// on are the rules that what ran can report.
	on map[string]bool
	// sources are those of Options.Sources.
	sources *packdir.Sources
	// terraform is what the Terraform modules share; told has the places of their profiles, and
	// of their faults.
	terraform *terraform.Run
	told      map[filePosition]bool
	// missing are the packs of profiles that no source has, by the files of the profiles.
	missing map[string][]string
	// charts are the pack directories of Options.Charts.
	charts   []*packdir.Pack
	chartRun chart.Run
	// withoutCharts are the packs whose charts are unknown, and otherCharts the notes about
	// charts of other versions.
	withoutCharts, otherCharts []string
	// deployed takes what packs deploy, for [Deploy]; nil for a check.
	deployed func(*deploy.Rendered)
	// faulty are the places and lines with a fault of their package, by the paths of their files on disk.
	faulty map[filePosition]bool
	// hub are the files with manifests of Capact, see withHub.
	hub capactHub
	// misnamed are the files on disk with nearly the name of a Kptfile.
	misnamed []string
	// misplaced are files of known forms that no check reads.
	misplaced []misplaced
	// skipped are the files that are not checked.
	skipped []skipped
	// shared are the findings of sets of files outside of packages.
	shared []inSet
	// foreign are the mutators of packages that do not run.
	foreign []foreign
	// inputs are what find has found, but for the tree, which is what is outside of packages in
	// folders, and named, the files with resources that the user names.
	inputs []input
	tree   *tree
	named  []*kptpackage.File
	// known are the packs of sets, for what lists them once.
	known map[string]bool
	// others are the packs that a set needs and others have, with their places, and
	// withoutCluster the packs of sets without facts of a cluster.
	others, withoutCluster []string
	// olm is what is below the paths of OLM, outside of packages, and ofCatalogs that of
	// Options.Catalogs. offered are the bundles of those for advice, once they are read.
	olm, ofCatalogs olm.Found
	offered         []dependency.Offer
	areOffersRead   bool
	bundles         *candidates
}

func (c *checker) note(format string, args ...any) {
	if c.Note != nil {
		c.Note(fmt.Sprintf(format, args...))
	}
}

// checking returns the functions that check, in the order in which they run.
func (o *Options) checking() []function.Function {
	return slices.DeleteFunc(slices.Clone(o.Functions), func(f function.Function) bool { return !f.Checks })
}

// Names are the names of the functions that check among those of a suite.
func Names(functions []function.Function) (names []string) {
	for _, f := range (&Options{Functions: functions}).checking() {
		names = append(names, f.Name)
	}
	return names
}

// rules are the ids of the rules that can be reported, also by mutators, which may not run.
func rules() []string {
	return rule.IDs(func(r rule.Rule) bool {
		if r.By == "" {
			return r.ID != rule.Accepted.ID && r.ID != rule.NothingToDo.ID
		}
		return !r.IsBy("packfn upgrade")
	})
}

// Validate returns an error for a rule or a severity that does not exist.
func (o *Options) Validate() error {
	known := rules()
	for _, id := range o.Only {
		if !slices.Contains(known, id) {
			f := diag.Unknown("rule", id, known)
			return fmt.Errorf("--only: %s", f.Message())
		}
	}
	for _, id := range slices.Sorted(maps.Keys(o.Severity)) {
		if f := SeverityFault(id, o.Severity[id]); f != nil {
			return fmt.Errorf("--severity %s: %s", id, f.Message())
		}
	}
	return nil
}

// SeverityFault says why the severity of a rule cannot be set to another one, nil if it can.
func SeverityFault(id string, severity diag.Severity) *diag.Finding {
	known := rules()
	switch {
	case rule.Of(id).Fixed:
		return new(diag.Say("the severity of %s cannot be changed", id))
	case !slices.Contains(known, id):
		return new(diag.Unknown("rule", id, known))
	case !slices.Contains(diag.Severities, string(severity)):
		return new(diag.GotName(string(severity), diag.Severities))
	}
	return nil
}

// checkPackNames refuses names that no pack has.
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

// Root returns the folder that paths in reports are relative to: the root of the git
// tree around the working directory, else that directory.
func Root() (string, error) { return RootOf("") }

// RootOf is [Root] of a folder, "" for the working directory.
func RootOf(dir string) (string, error) {
	working, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for dir := range parents.Of(working) {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			return dir, nil
		}
	}
	return working, nil
}

// Display returns a path as reports show it.
func (o *Options) Display(path string) string {
	if absolute, err := filepath.Abs(path); err == nil && o.Root != "" {
		if relative, err := filepath.Rel(o.Root, absolute); err == nil {
			path = relative
		}
	}
	return filepath.ToSlash(path)
}
