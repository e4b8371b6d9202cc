package template

import "strings"

// CodeStart returns where the action's code starts in the text that holds the
// action, to turn offsets into the code into offsets into the text.
func (a Action) CodeStart(text string) int {
	start := a.Start + len("{{")
	if a.TrimsBefore(text) {
		start++
	}
	for start < a.End && isSpace(text[start]) {
		start++
	}
	return max(start, a.Start+strings.Index(text[a.Start:a.End], a.Code))
}

// TrimsBefore reports whether the action starts with `{{- `, which removes the
// whitespace before it.
func (a Action) TrimsBefore(text string) bool {
	i := a.Start + len("{{")
	return i+1 < a.End && text[i] == '-' && isSpace(text[i+1])
}

// TrimsAfter reports whether the action ends with ` -}}`, which removes the
// whitespace after it.
func (a Action) TrimsAfter(text string) bool {
	i := a.End - len("}}") - 1
	return i-1 >= a.Start+len("{{") && text[i] == '-' && isSpace(text[i-1])
}
