package schema

import (
	"net"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// Class says who may see a text.
type Class int

// The classes. What is Owned is for the terminal of its owner, and not for records such as files,
// logs and pages. What is Secret is for nobody.
const (
	Open Class = iota
	Owned
	Secret
)

// Context is what is known of a scalar in values.
type Context struct {
	// Path is its path in the values, and Name the text of the key name beside it, as an entry of
	// a list of variables has one.
	Path, Name string
	// Entry is that of the schema, nil for none.
	Entry *Entry
	// IsSecret says that the schema makes it or what is above it a secret.
	IsSecret bool
}

// ClassOf returns who may see a scalar of values.
func (c Context) ClassOf(n *yaml.Node) Class {
	if n = values.Resolve(n); n == nil || n.Kind != yaml.ScalarNode || n.Value == "" {
		return Open
	}
	tag := n.ShortTag()
	switch {
	case tag == "!!null", tag == "!!bool":
		return Open
	case c.isSecret(), IsLikeSecret(n.Value):
		return Secret
	case tag == "!!int", tag == "!!float", isOpenText(n.Value), isNamedImage(c.Path, n.Value):
		return Open
	}
	if c.Entry != nil && c.Entry.Template.Format != nil && c.Entry.Template.Format.Shows(Scalar{Text: n.Value, IsString: tag == "!!str"}) {
		return Open
	}
	return Owned
}

// isSecret reports whether a value is named like a secret, or is one by its schema.
func (c Context) isSecret() bool {
	return c.IsSecret || c.Entry != nil && c.Entry.Template.Format != nil && c.Entry.Template.Format.Secret() ||
		isSecretPath(c.Path) || lastStep(c.Path) == "value" && isSecretPath(c.Name)
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

// image matches the name of an image with a registry and a tag or a digest.
var image = regexp.MustCompile(`^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?(?:/[a-z0-9._-]+)+(?::[\w.-]{1,128})?(?:@sha256:[0-9a-f]{64})?$`)

func isImage(text string) bool { return image.MatchString(text) }

// namedImage matches the name of an image, where the key says that it is one.
var namedImage = regexp.MustCompile(`^[a-z0-9._/-]+(?::[\w.-]{1,128})?(?:@sha256:[0-9a-f]{64})?$`)

func isNamedImage(path, text string) bool {
	return slices.Contains([]string{"image", "repository", "registry"}, strings.ToLower(lastStep(path))) && strings.ContainsAny(text, "/:") && namedImage.MatchString(text)
}
