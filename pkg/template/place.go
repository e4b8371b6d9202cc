package template

import "strings"

// CodeStart returns where the action's code starts in the text that the action
// was found in, so that offsets into the code become offsets into the text.
func (a Action) CodeStart(text string) int {
	start := a.Start + len("{{")
	if a.TrimsBefore(text) {
		start++
	}
	for start < a.End && isBlank(text[start]) {
		start++
	}
	return max(start, a.Start+strings.Index(text[a.Start:a.End], a.Code))
}

// TrimsBefore reports whether the action starts with `{{- `, which takes away
// the blanks and line breaks before it.
func (a Action) TrimsBefore(text string) bool {
	i := a.Start + len("{{")
	return i+1 < a.End && text[i] == '-' && isBlank(text[i+1])
}

// TrimsAfter reports whether the action ends with ` -}}`, which takes away the
// blanks and line breaks behind it.
func (a Action) TrimsAfter(text string) bool {
	i := a.End - len("}}") - 1
	return i-1 >= a.Start+len("{{") && text[i] == '-' && isBlank(text[i-1])
}
