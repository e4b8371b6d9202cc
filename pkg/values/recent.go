package values

import (
	"sync/atomic"

	"github.com/krm-packs/functions/pkg/internal/recent"
)

// KeepRecent makes [Parse] and [ParseJSON] return the same document again for a text that it has read
// shortly before: documents are immutable. It suits programs that read one resource in
// many steps, such as the preview of a fleet. Programs that read each text once only pay
// its memory: trees take about 20 times the bytes of their texts.
//
// bytes bounds the texts whose documents are kept; 0 keeps none, which is the default. Of texts
// that are large for it more are kept, up to most bytes.
func KeepRecent(bytes, most int) {
	if bytes == 0 {
		kept.Store(nil)
		return
	}
	kept.Store(&recent.Cache[keptText, *Document]{Most: bytes / 2, Limit: most / 2})
}

var kept atomic.Pointer[recent.Cache[keptText, *Document]]

// keptText is a text, and how it was read: "" is as YAML.
type keptText struct{ text, as string }
