package function

import (
	"bytes"
	"fmt"
)

// Add puts a new resource at the end of the list. text is a document in block
// style with at least apiVersion, kind and metadata.name, its keys in the first
// column; it is not parsed, and has to be YAML. Where the resource is to be
// stored is up to its annotations (see [PathAnnotation]).
//
// What is added is content of the run's list only when it is written: as with
// other changes, nothing is when there are errors.
func (r *Run) Add(text string) (*Item, error) {
	item := r.list.newItem(text)
	if item.invalid == "" && item.name == "" {
		item.invalid = "the resource lacks metadata.name"
	}
	if item.invalid != "" {
		return nil, fmt.Errorf("a new resource: %s", item.invalid)
	}
	item.added = true
	r.list.Items = append(r.list.Items, item)
	return item, nil
}

// newItem makes an item of a document, in the form of the other items.
func (l *List) newItem(text string) *Item {
	if len(l.Items) > 0 && l.Items[0].document {
		return fileItem([]byte(text), l.Items[0].file, len(l.Items))
	}
	column := 0
	if len(l.Items) > 0 {
		column = bytes.IndexByte(l.Items[0].text, '-')
	}
	return newItem(indented(text, column))
}

// indented makes an item of a list of a document: with a dash at column, and
// everything behind it. Lines without content stay as they are.
func indented(text string, column int) []byte {
	prefix := append(bytes.Repeat([]byte(" "), column), "  "...)
	out := make([]byte, 0, len(text)+len(text)/4)
	for line := range bytes.Lines([]byte(text)) {
		if len(line) > 1 {
			out = append(out, prefix...)
		}
		out = append(out, line...)
	}
	out[column] = '-'
	return out
}
