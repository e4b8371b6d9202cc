package set

import (
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/values"
	"github.com/krm-packs/functions/pkg/variant"
)

// writeStatus sets the conditions of an expanded set in its text. When they last
// changed is not known here: lastTransitionTime stays where it is, and is left
// out otherwise. The findings say why the set cannot be edited.
func writeStatus(d *values.Document) (*values.Document, []diag.Finding) {
	return variant.WriteReady(d, "Reconciled", "all PackageVariants of the set are up to date")
}
