package transfer

import (
	"fmt"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/capact"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/packfn/internal/palette"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
	"github.com/krm-packs/functions/pkg/rule"
)

// Options configure an import.
type Options struct {
	// Form is the kind of resource that a pack becomes; ConfigMap by default.
	Form Form
	// Exact keeps every byte of the files. Otherwise trailing whitespace is removed from lines
	// where that does not change the content.
	Exact bool
	// With are additional text files to import, as paths in the pack directories.
	With []string
	// Names maps directories to the names of their resources. The default is the name of the
	// pack.
	Names map[string]string
	// Force imports directories again that have changed since they were imported.
	Force bool
	// DiscardEdits allows Force to replace content that users have edited, or may have.
	DiscardEdits bool
	// Kptfile adds a Kptfile if there is none. Its functions are programs if Exec is set,
	// otherwise images.
	Kptfile, Exec bool
	// Profiles are cluster profiles to import.
	Profiles []*palette.Profile
	// Bundles are OLM bundle directories to import, and Catalogs catalog files to import.
	Bundles, Catalogs []string
	// Capact are Capact files to import.
	Capact []capact.Found
	// Sources contain the packs of profiles, by name and version.
	Sources *packdir.Sources
	// NoCharts leaves out the chart facts of packs.
	NoCharts bool
	// Progress, if set, is called with the number of finished packs.
	Progress func(done, total int)
}

// EditedError is returned if an import would replace content that users have edited, or may have.
type EditedError struct {
	// Path is the file of the resource, Pack the name of the pack, Dir the directory that is imported,
	// and To the package.
	Path, Pack, Dir, To string
	// HasValues is true if the values are edited. Files are the other edited files.
	HasValues bool
	Files     []EditedFile
}

// Error names the edited files, and the ways to keep the edits or to drop them.
func (e *EditedError) Error() string {
	if !e.HasValues {
		return fmt.Sprintf("%s: %s of %s: edited or removed, or nothing records what was imported, and --force would drop the edits: undo them, or use --discard-edits [%s]",
			e.Path, diag.AllOf(namesOf(e.Files)), e.Pack, rule.UpgradeEdited.ID)
	}
	return fmt.Sprintf("%s: the values of %s were edited, or nothing records what they were, and --force would drop the edits: use packfn upgrade %s %s with --from or --source, which keeps them, or --discard-edits [%s]",
		e.Path, e.Pack, e.To, e.Dir, rule.UpgradeEdited.ID)
}

// Plan is the result of an import or export that has not been written yet.
type Plan struct {
	// Changes are the files to write.
	Changes []staging.Change
	// Notes are messages for the user, one line each.
	Notes []string
}
