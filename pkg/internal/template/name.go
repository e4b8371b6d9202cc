package template

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// notName matches what follows a name in a macro.
var notName = regexp.MustCompile(`^(?:[^\w.-]|$)`)

// NameIn returns the number of characters before the last part of a name with which a text in a macro
// begins: before X in `.spectro.var.X }}`. It is not ok for other texts.
func NameIn(text, name string) (before int, ok bool) {
	path, _, _ := strings.Cut(text, "}}")
	start, rest, ok := strings.Cut(path, "."+name)
	isKind := start == ".spectro" && strings.HasPrefix(rest, ".")
	if !ok || !strings.HasPrefix(path, ".spectro.") || !isKind && !notName.MatchString(rest) {
		return 0, false
	}
	return utf8.RuneCountInString(start) + 1, true
}
