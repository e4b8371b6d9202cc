package variant

import (
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/values"
)

// applyStatus sets the conditions of the PackageVariant d that the document
// defines, for a run without errors. Other fields of them, lastTransitionTime
// above all, stay as they are, and are not made up.
//
// The findings say why it cannot be edited. Then d is returned as it is.
func applyStatus(d *values.Document) (*values.Document, []diag.Finding) {
	return WriteReady(d, "NoErrors", "the package has what the PackageVariant asks for")
}

// WriteReady is applyStatus with another reason and message of the condition Ready. Sets
// of PackageVariants have the same conditions.
func WriteReady(d *values.Document, reason, message string) (*values.Document, []diag.Finding) {
	wanted := []listEntry{
		Condition{"Stalled", "False", "Valid", "all validation checks passed"}.entry(),
		Condition{"Ready", "True", reason, message}.entry(),
	}
	return applyEntries(d, "status", "conditions", "type", wanted, func(string) bool { return false })
}
