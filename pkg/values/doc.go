// Package values reads value trees, the values.yaml, schema.yaml and
// presets.yaml of packs, and edits them so that every other byte stays.
//
// A Document is a text with the nodes that were read from it:
//
//	d, err := values.Parse("registry:\n  port: 5000   # the usual one\n")
//
// Paths are dotted, as the pack constraints document writes them, and "$[]"
// means every element of a list. Find says for each place that a path
// addresses what is there, with its nodes and positions:
//
//	p, err := values.ParsePath("registry.port")
//	m := values.Find(d.Root(), p)[0]
//	m.State        // Present
//	m.Node.Value   // 5000
//	values.At(m.Node) // line 2, column 9
//
// Merge lays the documents of several layers over each other, and the Tree
// that results says which layer supplied what.
//
// Edits return new documents. ReplaceScalars replaces the text of scalars in
// the style that they have; Set, Insert, Merge and Delete work on whole values; Sync makes
// a value equal to another one and keeps what is right already:
//
//	d, err = d.Set(m.Steps, other)      // registry:
//	d, err = d.Merge(nil, preset)       //   port: 5001   # the usual one
//	d, ok, err := d.Delete(values.Keys("registry", "host"))
//
// What an edit does not name stays byte for byte: comments, blank lines,
// quoting, order, indentation, line breaks. Every edited text is read again
// and compared with the expected content before it is returned, unless the result
// is certain beforehand (see edit_certain.go); an edit that cannot be made so,
// or that would change another place through an anchor, is refused with an
// EditError.
package values
