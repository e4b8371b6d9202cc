package function

import (
	"bufio"
	"bytes"
	"io"
	"slices"

	"github.com/kptdev/krm-functions-sdk/go/fn"
	"go.yaml.in/yaml/v3"
)

// Write writes the list: what was not changed byte for byte as it came, earlier
// results first. Nothing is written when the results can not be printed.
func (l *List) Write(w io.Writer, results fn.Results) error {
	printed, err := l.printResults(results)
	if err != nil {
		return err
	}
	out := &lineWriter{out: bufio.NewWriterSize(w, 1<<16)}
	hasItems, hasResults := false, false
	for _, p := range l.parts {
		switch {
		case p.kind == partItems:
			hasItems = true
			l.writeItems(out, p.text)
		case p.kind == partResults && printed != nil:
			hasResults = true
			out.write(printed)
		default:
			out.write(p.text)
		}
	}
	if !hasItems {
		l.writeItems(out, []byte(itemsKey+"\n"))
	}
	if printed != nil && !hasResults {
		out.write(printed)
	}
	return out.out.Flush()
}

const itemsKey = "items:"

// writeItems writes the items behind the text in which their key stands.
func (l *List) writeItems(out *lineWriter, key []byte) {
	if slices.ContainsFunc(l.Items, func(i *Item) bool { return !i.removed }) {
		out.write(withoutEmptyList(key))
		for _, item := range l.Items {
			out.write(item.output())
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

// withoutEmptyList makes room for the first items of a list that came empty.
func withoutEmptyList(key []byte) []byte {
	rest, ok := bytes.CutPrefix(key, []byte(itemsKey))
	if after, empty := bytes.CutPrefix(bytes.TrimLeft(rest, " "), []byte("[]")); ok && empty {
		return slices.Concat([]byte(itemsKey), after)
	}
	return key
}

// printResults prints earlier results and new ones. It returns nil when there
// are no new ones: then the earlier ones stay as they came.
func (l *List) printResults(results fn.Results) ([]byte, error) {
	if len(results) == 0 {
		return nil, nil
	}
	var own yaml.Node
	if err := own.Encode(results); err != nil {
		return nil, err
	}
	list, err := detach(asSequence(slices.Concat(l.earlier, own.Content)...))
	if err != nil {
		return nil, err
	}
	text, err := printNode(list)
	if err != nil {
		return nil, err
	}
	return append([]byte("results:\n"), text...), nil
}

// lineWriter starts what it writes on a line of its own: the input may lack the
// break of its last line, which is not its last one any more.
type lineWriter struct {
	out  *bufio.Writer
	open bool // the last line is not ended
}

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
