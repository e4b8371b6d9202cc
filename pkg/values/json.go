package values

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// JSON returns a value as canonical JSON: keys sorted by their bytes, no whitespace,
// integers of more than 64 bits as a double. It does not depend on how the value is written, so it can be
// compared and hashed. Aliases and merge keys are followed; dates are text; nil is
// null.
//
// It is false if JSON does not have all of the value. The text then has infinity, NaN and scalars
// of other types as text, and "?" for a key that is a map or a list.
//
// For example, this is `{"a":1.3,"b":["x",8]}`:
//
//	b: [x, 010]
//	a: 1.30
func JSON(n *yaml.Node) (text string, ok bool) {
	w := jsonWriter{canonical: true}
	w.node(n)
	return w.b.String(), w.failed == nil
}

// jsonWriter writes JSON: canonical, or on one line as people write it, in the order of
// the source and with its numbers as written.
type jsonWriter struct {
	// canonical sorts keys, writes no blanks, and normalizes numbers.
	canonical bool
	// b is the text so far.
	b      bytes.Buffer
	failed *yaml.Node // the first value or key that JSON does not have
}

// fail notes a value that JSON does not have. The first one counts.
func (w *jsonWriter) fail(n *yaml.Node) {
	if w.failed == nil {
		w.failed = n
	}
}

// node writes a value and everything below it. Aliases are followed.
func (w *jsonWriter) node(n *yaml.Node) {
	n = dealias(n)
	switch {
	case isNull(n):
		w.b.WriteString("null")
	case n.Kind == yaml.ScalarNode:
		w.scalar(n)
	case n.Kind == yaml.SequenceNode:
		w.b.WriteByte('[')
		for i, child := range n.Content {
			w.separate(i, ",")
			w.node(child)
		}
		w.b.WriteByte(']')
	default:
		all := pairs(n)
		if w.canonical {
			slices.SortStableFunc(all, func(a, b Pair) int { return cmp.Compare(keyText(a.Key), keyText(b.Key)) })
		}
		w.b.WriteByte('{')
		for i, p := range all {
			w.separate(i, ",")
			if _, ok := p.Name(); !ok {
				w.fail(p.Key)
			}
			w.text(keyText(p.Key))
			w.separate(1, ":")
			w.node(p.Value)
		}
		w.b.WriteByte('}')
	}
}

// separate writes the mark before the i-th part, with a blank after it unless the
// output is canonical. It writes nothing before the first part.
func (w *jsonWriter) separate(i int, mark string) {
	if i == 0 {
		return
	}
	w.b.WriteString(mark)
	if !w.canonical {
		w.b.WriteByte(' ')
	}
}

// scalar writes a string, number, boolean or null. Texts of other tags become strings.
func (w *jsonWriter) scalar(n *yaml.Node) {
	tag := n.ShortTag()
	switch tag {
	case boolTag:
		var value bool
		if n.Decode(&value) == nil {
			w.b.WriteString(strconv.FormatBool(value))
			return
		}
	case intTag, floatTag:
		if !w.canonical && json.Valid([]byte(n.Value)) {
			w.b.WriteString(n.Value)
			return
		}
		if whole, ok := integer(strings.TrimPrefix(n.Value, "+")); ok && tag == intTag {
			w.b.WriteString(whole.String())
			return
		}
		var value float64
		if n.Decode(&value) == nil {
			if text, err := json.Marshal(value); err == nil {
				w.b.Write(text)
				return
			}
		}
	}
	if tag != strTag && tag != timestampTag {
		w.fail(n)
	}
	w.text(n.Value)
}

// jsonEscapes are the short escapes of JSON.
var jsonEscapes = map[rune]string{'"': `\"`, '\\': `\\`, '\b': `\b`, '\f': `\f`, '\n': `\n`, '\r': `\r`, '\t': `\t`}

// text writes a string with no more escapes than JSON needs.
func (w *jsonWriter) text(s string) {
	w.b.WriteByte('"')
	for _, r := range s {
		switch escape, ok := jsonEscapes[r]; {
		case ok:
			w.b.WriteString(escape)
		case r < ' ' || !w.canonical && needsEscape(r): // YAML reads some of these differently
			fmt.Fprintf(&w.b, `\u%04x`, r)
		default:
			w.b.WriteRune(r)
		}
	}
	w.b.WriteByte('"')
}
