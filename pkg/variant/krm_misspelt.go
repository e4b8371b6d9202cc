package variant

import (
	"github.com/krm-packs/functions/pkg/injection"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/nearest"
)

// readKinds are the kinds that inject-config reads.
var readKinds = []list.GroupKind{{Group: Group, Kind: Kind}, {Group: injection.KptGroup, Kind: injection.KptfileKind}}

// misspeltAnnotation returns an annotation that is almost that of injection points, ""
// if there is none.
func misspeltAnnotation(item *list.Item) string {
	// Two wrong letters leave one of these.
	if !item.Mentions("kpt.dev/") && !item.Mentions("config-") && !item.Mentions("injection") {
		return ""
	}
	_, annotations, err := item.Metadata()
	if err != nil {
		return ""
	}
	for name := range annotations {
		if nearest.IsMisspelt(name, InjectionAnnotation) {
			return name
		}
	}
	return ""
}
