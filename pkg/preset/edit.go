package preset

import (
	"errors"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// errUnwritten says that the edits did not make what was meant.
var errUnwritten = errors.New("the change cannot be written here without changing other values; write the values in block style, without anchors")

// editor changes the values at some steps of a document.
type editor struct {
	document *values.Document
	at       []values.Step
}

// root returns the values as they are now, nil when there are none.
func (e *editor) root() *yaml.Node { return at(e.document.Root(), e.at) }

// at returns the value at steps through the keys of maps, nil for null.
func at(n *yaml.Node, steps []values.Step) *yaml.Node {
	for _, step := range steps {
		n = values.Field(n, step.Key)
	}
	if isNull(n) {
		return nil
	}
	return values.Resolve(n)
}

// hold edits the text so that the values become want. Comments of what is new
// come from what the presets add, and new keys are in the order of the presets.
func (e *editor) hold(want *yaml.Node, presets []pack.Preset) error {
	if err := e.prune(want); err != nil {
		return err
	}
	for _, p := range presets {
		if added(p) == nil {
			continue
		}
		if err := e.merge(p.Add, want); err != nil {
			return err
		}
	}
	if err := e.settle(want); err != nil {
		return err
	}
	got := e.root()
	if values.Equal(got, want) || got == nil && len(entries(want)) == 0 {
		return nil
	}
	return errUnwritten
}

// prune deletes what want does not have.
func (e *editor) prune(want *yaml.Node) error {
	var gone [][]values.Step
	var walk func(own, want *yaml.Node, at []values.Step)
	walk = func(own, want *yaml.Node, at []values.Step) {
		own, want = values.Resolve(own), values.Resolve(want)
		if own == want {
			return
		}
		if isList(own) && within(want, own) { // otherwise it is set as a whole
			for i := range own.Content {
				walk(own.Content[i], want.Content[i], extended(at, values.Step{Index: i, IsIndex: true}))
			}
		}
		if !isMap(own) || !isMap(want) {
			return
		}
		for _, entry := range entries(own) {
			name, ok := entry.name()
			if !ok {
				continue
			}
			step := extended(at, values.Step{Key: name})
			if other := values.Field(want, name); other != nil {
				walk(entry.value, other, step)
			} else {
				gone = append(gone, step)
			}
		}
	}
	walk(e.root(), want, e.at)
	for i := len(gone) - 1; i >= 0; i-- {
		edited, _, err := e.document.Delete(gone[i])
		if err != nil {
			return err
		}
		e.document = edited
	}
	return nil
}

// within reports whether a value is another one without some keys of maps.
func within(n, whole *yaml.Node) bool {
	n, whole = values.Resolve(n), values.Resolve(whole)
	switch {
	case isMap(n) && isMap(whole):
		for _, entry := range entries(n) {
			if name, ok := entry.name(); ok && (values.Field(whole, name) == nil || !within(entry.value, values.Field(whole, name))) {
				return false
			}
		}
		return true
	case isList(n) && isList(whole) && len(n.Content) == len(whole.Content):
		for i := range n.Content {
			if !within(n.Content[i], whole.Content[i]) {
				return false
			}
		}
		return true
	}
	return values.Equal(n, whole)
}

// merge lays what a preset adds over the values, as far as want has it.
func (e *editor) merge(add *values.Document, want *yaml.Node) error {
	add, err := reduced(add, want)
	if err != nil || len(entries(add.Root())) == 0 {
		return err
	}
	edited, err := e.document.Merge(e.at, add)
	if err == nil {
		e.document = edited
	}
	return err
}

// reduced returns the document without what want does not have: what a later
// preset removes or sets, and what is as it should be in a lower layer.
func reduced(add *values.Document, want *yaml.Node) (*values.Document, error) {
	var gone [][]values.Step
	var walk func(add, want *yaml.Node, at []values.Step)
	walk = func(add, want *yaml.Node, at []values.Step) {
		for _, entry := range entries(add) {
			name, ok := entry.name()
			if !ok {
				continue
			}
			step, other := extended(at, values.Step{Key: name}), values.Field(want, name)
			switch {
			case isMap(entry.value) && isMap(other):
				walk(entry.value, other, step)
			case !values.Equal(entry.value, other):
				gone = append(gone, step)
			}
		}
	}
	walk(add.Root(), want, nil)
	if len(gone) == 0 {
		return add, nil
	}
	// A document of its own, without aliases, so that it can be edited.
	whole, err := values.Parse("")
	if err != nil {
		return nil, err
	}
	if whole, err = whole.Merge(nil, add); err != nil {
		return nil, err
	}
	for i := len(gone) - 1; i >= 0; i-- {
		if whole, _, err = whole.Delete(gone[i]); err != nil {
			return nil, err
		}
	}
	return whole, nil
}

// settle sets what differs from want still: nulls that hide lower layers, lists
// that lost elements, and lists of lower layers.
func (e *editor) settle(want *yaml.Node) error {
	type difference struct {
		at   []values.Step
		want *yaml.Node
	}
	var found []difference
	var walk func(own, want *yaml.Node, at []values.Step)
	walk = func(own, want *yaml.Node, at []values.Step) {
		switch {
		case values.Equal(own, want):
		case isMap(own) && isMap(want):
			for _, entry := range entries(want) {
				if name, ok := entry.name(); ok {
					walk(values.Field(own, name), entry.value, extended(at, values.Step{Key: name}))
				}
			}
		default:
			found = append(found, difference{at, want})
		}
	}
	if own := e.root(); own != nil {
		walk(own, want, e.at)
	} else if len(entries(want)) > 0 {
		found = append(found, difference{e.at, want})
	}
	for _, d := range found {
		edited, err := e.document.Set(d.at, values.Of(d.want))
		if err != nil {
			return err
		}
		e.document = edited
	}
	return nil
}
