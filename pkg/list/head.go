package list

import (
	"bytes"
	"strings"

	"github.com/krm-packs/functions/pkg/internal/nearest"
)

// head contains the fields of an item that the text reader finds without parsing it.
type head struct {
	// apiVersion and kind are fields of the resource, name and namespace fields of its metadata.
	apiVersion, kind, name, namespace string
	// labels and annotations are the text of the lines below these keys of
	// metadata, or unread.
	labels, annotations []byte
	// doubt reports whether the head was not recognized with certainty, so that the item must be
	// parsed.
	doubt bool
}

// unread means labels or annotations that only the parser can read. No entry
// of a mapping looks like it.
var unread = []byte("?")

// itemKey takes a key of the item under way. Of a key twice the last one counts, as for
// the parser.
func (s *splitter) itemKey(l line) {
	s.closeKey()
	h := &s.item.head
	switch string(l.key) {
	case "apiVersion":
		h.apiVersion = s.text(l, s.keyColumn)
	case "kind":
		h.kind = s.text(l, s.keyColumn)
	case "metadata":
		*h = head{apiVersion: h.apiVersion, kind: h.kind, doubt: h.doubt || !l.opensBlock()}
		s.inMetadata, s.underColumn = true, -1
	default:
		h.doubt = h.doubt || mayBringOther(l, resourceKeys)
	}
}

// closeKey ends what is below a key of the item.
func (s *splitter) closeKey() {
	s.closeBlock()
	s.inMetadata, s.plainColumn = false, -1
}

// deeperLine takes a line below a key of the item.
func (s *splitter) deeperLine(l line, column int) {
	h := &s.item.head
	if s.plainColumn >= 0 && column > s.plainColumn {
		h.doubt = true // a plain scalar that goes on
	}
	if !s.inMetadata {
		return
	}
	if s.underColumn < 0 {
		s.underColumn = column
	}
	if column > s.underColumn {
		return // below a key of metadata
	}
	s.closeBlock()
	s.plainColumn = -1
	switch key := string(l.key); {
	case l.dashes > 0:
	case column < s.underColumn || l.kind != lineKey:
		h.doubt = true
	case key == "name":
		h.name = s.text(l, column)
	case key == "namespace":
		h.namespace = s.text(l, column)
	case key == "labels":
		s.openBlock(l, &h.labels)
	case key == "annotations":
		s.openBlock(l, &h.annotations)
	default:
		h.doubt = h.doubt || mayBringOther(l, metadataKeys)
	}
}

// openBlock begins the text of a mapping below metadata, which goes on up to the
// next key. One in flow style is left to the parser, but does not make it read an item
// whose labels or annotations are not asked for.
func (s *splitter) openBlock(l line, block *[]byte) {
	if *block = unread; l.opensBlock() {
		s.block, s.blockStart = block, s.end
	}
}

// closeBlock ends the text of labels or annotations before the current line.
func (s *splitter) closeBlock() {
	if s.block != nil {
		*s.block = s.input[s.blockStart:s.at]
		s.block = nil
	}
}

// text takes the value of a key of the head, which is in a column.
func (s *splitter) text(l line, column int) string {
	text, plain, ok := scalarText(l)
	if plain {
		s.plainColumn = column
	}
	s.item.doubt = s.item.doubt || !ok
	return text
}

// mayBringOther reports whether a key may be a misspelt one of those that are known, or bring
// them from elsewhere.
func mayBringOther(l line, known []string) bool {
	return string(l.key) == "<<" || nearest.Misspelt(string(l.key), known) != ""
}

// indentOf returns the indentation of a line, or -1 for one that is blank or a comment.
func indentOf(text []byte) int {
	indent := len(text) - len(bytes.TrimLeft(text, " "))
	if indent == len(text) || text[indent] == '#' {
		return -1
	}
	return indent
}

// opensBlock reports whether the value of a key can only be below it.
func (l line) opensBlock() bool { return len(l.value) == 0 && !l.block && !l.refers }

// scalarText decodes the scalar of a `key: value` line as [values.Text] does. plain reports whether
// it is not quoted, so that the next line may continue it. ok is false if there is no scalar, or if
// it needs the parser.
func scalarText(c line) (text string, plain, ok bool) {
	if c.open != 0 || c.refers || len(c.value) == 0 {
		return "", false, false
	}
	switch v := c.value; v[0] {
	case '"':
		return string(v[1 : len(v)-1]), false, bytes.IndexByte(v, '\\') < 0
	case '\'':
		return strings.ReplaceAll(string(v[1:len(v)-1]), "''", "'"), false, true
	case '[', '{':
		return "", false, false
	}
	switch text = string(c.value); text {
	case "~", "null", "Null", "NULL":
		text = ""
	}
	return text, true, true
}
