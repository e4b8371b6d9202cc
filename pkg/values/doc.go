// Package values reads value trees, such as the values.yaml, schema.yaml and presets.yaml of
// packs, and edits them so that every other byte stays.
//
// [Parse] returns a [Document]: a text with the nodes that were read from it. Paths are dotted, as
// in the pack constraints document, and "$[]" means every element of a list. [Find] returns the nodes and
// positions for each place that a path addresses. [Merge] lays the documents of several layers over each other,
// and the [Tree] that it returns tells which layer supplied which value.
//
// Edits return new documents. [Document.ReplaceScalars] replaces the text of scalars and keeps their
// style. [Document.Set], [Document.Insert], [Document.Merge] and [Document.Delete] change whole
// values. [Document.Sync] makes a value equal to another one, and keeps the parts that are equal
// already. The examples show them.
//
// What an edit does not name stays byte for byte: comments, blank lines, quoting, order,
// indentation, line breaks. Every edited text is read again and compared with the expected content
// before it is returned, unless the result is certain beforehand (see edit_certain.go). If an edit
// cannot be made so, or would change another place through an anchor, the error is an [EditError].
//
// # The files
//
// A text is read by the reader of this package (reader.go, reader_block.go, reader_flow.go and
// reader_scalar.go) or by go-yaml, with the same nodes as the result (document.go). find.go and
// present.go follow paths, and tree.go merges layers.
//
// An edit goes this way:
//
//	follow ─→ trail ─→ fragment ─→ plan ─→ splices ─→ finish ─→ Document
//
// The trail is the list of nodes from the root to the place of the edit (edit_path.go). The layout
// finds the extent of these nodes in the text, because go-yaml gives only their start (edit_layout.go,
// edit_scan.go). A fragment is the text of the new value, ready to be indented (edit_fragment.go). The
// plan has the splices, which replace parts of the text, and the tree that must result (edit_set.go).
// finish makes the splices, reads the text, and compares both trees (edit_verify.go).
package values
