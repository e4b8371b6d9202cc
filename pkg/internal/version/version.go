package version

import (
	"cmp"
	"errors"
	"strings"
)

// maxLength bounds the text of a version, in bytes.
const maxLength = 256

// Form describes the accepted versions for messages.
const Form = "a version like 1.2.3, 1.2 or 1.2.3-rc.1"

var errForm = errors.New("not " + Form)

// Version is a version as it was written, with its parts. The zero Version is not a
// version.
type Version struct {
	// text is the version as it was written.
	text string
	// core are the digits of major, minor and patch without leading zeros; parts
	// is how many of them were given.
	core  [3]string
	parts int
	// prerelease is "" for a release.
	prerelease string
	// rest is ignored by precedence: the suffix of a distribution and build metadata, with
	// dots around their numbers.
	rest string
}

// Parse reads a version: one to three numbers, which may have a leading v and leading zeros, a
// prerelease and build metadata. A prerelease that begins with the name of a Kubernetes
// distribution (1.31.2-eks-7f9249a) counts as the release. The error describes the accepted form,
// see [Form], and does not repeat the text.
func Parse(text string) (Version, error) { return parse(text, isDistribution) }

// ParseKubernetes reads the version of a Kubernetes: every suffix but alpha,
// beta and rc is one of its distribution, and counts as the release.
func ParseKubernetes(text string) (Version, error) {
	return parse(text, func([]string) bool { return true })
}

// parse reads a version. distribution reports whether words after the numbers are the suffix of a
// distribution.
func parse(text string, distribution func(words []string) bool) (Version, error) {
	v := Version{text: text}
	if text == "" || len(text) > maxLength {
		return Version{}, errForm
	}
	core := text
	if core[0] == 'v' || core[0] == 'V' {
		core = core[1:]
	}
	core, build, hasBuild := strings.Cut(core, "+")
	core, prerelease, hasPrerelease := strings.Cut(core, "-")
	if hasPrerelease && !areIdentifiers(prerelease) || hasBuild && !areIdentifiers(build) {
		return Version{}, errForm
	}
	for part := range strings.SplitSeq(core, ".") {
		if !isNumber(part) || v.parts == len(v.core) {
			return Version{}, errForm
		}
		v.core[v.parts] = trimZeros(part)
		v.parts++
	}
	for i := v.parts; i < len(v.core); i++ {
		v.core[i] = "0"
	}
	v.prerelease, v.rest = prerelease, apart(build)
	if hasPrerelease {
		words := strings.FieldsFunc(strings.ToLower(prerelease), func(r rune) bool { return r == '.' || r == '-' })
		if !hasStage(words) && distribution(words) {
			v.prerelease, v.rest = "", apart(strings.Trim(strings.ReplaceAll(prerelease, "-", ".")+"."+build, "."))
		}
	}
	return v, nil
}

// String returns the version as it was written.
func (v Version) String() string { return v.text }

// IsZero reports whether v is not a version.
func (v Version) IsZero() bool { return v.parts == 0 }

// IsPrerelease reports whether v comes before its release.
func (v Version) IsPrerelease() bool { return v.prerelease != "" }

// Compare orders versions by precedence, as semver.org defines it: a prerelease
// comes before its release, and build metadata and the suffixes of distributions are
// ignored.
func (v Version) Compare(w Version) int {
	if order := v.compareCore(w, len(v.core)); order != 0 {
		return order
	}
	switch {
	case v.prerelease == w.prerelease:
		return 0
	case v.prerelease == "":
		return 1
	case w.prerelease == "":
		return -1
	}
	return compareIdentifiers(v.prerelease, w.prerelease)
}

// Order is Compare, and also orders versions of the same precedence, by what it ignores: a
// later build comes after an earlier one.
func (v Version) Order(w Version) int {
	return cmp.Or(v.Compare(w), compareIdentifiers(v.rest, w.rest), cmp.Compare(v.text, w.text))
}

// compareCore compares the first numbers.
func (v Version) compareCore(w Version, parts int) int {
	for i := range parts {
		if order := compareNumbers(v.core[i], w.core[i]); order != 0 {
			return order
		}
	}
	return 0
}

// compareIdentifiers compares by semver.org's rule 11.4: numbers by their size
// and before words, and what is longer after what it begins with.
func compareIdentifiers(a, b string) int {
	for a != "" && b != "" {
		var left, right string
		left, a, _ = strings.Cut(a, ".")
		right, b, _ = strings.Cut(b, ".")
		order := 0
		switch leftNumber, rightNumber := isNumber(left), isNumber(right); {
		case leftNumber && rightNumber:
			order = compareNumbers(trimZeros(left), trimZeros(right))
		case leftNumber:
			order = -1
		case rightNumber:
			order = 1
		default:
			order = strings.Compare(left, right)
		}
		if order != 0 {
			return order
		}
	}
	return cmp.Compare(len(a), len(b)) // one of them is empty
}

// apart puts dots between the letters and the numbers of a text: k3s10 comes after k3s2.
func apart(text string) string {
	var parts strings.Builder
	for i := range len(text) {
		if i > 0 && isNumber(text[i-1:i]) != isNumber(text[i:i+1]) {
			parts.WriteByte('.')
		}
		parts.WriteByte(text[i])
	}
	return parts.String()
}

// compareNumbers compares digits without leading zeros, of any length.
func compareNumbers(a, b string) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}

// trimZeros returns digits without leading zeros.
func trimZeros(digits string) string {
	if trimmed := strings.TrimLeft(digits, "0"); trimmed != "" {
		return trimmed
	}
	return "0"
}

// isNumber reports whether a text has digits only.
func isNumber(text string) bool {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return text != ""
}

// areIdentifiers reports whether text is identifiers with dots between them.
func areIdentifiers(text string) bool {
	empty := true
	for i := range len(text) {
		switch c := text[i]; {
		case c == '.':
			if empty {
				return false
			}
			empty = true
		case c >= '0' && c <= '9', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '-':
			empty = false
		default:
			return false
		}
	}
	return !empty
}
