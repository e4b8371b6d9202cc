// Package secret says which texts of values may be secrets, and who may see the others.
package secret

import (
	"net"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/values"
)

// Context is what is known of a scalar in values.
type Context struct {
	// Path is its path in the values, and Name the text of the key name beside it, as an entry of
	// a list of variables has one.
	Path, Name string
	// IsSecret says that the schema makes it or what is above it a secret.
	IsSecret bool
}

// ClassOf returns who may see a scalar of values.
func (c Context) ClassOf(n *yaml.Node) diag.Class {
	if n = values.Resolve(n); n == nil || n.Kind != yaml.ScalarNode || n.Value == "" {
		return diag.Open
	}
	tag := n.ShortTag()
	switch {
	case tag == "!!null", tag == "!!bool":
		return diag.Open
	case c.IsNamed(), IsLikeSecret(n.Value):
		return diag.Secret
	case tag == "!!int", tag == "!!float", isOpenText(n.Value), isNamedImage(c.Path, n.Value):
		return diag.Open
	}
	return diag.Owned
}

// IsNamed reports whether a value is named like a secret, or is one by its schema: then no part of
// it is shown.
func (c Context) IsNamed() bool {
	return c.IsSecret || isSecretPath(c.Path) || lastStep(c.Path) == "value" && isSecretPath(c.Name)
}

// lastWords are names of secrets as words of the last step of a path.
var lastWords = []string{"cert", "auth", "pwd"}

// isSecretPath is [IsSecretKey] of a path without the names of charts.
func isSecretPath(path string) bool {
	if rest, ok := strings.CutPrefix(path, "charts."); ok {
		_, path, _ = strings.Cut(rest, ".")
	}
	return IsSecretKey(path) || slices.ContainsFunc(words(lastStep(path)), func(word string) bool { return slices.Contains(lastWords, strings.ToLower(word)) })
}

func lastStep(path string) string {
	path, _, _ = strings.Cut(path[strings.LastIndexByte(path, '.')+1:], "[")
	return path
}

// secretText matches texts that are secrets by their form.
var secretText = regexp.MustCompile(`-----BEGIN |\beyJ[\w-]{8,}\.[\w-]+|\b(?:gh[pousr]_|github_pat_|glpat-|xox[abps]-|sk-|AKIA|AIza|hf_|npm_|dop_v1_)[\w-]{8,}`)

// longRun matches what may be a random text.
var longRun = regexp.MustCompile(`[A-Za-z0-9+/_=-]{20,}`)

// address matches an address with a user, or with a query.
var address = regexp.MustCompile(`[a-z][a-z0-9+.-]*://[^\s"']*`)

// IsLikeSecret reports whether a text looks like a secret or has one in it, wherever it is.
func IsLikeSecret(text string) bool {
	if secretText.MatchString(text) {
		return true
	}
	for _, found := range address.FindAllString(text, -1) {
		if u, err := url.Parse(found); err != nil || u.User != nil || u.RawQuery != "" {
			return true
		}
	}
	if isImage(text) {
		return false
	}
	return slices.ContainsFunc(longRun.FindAllString(text, -1), func(run string) bool {
		return strings.ContainsFunc(run, unicode.IsLower) && strings.ContainsFunc(run, unicode.IsUpper) && strings.ContainsFunc(run, unicode.IsDigit)
	})
}

// duration matches a duration of Go and of Kubernetes.
var duration = regexp.MustCompile(`^(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h|d))+$`)

// isOpenText reports whether a text says what it is: a quantity, a version, an address, a duration,
// a URL, or the name of an image with a registry or a path.
func isOpenText(text string) bool {
	if publicText.MatchString(text) || duration.MatchString(text) || net.ParseIP(text) != nil {
		return true
	}
	if _, _, err := net.ParseCIDR(text); err == nil {
		return true
	}
	if u, err := url.Parse(text); err == nil && u.Scheme != "" && u.Host != "" {
		return u.User == nil && u.RawQuery == "" && u.Fragment == ""
	}
	return isImage(text)
}

// image matches the name of an image with a registry, which is a host or an address with a port.
var image = regexp.MustCompile(`^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*(?::\d+)?|[0-9.]+:\d+)(?:/[a-z0-9._-]+)+(?::[\w.-]{1,128})?(?:@sha256:[0-9a-f]{64})?$`)

func isImage(text string) bool { return image.MatchString(text) }

// namedImage matches the name of an image, where the key says that it is one.
var namedImage = regexp.MustCompile(`^[a-z0-9._/-]+(?::[\w.-]{1,128})?(?:@sha256:[0-9a-f]{64})?$`)

func isNamedImage(path, text string) bool {
	return slices.Contains([]string{"image", "repository", "registry"}, strings.ToLower(lastStep(path))) && strings.ContainsAny(text, "/:") && namedImage.MatchString(text)
}

// publicText matches texts that are not secrets: booleans, quantities, versions and IPv4
// addresses.
var publicText = regexp.MustCompile(`^(?:true|false|[-+]?\d+(?:\.\d+)?(?:[mkMGTPE]|[KMGTPE]i|[eE][-+]?\d+)?|v?\d+(?:\.\d+){1,3}(?:[-+][0-9A-Za-z.+-]+)?)$`)

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

// IsSecretField reports whether the last step of the path of a field is named like a secret. Words
// such as key are not enough: fields are called so.
func IsSecretField(path string) bool {
	name := strings.ToLower(strings.Join(words(lastStep(path)), ""))
	return slices.ContainsFunc(secretParts, func(part string) bool { return strings.Contains(name, part) })
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
