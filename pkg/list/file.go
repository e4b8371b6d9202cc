package list

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// FileItem makes an item of a document of a file, which is the index-th in it.
func FileItem(document []byte, file string, index int) *Item {
	return keptItem(document, file, index, nil)
}

// keptItem is [FileItem], and keeps the document if there is room for it.
func keptItem(text []byte, file string, index int, room *Room) *Item {
	i, document := fileItem(text, file, index)
	if document != nil && room.take(document) {
		i.kept = document
	}
	return i
}

// As returns the item of a file as another resource at the same place. as returns the root of the
// other resource, given the document of the text. The item keeps the document if there is room.
func (i *Item) As(as func(*values.Document) *yaml.Node, room *Room) *Item {
	one := &Item{text: i.text, isDocument: true, file: i.file, index: i.index, line: i.line, isElement: i.isElement, isPrinted: i.isPrinted, as: as}
	document := one.parseHead()
	if one.checkHead(); document != nil && room.take(document) {
		one.kept = document
	}
	return one
}

// AsAPIServer returns the item of a file as an API server has it after kubectl has applied the file, see
// [values.AsAPIServer]. It is at the places of its text.
func (i *Item) AsAPIServer() *Item {
	return i.As(func(d *values.Document) *yaml.Node {
		root := d.Root()
		if i.as != nil {
			root = i.as(d)
		}
		return values.AsAPIServer(root)
	}, nil)
}

// fileItem makes the item, and returns its document, or nil if it cannot be read.
func fileItem(text []byte, file string, index int) (*Item, *values.Document) {
	i := &Item{text: text, isDocument: true, file: file, index: index}
	document := i.parseHead()
	i.checkHead()
	return i, document
}

// Next returns the item as the function after this one gets it: its text is the edited
// one, and what that function does to it leaves i as it is. Only items of files have a
// next one.
func (i *Item) Next() *Item {
	if i.edited == "" {
		next := *i
		next.added = false
		return &next
	}
	next, document := &Item{text: []byte(i.edited), isDocument: true, file: i.file, index: i.index}, i.after
	if document != nil && document.Root() != nil && document.Root().Kind == yaml.MappingNode {
		next.setHead(document.Root())
		next.checkHead()
	} else {
		next, document = fileItem([]byte(i.edited), i.file, i.index)
	}
	next.line, next.packagePath, next.isElement = i.line, i.packagePath, i.isElement
	if i.kept != nil {
		next.kept = document
	}
	return next
}

// Moved returns the item of a file as an item of another file. It keeps the document that it has,
// or an edited document if there is room for it.
func (i *Item) Moved(file string, index int, room *Room) *Item {
	if i.kept == nil && i.as == nil || i.edited != "" {
		return keptItem(i.Text(), file, index, room)
	}
	moved := *i
	moved.file, moved.index, moved.packagePath, moved.line, moved.added, moved.resource = file, index, "", 0, false, nil
	return &moved
}

// Keep makes the item keep its document, and the items after it theirs: for items that
// many functions read.
func (i *Item) Keep() {
	if document, err := i.Document(); err == nil {
		i.kept = document
	}
}

// InPackage assigns the item to a package in a tree of packages, as clients do with
// [PackagePathAnnotation].
func (i *Item) InPackage(path string) *Item {
	i.packagePath = path
	return i
}

// FileItems makes items of the documents of a file. Empty ones and those that hold
// only comments or directives are left out.
func FileItems(text []byte, file string) []*Item { return KeptItems(text, file, nil) }

// KeptItems is [FileItems] for items that several functions read: they keep the documents
// for which there is room.
func KeptItems(text []byte, file string, room *Room) []*Item {
	var items []*Item
	var shared Shared
	for _, one := range splitDocuments(text) {
		item := keptItem(one.text, file, len(items), room)
		item.line, item.parsed = one.line, shared.Texts(item.parsed)
		items = append(items, item)
	}
	return items
}

// Room bounds the memory of kept documents. A nil one is full.
type Room struct {
	// Bytes is the estimated number of bytes that are left.
	Bytes int
}

// nodeSize is about what a node of a document needs, in bytes. Trees of many small values
// need much more memory than their text, packs in ConfigMaps only as much again.
const nodeSize = 256

// take reports whether a document may be kept, and counts its size: twice its text, and a fixed size
// for each node.
func (r *Room) take(document *values.Document) bool {
	if r == nil {
		return false
	}
	size := 2*len(document.Text()) + nodeSize*countNodes(document.Root(), r.Bytes/nodeSize)
	if size > r.Bytes {
		return false
	}
	r.Bytes -= size
	return true
}

// countNodes counts the nodes of a tree, and stops above a limit.
func countNodes(n *yaml.Node, limit int) int {
	if n == nil {
		return 0
	}
	count := 1
	for _, child := range n.Content {
		if count > limit {
			break
		}
		count += countNodes(child, limit-count)
	}
	return count
}

// fileDocument is a document of a file.
type fileDocument struct {
	// text is the text without its marker.
	text []byte
	// line is the line on which the text begins.
	line int
	// start and end are where the text is in the file. A text that begins on the line of
	// its marker has spaces in place of the marker; start is after them.
	start, end int
	// onMarker reports whether the text begins on the line of its marker.
	onMarker bool
}

// markerSpaces replace a marker whose line also begins a document.
const markerSpaces = "   "

// splitDocuments splits a file at the lines that begin with `---` or `...`. It leaves out documents
// that have only comments.
func splitDocuments(text []byte) []fileDocument {
	var documents []fileDocument
	bare := bytes.TrimPrefix(text, []byte("\ufeff"))
	at := len(text) - len(bare)
	current := fileDocument{start: at}
	flush := func(end int) {
		current.end = end
		if current.text = text[current.start:end]; current.onMarker {
			current.text = slices.Concat([]byte(markerSpaces), current.text)
		}
		if !isEmptyDocument(current.text) {
			documents = append(documents, current)
		}
	}
	number := 0
	current.line = 1
	for line := range bytes.Lines(bare) {
		number++
		from := at
		at += len(line)
		marker := bytes.HasPrefix(line, []byte("---")) || bytes.HasPrefix(line, []byte("..."))
		switch {
		case marker && (len(line) == 3 || bytes.IndexByte([]byte(" \t\r\n"), line[3]) >= 0):
			flush(from)
			current = fileDocument{line: number + 1, start: at}
			if len(bytes.TrimSpace(line[3:])) > 0 { // a document may start here
				current = fileDocument{line: number, start: from + len(markerSpaces), onMarker: true}
			}
		case line[0] == '%' && len(bytes.TrimSpace(text[current.start:from])) == 0:
			// A directive: neither of the two that exist changes a resource.
			current = fileDocument{line: number + 1, start: at}
		}
	}
	flush(at)
	return documents
}

// isEmptyDocument reports whether a text has no content: only blank lines and comments.
func isEmptyDocument(text []byte) bool {
	for line := range bytes.Lines(text) {
		line = bytes.TrimLeft(line, " \r\n")
		if len(line) > 0 && line[0] > ' ' && line[0] < utf8.RuneSelf && line[0] != '#' {
			return false
		}
	}
	// YAML knows other line breaks, after which a comment ends.
	var n yaml.Node
	return yaml.Unmarshal(text, &n) == nil && n.Kind == 0
}

// JoinFile returns the text of a file with other documents: texts[i] takes the place of
// the i-th item that [FileItems] returns for the file, and nil removes it. Further texts
// are added at the end. Everything else in the file stays.
func JoinFile(file []byte, texts [][]byte) []byte {
	var out []byte
	at := 0 // what is before is done
	documents := splitDocuments(file)
	for i, d := range documents {
		out = append(out, file[at:d.start]...)
		at = d.end
		text := texts[i]
		switch {
		case text == nil && d.end < len(file):
			// The marker after the document goes, too: the one before it is there.
			if end := bytes.IndexByte(file[d.end:], '\n'); end >= 0 && isSeparator(file[d.end:d.end+end]) && !d.onMarker {
				at = d.end + end + 1
			}
		case text == nil:
			out = bytes.TrimSuffix(bytes.TrimRight(out, "\r\n"), []byte("---"))
		case d.onMarker && bytes.HasPrefix(text, []byte(markerSpaces)):
			out = append(out, text[len(markerSpaces):]...)
		case d.onMarker:
			out = append(append(out, '\n'), text...)
		default:
			out = append(out, text...)
		}
	}
	out = append(out, file[at:]...)
	for _, text := range texts[len(documents):] {
		if len(out) > 0 && out[len(out)-1] != '\n' {
			out = append(out, '\n')
		}
		if len(out) > 0 {
			out = append(out, "---\n"...)
		}
		out = append(out, text...)
	}
	return out
}

// isSeparator reports whether a line only separates two documents.
func isSeparator(line []byte) bool {
	return bytes.HasPrefix(line, []byte("---")) && len(bytes.TrimSpace(line[3:])) == 0
}
