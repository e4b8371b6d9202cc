// Package secret determines which strings in values may be secrets, and who may see the others.
//
// A name can tell that a value is a secret (auth.password), and a value by itself can: a private key,
// a run of at least 20 letters and digits of all kinds, or an address with a password. Numbers,
// versions, addresses and images are open. class.go decides about a value, name.go about a name.
//
//	auth: {password: hunter2}           # by its name
//	url: postgres://web:hunter2@db/web  # by its text
//	image: ghcr.io/krm-packs/web:v1     # open
package secret

import (
	"net"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/placeholder"
	"github.com/krm-packs/functions/pkg/values"
)

// Context is the context of a scalar in values.
type Context struct {
	Path string
	// IsSecret reports whether the schema declares the value or a value above it as a secret, or a
	// name beside it does, see [IsNamedBeside].
	IsSecret bool
}

// MaxSearched is the length of the longest line that is searched for secrets. A longer one is taken for a secret:
// people do not write such lines, and patterns take seconds for them.
const MaxSearched = 64 << 10

// ClassOf returns who may see a scalar of values.
func (c Context) ClassOf(n *yaml.Node) diag.Class {
	if n = values.Resolve(n); n == nil || n.Kind != yaml.ScalarNode || n.Value == "" {
		return diag.Open
	}
	tag := n.ShortTag()
	switch {
	case tag == "!!null", tag == "!!bool":
		return diag.Open
	case c.IsNamed(), len(n.Value) > MaxSearched && !strings.Contains(n.Value, "\n"), IsLikeSecret(n.Value):
		return diag.Secret
	case tag == "!!int", tag == "!!float", isOpenText(n.Value), isNamedImage(c.Path, n.Value):
		return diag.Open
	case AssignsSecret(n.Value):
		return diag.Secret
	case isName(c.Path, n.Value), n.Value == placeholder.Fact:
		return diag.Open
	}
	return diag.Owned
}

// IsNamed reports whether a value is named like a secret, or is one by its schema: then no part of
// it is shown.
func (c Context) IsNamed() bool { return c.IsSecret || isSecretPath(c.Path) }

// compiled returns a function that compiles a pattern when it is first called. Every program of the
// suite links this package, and most runs meet no value that a pattern decides about.
func compiled(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// secretText matches texts that are secrets by their form.
var secretText = compiled(`-----BEGIN |\beyJ[\w-]{8,}\.[\w-]+|\b(?:gh[pousr]_|github_pat_|glpat-|xox[abps]-|sk-|AKIA|AIza|hf_|npm_|dop_v1_)[\w-]{8,}`)

// longRun matches what may be a random text.
var longRun = compiled(`[A-Za-z0-9+/_=-]{20,}`)

// address matches an address with a user, or with a query.
var address = compiled(`[a-z][a-z0-9+.-]*://[^\s"']*`)

// IsLikeSecret reports whether a text looks like a secret or has one in it, wherever it is.
func IsLikeSecret(text string) bool {
	if secretText().MatchString(text) {
		return true
	}
	for _, found := range address().FindAllString(text, -1) {
		if u, err := url.Parse(found); err != nil || u.User != nil || u.RawQuery != "" {
			return true
		}
	}
	if IsImage(text) {
		return false
	}
	return slices.ContainsFunc(longRun().FindAllString(text, -1), func(run string) bool {
		return strings.ContainsFunc(run, unicode.IsLower) && strings.ContainsFunc(run, unicode.IsUpper) && strings.ContainsFunc(run, unicode.IsDigit)
	})
}

// duration matches a duration of Go and of Kubernetes.
var duration = compiled(`^(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h|d))+$`)

const name = `[\pL\pN][\pL\pM\pN_./-]*`

// The forms in which texts assign something to a name:
//
//	token: x
//	export DB_PASSWORD=x
//	{"token": "x"}
//	<token>x</token>
//	{name: DB_PASSWORD, value: x}
//	login --password x
//	ENV DB_PASSWORD x
var (
	assignments = []func() *regexp.Regexp{
		compiled(`(` + name + `)["'\x60\])}]*\s*(?:[?+:|-]?[:=]|[=-]?>)`),
		compiled(`\b(?:name|key)["']?\s*[:=]\s*["']?(` + name + `)["']?\s*[,;]\s*["']?(?:value|default|content)`),
		compiled(`(?:^|\s)(?:--?|(?:ENV|ARG|setenv|set\s+-\w+)\s+)(` + name + `)`),
	}
	tag = compiled(`^(?:v\d|\d+\.\d|latest\b)`) // of an image that is named like a secret
)

// AssignsSecret reports whether a text assigns something to a name that is like the name of a secret.
func AssignsSecret(text string) bool {
	text = strings.TrimSpace(address().ReplaceAllString(text, "x"))
	return slices.ContainsFunc(assignments, func(form func() *regexp.Regexp) bool {
		return slices.ContainsFunc(form().FindAllStringSubmatchIndex(text, -1), func(at []int) bool {
			value := text[at[1]:]
			return value != "" && !tag().MatchString(value) && isSecretPath(text[at[2]:at[3]])
		})
	})
}

// isOpenText reports whether a string has the form of a value that is no secret: a quantity, a
// version, an address, a duration, a URL, or the name of an image with a registry or a path.
func isOpenText(text string) bool {
	if publicText().MatchString(text) || duration().MatchString(text) || net.ParseIP(text) != nil {
		return true
	}
	if _, _, err := net.ParseCIDR(text); err == nil {
		return true
	}
	if u, err := url.Parse(text); err == nil && u.Scheme != "" && u.Host != "" {
		return u.User == nil && u.RawQuery == "" && u.Fragment == ""
	}
	return IsImage(text)
}

// image matches the name of an image with a registry, which is a host or an address with a port.
var image = compiled(`^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*(?::\d+)?|[0-9.]+:\d+)(?:/[a-z0-9._-]+)+(?::[\w.-]{1,128})?(?:@sha256:[0-9a-f]{64})?$`)

// IsImage reports whether a text is the name of an image with its registry.
func IsImage(text string) bool { return image().MatchString(text) }

// namedImage matches the name of an image. It is used if the key states that the value is an image.
var namedImage = compiled(`^[a-z0-9._/-]+(?::[\w.-]{1,128})?(?:@sha256:[0-9a-f]{64})?$`)

// isNamedImage reports whether the key names an image, such as `image` or `repository`, and the text
// has the form of one.
func isNamedImage(path, text string) bool {
	return slices.Contains([]string{"image", "repository", "registry"}, strings.ToLower(lastStep(path))) && strings.ContainsAny(text, "/:") && namedImage().MatchString(text)
}

// nameKeys are the keys, in lower case, of which the value is the name or the version of something that everybody
// may know: a kind, a package, a namespace, or when an image is pulled.
var nameKeys = []string{"kind", "apiversion", "apigroup", "apigroups", "version", "appversion", "packagename", "namespace", "namespaces", "targetnamespace", "pullpolicy", "imagepullpolicy"}

// nameText matches a name, which is one word.
var nameText = compiled(`^[A-Za-z0-9][A-Za-z0-9._+/-]{0,252}$`)

// isName reports whether the key names something by a word, and the text is one.
func isName(path, text string) bool {
	return slices.Contains(nameKeys, strings.ToLower(lastStep(path))) && nameText().MatchString(text)
}

// publicText matches texts that are not secrets: booleans, quantities, versions and IPv4
// addresses.
var publicText = compiled(`^(?:true|false|[-+]?\d+(?:\.\d+)?(?:[mkMGTPE]|[KMGTPE]i|[eE][-+]?\d+)?|v?\d+(?:\.\d+){1,3}(?:[-+][0-9A-Za-z.+-]+)?)$`)
