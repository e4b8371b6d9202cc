package outline

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/protocol"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/values"
)

// The kinds of symbols.
const (
	symbolFile    = 1
	symbolPackage = 4
	symbolClass   = 5
	symbolString  = 15
	symbolNumber  = 16
	symbolBoolean = 17
	symbolArray   = 18
	symbolObject  = 19
	symbolNull    = 21
)

// Symbol is a resource, a key, or an element of a list, with its children.
type Symbol struct {
	// Name is the key, or the kind and the name of a resource. Detail is shown beside it.
	Name   string `json:"name"`
	Detail string `json:"detail,omitempty"`
	// Kind is one of the symbol constants.
	Kind int `json:"kind"`
	// Range is the whole text of the symbol, and SelectionRange its name.
	Range          protocol.Range `json:"range"`
	SelectionRange protocol.Range `json:"selectionRange"`
	Children       []*Symbol      `json:"children,omitempty"`

	// node is the value, and place converts positions in its document to positions in the buffer.
	node  *yaml.Node
	place func(diag.Position) (diag.Position, bool)
}

// mostSymbols is the maximum number of symbols of a file.
const mostSymbols = 20_000

// Symbols returns the resources of a text, or its keys if the file is a single document, such
// as a values.yaml.
func Symbols(b *protocol.Buffer, path string) []*Symbol {
	all, left := []*Symbol{}, mostSymbols
	if packdir.Is(filepath.Dir(path)) && slices.Contains(packdir.FileNames, filepath.Base(path)) {
		if document, err := values.Parse(b.Text); err == nil && document.Root() != nil {
			t := &tree{b: b, document: document, left: &left, at: func(at diag.Position) (diag.Position, bool) { return at, true }}
			all = t.below(document.Root(), len(b.Text))
		}
		return all
	}
	for _, item := range list.FileItems([]byte(b.Text), path) {
		document, err := item.Document()
		if err != nil || document.Root() == nil {
			continue
		}
		t := &tree{b: b, document: document, left: &left, isResource: true, at: func(at diag.Position) (diag.Position, bool) {
			at.Line += item.Line() - 1
			return at, true
		}}
		kind := symbolClass
		if item.Kind() == "Pack" || item.Kind() == "ConfigMap" && values.Field(document.Root(), "data", packdir.Metadata) != nil {
			kind = symbolPackage
		}
		all = append(all, t.symbol(strings.TrimSpace(item.Kind()+" "+item.Name()), kind, document.Root(), document.Root(), len(document.Text())))
	}
	return all
}

// tree builds the symbols of a document in a buffer.
type tree struct {
	// b is the text of the file, and document the document in it.
	b        *protocol.Buffer
	document *values.Document
	// at converts a position in the document to a position in the buffer, if it is known.
	at func(diag.Position) (diag.Position, bool)
	// isResource is true if the document is a resource, whose texts may be documents.
	isResource bool
	// left is the remaining number of symbols.
	left *int
}

// symbol returns the symbol of a value. It begins at the node first and ends before the offset
// end, without trailing comments and empty lines, because these belong to the next symbol. It is
// nil if the position of first is not known.
func (t *tree) symbol(name string, kind int, first, value *yaml.Node, end int) *Symbol {
	begin, ok := t.at(values.At(first))
	if !ok {
		return nil
	}
	text, lines := t.document.Text(), t.document.Lines()
	from := lines.Offset(values.At(first))
	part := strings.TrimRight(text[from:max(from, end)], " \t\r\n,-")
	for {
		i := strings.LastIndexByte(part, '\n')
		if i < 0 || !strings.HasPrefix(strings.TrimLeft(part[i+1:], " \t"), "#") {
			break
		}
		part = strings.TrimRight(part[:i], " \t\r\n,")
	}
	of := &Symbol{Name: name, Kind: kind, SelectionRange: t.b.Token(begin), Children: t.below(value, end), node: value, place: t.at}
	of.Range = of.SelectionRange
	if at, ok := t.at(lines.Position(from + len(part))); ok && of.Range.End.IsBefore(t.b.Position(at)) {
		of.Range.End = t.b.Position(at)
	}
	return of
}

// below returns the symbols in a mapping or a list that ends before an offset.
func (t *tree) below(n *yaml.Node, end int) []*Symbol {
	var all []*Symbol
	step := 1
	if n.Kind == yaml.MappingNode {
		step = 2
	} else if n.Kind != yaml.SequenceNode {
		return nil
	}
	for i := 0; i < len(n.Content) && *t.left > 0; i += step {
		*t.left--
		key, value, next := n.Content[i], n.Content[i+step-1], end
		if i+step < len(n.Content) {
			next = t.document.Lines().Offset(values.At(n.Content[i+step]))
		}
		name := key.Value
		if step == 1 {
			name = elementName(i, value)
		}
		if name == "" {
			continue
		}
		of := t.symbol(name, kindOf(value), key, value, next)
		if of == nil {
			continue
		}
		if step == 2 && t.isResource && isDocument(name, value) {
			of.Kind, of.Children = symbolFile, t.embedded(value)
		}
		all = append(all, of)
	}
	return all
}

// isDocument reports whether the value of a key is the text of a document.
func isDocument(key string, n *yaml.Node) bool {
	return (strings.Contains(n.Value, "\n") || strings.HasPrefix(n.Value, "{")) &&
		slices.Contains([]string{".yaml", ".yml", ".json", "values", "schema", "presets", "constraints"}, cmp.Or(filepath.Ext(key), key))
}

// embedded returns the symbols in an embedded text.
func (t *tree) embedded(n *yaml.Node) []*Symbol {
	document, err := values.Parse(n.Value)
	if err != nil || document.Root() == nil {
		return nil
	}
	inside := t.document.Embedded(n)
	text := &tree{b: t.b, document: document, left: t.left, at: func(at diag.Position) (diag.Position, bool) {
		outer, ok := inside(at)
		if !ok {
			return outer, false
		}
		return t.at(outer)
	}}
	return text.below(document.Root(), len(n.Value))
}

// elementName returns the name of a list element, such as `[0] vault`. It returns "" for a
// scalar, because scalars are not part of the outline.
func elementName(index int, n *yaml.Node) string {
	if n.Kind == yaml.ScalarNode {
		return ""
	}
	name := fmt.Sprintf("[%d]", index)
	for _, key := range []string{"name", "packName", "type"} {
		if text := values.Text(values.Field(n, key)); text != "" {
			return name + " " + text
		}
	}
	return name
}

// kindOf returns the symbol constant for a value.
func kindOf(n *yaml.Node) int {
	switch values.KindOf(n) {
	case "a map":
		return symbolObject
	case "a list":
		return symbolArray
	case "a number":
		return symbolNumber
	case "a boolean":
		return symbolBoolean
	case "null":
		return symbolNull
	}
	return symbolString
}
