package values

import (
	"errors"

	"go.yaml.in/yaml/v3"
)

// errMismatch means that an edited text does not read as it should.
var errMismatch = errors.New("the edit cannot be written here without changing other values")

// finish makes the splices, reads the result, and compares it with what it
// must be: root, with the nodes that want replaces. Nothing that is not
// exactly this leaves the package; unread is for edits that can be nothing else.
func (d *Document) finish(splices []splice, root *yaml.Node, want func(*yaml.Node) *yaml.Node) (*Document, error) {
	text, ok := apply(d.text, splices)
	if !ok {
		return nil, errMismatch
	}
	edited, err := Parse(text)
	if err != nil {
		var limit *LimitError
		if errors.As(err, &limit) {
			return nil, err
		}
		return nil, errMismatch
	}
	v := verification{want: want}
	if !v.same(root, edited.Root()) {
		return nil, errMismatch
	}
	return edited, nil
}

// verification compares a tree with the expected one: kinds, tags, texts,
// order, anchors, and that each alias refers to the same node.
type verification struct {
	want    func(*yaml.Node) *yaml.Node
	anchors map[*yaml.Node]*yaml.Node
}

func (v *verification) same(want, got *yaml.Node) bool {
	if want != nil && v.want != nil {
		original := want
		want = v.want(want)
		if original != want && got != nil && got.Anchor != "" {
			v.pair(original, got)
		}
	}
	if want == nil || got == nil {
		return isNull(want) && isNull(got)
	}
	if want.Kind != got.Kind || want.Anchor != got.Anchor {
		return false
	}
	switch want.Kind {
	case yaml.AliasNode:
		return v.anchors[want.Alias] == got.Alias
	case yaml.ScalarNode:
		if want.ShortTag() != got.ShortTag() || want.Value != got.Value && !isNull(want) {
			return false
		}
	default:
		if want.ShortTag() != got.ShortTag() || len(want.Content) != len(got.Content) {
			return false
		}
	}
	if want.Anchor != "" {
		v.pair(want, got)
	}
	for i := range want.Content {
		if !v.same(want.Content[i], got.Content[i]) {
			return false
		}
	}
	return true
}

func (v *verification) pair(want, got *yaml.Node) {
	if v.anchors == nil {
		v.anchors = map[*yaml.Node]*yaml.Node{}
	}
	v.anchors[want] = got
}
