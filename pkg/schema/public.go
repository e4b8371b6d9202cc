package schema

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// publicText matches texts that are not secrets: booleans, quantities, versions and IPv4
// addresses.
var publicText = regexp.MustCompile(`^(?:true|false|[-+]?\d+(?:\.\d+)?(?:[mkMGTPE]|[KMGTPE]i|[eE][-+]?\d+)?|v?\d+(?:\.\d+){1,3}(?:[-+][0-9A-Za-z.+-]+)?)$`)

// IsPublic reports whether everybody may see a scalar at a key of values (rule V20): in messages
// and in lists. The entry of the schema may be nil.
func IsPublic(key string, n *yaml.Node, entry *Entry) bool {
	if n = values.Resolve(n); n == nil || n.Kind != yaml.ScalarNode || len(n.Value) > maxShown {
		return false
	}
	return Context{Path: key, Entry: entry}.ClassOf(n) == Open
}

// The names of secrets: words that are one wherever they are in a name, and shorter ones
// that are one as a word of it or at its end.
var (
	secretParts = []string{"password", "passwd", "passphrase", "token", "secret", "credential", "licence", "license"}
	secretWords = []string{"key", "keys", "pwd", "creds"}
)

// IsSecretKey reports whether a step of a path is named like a secret, in any spelling:
// `apiKey`, `API_TOKEN`, `licence-key`.
func IsSecretKey(path string) bool {
	for step := range strings.FieldsFuncSeq(path, func(r rune) bool { return strings.ContainsRune(".[]", r) }) {
		name := strings.ToLower(strings.Join(words(step), ""))
		if slices.ContainsFunc(secretParts, func(part string) bool { return strings.Contains(name, part) }) ||
			slices.ContainsFunc(secretWords, func(word string) bool { return strings.HasSuffix(name, word) }) ||
			slices.ContainsFunc(words(step), func(word string) bool { return slices.Contains(secretWords, strings.ToLower(word)) }) {
			return true
		}
	}
	return false
}

// words returns the words of a name: those of `keyFile`, `key_file` and `key-file` are two.
func words(name string) []string {
	var spaced strings.Builder
	before := ' '
	for _, r := range name {
		if unicode.IsUpper(r) && unicode.IsLower(before) {
			spaced.WriteByte(' ')
		}
		spaced.WriteRune(r)
		before = r
	}
	return strings.FieldsFunc(spaced.String(), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
