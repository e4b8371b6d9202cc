package diag

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/krm-packs/functions/pkg/internal/nearest"
)

// Edit replaces a part of a document. It holds nothing of what it replaces, which may be a
// secret.
type Edit struct {
	// At is its start, and Length the number of characters to replace.
	At     Position
	Length int
	// New is the text that takes the place of the old one.
	New string
	// IsSure reports whether the edit may be written into a file: it changes one letter, the case
	// of letters, puts quotes around a value, or adds a unit to it.
	IsSure bool
}

// Mistake is a text that a finding is about. It may be a secret, so it is not printed, and not
// kept after the run of a function.
type Mistake struct {
	// Path is the path of Text in the resource, if it differs from the path of the finding.
	Path, Text string
	// Known are the names to choose from, and Right is the correction if it is not the
	// nearest one of them.
	Known []string
	// Right is set if the correction does not follow from Known.
	Right string
}

// Meant sets the name that was found, and the one that it probably means of the known ones.
func (f Finding) Meant(name, near string, known []string) Finding {
	f.Nearest, f.Mistakes = near, []Mistake{{Text: name, Known: known}}
	return f
}

// Correct sets the text that was found, and the one to write in its place.
func (f Finding) Correct(text, right string) Finding {
	f.Mistakes = []Mistake{{Text: text, Right: right}}
	return f
}

// Quote sets the action for a plain value that would be right as text.
func (f Finding) Quote(value string) Finding {
	if f.Action = "put it in quotes"; value == "" || strings.ContainsAny(value, `{}[]&*!|>%@`) {
		return f
	}
	return f.Correct(value, strconv.Quote(value))
}

// Correction returns the text to write in the place of a mistake, or "" if none is certain. Of
// names that is the only one that is a typo away, else the only one that is misspelt so.
func (f *Finding) Correction(m Mistake) string {
	if m.Text == "" || m.Right != "" || f.Nearest == "" || f.Nearest == m.Text {
		return m.Right
	}
	name := strings.TrimSpace(m.Text)
	isTypo := func(known string) bool { return known == name || nearest.IsTypo(name, known) }
	isEqual := func(known string) bool { return strings.EqualFold(known, name) }
	isOther := func(known string) bool {
		return known != f.Nearest && isTypo(known) && (isEqual(known) || !isEqual(f.Nearest))
	}
	isCertain := !areSeveral(m.Text, m.Known) && nearest.IsMisspelt(m.Text, f.Nearest)
	if isTypo(f.Nearest) {
		isCertain = !slices.ContainsFunc(m.Known, isOther)
	}
	if !isCertain {
		return ""
	}
	return f.Nearest
}

// Edits returns the edits that write the correction of a mistake that is at a place. Edits that
// add quotes do not contain the text between them, which may be a secret.
func (m Mistake) Edits(at Position, right string) []Edit {
	length := utf8.RuneCountInString(m.Text)
	if right == strconv.Quote(m.Text) {
		return []Edit{{at, 0, `"`, true}, {Position{at.Line, at.Column + length}, 0, `"`, true}}
	}
	isKept := m.Right != "" && strings.HasPrefix(right, m.Text)
	return []Edit{{at, length, right, isKept || nearest.IsTypo(m.Text, right) || strings.EqualFold(m.Text, right)}}
}
