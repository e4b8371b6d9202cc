package preset

import (
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/internal/hydration"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// Target is the values that presets are applied to.
type Target struct {
	// Document holds the values, and At leads to them through its maps: no steps when
	// they are all of it, as in a values.yaml. They may be absent.
	Document *values.Document
	// At has no steps if the values are the whole document.
	At []values.Step
	// Below is what these values are laid over, for each pack that they are part of, with the
	// sources of macros. There is none if no layer is below: a pack's own values.
	Below []*values.Tree
}

// Apply returns the values with the presets applied: the document itself if the presets change
// nothing. Only the lines that a preset names change.
//
// It returns an *Error if a preset cannot be applied to these values, and a *values.EditError, with
// its position, if their text cannot be changed in this way.
func Apply(document *values.Document, presets ...pack.Preset) (*values.Document, error) {
	return Target{Document: document}.Apply(presets...)
}

// Apply edits the target so that, over each of the values below it, the presets have
// been applied to what they were before. Null and absent count as equal there. It fails
// when one text cannot serve several packs.
//
// Values that macros were resolved to count as their sources, see package hydration, and keep
// their results where the presets do not change them.
func (t Target) Apply(presets ...pack.Preset) (*values.Document, error) {
	own, sources, err := t.own()
	if err != nil {
		return nil, err
	}
	e := editor{document: t.Document, at: t.At}
	var wanted []*yaml.Node
	for _, below := range t.below() {
		want, err := outcome(overlay(below, own), presets)
		if err != nil {
			return nil, err
		}
		wanted = append(wanted, want)
	}
	for i, below := range t.below() {
		now := valuesOf(sources)
		if next := content(below, now, wanted[i]); next != now {
			if err := e.hold(next, sources.Results(next), presets); err != nil {
				return nil, err
			}
			sources = hydration.Read(e.document, t.At, hydration.Partly)
		}
	}
	for i, below := range t.below() {
		if len(wanted) > 1 && !isSame(overlay(below, valuesOf(sources)), wanted[i]) {
			return nil, &values.EditError{Reason: "the packs of this name have different values, and one override cannot be right for all of them; rename the packs, or set the values here by hand"}
		}
	}
	if err := e.mark(t.Document, func(list string) string { return markerList(list, presets) }); err != nil {
		return nil, err
	}
	return e.document, nil
}

// own returns the values of the target with the sources of their macros, or nil if there are none.
func (t Target) own() (*yaml.Node, *hydration.Sources, error) {
	if own := valuesAt(t.Document.Root(), t.At); own != nil {
		if !isMap(own) {
			return nil, nil, &values.SyntaxError{Position: values.At(own), Reason: "must be a map of keys to values, got " + values.KindOf(own)}
		}
		if duplicates := t.Document.Part(own).Duplicates(); len(duplicates) > 0 {
			return nil, nil, &values.SyntaxError{Position: duplicates[0].Second, Reason: "duplicate key " + duplicates[0].Path + "; remove one"}
		}
	}
	sources := hydration.Read(t.Document, t.At, hydration.Partly)
	return valuesOf(sources), sources, nil
}

// valuesOf returns the values with the sources of their macros, or nil for null.
func valuesOf(s *hydration.Sources) *yaml.Node {
	if n := s.Values(); !isNull(n) {
		return n
	}
	return nil
}

// below returns the values below the target, or a single nil if there are none.
func (t Target) below() []*yaml.Node {
	if len(t.Below) == 0 {
		return []*yaml.Node{nil}
	}
	var all []*yaml.Node
	for _, tree := range t.Below {
		all = append(all, tree.Root())
	}
	return all
}
