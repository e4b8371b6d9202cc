package diag

import (
	"fmt"
	"strings"
	"unicode"
)

// Shown returns a text from outside, such as the name of a file, as a terminal, a page
// or a log can print it on one line. Control characters, characters that change the
// direction of writing, and separators of lines and paragraphs become `\u{…}`. So does
// what starts a command of a CI runner: `::` at the start, and `##[` anywhere.
//
// Every writer for people calls it. Programs get the text itself, in the escapes of
// their format.
func Shown(text string) string {
	if !isHostile(text) {
		return text
	}
	var b strings.Builder
	isStart, hashes := true, 0

	for i, r := range text {
		switch {
		case IsHidden(r), isStart && strings.HasPrefix(text[i:], "::"), r == '[' && hashes >= 2:
			fmt.Fprintf(&b, `\u{%x}`, r)
		default:
			b.WriteRune(r)
		}
		isStart = isStart && (unicode.IsSpace(r) || IsHidden(r))
		if hashes++; r != '#' {
			hashes = 0
		}
	}
	return b.String()
}

// ShownLines returns a page as [Shown] has each of its lines, with the tabs of its layout.
func ShownLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		cells := strings.Split(line, "\t")
		for j := range cells {
			cells[j] = Shown(cells[j])
		}
		lines[i] = strings.Join(cells, "\t")
	}
	return strings.Join(lines, "\n")
}

// isHostile reports whether Shown changes a text.
func isHostile(text string) bool {
	isPlain := true
	for i := 0; i < len(text) && isPlain; i++ {
		isPlain = text[i] >= ' ' && text[i] < unicode.MaxASCII
	}
	if isPlain {
		return strings.Contains(text, "##[") || strings.HasPrefix(strings.TrimLeft(text, " "), "::")
	}
	return strings.ContainsFunc(text, IsHidden) || strings.Contains(text, "##[") || strings.HasPrefix(strings.TrimSpace(text), "::") || strings.ContainsRune(text, unicode.ReplacementChar)
}

// IsHidden reports whether a character is one that readers do not see, but that a
// terminal or a page obeys.
func IsHidden(r rune) bool {
	if r < unicode.MaxASCII {
		return r < ' '
	}
	return unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control, unicode.Zl, unicode.Zp)
}

// OneLine makes prose one line: whitespace becomes one space, the rest is as in [Shown].
func OneLine(text string) string {
	if isOneLine(text) {
		return Shown(text)
	}
	return Shown(strings.Join(strings.FieldsFunc(text, isBlank), " "))
}

// isOneLine reports whether the only whitespace of a text is one space between its words.
func isOneLine(text string) bool {
	wasBlank := true
	for i := 0; i < len(text); i++ {
		is := isBlank(rune(text[i]))
		if is && (wasBlank || text[i] != ' ') {
			return false
		}
		wasBlank = is
	}
	return text == "" || !wasBlank
}

func isBlank(r rune) bool { return r == ' ' || r >= '\t' && r <= '\r' }
