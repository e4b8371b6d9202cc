package list

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
)

// Add puts a new resource at the end of the list. text is a document in block
// style with at least apiVersion, kind and metadata.name, its keys in the first
// column. It is not parsed, and must be YAML. The resource's annotations contain
// the path to store it at (see [PathAnnotation]).
func (l *List) Add(text string) (*Item, error) {
	item := l.newItem(text)
	switch {
	case item.fault != "":
		return nil, fmt.Errorf("a new resource: %s", item.fault)
	case item.name == "":
		return nil, errors.New("a new resource: the resource has no metadata.name")
	}
	item.added = true
	l.Items = append(l.Items, item)
	return item, nil
}

// newItem makes an item of a document, in the form of the other items.
func (l *List) newItem(text string) *Item {
	column, isOfFile := 0, len(l.Items) > 0 && l.Items[0].isDocument
	if len(l.Items) > 0 && !isOfFile {
		column = bytes.IndexByte(l.Items[0].text, '-')
	}
	item := &Item{head: head{doubt: true}, text: indentLines([]byte(text), column+2)}
	item.text[column] = '-'
	if found, ok := split(slices.Concat([]byte(itemsKey+"\n"), item.text)); ok {
		item = found.items[0]
	}
	if isOfFile {
		item.text, item.isDocument, item.file, item.index = []byte(text), true, l.Items[0].file, len(l.Items)
	}
	item.complete()
	return item
}
