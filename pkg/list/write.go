package list

import (
	"bufio"
	"bytes"
	"io"
	"slices"
)

// Write writes the list: what was not changed byte for byte as it came. results are new ones, a
// YAML list in block style with its dashes in the first column, or nil if there is none. They
// follow the earlier ones, whose text stays. Nothing is written when earlier results cannot be
// printed.
func (l *List) Write(w io.Writer, results []byte) error {
	parts := l.parts
	if len(results) > 0 {
		var err error
		if parts, err = l.withResults(results); err != nil {
			return err
		}
	}
	out := &lineWriter{out: bufio.NewWriterSize(w, 1<<16)}
	for _, p := range parts {
		if p.kind == partItems {
			l.writeItems(out, p.text)
		} else {
			out.write(p.text)
		}
	}
	return out.out.Flush()
}

const (
	itemsKey   = "items:"
	resultsKey = "results:"
)

// writeItems writes the items after the text that has their key.
func (l *List) writeItems(out *lineWriter, key []byte) {
	if slices.ContainsFunc(l.Items, func(i *Item) bool { return !i.removed }) {
		if open, ok := openList(key, itemsKey); ok {
			key = open
		}
		out.write(key)
		for _, item := range l.Items {
			out.write(l.textOf(item))
		}
		return
	}
	// An empty list is written out: some clients take a missing one for a
	// failure.
	rest, ok := bytes.CutPrefix(key, []byte(itemsKey))
	switch {
	case !ok:
		out.write([]byte(itemsKey + " []\n"))
	case bytes.HasPrefix(bytes.TrimLeft(rest, " "), []byte("[]")):
		out.write(key)
	default:
		out.write(slices.Concat([]byte(itemsKey+" []"), rest))
	}
}

// textOf returns the text of an item as it is written. An edit of a printed item is printed, too: the
// next function would print it otherwise, and so return another text than this one.
func (l *List) textOf(item *Item) []byte {
	text := item.Text()
	if !l.isPrinted || item.removed || !item.Changed() {
		return text
	}
	if list, err := parse(text); err == nil {
		if printed, err := printNode(list); err == nil {
			return printed
		}
	}
	return text
}

// openList returns the text of an empty list, from its key on, as entries can follow
// it. It reports false for a list that is not empty, or not written as `[]` or as
// nothing.
func openList(text []byte, key string) (open []byte, ok bool) {
	rest := bytes.TrimPrefix(text, []byte(key))
	if after, empty := bytes.CutPrefix(bytes.TrimLeft(rest, " "), []byte("[]")); empty {
		rest = after
	}
	for line := range bytes.Lines(rest) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' {
			return nil, false
		}
	}
	return slices.Concat([]byte(key), rest), true
}

// withResults returns the parts of the list with new results.
func (l *List) withResults(results []byte) ([]part, error) {
	at := slices.IndexFunc(l.parts, func(p part) bool { return p.kind == partResults })
	if at < 0 {
		return slices.Concat(l.parts, []part{{text: []byte(resultsKey + "\n")}, {text: results}}), nil
	}
	earlier, column, err := l.earlierText(l.parts[at].text)
	if err != nil {
		return nil, err
	}
	own := []part{{text: earlier}, {text: indentLines(results, column)}}
	return slices.Concat(l.parts[:at], own, l.parts[at+1:]), nil
}

// earlierText returns the section of the earlier results as new ones can follow it,
// and how far these are indented.
func (l *List) earlierText(section []byte) (text []byte, column int, err error) {
	switch {
	case l.earlierColumn > 0:
		return section, l.earlierColumn - 1, nil
	case len(l.earlier) == 0:
		if open, ok := openList(section, resultsKey); ok {
			return open, 0, nil
		}
	default:
		list := asSequence(l.earlier...)
		if err = detachAlone(list); err == nil {
			text, err = printNode(list)
		}
	}
	return slices.Concat([]byte(resultsKey+"\n"), text), 0, err
}

// indentLines puts spaces before each line that is not empty.
func indentLines(text []byte, spaces int) []byte {
	if spaces == 0 {
		return text
	}
	prefix := bytes.Repeat([]byte(" "), spaces)
	out := make([]byte, 0, len(text)+len(text)/4)
	for line := range bytes.Lines(text) {
		if line[0] != '\n' {
			out = append(out, prefix...)
		}
		out = append(out, line...)
	}
	return out
}

// lineWriter starts what it writes on a line of its own: the input may lack the
// break of its last line, which is no longer the last.
type lineWriter struct {
	out  *bufio.Writer
	open bool // the last line is not ended
}

// write writes a text on a line of its own.
func (w *lineWriter) write(text []byte) {
	if len(text) == 0 {
		return
	}
	if w.open {
		w.out.WriteByte('\n')
	}
	w.out.Write(text)
	w.open = text[len(text)-1] != '\n'
}
