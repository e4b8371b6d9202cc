package values

import (
	"strconv"
	"strings"
)

// rewrite writes text in the layout of the block scalar b: its style, its
// indentation, the comment of its header, and its chomping as far as the text
// allows. It replaces what stands from the indicator to b.valueEnd; false
// means that the text cannot be written so.
func (b blockScalar) rewrite(source, text string, at place, lineBreak string) (string, bool) {
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
func (b blockScalar) indentation(body string, at place) (indent, increment int) {
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
