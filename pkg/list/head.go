package list

import (
	"bytes"
	"strings"
)

// head is what the light look reads of an item, without parsing it.
type head struct {
	apiVersion, kind, name, namespace string
	// labels and annotations are the text of the lines below these keys of
	// metadata, or unread.
	labels, annotations []byte
	// doubt says that the head was not recognized with certainty: the item must be
	// parsed.
	doubt bool
}

// unread means labels or annotations that only the parser can read. No entry
// of a mapping looks like it.
var unread = []byte("?")

// lookAt reads the head of an item's text. It stops as soon as it has found
// everything, before the bulk of the item.
func lookAt(item []byte) head {
	l := looker{keys: -1, under: -1, scalar: -1}
	for at := 0; at < len(item) && !l.done(); {
		end := bytes.IndexByte(item[at:], '\n')
		next := at + end + 1
		if end < 0 {
			end, next = len(item)-at, len(item)
		}
		l.line(item[at:at+end], at, item)
		at = next
	}
	l.closeBlock(item)
	return l.head
}

type looker struct {
	head
	keys  int // column of the item's keys, -1 until the first is seen
	under int // column of the keys below metadata, -1 until the first is seen
	// scalar is the column of the key whose plain value came last, which a deeper
	// line would continue. -1 for none.
	scalar                       int
	inMetadata                   bool
	hasAPIVersion, hasKind, past bool // past: metadata was seen and is over
	// block is where the text of the labels or annotations under way goes, and
	// start where that text begins.
	block *[]byte
	start int
}

// done says that nothing more can be learned. A plain value that came last may
// still go on.
func (l *looker) done() bool {
	return l.doubt || (l.hasAPIVersion && l.hasKind && l.past && l.scalar < 0)
}

func (l *looker) line(text []byte, at int, item []byte) {
	indent := indentOf(text)
	if indent < 0 {
		return
	}
	if l.keys >= 0 && indent > l.keys {
		l.deeper(text, indent, at, item)
		return
	}
	// A key of the item, or its first line; split has made sure of that.
	l.closeBlock(item[:at])
	l.past = l.past || l.inMetadata
	l.inMetadata, l.scalar = false, -1
	c := classify(text, indent)
	if l.keys < 0 && c.kind != lineNothing {
		l.keys = c.column
		l.doubt = c.kind != lineKey // flow style
	} else if c.dashes > 0 {
		return // a list in the column of its key
	}
	switch string(c.key) { // of a key twice the last one counts, as for the parser
	case "apiVersion":
		l.hasAPIVersion = true
		l.apiVersion = l.text(c, l.keys)
	case "kind":
		l.hasKind = true
		l.kind = l.text(c, l.keys)
	case "metadata":
		l.doubt = l.doubt || l.past || !c.opensBlock()
		l.inMetadata = true
	case "<<":
		l.doubt = true // may bring any key
	}
}

// deeper takes a line below a key of the item.
func (l *looker) deeper(text []byte, indent, at int, item []byte) {
	if l.scalar >= 0 && indent > l.scalar {
		l.doubt = true // a plain scalar that goes on
		return
	}
	if !l.inMetadata {
		return
	}
	if l.under < 0 {
		l.under = indent
	}
	if indent > l.under {
		return // below a key of metadata
	}
	l.closeBlock(item[:at])
	l.scalar = -1
	c := classify(text, indent)
	if indent < l.under || c.kind != lineKey || c.dashes > 0 {
		l.doubt = l.doubt || c.dashes == 0
		return
	}
	switch string(c.key) {
	case "name":
		l.doubt = l.doubt || l.name != ""
		l.name = l.text(c, indent)
	case "namespace":
		l.doubt = l.doubt || l.namespace != ""
		l.namespace = l.text(c, indent)
	case "labels":
		l.openBlock(c, &l.labels, at+len(text))
	case "annotations":
		l.openBlock(c, &l.annotations, at+len(text))
	default:
		l.doubt = l.doubt || string(c.key) == "<<" || mayBeSlip(c.key, metadataKeys)
	}
}

// openBlock begins the text of a mapping below metadata, which goes on up to the
// next key. One in flow style, and a second one, are left to the parser, but do not
// make it read an item whose labels or annotations are not asked for.
func (l *looker) openBlock(c line, block *[]byte, start int) {
	if *block != nil || !c.opensBlock() {
		*block = unread
		return
	}
	*block, l.block, l.start = []byte{}, block, start
}

// closeBlock ends the text of a mapping below metadata at the end of the text so
// far.
func (l *looker) closeBlock(soFar []byte) {
	if l.block != nil {
		*l.block = soFar[l.start:]
		l.block = nil
	}
}

// text takes the value of a key in column, which must be a string.
func (l *looker) text(c line, column int) string {
	value, plain, ok := scalarText(c)
	if !ok || (plain && !isStringWord(value)) {
		l.doubt = true
		return ""
	}
	if plain {
		l.scalar = column
	}
	return value
}

// indentOf returns the indentation of a line, -1 for one that is blank or a
// comment.
func indentOf(text []byte) int {
	indent := len(text) - len(bytes.TrimLeft(text, " "))
	if indent == len(text) || text[indent] == '#' {
		return -1
	}
	return indent
}

// opensBlock reports whether the value of a key can only be below it.
func (l line) opensBlock() bool { return len(l.value) == 0 && !l.block && !l.refers }

// scalarText decodes the scalar of a `key: value` line; plain says that it is
// not quoted. It is not ok when there is no scalar or it needs the parser.
func scalarText(c line) (text string, plain, ok bool) {
	if c.kind != lineKey || c.block || c.open != 0 || c.refers || len(c.value) == 0 {
		return "", false, false
	}
	switch v := c.value; v[0] {
	case '"':
		return string(v[1 : len(v)-1]), false, bytes.IndexByte(v, '\\') < 0
	case '\'':
		return strings.ReplaceAll(string(v[1:len(v)-1]), "''", "'"), false, true
	case '[', '{', '*', '|', '>':
		return "", false, false
	default:
		return string(v), true, true
	}
}

// isStringWord reports whether a plain scalar is certainly a string: it begins with
// a letter and YAML gives it no other meaning.
func isStringWord(text string) bool {
	c := text[0] | 0x20
	if c < 'a' || c > 'z' {
		return false
	}
	switch strings.ToLower(text) {
	case "true", "false", "null", "yes", "no", "on", "off", "y", "n":
		return false
	}
	return true
}

// isNullWord reports whether a plain scalar is null.
func isNullWord(text string) bool { return text == "~" || strings.EqualFold(text, "null") }
