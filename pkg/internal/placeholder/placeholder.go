// Package placeholder tells the texts that authors leave for users to replace.
//
//	registry: CHANGE_ME               # as a whole
//	host: <your-domain>
//	url: https://REPLACE_ME/api       # as a part
//	class: <none>                     # a value, not a placeholder
package placeholder

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// The placeholders that authors leave for users to replace, in exact spellings: public packs
// have texts such as changeit and example.com as values that work.
var (
	asWhole = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:(?i:(?:change|replace|fill)[-_ ]?(?:me|this)|your[-_][a-z0-9._-]+)|TODO|FIXME|TBD|PLACEHOLDER|X{4,}|<[A-Za-z][A-Za-z0-9 ,.'/_-]*>)$`)
	})
	// inText is a placeholder as a part of a text, outside of comments.
	inText = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^[^#\n]*(?:\b(?:CHANGE|REPLACE)[-_]?(?:ME|THIS)(?:[-_][A-Z0-9_-]*)?\b|<(?i:your|insert|enter|replace|change)[-_ ][^<>\n]{1,80}>)`)
	})
	// inBrackets are texts in angle brackets that are values.
	inBrackets = []string{"<none>", "<nil>", "<null>", "<no value>", "<unset>", "<not set>", "<empty>", "<default>", "<auto>", "<any>", "<all>", "<unknown>", "<br>", "<hr>", "<p>"}
)

// Fact is the placeholder that packfn writes in the place of a fact that only the user knows.
const Fact = "CHANGE_ME"

// longest is the length of the longest text that can be a placeholder as a whole.
const longest = 100

// Is reports whether a text is a placeholder, or has one.
func Is(text string) bool {
	whole := strings.TrimSpace(text)
	if whole == "" {
		return false
	}
	if len(whole) <= longest && strings.IndexByte("<cCfFpPrRtTxXyY", whole[0]) >= 0 && asWhole().MatchString(whole) {
		return !slices.Contains(inBrackets, strings.ToLower(whole))
	}
	return (strings.Contains(text, "ME") || strings.Contains(text, "THIS") || strings.Contains(text, "<")) && inText().MatchString(text)
}
