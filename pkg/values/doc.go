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
package values
