package preset

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// Target is the values that presets are applied to.
type Target struct {
	// Document holds the values, and At leads to them through its maps: no steps when
	// they are all of it, as in a values.yaml. They may be absent.
	Document *values.Document
	At       []values.Step
	// Below is what these values are laid over, for each pack that they are part of.
	// There is none if no layer is below: a pack's own values.
	Below []*values.Tree
}

// Apply returns the values with the presets applied: the document itself when they are
// already as the presets have them. Only the lines that a preset names change.
//
// An *Error says that a preset cannot be applied to these values, and a
// *values.EditError that their text cannot be changed so, and where.
func Apply(document *values.Document, presets ...pack.Preset) (*values.Document, error) {
	return Target{Document: document}.Apply(presets...)
}

// Apply edits the target so that, over each of the values below it, the presets have
// been applied to what they were before. Null and absent count as equal there. It fails
// when one text cannot serve several packs.
func (t Target) Apply(presets ...pack.Preset) (*values.Document, error) {
	own, err := t.own()
	if err != nil {
		return nil, err
	}
	var wanted []*yaml.Node
	for _, below := range t.below() {
		want, err := outcome(overlay(below, own), presets)
		if err != nil {
			return nil, err
		}
		wanted = append(wanted, want)
	}
	return t.write(wanted, presets)
}

// write edits the target so that, over each of the values below it, the values become
// those that are wanted, with the comments of presets.
func (t Target) write(wanted []*yaml.Node, presets []pack.Preset) (*values.Document, error) {
	e := editor{document: t.Document, at: t.At}
	for i, below := range t.below() {
		now := e.root()
		if next := content(below, now, wanted[i]); next != now {
			if err := e.hold(next, presets); err != nil {
				return nil, err
			}
		}
	}
	for i, below := range t.below() {
		if len(wanted) > 1 && !isSame(overlay(below, e.root()), wanted[i]) {
			return nil, &values.EditError{Reason: "the packs of this name have different values, and one override cannot be right for all of them; rename the packs, or set the values here by hand"}
		}
	}
	if err := e.mark(t.Document, func(list string) string { return markerList(list, presets) }); err != nil {
		return nil, err
	}
	return e.document, nil
}

// Changes returns the highest paths that differ when the presets are applied. What they
// hold may be a secret, and is not returned.
func (t Target) Changes(presets ...pack.Preset) ([]string, error) {
	own, err := t.own()
	if err != nil {
		return nil, err
	}
	var paths []string
	seen := map[string]bool{}
	for _, below := range t.below() {
		before := overlay(below, own)
		after, err := outcome(before, presets)
		if err != nil {
			return nil, err
		}
		walkBoth(before, after, nil, func(at []string, a, b *yaml.Node) {
			// In a layer, null is how a value below is removed.
			if path := strings.Join(at, "."); !seen[path] && (below == nil || !isSame(a, b)) {
				seen[path] = true
				paths = append(paths, path)
			}
		})
	}
	return paths, nil
}

// own returns the values of the target, nil when there are none.
func (t Target) own() (*yaml.Node, error) {
	own := at(t.Document.Root(), t.At)
	if own == nil {
		return nil, nil
	}
	if !isMap(own) {
		return nil, &values.SyntaxError{Position: values.At(own), Reason: "got " + values.KindOf(own) + "; want a mapping of keys to values"}
	}
	if duplicates := t.Document.Part(own).Duplicates(); len(duplicates) > 0 {
		return nil, &values.SyntaxError{Position: duplicates[0].Second, Reason: "duplicate key " + duplicates[0].Path + "; remove one"}
	}
	return own, nil
}

// below returns the values below the target, nil for none.
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
