// Package packfntest gives tests outside of pkg/packfn, and the programs that they measure, what
// they need of the packages that are internal. It is for this repository: nothing in it is
// promised to others. Tests that need more belong beside the package that they test.
package packfntest

import (
	"context"
	"errors"
	"io"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/documents"
	"github.com/krm-packs/functions/pkg/internal/heap"
	"github.com/krm-packs/functions/pkg/internal/hydration"
	"github.com/krm-packs/functions/pkg/internal/jsonschema"
	"github.com/krm-packs/functions/pkg/internal/template"
	"github.com/krm-packs/functions/pkg/internal/version"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/check"
	"github.com/krm-packs/functions/pkg/packfn/internal/fleet"
	"github.com/krm-packs/functions/pkg/packfn/internal/fleet/preview"
	"github.com/krm-packs/functions/pkg/packfn/internal/inventory"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp"
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/cursor"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/packfn/internal/pipeline"
	"github.com/krm-packs/functions/pkg/packfn/internal/porch"
	"github.com/krm-packs/functions/pkg/packfn/internal/program"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
	"github.com/krm-packs/functions/pkg/packfn/internal/transfer"
	"github.com/krm-packs/functions/pkg/packfn/internal/upgrade"
	"github.com/krm-packs/functions/pkg/packfn/internal/workspace"
	"github.com/krm-packs/functions/pkg/values"
)

// What the functions below take and return.
type (
	CheckOptions   = check.Options
	Report         = report.Report
	Case           = report.Case
	RenderOptions  = workspace.Options
	Programs       = program.Set
	Rendered       = workspace.Result
	Tree           = workspace.Package
	Area           = staging.Area
	ImportOptions  = transfer.Options
	UpgradeOptions = upgrade.Options
	FleetOptions   = fleet.Options
	FleetPrint     = preview.Print
	Preview        = preview.Preview
	Upstream       = fleet.Upstream
	Shard          = preview.Shard
	PorchUpgrade   = porch.Upgrade
	Git            = porch.Git
	Schema         = jsonschema.Schema
)

// The documents that packfn prints with --format json.
type (
	File         = report.File
	Finding      = report.Finding
	Fleet        = preview.File
	FleetPackage = preview.Row
)

// The growths of the heap in packfn check, packfn fleet and its shards.
var HeapOfCheck, HeapOfFleet, HeapOfShard = heap.Check, heap.Fleet, heap.Shard

// How packfn uses memory.
const (
	RecentBytes     = fleet.RecentBytes
	MostRecentBytes = fleet.MostRecentBytes
)

// Suffix ends the names of files that are not yet renamed, Deployable is what fleets say of a
// package without faults, and PackForm is the typed form of packs.
const (
	Suffix     = staging.Suffix
	Deployable = preview.Deployable
	PackForm   = transfer.Pack
)

// The formats of reports and fleets.
var (
	Formats      = report.Formats
	FleetFormats = preview.Formats
)

// The files of a pack directory, the first of which has its metadata.
var PackFiles = packdir.FileNames

// Check is packfn check, with its cases.
func Check(paths []string, options CheckOptions) (*Report, error) { return check.Run(paths, options) }

// ParseKptfile reads the functions that a Kptfile names.
func ParseKptfile(text []byte) (*kptpackage.Kptfile, error) { return kptpackage.ParseKptfile(text) }

// Steps returns the steps of the pipeline of a package.
func Steps(dir string, functions []function.Function) ([]pipeline.Step, error) {
	p, err := kptpackage.Read(dir)
	if err != nil {
		return nil, err
	}
	steps, faults := pipeline.Steps(p, functions)
	return steps, errors.Join(faults...)
}

// Load reads a package from a folder, to be rendered.
func Load(dir string) (*Tree, error) {
	p, err := workspace.Read(dir)
	if err != nil {
		return nil, err
	}
	return workspace.Load(p)
}

// Sources reads the macros that the values of a document come from.
func Sources(d *values.Document, at []values.Step) *hydration.Sources {
	return hydration.Read(d, at, hydration.Edited)
}

// ReadPack reads a pack directory.
func ReadPack(dir string) (*packdir.Pack, error) { return packdir.Read(dir) }

// Import plans what packfn import writes.
func Import(to string, dirs []string, options ImportOptions) (*transfer.Plan, error) {
	return transfer.Import(to, dirs, options)
}

// Upgrade plans what packfn upgrade writes.
func Upgrade(dir string, newer []string, options UpgradeOptions) (*upgrade.Plan, error) {
	return upgrade.New(dir, newer, options)
}

// RunFleet previews a fleet.
func RunFleet(ctx context.Context, options FleetOptions) (*Preview, error) {
	return fleet.Run(ctx, options)
}

// MergeShards reads the shards of a fleet.
func MergeShards(files []string, version string) (*Preview, error) {
	return preview.Merge(files, version, false)
}

// Serve is packfn lsp over what its client sends.
func Serve(in io.Reader, out io.WriteCloser) error { return lsp.New(lsp.Options{}).Serve(in, out) }

// Place determines what can stand at the end of a text, and reads the keys of the text, as packfn lsp does.
func Place(text string) {
	cursor.At(text, len(text))
	cursor.Entries(text, func(e cursor.Entry) { e.Scalar(text) })
}

// WriteJSONSchema writes the JSON Schema of the values of a pack.
func WriteJSONSchema(w io.Writer, p *pack.Pack) ([]diag.Finding, error) {
	j, faults, err := inventory.JSONSchema(p, nil)
	if err != nil {
		return nil, err
	}
	return faults, report.WriteJSON(w, j)
}

// Actions searches a text for the actions of templates.
func Actions(text string) { template.Actions(text) }

// Range parses the versions that a pack requires.
func Range(text string) (version.Range, error) { return version.ParseRange(text, "", version.Parse) }

// Documents splits a text into its documents.
func Documents(text string) []documents.Document { return documents.Of(text) }

// ParseSchema reads a JSON Schema.
func ParseSchema(text string) (*Schema, error) { return jsonschema.Parse(text) }
