package values

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// JSON returns a value as canonical JSON: keys sorted by their bytes, no whitespace,
// integers of more than 64 bits as a double. It does not depend on how the value is written, so it can be
// compared and hashed. Aliases and merge keys are followed; dates are text; nil is
// null.
//
// It is false when JSON does not have all of the value. The text then has infinity,
// NaN and scalars of other types as text, and "?" for a key that is a mapping or a
// list.
func JSON(n *yaml.Node) (text string, ok bool) {
	return writeJSON(n, jsonForm{canonical: true})
}

// jsonForm is how JSON is written: canonical, or on one line as people write it, in
// the order of the source and with its numbers as written.
type jsonForm struct{ canonical bool }

type jsonWriter struct {
	jsonForm
	b      bytes.Buffer
	failed bool
}

func writeJSON(n *yaml.Node, form jsonForm) (string, bool) {
	w := jsonWriter{jsonForm: form}
	w.node(n)
	return w.b.String(), !w.failed
}

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
			_, ok := p.Name()
			w.failed = w.failed || !ok
			w.text(keyText(p.Key))
			w.separate(1, ":")
			w.node(p.Value)
		}
		w.b.WriteByte('}')
	}
}

// separate writes what is between the i-th part and the one before it.
func (w *jsonWriter) separate(i int, mark string) {
	if i == 0 {
		return
	}
	w.b.WriteString(mark)
	if !w.canonical {
		w.b.WriteByte(' ')
	}
}

func (w *jsonWriter) scalar(n *yaml.Node) {
	tag := n.ShortTag()
	switch tag {
	case boolTag:
		var value bool
		if n.Decode(&value) == nil {
			w.marshal(value)
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
		if n.Decode(&value) == nil && !math.IsInf(value, 0) && !math.IsNaN(value) {
			w.marshal(value)
			return
		}
	}
	w.failed = w.failed || tag != strTag && tag != timestampTag
	w.text(n.Value)
}

func (w *jsonWriter) marshal(value any) {
	text, err := json.Marshal(value)
	w.failed = w.failed || err != nil
	w.b.Write(text)
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
