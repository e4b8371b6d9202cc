package list

import (
	"bytes"
	"slices"

	"go.yaml.in/yaml/v3"
)

// FileItem makes an item of a document of a file, which is the index-th in it.
func FileItem(document []byte, file string, index int) *Item {
	i := &Item{text: document, document: true, file: file, index: index}
	i.parseHead()
	i.checkHead()
	return i
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
	next := FileItem([]byte(i.edited), i.file, i.index)
	next.line, next.packagePath = i.line, i.packagePath
	if i.kept != nil {
		next.Keep()
	}
	next.Resource()
	return next
}

// Keep makes the item keep its document, and the items after it theirs: for items that
// many functions read.
func (i *Item) Keep() {
	if document, err := i.Document(); err == nil {
		i.kept = document
	}
}

// InPackage makes the item one of a package in a tree of packages, as clients say by
// [PackagePathAnnotation].
func (i *Item) InPackage(path string) *Item {
	i.packagePath, i.resource = path, nil
	i.Resource() // known from here on: goroutines may share the item
	return i
}

// FileItems makes items of the documents of a file. Empty ones and those that hold
// only comments or directives are left out.
func FileItems(text []byte, file string) []*Item {
	var items []*Item
	for _, document := range splitDocuments(text) {
		item := FileItem(document.text, file, len(items))
		item.line = document.line
		items = append(items, item)
	}
	return items
}

// fileDocument is a document of a file.
type fileDocument struct {
	text []byte
	// line is the line on which the text begins.
	line int
	// start and end are where the text is in the file. A text that begins on the line of
	// its marker has spaces in place of the marker; start is after them.
	start, end int
	onMarker   bool
}

// markerSpaces replace a marker whose line also begins a document.
const markerSpaces = "   "

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
		var n yaml.Node
		if err := yaml.Unmarshal(current.text, &n); err != nil || n.Kind != 0 {
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
