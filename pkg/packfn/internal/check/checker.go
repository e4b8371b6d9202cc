package check

import (
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/krm-packs/functions/pkg/dependency"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/chart"
	"github.com/krm-packs/functions/pkg/packfn/internal/deploy"
	"github.com/krm-packs/functions/pkg/packfn/internal/discovery"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/olm"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/sets"
	"github.com/krm-packs/functions/pkg/packfn/internal/terraform"
	"github.com/krm-packs/functions/pkg/rule"
)

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
	// unreadKinds are the kinds in units in which nothing was read, and leftOut the kinds of manifests of Capact that no
	// check reads.
	unreadKinds []string
	leftOut     map[leftDocument]string
	// unread counts the files that are skipped.
	unread discovery.Unread
}

func newCounts() counts {
	return counts{read: map[filePosition]bool{}, targets: map[filePosition]bool{}, charted: map[filePosition]bool{}, counted: map[filePosition]bool{}, released: map[*unit]int{}}
}
