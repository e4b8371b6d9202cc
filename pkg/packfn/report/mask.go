package report

import (
	"regexp"
	"strings"
	"unicode"
)

// Hidden is shown in place of what may be a secret.
const Hidden = "•••"

var keyLine = regexp.MustCompile(`^(\s*(?:- +)*(?:"[^"]*"|'[^']*'|[^\s:#'"{\[][^:#]*?)\s*:)(?:\s+(\S.*))?$`)

var emptyValue = regexp.MustCompile(`^(?:""|''|\[\]|\{\})$`)

// Mask hides the values in a line of YAML: everything after its key, or after the dash
// of an element. A value that is empty or equals one of shown stays.
func Mask(line string, shown ...string) string {
	if strings.TrimSpace(line) == "" {
		return line
	}
	hide := func(head, value string) string {
		if emptyValue.MatchString(value) {
			return head + value
		}
		for _, s := range shown {
			if s != "" && strings.Trim(value, `"'`) == s {
				return head + value
			}
		}
		return head + Hidden
	}
	if strings.HasPrefix(strings.TrimSpace(line), "#") { // a comment may hold anything
		return line[:strings.IndexByte(line, '#')] + "# " + Hidden
	}
	if parts := keyLine.FindStringSubmatch(line); parts != nil {
		if parts[2] == "" {
			return line
		}
		return hide(line[:len(line)-len(parts[2])], parts[2])
	}
	rest := strings.TrimLeftFunc(line, func(r rune) bool { return unicode.IsSpace(r) || r == '-' })
	return hide(line[:len(line)-len(rest)], rest)
}
