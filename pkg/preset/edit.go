package preset

import (
	"errors"
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/internal/hydration"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// errUnwritten means that the edits did not have the intended result.
var errUnwritten = errors.New("the change cannot be written here without changing other values; write the values in block style, without anchors")

// editor changes the values at some steps of a document.
type editor struct {
	// document is the document with the edits so far, and at leads to the values.
	document *values.Document
	at       []values.Step
}

// root returns the values as they are now, or nil if there are none.
func (e *editor) root() *yaml.Node { return valuesAt(e.document.Root(), e.at) }

// valuesAt returns the value at steps through the keys of maps, or nil for null.
func valuesAt(n *yaml.Node, steps []values.Step) *yaml.Node {
	for _, step := range steps {
		n = values.Field(n, step.Key)
	}
	if isNull(n) {
		return nil
	}
	return values.Resolve(n)
}

// hold edits the text so that the values become want, whose sources are given, too.
// New keys get their comments from the presets that add them, and are in the order
// of the presets.
func (e *editor) hold(sources, want *yaml.Node, presets []pack.Preset) error {
	own := e.root()
	if own == nil && len(values.Pairs(want)) == 0 {
		return nil
	}
	for _, p := range values.Pairs(own) {
		// A whole text would be rewritten.
		if name, ok := p.Name(); ok && p.Merged && values.Field(want, name) == nil {
			return &values.EditError{Position: values.At(p.Key), Reason: fmt.Sprintf("the key %q comes from a merge key on line %d: delete it there", name, p.Key.Line)}
		}
	}
	if err := e.sync(common(own, want, false)); err != nil {
		return err
	}
	for _, p := range presets {
		if err := e.merge(p.Add, want); err != nil {
			return err
		}
	}
	if err := e.sync(want); err != nil {
		return err
	}
	if !values.Equal(e.root(), want) {
		return errUnwritten
	}
	pruned, err := hydration.Prune(e.document, e.at, sources)
	if err == nil {
		e.document = pruned
	}
	return err
}

// sync gives the values the wanted content. Nil changes nothing.
func (e *editor) sync(want *yaml.Node) error {
	if want == nil {
		return nil
	}
	edited, err := e.document.Sync(values.Change{At: e.at, Want: want})
	if err == nil {
		e.document = edited
	}
	return err
}

// merge lays what a preset adds over the values, as far as want has it: a later preset
// may remove or set it, and a lower layer may already have it.
func (e *editor) merge(add *values.Document, want *yaml.Node) error {
	if add == nil || add.Root() == nil {
		return nil
	}
	if left := common(add.Root(), want, true); left != add.Root() {
		whole, err := values.Parse("")
		if err == nil {
			whole, err = whole.Merge(nil, add)
		}
		if err == nil {
			add, err = whole.Sync(values.Change{Want: left})
		}
		if err != nil {
			return err
		}
	}
	if len(values.Pairs(add.Root())) == 0 {
		return nil
	}
	edited, err := e.document.Merge(e.at, add)
	if err == nil {
		e.document = edited
	}
	return err
}

// common returns a value without the keys of maps that another one does not have; with
// isEqual also without those that differ there. It is the value itself when it has none.
func common(n, other *yaml.Node, isEqual bool) *yaml.Node {
	n, other = values.Resolve(n), values.Resolve(other)
	changed := false
	switch {
	case isMap(n) && isMap(other):
		var left []values.Pair
		others := values.ByName(other)
		for _, e := range values.Pairs(n) {
			name, ok := e.Name()
			value := e.Value
			switch theirs := others[name]; {
			case !ok:
			case theirs == nil, isEqual && !(isMap(value) && isMap(theirs)) && !values.Equal(value, theirs):
				changed = true
				continue
			default:
				value = common(value, theirs, isEqual)
			}
			changed = changed || value != e.Value
			left = append(left, values.Pair{Key: e.Key, Value: value})
		}
		if changed {
			return mapOf(n, left)
		}
	case isList(n) && isList(other) && len(n.Content) == len(other.Content) && !isEqual:
		left := *n
		left.Content = nil
		for i, element := range n.Content {
			value := common(element, other.Content[i], isEqual)
			changed = changed || value != values.Resolve(element)
			left.Content = append(left.Content, value)
		}
		if changed {
			return &left
		}
	}
	return n
}
