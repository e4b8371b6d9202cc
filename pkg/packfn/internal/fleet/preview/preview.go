// Package preview has what is known of the packages of a fleet, however it was computed: the outcome and the
// findings of each package, and what changes since an earlier preview.
//
// # The data
//
// A [Preview] has a [Row] for each package. Equal findings of rows are one [Group], and equal changes one [Patch]:
//
//	Rows:    edge-1/platform  refused          Findings: 0
//	         edge-2/platform  refused          Findings: 0
//	         edge-3/platform  can be deployed
//	Groups:  0  dependency/missing  Packages: 0, 1
//	Patches: 1 group: edge-1/platform, edge-3/platform
//
// # The files
//
// record.go has the rows and groups their findings, and outcome.go has the outcomes, their counts, and the file that
// records them in a folder of packages. compare.go compares with such a folder, and changes.go adds what changes in
// the manifests. shard.go and merge.go write the rows of a part of a fleet, and put the parts together.
//
// The other files print a preview, and read nothing but it: print.go chooses the format and writes the JSON, table.go
// writes the table and the comment for a pull request, and page.go, page_rows.go and graph.go the page.
package preview

import (
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
)

// Preview is what is known of the packages of a fleet.
type Preview struct {
	// Rows are sorted by repository, package and variant.
	Rows []Row
	// Groups are the findings, equal ones grouped: errors first, then findings about the most
	// packages.
	Groups []Group
	// Sets are findings about the sets.
	Sets *report.Report
	// Patches are the changes since an earlier preview, or nil if there is none to compare with.
	// Audience decides which values in them are masked.
	Patches  *Patches
	Audience diag.Audience
	// Notes are hints for the user that are not findings.
	Notes []string

	// Given is the location of the first set or PackageVariant.
	Given report.Place
	// Shard is the part of the fleet that was computed, or nil for the whole fleet.
	Shard *Shard
	// Inputs is a digest of the inputs that all shards of a preview share.
	Inputs string
	// Made are the names of all packages of the fleet, including the packages of other shards, for
	// [Preview.Compare].
	Made []string

	// earlier is what the comparison found out about the whole fleet, or nil before [Preview.Compare].
	earlier *earlier
	// hasChangeError is true if AddChanges got an error: a refused change, or a chart that cannot be rendered.
	hasChangeError bool
	// graphs are the graphs of the upstreams that have one.
	graphs []graph
	// called caches the result of noun; "" until noun is called.
	called string
}
