package preset

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// Target are the values that an application of presets edits.
type Target struct {
	// Document holds the values, and At leads to them through its maps: no steps
	// when they are all of it, as a values.yaml is. There may be nothing there.
	Document *values.Document
	At       []values.Step
}

// Use is one pack whose values the target is part of.
type Use struct {
	// Below is what the layers below the target come to; nil when the target
	// stands alone.
	Below *values.Tree
	// Presets are applied in their order. No two are of one group; see
	// [Choose].
	Presets []pack.Preset
}

// Result is what an application comes to.
type Result struct {
	// Document is the edited document, the target's own when nothing changes.
	Document *values.Document
	// Changes are the changes of effective values, for each use.
	Changes [][]Change
	// Marked says that the marker comment was rewritten.
	Marked bool
}

// Apply returns the values with the presets applied: the document itself when
// they are already as the presets have them. Only the lines that a preset names
// change.
//
// An *Error says that a preset can not be applied to these values, a
// *values.EditError that their text can not be changed so, and where.
func Apply(document *values.Document, presets ...pack.Preset) (*values.Document, error) {
	result, err := Target{Document: document}.Apply(Use{Presets: presets})
	if err != nil {
		return nil, err
	}
	return result.Document, nil
}

// Apply edits the target so that, for every use, what the values come to is what
// the presets make of what they came to before (rule P8); null and absent count
// as equal. Several uses are those of packs that share an override. They fail
// when one text can not serve them all.
func (t Target) Apply(uses ...Use) (*Result, error) {
	own := at(t.Document.Root(), t.At)
	if own != nil && !isMap(own) {
		return nil, &values.SyntaxError{Position: values.At(own), Reason: fmt.Sprintf("got %s, want a mapping of keys to values", function.KindOf(own))}
	}
	if twice := t.Document.Part(own).Duplicates(); own != nil && len(twice) > 0 {
		return nil, &values.SyntaxError{Position: twice[0].Second, Reason: fmt.Sprintf("the key %s stands on line %d already; remove one", twice[0].Path, twice[0].First.Line)}
	}
	result := &Result{Document: t.Document}
	var wanted []*yaml.Node
	e := editor{document: t.Document, at: t.At}
	for _, use := range uses {
		before := overlay(use.below(), own)
		states, err := outcomes(before, use.Presets)
		if err != nil {
			return nil, err
		}
		want := states[len(states)-1]
		wanted = append(wanted, want)
		result.Changes = append(result.Changes, changes(states, use.Presets, use.below() != nil))
		now := e.root()
		if next := content(use.below(), now, want); next != now {
			if err := e.hold(next, use.added()); err != nil {
				return nil, err
			}
		}
	}
	for i, use := range uses {
		if got := overlay(use.below(), e.root()); len(uses) > 1 && !same(got, wanted[i]) {
			return nil, &values.EditError{Reason: "the packs of this name have other values or presets each, so that one override can not hold what the presets make of both; give the packs names of their own, or set the values here by hand"}
		}
	}
	var err error
	if result.Marked, err = e.mark(t.Document, uses); err != nil {
		return nil, err
	}
	result.Document = e.document
	return result, nil
}

func (u Use) below() *yaml.Node {
	if u.Below == nil {
		return nil
	}
	return u.Below.Root()
}

// added are the documents that the presets add, in their order.
func (u Use) added() []*values.Document {
	var all []*values.Document
	for _, p := range u.Presets {
		if p.Add != nil && p.Add.Root() != nil {
			all = append(all, p.Add)
		}
	}
	return all
}
