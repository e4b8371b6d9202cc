package list

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// Flat returns the items of a file as [KeptItems] does, with the elements of Lists in the place
// of these: what kubectl prints for several resources. An element is at the lines and columns of
// the file.
func Flat(text []byte, file string, room *Room) []*Item {
	items := KeptItems(text, file, room)
	if !slices.ContainsFunc(items, (*Item).mayBeList) {
		return items
	}
	return Flatten(items, func(item *Item) ([]*Item, bool) { return item.Elements(room) })
}

// Flatten returns the items of a file, with some items replaced by their elements. elements returns
// the elements of an item, and whether they replace the item.
func Flatten(items []*Item, elements func(*Item) ([]*Item, bool)) []*Item {
	var flat []*Item
	for _, item := range items {
		all, ok := elements(item)
		if !ok {
			all = []*Item{item}
		}
		for _, one := range all {
			one.index = len(flat)
			flat = append(flat, one)
		}
	}
	return flat
}

// mayBeList reports whether the kind of the item is `List`, or ends with it.
func (i *Item) mayBeList() bool { return strings.HasSuffix(i.kind, "List") }

// Elements returns the elements of a List as items of its file, and whether the item is one: its
// field items has resources. Elements of a typed List, such as a PodList, have its apiVersion and
// kind if they have none. They keep their documents if there is room.
func (i *Item) Elements(room *Room) (elements []*Item, isList bool) {
	if !i.mayBeList() {
		return nil, false
	}
	document, err := i.Document()
	if err != nil {
		return nil, false
	}
	list := values.Field(document.Root(), "items")
	if list == nil || list.Kind != yaml.SequenceNode {
		return nil, false
	}
	for _, n := range list.Content {
		if n = values.Resolve(n); n.Kind != yaml.MappingNode || values.Field(n, "metadata") == nil && values.Field(n, "kind") == nil {
			return nil, false
		}
	}
	for at, n := range list.Content {
		head := ""
		if kind := strings.TrimSuffix(i.kind, "List"); kind != "" && values.Field(n, "kind") == nil && values.Field(n, "apiVersion") == nil {
			head = "apiVersion: " + values.Quote(i.apiVersion) + "\nkind: " + values.Quote(kind) + "\n"
		}
		one := i.elementItem(document, list, at, head, room)
		if one == nil {
			return nil, false
		}
		elements = append(elements, one)
	}
	return elements, true
}

// Element returns an element of a list of a document of the item as an item of its file, or nil if
// it cannot be printed. It keeps its document if there is room.
func (i *Item) Element(document *values.Document, list *yaml.Node, at int, room *Room) *Item {
	return i.elementItem(document, list, at, "", room)
}

// elementItem is Element with lines before the text of the element.
func (i *Item) elementItem(document *values.Document, list *yaml.Node, at int, head string, room *Room) *Item {
	n := values.Resolve(list.Content[at])
	text, line := i.elementText(document, list, at), i.line+n.Line-1
	isPrinted := text == nil
	if isPrinted {
		var err error
		if text, err = yaml.Marshal(inFlow(n)); err != nil {
			return nil
		}
	}
	if head != "" {
		text, line = withHead(text, head), line-strings.Count(head, "\n")
	}
	one := keptItem(text, i.file, i.index, room)
	one.line, one.isElement, one.isPrinted = max(line, 1), true, isPrinted
	return one
}

// inFlow returns a tree in flow style, which is printed on one line: the first one of the tree.
func inFlow(n *yaml.Node) *yaml.Node {
	c := *values.Resolve(n)
	c.Anchor = ""
	if c.Kind != yaml.ScalarNode {
		c.Style = yaml.FlowStyle
	} else if strings.Contains(c.Value, "\n") {
		c.Style = yaml.DoubleQuotedStyle
	}
	c.Content = make([]*yaml.Node, len(c.Content))
	for i, child := range values.Resolve(n).Content {
		c.Content[i] = inFlow(child)
	}
	return &c
}

// IsPrinted reports whether the item is an element of a List whose text is not the one of the file:
// of its places only the line is known.
func (i *Item) IsPrinted() bool { return i.isPrinted }

// IsElement reports whether the item is an element of a List.
func (i *Item) IsElement() bool { return i.isElement }

// farRight is the column after which an element of a List is printed: each one has as many spaces
// before it.
const farRight = 4096

// elementText returns the text of an element, with spaces in place of the text before it on its
// first line, so that its columns are the columns of the file. It is nil if the element has no text
// of its own.
func (i *Item) elementText(document *values.Document, list *yaml.Node, at int) []byte {
	n, text, lines := list.Content[at], document.Text(), document.Lines()
	if i.refers || n.Kind != yaml.MappingNode || n.Line == 0 {
		return nil
	}
	start, from := lines.Start(n.Line), lines.Offset(values.At(n))
	if from-start > farRight {
		return nil
	}
	if n.Style&yaml.FlowStyle != 0 {
		var raw json.RawMessage
		if json.NewDecoder(strings.NewReader(text[from:])).Decode(&raw) != nil {
			return nil
		}
		return append(bytes.Repeat([]byte(" "), from-start), raw...)
	}
	if dash := strings.Trim(text[start:from], " "); list.Style&yaml.FlowStyle != 0 || dash != "-" { // it may be on the line before
		return nil
	}
	end := len(text)
	if at+1 < len(list.Content) {
		end = lines.Start(list.Content[at+1].Line)
	} else {
		root := document.Root().Content
		for k := 0; k+2 < len(root); k += 2 {
			if root[k+1] == list {
				end = lines.Start(root[k+2].Line)
			}
		}
	}
	if end < from {
		return nil
	}
	return append(bytes.Repeat([]byte(" "), from-start), text[from:end]...)
}

// withHead puts lines before the text of an element, with its indentation.
func withHead(text []byte, head string) []byte {
	bare := bytes.TrimLeft(text, " ")
	indent := string(text[:len(text)-len(bare)])
	if bytes.HasPrefix(bare, []byte("{")) {
		fields := strings.NewReplacer("apiVersion: ", "\"apiVersion\": ", "kind: ", "\"kind\": ", "\n", ",\n").Replace(head)
		return []byte("{" + fields + indent + " " + string(bare[1:]))
	}
	return []byte(indent + strings.ReplaceAll(strings.TrimSuffix(head, "\n"), "\n", "\n"+indent) + "\n" + string(text))
}
