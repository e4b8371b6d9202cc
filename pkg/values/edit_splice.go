package values

import (
	"sort"
	"strings"
)

// splice replaces text[start:end].
type splice struct {
	start, end int
	text       string
}

// apply returns text with all splices made. Those at one place are made in the order
// in which they were added, insertions first.
func apply(text string, splices []splice) (string, bool) {
	sort.SliceStable(splices, func(i, j int) bool {
		a, b := splices[i], splices[j]
		return a.start < b.start || a.start == b.start && a.start == a.end && b.start < b.end
	})
	size := len(text)
	for _, s := range splices {
		size += len(s.text)
	}
	var b strings.Builder
	b.Grow(size)
	at := 0
	for _, s := range splices {
		if s.start < at || s.end < s.start || s.end > len(text) {
			return "", false
		}
		b.WriteString(text[at:s.start])
		b.WriteString(s.text)
		at = s.end
	}
	b.WriteString(text[at:])
	return b.String(), true
}

// lineBreak returns the break that the document's own lines end in.
func (l *layout) lineBreak() string {
	if l.broken == "" {
		l.broken = "\n"
		if i := strings.IndexAny(l.text, "\r\n"); i >= 0 {
			l.broken = l.text[i : i+breakLength(l.text, i)]
		}
	}
	return l.broken
}
