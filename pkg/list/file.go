package list

import (
	"bytes"

	"go.yaml.in/yaml/v3"
)

// FileItem makes an item of a document of a file, which is the index-th in it.
func FileItem(document []byte, file string, index int) *Item {
	i := &Item{text: document, document: true, file: file, index: index}
	i.parseHead()
	i.checkHead()
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

// fileDocument is a document of a file, and the line on which its text begins.
type fileDocument struct {
	text []byte
	line int
}

func splitDocuments(text []byte) []fileDocument {
	var documents []fileDocument
	var current []byte
	number, first := 0, 0 // the line, and the first one of the current document
	flush := func() {
		var n yaml.Node
		if err := yaml.Unmarshal(current, &n); err != nil || n.Kind != 0 {
			documents = append(documents, fileDocument{current, first})
		}
		current = nil
	}
	for line := range bytes.Lines(bytes.TrimPrefix(text, []byte("\ufeff"))) {
		number++
		if len(current) == 0 {
			first = number
		}
		marker := bytes.HasPrefix(line, []byte("---")) || bytes.HasPrefix(line, []byte("..."))
		switch {
		case marker && (len(line) == 3 || bytes.IndexByte([]byte(" \t\r\n"), line[3]) >= 0):
			flush()
			first = number
			if len(bytes.TrimSpace(line[3:])) > 0 { // a document may start here
				current = append(current, "   "...)
				current = append(current, line[3:]...)
			}
		case line[0] == '%' && len(bytes.TrimSpace(current)) == 0:
			// A directive: neither of the two that exist changes a resource.
		default:
			current = append(current, line...)
		}
	}
	flush()
	return documents
}
