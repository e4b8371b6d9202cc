package values

import (
	"errors"
	"fmt"
	"sort"
	"strings"

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
	// want returns the node that an edit puts in place of a node, which is the node itself for most.
	// It may be nil.
	want func(*yaml.Node) *yaml.Node
	// anchors maps the anchored nodes of the expected tree to the ones of the result.
	anchors map[*yaml.Node]*yaml.Node
}

// same reports whether a node of the result is what the expected node requires.
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

// pair notes that two nodes are the same anchor.
func (v *verification) pair(want, got *yaml.Node) {
	if v.anchors == nil {
		v.anchors = map[*yaml.Node]*yaml.Node{}
	}
	v.anchors[want] = got
}

// splice replaces text[start:end].
type splice struct {
	// start and end are offsets in the old text. If they are equal, the text is inserted.
	start, end int
	text       string
}

// apply returns text with all splices made. Those at one place are made in the order
// in which they were added, insertions first.
func apply(text string, splices []splice) (string, bool) {
	sort.SliceStable(splices, func(i, j int) bool {
		a, b := splices[i], splices[j]
		return a.start < b.start || a.start == b.start && a.start == a.end && b.start < b.end
	})
	size := len(text)
	for _, s := range splices {
		size += len(s.text)
	}
	var b strings.Builder
	b.Grow(size)
	at := 0
	for _, s := range splices {
		if s.start < at || s.end < s.start || s.end > len(text) {
			return "", false
		}
		b.WriteString(text[at:s.start])
		b.WriteString(s.text)
		at = s.end
	}
	b.WriteString(text[at:])
	return b.String(), true
}

// lineBreak returns the break that the document's own lines end in.
func (l *layout) lineBreak() string {
	if l.broken == "" {
		l.broken = "\n"
		if i := strings.IndexAny(l.text, "\r\n"); i >= 0 {
			l.broken = l.text[i : i+breakLength(l.text, i)]
		}
	}
	return l.broken
}

// EditError is the reason why an edit was rejected, with its position. A rejected edit changes
// nothing.
type EditError struct {
	Position
	// Reason is a part of a sentence, without the position.
	Reason string
}

// Error returns the reason, with its position if that is known: `line 3, column 5: …`.
func (e *EditError) Error() string {
	if e.Line == 0 {
		return e.Reason
	}
	return fmt.Sprintf("%s: %s", e.Position, e.Reason)
}

func reject(n *yaml.Node, format string, args ...any) error {
	return &EditError{Position: At(n), Reason: fmt.Sprintf(format, args...)}
}

// whole reports whether d holds all of its text: what Part and Of return does
// not, and so can be read only.
func (d *Document) whole() bool {
	if d.ofText == nil {
		return false
	}
	n := d.nodes()
	return n.root == nil || n.doc != nil && n.doc.Content[0] == n.root
}

// editable rejects edits of documents that are part of another one.
func (d *Document) editable() error {
	if !d.whole() {
		return reject(d.Root(), "this is part of a document: edit the document itself")
	}
	return nil
}
