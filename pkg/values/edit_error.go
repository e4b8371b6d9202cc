package values

import (
	"fmt"

	"go.yaml.in/yaml/v3"
)

// EditError says that an edit was refused, and where. A refused edit changes
// nothing.
type EditError struct {
	Position
	Reason string
}

func (e *EditError) Error() string {
	if e.Line == 0 {
		return e.Reason
	}
	return fmt.Sprintf("%s: %s", e.Position, e.Reason)
}

func refuse(n *yaml.Node, format string, args ...any) error {
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
		return refuse(d.Root(), "this is part of a document: edit the document itself")
	}
	return nil
}
