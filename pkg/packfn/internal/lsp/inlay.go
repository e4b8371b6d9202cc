package lsp

import (
	"context"
	"encoding/json"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/inventory"
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/protocol"
	"github.com/krm-packs/functions/pkg/values"
)

// inlayOptions are the options of the client for inlay hints. By default there are no hints:
//
//	"inlayHints": {"default": true, "effective": true}
type inlayOptions struct {
	// Default shows the pack's own value next to an override. Effective shows the value in use
	// next to a value that is overridden.
	Default   bool `json:"default"`
	Effective bool `json:"effective"`
}

// inlayOptionsOf parses the initialization options. Clients without options send null or [].
func inlayOptionsOf(text json.RawMessage) inlayOptions {
	var options struct {
		InlayHints inlayOptions `json:"inlayHints"`
	}
	if json.Unmarshal(text, &options) != nil {
		return inlayOptions{}
	}
	return options.InlayHints
}

// inlayHints returns the hints of a part of a file. Values that may be secrets are masked.
func (s *Server) inlayHints(ctx context.Context, p *protocol.DocumentParams) ([]protocol.InlayHint, error) {
	all := []protocol.InlayHint{}
	if s.inlay == (inlayOptions{}) {
		return all, nil
	}
	// The positions of hints must fit the current text.
	if err := s.settled(ctx); err != nil {
		return nil, err
	}
	file := protocol.PathOf(p.TextDocument.URI)
	k := s.knownOf(file)
	b := k.textOf(s, file)
	for _, one := range k.set.Packs {
		overrides, _ := inventory.Overrides(one)
		for _, o := range overrides {
			label := s.label(&o, k.of(one).entries)
			at := k.place(o.Source.Origin, o.Key, values.At(o.Node))
			if label == "" || at.path != file || at.at.Column == 0 {
				continue
			}
			end := b.Token(at.at).End
			if !end.IsBefore(p.Range.Start) && !p.Range.End.IsBefore(end) {
				all = append(all, protocol.InlayHint{Position: end, Label: label, PaddingLeft: true})
			}
		}
	}
	return all, nil
}

// label returns the text of a hint: the effective value if the override is overridden itself, or
// else the default.
func (s *Server) label(o *inventory.Override, of inventory.Entries) string {
	switch {
	case o.By != nil && s.inlay.Effective:
		return "→ " + of.Show(o.Key, o.Effective, diag.Terminal) + " (" + o.By.Resource.String() + ")"
	case o.Default != nil && s.inlay.Default:
		return "default: " + of.Show(o.Key, o.Default, diag.Terminal)
	}
	return ""
}
