package list

import (
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/nearest"
)

// GroupKind names a kind that a function reads.
type GroupKind struct{ Group, Kind string }

// Misspelt returns the finding of an item whose kind or group is almost that of a kind
// which the function reads: without it the item would be ignored. It is nil for others.
func Misspelt(item *Item, kinds []GroupKind) *diag.Finding {
	group, _, _ := strings.Cut(item.APIVersion(), "/")
	for _, k := range kinds {
		if k.Group == group && k.Kind == item.Kind() {
			return nil
		}
	}
	for _, k := range kinds {
		var f diag.Finding
		switch {
		case k.Group == group && nearest.IsMisspelt(item.Kind(), k.Kind):
			f = diag.Unknown("kind", item.Kind(), []string{k.Kind})
			f.Nearest = k.Kind
			f = f.About(item.Resource(), "kind")
		case nearest.IsMisspelt(group, k.Group) && (k.Kind == item.Kind() || nearest.IsMisspelt(item.Kind(), k.Kind)):
			f = diag.Unknown("group", group, []string{k.Group})
			f.Nearest = k.Group
			f = f.About(item.Resource(), "apiVersion")
		default:
			continue
		}
		return new(f.Of(diag.InputInvalid))
	}
	return nil
}
