package function

import (
	"bytes"
	"strings"
)

// head is what the light look reads of an item, without parsing it.
type head struct {
	apiVersion, kind, name, namespace string
	// annotations is the text of the lines under metadata.annotations.
	annotations []byte
	// doubt says that the head was not recognized with certainty: the item has
	// to be parsed to know it.
	doubt bool
}

// lookAt reads the head of an item's text. It stops as soon as everything is
// found, so that the bulk of the item is not even looked at.
func lookAt(item []byte) head {
	if text := flowText(item); text != nil {
		return lookAtJSON(text)
	}
	l := looker{keys: -1, under: -1, scalar: -1}
	for at := 0; at < len(item) && !l.done(); {
		end := bytes.IndexByte(item[at:], '\n')
		next := at + end + 1
		if end < 0 {
			end, next = len(item)-at, len(item)
		}
		l.line(item[at:at+end], at)
		at = next
	}
	if l.notesEnd == 0 && l.notesStart > 0 {
		l.notesEnd = len(item)
	}
	l.annotations = item[l.notesStart:l.notesEnd]
	return l.head
}

type looker struct {
	head
	keys  int // column of the item's keys, -1 until the first is seen
	under int // column of the keys below metadata, -1 until the first is seen
	// scalar is the column of the key whose plain value was taken last; a deeper
	// line would continue it. -1 for none.
	scalar                       int
	inMetadata, inNotes          bool
	hasAPIVersion, hasKind, past bool // past: metadata was seen and is over
	notesStart, notesEnd         int
}

// done says that nothing more can be learned. A plain value that was taken last
// may still go on.
func (l *looker) done() bool {
	return l.doubt || (l.hasAPIVersion && l.hasKind && l.past && l.scalar < 0)
}

func (l *looker) line(text []byte, at int) {
	indent := len(text) - len(bytes.TrimLeft(text, " "))
	if indent == len(text) || text[indent] == '#' {
		return
	}
	if l.keys >= 0 && indent > l.keys {
		l.deeper(text, indent, at)
		return
	}
	// A key of the item, or its first line; split has made sure of that.
	l.endNotes(at)
	l.past = l.past || l.inMetadata
	l.inMetadata, l.scalar = false, -1
	c := classify(text, indent)
	if l.keys < 0 && c.kind != lineNothing {
		l.keys = c.column
		l.doubt = c.kind != lineKey // flow style
	} else if c.dashes > 0 {
		return // a list that stands in the column of its key
	}
	switch string(c.key) {
	case "apiVersion":
		l.doubt = l.doubt || l.hasAPIVersion
		l.hasAPIVersion = true
		l.apiVersion = l.text(c, l.keys)
	case "kind":
		l.doubt = l.doubt || l.hasKind
		l.hasKind = true
		l.kind = l.text(c, l.keys)
	case "metadata":
		l.doubt = l.doubt || l.past || len(c.value) > 0 || c.block || c.refers
		l.inMetadata = true
	}
}

// deeper takes a line below a key of the item.
func (l *looker) deeper(text []byte, indent, at int) {
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
	l.endNotes(at)
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
	case "annotations":
		if l.notesStart > 0 || len(c.value) > 0 || c.block || c.refers {
			l.doubt = true
			return
		}
		l.inNotes = true
		l.notesStart = at + len(text)
	}
}

func (l *looker) endNotes(at int) {
	if l.inNotes {
		l.inNotes, l.notesEnd = false, at
	}
}

// text takes the value of a key in column, which has to be a string.
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

// scalarText decodes the scalar of a `key: value` line; plain says that it is
// not quoted. It is not ok when the value is none or needs the parser.
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

// isStringWord reports whether a plain scalar is a string with certainty: it
// begins with a letter and is none of the words that YAML gives a meaning.
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

// annotation finds an annotation in the text of the annotations. ok is false
// when only the parser can tell.
func annotation(notes []byte, key string) (value string, ok bool) {
	if notes[0] == '{' {
		return jsonAnnotation(notes, key)
	}
	column, scalar := -1, -1
	for len(notes) > 0 {
		text, rest, _ := bytes.Cut(notes, []byte("\n"))
		notes = rest
		indent := len(text) - len(bytes.TrimLeft(text, " "))
		if indent == len(text) || text[indent] == '#' {
			continue
		}
		if column < 0 {
			column = indent
		}
		if indent > column {
			if scalar >= 0 {
				return "", false // the value goes on
			}
			continue
		}
		scalar = -1
		c := classify(text, indent)
		if c.kind != lineKey || c.dashes > 0 {
			return "", false
		}
		if string(c.key) != key {
			continue
		}
		v, plain, ok := scalarText(c)
		if !ok || value != "" {
			return "", false
		}
		if plain {
			scalar = column
		}
		value = v
	}
	return value, true
}
