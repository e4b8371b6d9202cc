package transfer

import (
	"fmt"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/capact"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
	"github.com/krm-packs/functions/pkg/rule"
)

// Options say how packs are imported.
type Options struct {
	// Form is the kind of resource that a pack becomes; ConfigMap by default.
	Form Form
	// Exact keeps every byte of the files. Otherwise whitespace at the ends of lines is
	// removed where that leaves the content equal.
	Exact bool
	// With are further text files to take along, by their paths in pack directories.
	With []string
	// Names are names for the resources of directories, in place of the packs' own.
	Names map[string]string
	// Force imports directories that have changed since they were imported.
	Force bool
	// DiscardEdits lets Force replace what users have edited, or may have.
	DiscardEdits bool
	// Kptfile adds a Kptfile where there is none; its functions are programs with Exec,
	// else images.
	Kptfile, Exec bool
	// Profiles are cluster profiles to import.
	Profiles []*Profile
	// Bundles are bundle directories of OLM to import, and Catalogs the files of catalogs.
	Bundles, Catalogs []string
	// Capact are files of Capact to import.
	Capact []capact.Found
	// Sources are where the packs of profiles are, by their names and versions.
	Sources *packdir.Sources
	// NoCharts leaves out what the charts of packs read.
	NoCharts bool
	// Progress, if set, is called with the number of packs that are done.
	Progress func(done, total int)
}

// EditedError says that an import would replace what users have edited, or may have.
type EditedError struct {
	Path, Pack, Dir, To string
	// HasValues says that the values are edited, and Files are the other files that are.
	HasValues bool
	Files     []EditedFile
}

func (e *EditedError) Error() string {
	if !e.HasValues {
		return fmt.Sprintf("%s: %s of %s: edited or removed, or nothing records what was imported, and --force would drop the edits: undo them, or use --discard-edits [%s]",
			e.Path, diag.AllOf(namesOf(e.Files)), e.Pack, rule.UpgradeEdited.ID)
	}
	return fmt.Sprintf("%s: the values of %s were edited, or nothing records what they were, and --force would drop the edits: use packfn upgrade %s %s with --from or --source, which keeps them, or --discard-edits [%s]",
		e.Path, e.Pack, e.To, e.Dir, rule.UpgradeEdited.ID)
}

// Plan is what an import does.
type Plan struct {
	// Changes are the files to write.
	Changes []staging.Change
	// Notes are what the user should know, one line each.
	Notes []string
}
