// Package shown masks texts in lines of files that a tool prints, in a diff or below a finding at a
// terminal, depending on the audience. It masks only text that may be a secret.
//
// Secrets are found in three ways: a resource is read as far as the suite knows its kind, so that
// fields for names, versions and the like stay visible; values are looked up in the schemas of their
// packs; and a file that cannot be parsed is searched line by line.
//
// For example, this is a line that has a secret, before and after:
//
//	password: hunter2
//	password: •••
package shown

import (
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/krm-packs/functions/pkg/diag"
)

// Hidden replaces masked text.
const Hidden = "•••"

// File is a file with the parts that some audiences must not see.
type File struct {
	// lines are the lines without their breaks.
	lines []string
	// offsets caches the offsets of some characters in long lines.
	offsets map[int][]int
	// hidden are the masked parts by line index, in order.
	hidden map[int][]part
}

// part is a byte range of a line that some audiences must not see.
type part struct {
	// from and to are offsets in the line, and class tells who may see the part.
	from, to int
	class    diag.Class
}

// Line returns a line of the file, counted from 1, masked for an audience, or "" if the line does
// not exist.
func (f *File) Line(number int, audience diag.Audience) string {
	return f.At(diag.Position{Line: number}, audience).Text
}

// Line is a line of a file as an audience sees it.
type Line struct {
	// Text is the line with masks in place of what is hidden.
	Text string `json:"text,omitempty"`
	// Column is the column of a position in the line, in characters starting at 1, or 0 if there
	// is none.
	Column int `json:"column,omitempty"`
}

// maxLine is the maximum length, in bytes, of a line that is shown as a whole. For a longer line,
// the part around the position is shown.
const maxLine = 600

// At returns the line at a position. Texts that equal one of open are not masked, unless they are
// secrets.
func (f *File) At(place diag.Position, audience diag.Audience, open ...string) Line {
	if f == nil || place.Line < 1 || place.Line > len(f.lines) {
		return Line{}
	}
	index := place.Line - 1
	line := f.lines[index]
	from, to, before := 0, len(line), 0 // before counts the characters before from
	if len(line) > maxLine {
		from, to, before = f.around(index, place.Column)
	}
	parts := f.hidden[index]
	parts = parts[sort.Search(len(parts), func(i int) bool { return parts[i].to > from }):]
	var b strings.Builder
	if from > 0 {
		b.WriteString("…")
	}
	column, at := place.Column-before, from
	if from > 0 && column > 0 {
		column++
	}
	for _, p := range parts {
		start, end := max(p.from, from), min(p.to, to)
		if start >= to {
			break
		}
		isOpen := p.class == diag.Owned && slices.Contains(open, strings.Trim(line[p.from:min(p.to, p.from+maxLine)], `"'`))
		if audience.Sees(p.class) || isOpen || start < at {
			continue
		}
		b.WriteString(line[at:start])
		first := utf8.RuneCountInString(b.String()) + 1 // the column where the mask is shown
		length := utf8.RuneCountInString(line[start:end])
		b.WriteString(Hidden)
		switch {
		case column >= first+length:
			column += utf8.RuneCountInString(Hidden) - length
		case column > first: // in the text that is hidden
			column = first
		}
		at = end
	}
	b.WriteString(line[at:to])
	text := strings.TrimSuffix(b.String(), "\r")
	if to < len(line) {
		text += "…"
	}
	return Line{text, max(column, 0)}
}

// distance is how many characters of a long line are between the offsets that are kept of it.
const distance = 150

// around returns the part of a long line around a column, and how many characters are before it.
func (f *File) around(index, column int) (from, to, before int) {
	line := f.lines[index]
	offsets := f.offsets[index]
	if offsets == nil {
		count := 0
		for at := range line {
			if count%distance == 0 {
				offsets = append(offsets, at)
			}
			count++
		}
		if f.offsets == nil {
			f.offsets = map[int][]int{}
		}
		f.offsets[index] = offsets
	}
	at := min(max(column-1, 0)/distance, len(offsets)-1)
	first, last := max(at-1, 0), at+2
	if last < len(offsets) {
		return offsets[first], offsets[last], first * distance
	}
	return offsets[first], len(line), first * distance
}

// Lines returns all lines of the file, each as Line does.
func (f *File) Lines(audience diag.Audience) []string {
	lines := make([]string, len(f.lines))
	for i := range lines {
		lines[i] = f.Line(i+1, audience)
	}
	return lines
}

// hide adds a part of the line with an index. It cuts the part at the last
// character of the line that is not a blank, and adds no empty part.
func (f *File) hide(index, from, to int, class diag.Class) {
	if index < 0 || index >= len(f.lines) || class == diag.Open {
		return
	}
	line := f.lines[index]
	to = min(to, len(line))
	if to = len(strings.TrimRight(line[:to], " \t\r")); from < to {
		f.hidden[index] = append(f.hidden[index], part{from, to, class})
	}
}

// sort sorts the parts of each line. A part inside a larger part is merged into it, with the
// stricter class of both.
func (f *File) sort() {
	for i, parts := range f.hidden {
		slices.SortFunc(parts, func(a, b part) int {
			if a.from != b.from {
				return a.from - b.from
			}
			return b.to - a.to
		})
		var kept []part
		for _, p := range parts {
			if n := len(kept); n > 0 && p.from < kept[n-1].to {
				kept[n-1].to, kept[n-1].class = max(kept[n-1].to, p.to), max(kept[n-1].class, p.class)
				continue
			}
			kept = append(kept, p)
		}
		f.hidden[i] = kept
	}
}
