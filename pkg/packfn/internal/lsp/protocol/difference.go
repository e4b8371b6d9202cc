package protocol

import (
	"fmt"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/patch"
)

// Edit converts an edit to the protocol's form.
func (b *Buffer) Edit(e diag.Edit) TextEdit {
	end := e.At
	end.Column += e.Length
	return TextEdit{Range{b.Position(e.At), b.Position(end)}, e.New}
}

// Differences returns the edits, in order, that change the text to another one. Common lines are
// kept.
func (b *Buffer) Differences(after string) []TextEdit {
	starts := []int{0} // the offsets of the lines, as the patch counts them
	for i := range len(b.Text) {
		if b.Text[i] == '\n' {
			starts = append(starts, i+1)
		}
	}
	var edits []TextEdit
	at, removed, added := 0, 0, "" // removed is a number of bytes at the offset at; added replaces them
	flush := func() {
		if removed > 0 || added != "" {
			edits = append(edits, b.replace(at, at+removed, added))
		}
		at, removed, added = at+removed, 0, ""
	}
	lines := strings.SplitAfter(patch.Of("text", []byte(b.Text), []byte(after)), "\n")
	for _, line := range lines[min(2, len(lines)):] { // skip the file names
		switch {
		case strings.HasPrefix(line, "@@"):
			flush()
			var number, count int
			_, _ = fmt.Sscanf(line, "@@ -%d,%d ", &number, &count)
			if count > 0 { // otherwise it is the number of the previous line
				number--
			}
			at = starts[number]
		case strings.HasPrefix(line, "-"):
			removed += len(line) - 1
		case strings.HasPrefix(line, "+"):
			added += line[1:]
		case strings.HasPrefix(line, " "):
			flush()
			at += len(line) - 1
		case line != "": // a last line without an end, or texts that are not UTF-8
			return []TextEdit{b.replace(0, len(b.Text), after)}
		}
	}
	flush()
	return edits
}

// replace returns the edit that replaces a part of the text. A common beginning and end are kept.
func (b *Buffer) replace(from, to int, text string) TextEdit {
	for from < to && text != "" && b.Text[from] == text[0] {
		from, text = from+1, text[1:]
	}
	for from > 0 && !isBoundary(b.Text, from) {
		from--
		text = b.Text[from:from+1] + text
	}
	for from < to && text != "" && b.Text[to-1] == text[len(text)-1] {
		to, text = to-1, text[:len(text)-1]
	}
	for to < len(b.Text) && !isBoundary(b.Text, to) {
		text += b.Text[to : to+1]
		to++
	}
	return TextEdit{b.Span(from, to), text}
}

// isBoundary reports whether a position of the client can be at an offset: not inside the bytes
// of a character, and not between "\r" and "\n".
func isBoundary(text string, at int) bool {
	return at == len(text) || text[at]&0xc0 != 0x80 && !(text[at] == '\n' && at > 0 && text[at-1] == '\r')
}
