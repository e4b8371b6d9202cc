package dependency

import (
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/documents"
)

// sizedKey is the key of the members whose lengths count: the values of entries.
const sizedKey = "value"

// unreadable makes a finding of an error of a document, with its position in the whole text.
func unreadable(d documents.Document, err error) diag.Finding {
	f := diag.Unreadable(err)
	if f.Position.Line > 0 {
		f.Position.Line += d.Line
	}
	return f
}

// moveDown changes the lines of the nodes of a new document to lines of the whole text.
func moveDown(n *yaml.Node, lines int) {
	if lines == 0 {
		return
	}
	n.Line += lines
	for _, child := range n.Content {
		moveDown(child, lines)
	}
}
