package values

import (
	"strconv"
	"strings"
)

// rewrite writes text in the layout of the block scalar b: its style, its
// indentation, the comment of its header, and its chomping as far as the text
// allows. It replaces the text from the indicator to b.valueEnd; false
// means that the text cannot be written so.
func (b blockScalar) rewrite(source, text string, at context, lineBreak string) (string, bool) {
	if !simpleCharacters(text) {
		return "", false
	}
	body := strings.TrimRight(text, "\n")
	trailing := len(text) - len(body)
	atEnd := b.valueEnd(source) == len(source) // no break follows
	if next := skipBlanks(source, b.end); body == "" && next < len(source) && next-b.end > at.indent {
		return "", false // without a line of its own it would take the comment that follows
	}
	chomping, ok := b.chomp(body, trailing, atEnd)
	if !ok {
		return "", false
	}
	indent, increment := b.indentation(body, at)

	var out strings.Builder
	out.Grow(len(text) + 64 + strings.Count(text, "\n")*(indent+len(lineBreak)-1))
	out.WriteByte(b.style)
	if increment > 0 {
		out.WriteString(strconv.Itoa(increment))
	}
	if chomping != 0 {
		out.WriteByte(chomping)
	}
	out.WriteString(source[b.headerEnd:b.lineEnd])
	padding := strings.Repeat(" ", indent)
	if body != "" {
		for _, line := range b.fold(strings.Split(body, "\n")) {
			out.WriteString(lineBreak)
			if line != "" {
				out.WriteString(padding)
				out.WriteString(line)
			}
		}
	}
	blank := trailing // lines to add for the break at the end of each
	if body != "" {
		blank--
	}
	if chomping == '+' {
		if b.chomping != '+' {
			blank -= b.blankLines(source)
		}
		if blank < 0 {
			return "", false // the blank lines that follow would become text
		}
		out.WriteString(strings.Repeat(lineBreak, blank))
	}
	if atEnd && trailing > 0 {
		out.WriteString(lineBreak)
	}
	return out.String(), true
}

// chomp returns the chomping indicator to write.
func (b blockScalar) chomp(body string, trailing int, atEnd bool) (byte, bool) {
	switch {
	case body == "" && trailing == 0:
		if b.chomping == '+' {
			return '-', true
		}
		return b.chomping, true
	case trailing == 0:
		if b.chomping == 0 && atEnd {
			return 0, true // no break at all, so none is read
		}
		return '-', true
	case trailing > 1 || body == "":
		return '+', true
	case b.chomping == '-':
		return 0, true
	}
	return b.chomping, true
}

// indentation returns the column of the content, and the indicator that has
// to say so.
func (b blockScalar) indentation(body string, at context) (indent, increment int) {
	parent := max(at.indent, 0)
	indent = b.indent
	if b.last == b.lineEnd && b.increment == 0 { // there is no content to follow
		indent = parent + 2
	}
	first := strings.TrimLeft(body, "\n")
	if b.increment == 0 && (first == "" || !isBlank(first[0])) {
		return indent, 0
	}
	if indent-parent < 1 || indent-parent > 9 {
		indent = parent + 2
	}
	return indent, indent - parent
}

// fold returns the lines to write for the lines of a text. Folding joins
// adjacent lines by a blank unless one starts with a blank, so a line break of
// the text takes an empty line more.
func (b blockScalar) fold(lines []string) []string {
	if b.style == '|' {
		return lines
	}
	var out []string
	previous := ""
	for i, line := range lines {
		if line != "" {
			if previous != "" && !isBlank(previous[0]) && !isBlank(line[0]) {
				out = append(out, "")
			}
			previous = line
		}
		out = append(out, lines[i])
	}
	return out
}

// blankLines counts the blank lines that follow the scalar.
func (b blockScalar) blankLines(source string) int {
	count := 0
	for i := afterBreak(source, b.last); i < b.end; i++ {
		if n := breakLength(source, i); n > 0 {
			count++
			i += n - 1
		}
	}
	return count
}

// refold writes the folded scalar b, whose indicator is at start, with parts of its text
// replaced: the other lines stay. It replaces what rewrite does.
func (b blockScalar) refold(source string, start int, e *ScalarEdit, at context) (string, bool) {
	if b.style != '>' || len(e.Replaced) == 0 {
		return "", false
	}
	offsets, ok := b.offsets(source, e.Node.Value)
	if !ok {
		return "", false
	}
	var splices []splice
	for _, r := range e.Replaced {
		if r.Start < 0 || r.End <= r.Start || r.End > len(offsets) || strings.Contains(r.Text, "\n") || strings.Trim(r.Text, " \t") != r.Text {
			return "", false
		}
		end := offsets[r.End-1] + 1
		if r.End < len(offsets) {
			end = offsets[r.End] // on the next line when the part ends with a break
		}
		splices = append(splices, splice{offsets[r.Start] - start, end - start, r.Text})
	}
	old := source[start:b.valueEnd(source)]
	text, ok := apply(old, splices)
	if !ok || trailingBlanks(text) > trailingBlanks(old) {
		return "", false
	}
	// Which lines fold depends on how they begin, so the text is read.
	alone := strings.Repeat(" ", max(at.indent, 0)) + "k: " + text
	if b.valueEnd(source) < len(source) {
		alone += "\n"
	}
	n, err := read(alone)
	return text, err == nil && Text(Field(n.root, "k")) == e.Text
}

// trailingBlanks counts the lines of a text that end in whitespace.
func trailingBlanks(text string) int {
	return strings.Count(text, " \n") + strings.Count(text, "\t\n") + strings.Count(text, " \r") + strings.Count(text, "\t\r")
}

// offsets returns where in the source each byte of the decoded text of b is; for a break
// that folding changed, where the line ends.
func (b blockScalar) offsets(source, text string) ([]int, bool) {
	all := make([]int, 0, len(text))
	for i := b.content; len(all) < len(text); {
		for leading := 0; leading < b.indent && i < len(source) && source[i] == ' '; leading++ {
			i++
		}
		for end := lineEnd(source, i); i < end; i++ {
			if len(all) == len(text) || text[len(all)] != source[i] {
				return nil, false
			}
			all = append(all, i)
		}
		if i >= len(source) {
			return all, len(all) == len(text)
		}
		next := afterBreak(source, i)
		for {
			first := next + leadingSpaces(source[next:])
			if breakLength(source, first) == 0 || first-next > b.indent {
				break
			}
			next = afterBreak(source, first) // an empty line
		}
		if len(all) < len(text) && text[len(all)] == ' ' {
			all = append(all, i)
		} else {
			for len(all) < len(text) && text[len(all)] == '\n' {
				all = append(all, i)
			}
		}
		i = next
		if next >= len(source) && len(all) < len(text) {
			return nil, false
		}
	}
	return all, true
}
