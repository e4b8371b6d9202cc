package lsp

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/packdir"
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

// symbol is a resource, a key, or an element of a list, with what is in it.
type symbol struct {
	Name           string    `json:"name"`
	Detail         string    `json:"detail,omitempty"`
	Kind           int       `json:"kind"`
	Range          span      `json:"range"`
	SelectionRange span      `json:"selectionRange"`
	Children       []*symbol `json:"children,omitempty"`

	// item is the resource, and isText says that the value is a document of its own.
	item   *list.Item
	isText bool
	// node is the value, and place returns the places of its document in the buffer.
	node  *yaml.Node
	place func(diag.Position) (diag.Position, bool)
}

// mostSymbols bounds the symbols of a file.
const mostSymbols = 20_000

// symbolsOf returns the resources of a text, or the keys of one that is a document by itself,
// such as a values.yaml.
func symbolsOf(b *buffer, path string) []*symbol {
	left := mostSymbols
	if packdir.Is(filepath.Dir(path)) && slices.Contains(packdir.FileNames, filepath.Base(path)) {
		document, err := values.Parse(b.text)
		if err != nil || document.Root() == nil {
			return nil
		}
		t := &tree{b: b, document: document, left: &left, at: func(at diag.Position) (diag.Position, bool) { return at, true }}
		return t.below(document.Root(), len(b.text))
	}
	var all []*symbol
	for _, item := range list.FileItems([]byte(b.text), path) {
		document, err := item.Document()
		if err != nil || document.Root() == nil {
			continue
		}
		t := &tree{b: b, document: document, left: &left, item: item, at: func(at diag.Position) (diag.Position, bool) {
			at.Line += item.Line() - 1
			return at, true
		}}
		root := document.Root()
		of := &symbol{Name: strings.TrimSpace(item.Kind() + " " + item.Name()), Kind: symbolClass, item: item, node: root, place: t.at}
		of.Range, of.SelectionRange = t.spanOf(root, len(document.Text())), t.tokenOf(root)
		if isPack(item, root) {
			of.Kind = symbolPackage
		}
		of.Children = t.below(root, len(document.Text()))
		all = append(all, of)
	}
	return all
}

func isPack(item *list.Item, root *yaml.Node) bool {
	return item.Kind() == "Pack" || item.Kind() == "ConfigMap" && values.Field(root, "data", packdir.Metadata) != nil
}

// tree makes the symbols of a document in a buffer.
type tree struct {
	b        *buffer
	document *values.Document
	// at returns the place in the buffer of one in the document, if that is known.
	at   func(diag.Position) (diag.Position, bool)
	item *list.Item
	// left is how many symbols may follow.
	left *int
}

// below returns what is in a mapping or a list that ends before an offset.
func (t *tree) below(n *yaml.Node, end int) []*symbol {
	var all []*symbol
	step := 1
	if n.Kind == yaml.MappingNode {
		step = 2
	} else if n.Kind != yaml.SequenceNode {
		return nil
	}
	for i := 0; i+step <= len(n.Content) && *t.left > 0; i += step {
		*t.left--
		key, value := n.Content[i], n.Content[i+step-1]
		next := end
		if i+step < len(n.Content) {
			next = t.document.Lines().Offset(values.At(n.Content[i+step]))
		}
		of := &symbol{Name: key.Value, Kind: kindOf(value), Range: t.spanOf(key, next), SelectionRange: t.tokenOf(key), node: value, place: t.at}
		if step == 1 {
			of.Name = elementName(i, value)
		}
		if _, ok := t.at(values.At(key)); !ok || of.Name == "" {
			continue
		}
		if isDocument(key.Value, value) && step == 2 && t.item != nil {
			of.isText, of.Kind = true, symbolFile
			of.Children = t.embedded(value)
		}
		if value.Kind != yaml.ScalarNode {
			of.Children = t.below(value, next)
			of.isText = t.item != nil && isSpecText(key.Value)
		}
		all = append(all, of)
	}
	return all
}

// isDocument reports whether a key has the text of a document as its value.
func isDocument(key string, n *yaml.Node) bool {
	if n.Kind != yaml.ScalarNode || !strings.Contains(n.Value, "\n") && !strings.HasPrefix(n.Value, "{") {
		return false
	}
	switch filepath.Ext(key) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return isSpecText(key)
}

func isSpecText(key string) bool {
	switch key {
	case "values", "schema", "presets", "constraints":
		return true
	}
	return false
}

// embedded returns the keys of a text.
func (t *tree) embedded(n *yaml.Node) []*symbol {
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

// elementName names an element of a list, if it is a mapping.
func elementName(index int, n *yaml.Node) string {
	if n.Kind == yaml.ScalarNode {
		return "" // a list of texts needs no outline
	}
	name := fmt.Sprintf("[%d]", index)
	for _, key := range []string{"name", "packName", "type"} {
		if text := values.Text(values.Field(n, key)); text != "" {
			return name + " " + text
		}
	}
	return name
}

func kindOf(n *yaml.Node) int {
	switch values.KindOf(n) {
	case "a mapping":
		return symbolObject
	case "a list":
		return symbolArray
	case "a number":
		return symbolNumber
	case "a boolean":
		return symbolBoolean
	case "nothing":
		return symbolNull
	}
	return symbolString
}

// spanOf returns the range from a node to what ends before an offset, without the comments
// and empty lines there: they belong to what is next.
func (t *tree) spanOf(n *yaml.Node, end int) span {
	text, lines := t.document.Text(), t.document.Lines()
	from := lines.Offset(values.At(n))
	part := strings.TrimRight(text[from:max(from, end)], " \t\r\n,-")
	for {
		i := strings.LastIndexByte(part, '\n')
		if i < 0 || !strings.HasPrefix(strings.TrimLeft(part[i+1:], " \t"), "#") {
			break
		}
		part = strings.TrimRight(part[:i], " \t\r\n,")
	}
	token := t.tokenOf(n)
	to := t.place(lines.Position(from + len(part)))
	if isBefore(to, token.End) {
		to = token.End
	}
	return span{token.Start, to}
}

// tokenOf returns the range of the token at which a node begins.
func (t *tree) tokenOf(n *yaml.Node) span {
	at, ok := t.at(values.At(n))
	if !ok {
		return span{}
	}
	return t.b.token(at)
}

func (t *tree) place(at diag.Position) position {
	at, ok := t.at(at)
	if !ok {
		return position{}
	}
	return t.b.position(at)
}
