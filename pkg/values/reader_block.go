package values

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// block reads a literal or folded scalar whose indicator is at an offset, of an entry in a
// column.
func (r *reader) block(i, column int) *yaml.Node {
	n := r.node(yaml.ScalarNode, strTag, i)
	n.Style = yaml.LiteralStyle
	if r.text[i] == '>' {
		n.Style = yaml.FoldedStyle
	}
	chomping := byte(0)
	if i++; i < r.end && (r.text[i] == '-' || r.text[i] == '+') {
		chomping = r.text[i]
		i++
	}
	r.endLine(i)
	b := r.blockLines(column)
	if n.Style == yaml.LiteralStyle {
		n.Value = b.literal(r.text)
	} else {
		n.Value = b.folded(r.text)
	}
	switch {
	case chomping == '+':
		n.Value += r.text[b.end:b.after]
		r.must(b.isBare) // blank lines with spaces
	case chomping == 0 && b.end < len(r.text):
		n.Value += "\n"
	}
	r.must(!r.advance() || r.indent() <= column)
	return n
}

// blockText is the place of the content of a block scalar.
type blockText struct {
	// start is where its first line starts, and end the end of its last line that has
	// content. after is where the blank lines that follow end.
	start, end, after int
	// indent is the column of the content, from 0.
	indent int
	// isBare reports whether the blank lines have no spaces.
	isBare bool
}

// blockLines reads the lines of a block scalar.
func (r *reader) blockLines(column int) blockText {
	b := blockText{start: min(r.next, len(r.text)), isBare: true}
	for r.next <= len(r.text) {
		line, start, end, next := r.line, r.start, r.end, r.next
		r.startLine()
		spaces := leadingSpaces(r.text[r.start:r.end])
		isBlank := r.start+spaces == r.end
		if b.indent == 0 && !isBlank {
			b.indent = spaces
			r.must(spaces > column && r.text[r.start+spaces] != '\t')
		}
		switch {
		case isBlank && (b.indent == 0 || spaces <= b.indent):
			r.must(b.indent > 0 || spaces == 0)
			b.isBare = b.isBare && spaces == 0
			if r.next <= len(r.text) {
				b.after = r.next
			}
			continue
		case spaces < b.indent:
			r.line, r.start, r.end, r.next = line, start, end, next
			r.must(b.end > 0)
			return b
		}
		b.end, b.after, b.isBare = r.end, min(r.next, len(r.text)), true
	}
	r.must(b.end > 0)
	return b
}

// literal returns the lines without their indentation.
func (b blockText) literal(text string) string {
	var out strings.Builder
	out.Grow(b.end - b.start)
	for line := range strings.Lines(text[b.start:b.end]) {
		if len(line) > b.indent {
			out.WriteString(line[b.indent:])
		} else {
			out.WriteByte('\n')
		}
	}
	return out.String()
}

// folded returns the lines without their indentation, and with a space in place of a single
// line break between two that are not indented further.
func (b blockText) folded(text string) string {
	var out strings.Builder
	out.Grow(b.end - b.start)
	breaks, wasDeeper := 0, false
	for line := range strings.Lines(text[b.start:b.end]) {
		line = strings.TrimSuffix(line, "\n")
		if len(line) <= b.indent {
			breaks++
			continue
		}
		line = line[b.indent:]
		isDeeper := isBlank(line[0])
		switch {
		case out.Len() == 0:
			out.WriteString(strings.Repeat("\n", breaks))
		case isDeeper || wasDeeper:
			out.WriteString(strings.Repeat("\n", breaks+1))
		case breaks == 0:
			out.WriteByte(' ')
		default:
			out.WriteString(strings.Repeat("\n", breaks))
		}
		out.WriteString(line)
		breaks, wasDeeper = 0, isDeeper
	}
	return out.String()
}
