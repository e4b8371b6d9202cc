package language

import (
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/inventory"
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/protocol"
	"github.com/krm-packs/functions/pkg/values"
)

// Hints returns the hints of a part of a file of a package. Values that may be secrets are masked.
func (l *Language) Hints(k *Snapshot, file string, part protocol.Range, options protocol.HintOptions) []protocol.InlayHint {
	all := []protocol.InlayHint{}
	b := l.textOf(k, file)
	for _, one := range k.set.Packs {
		overrides, _ := inventory.Overrides(one)
		for _, o := range overrides {
			label := label(&o, k.of(one).entries, options)
			at := k.place(o.Source.Origin, o.Key, values.At(o.Node))
			if label == "" || at.path != file || at.at.Column == 0 {
				continue
			}
			end := b.Token(at.at).End
			if !end.IsBefore(part.Start) && !part.End.IsBefore(end) {
				all = append(all, protocol.InlayHint{Position: end, Label: label, PaddingLeft: true})
			}
		}
	}
	return all
}

// label returns the text of a hint: the effective value if the override is overridden itself, or
// else the default.
func label(o *inventory.Override, of inventory.Entries, options protocol.HintOptions) string {
	switch {
	case o.By != nil && options.Effective:
		return "→ " + of.Show(o.Key, o.Effective, diag.Terminal) + " (" + o.By.Resource.String() + ")"
	case o.Default != nil && options.Default:
		return "default: " + of.Show(o.Key, o.Default, diag.Terminal)
	}
	return ""
}
