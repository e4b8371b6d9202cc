package variant

import (
	"maps"
	"slices"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/values"
)

// ContextName is the name of the ConfigMap that has a package's context.
const ContextName = "kptfile.kpt.dev"

// IsEmpty reports whether the package context changes nothing.
func (c *PackageContext) IsEmpty() bool { return len(c.Data) == 0 && len(c.RemoveKeys) == 0 }

// Apply sets and then removes keys of the data of the ConfigMap d. All other keys stay,
// also those that an earlier run has set, as the document says. The keys name and
// package-path are never changed.
//
// The findings say why the ConfigMap cannot be edited. Then d is returned as it is.
func (c *PackageContext) Apply(d *values.Document) (*values.Document, []diag.Finding) {
	isRemoved := map[string]bool{}
	for _, key := range slices.Concat(reservedKeys, c.RemoveKeys) {
		isRemoved[key] = true
	}
	var set []textField
	for _, key := range slices.Sorted(maps.Keys(c.Data)) {
		if !isRemoved[key] {
			set = append(set, textField{key, c.Data[key]})
		}
	}
	edited, err := setTexts(d, values.Keys("data"), set...)
	for _, key := range c.RemoveKeys {
		if err == nil && !IsReservedKey(key) {
			edited, _, err = edited.Delete(values.Keys("data", key))
		}
	}
	if err != nil {
		return d, refused(err)
	}
	return edited, nil
}
