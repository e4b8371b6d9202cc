package constraint

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/blang/semver/v4"

	"github.com/krm-packs/functions/pkg/internal/version"
)

// AnyVersion is the range of every version, prereleases included.
const AnyVersion = ">=0.0.0-0"

// maxRange is the length of the longest range, in bytes.
const maxRange = 4096

// Range is a version range as OLM reads it.
type Range struct {
	// text is the range as it was written, and accepts reports whether a version is in it.
	text    string
	accepts semver.Range
}

// rangeError explains why a string is not a version range, and how to write the range that was
// probably meant.
type rangeError struct {
	// Reason is a sentence without the advice.
	Reason string
	// Proposed is a valid range, or "" if the intention is unclear.
	Proposed string
}

// Error returns the reason with the range to write instead.
func (e *rangeError) Error() string {
	if e.Proposed == "" {
		return e.Reason
	}
	return fmt.Sprintf("%s; write %q", e.Reason, e.Proposed)
}

// ParseRange reads a version range of github.com/blang/semver/v4, as OLM does:
// a space is and, ` || ` is or, and `= == ! != > >= < <=` and `1.x` compare.
//
// What that library silently reads as something else is an error here: it drops
// whatever is one character long (`|`, `-`, `~` before a space), takes `!1.x` for an empty
// range, `1.x.x` for 1.0.x, and `^1.x` for 1.0.0. The error is a *rangeError.
func ParseRange(text string) (Range, error) {
	if strings.TrimSpace(text) == "" {
		return Range{}, &rangeError{"the range is empty", AnyVersion}
	}
	if len(text) > maxRange {
		return Range{}, &rangeError{Reason: fmt.Sprintf("the range has %d bytes; at most %d are accepted", len(text), maxRange)}
	}
	if reason := misread(text); reason != "" {
		return Range{}, &rangeError{reason, respell(text)}
	}
	accepts, err := semver.ParseRange(text)
	if err != nil {
		return Range{}, &rangeError{explainRange(text, err), respell(text)}
	}
	return Range{text, accepts}, nil
}

// String returns the range as it was written.
func (r Range) String() string { return r.text }

// Accepts reports whether a version is in the range. Prereleases are ordered like
// all others: 2.0.0-rc.1 is in >=1.0.0.
func (r Range) Accepts(v version.Version) bool { return r.accepts(toSemver(v)) }

// toSemver turns a version, read leniently, into one of the library; the suffix
// of a distribution does not count.
func toSemver(v version.Version) semver.Version {
	text := strings.TrimLeft(v.String(), "vV")
	text, _, _ = strings.Cut(text, "+")
	core, prerelease, _ := strings.Cut(text, "-")
	var s semver.Version
	for i, part := range strings.Split(core, ".") {
		n, _ := strconv.ParseUint(part, 10, 64)
		switch i {
		case 0:
			s.Major = n
		case 1:
			s.Minor = n
		case 2:
			s.Patch = n
		}
	}
	if v.IsPrerelease() {
		for identifier := range strings.SplitSeq(prerelease, ".") {
			if n, err := strconv.ParseUint(identifier, 10, 64); err == nil {
				s.Pre = append(s.Pre, semver.PRVersion{VersionNum: n, IsNum: true})
			} else {
				s.Pre = append(s.Pre, semver.PRVersion{VersionStr: identifier})
			}
		}
	}
	return s
}

// misread describes the part of a range that the library would silently misinterpret. It returns ""
// if there is none.
func misread(text string) string {
	words := strings.Split(text, " ")
	alternatives, terms := 0, 0
	for _, word := range words {
		switch {
		case word == "":
			continue
		case word == "||":
			alternatives++
			if terms == 0 {
				return "nothing is before ||"
			}
			terms = 0
			continue
		case word == "|":
			return "a single | is ignored, so all parts would have to hold; || means or"
		case word == "-":
			return "a range with a hyphen is not known, and the hyphen would be ignored"
		case word == ">" || word == "<" || word == "=":
			continue // joined with the next word
		case len(word) == 1:
			return fmt.Sprintf("%q is alone and would be ignored", word)
		}
		terms++
		operator, rest := splitOperator(word)
		parts := strings.Split(rest, ".")
		if last := parts[len(parts)-1]; last != "x" {
			continue
		}
		switch {
		case !slices.Contains([]string{"", "=", "==", ">", ">=", "<", "<=", "!", "!="}, operator):
			return fmt.Sprintf("%s is not an operator, and %s would be read as one exact version", operator, word)
		case operator == "!" || operator == "!=":
			return fmt.Sprintf("%s would be read as below and above at once, which no version is", word)
		case len(parts) == 3 && parts[1] == "x":
			return fmt.Sprintf("%s would be read as %s.0.x", word, parts[0])
		}
	}
	if alternatives > 0 && terms == 0 {
		return "nothing is after ||"
	}
	return ""
}

// explainRange explains why the library rejects a range.
func explainRange(text string, err error) string {
	switch {
	case strings.Contains(text, ","):
		return "parts are joined by spaces, not by commas"
	case strings.Contains(text, "^"):
		return "^ is not known"
	case strings.Contains(text, "~"):
		return "~ is not known"
	case strings.Contains(text, "*"):
		return "* is not known"
	case strings.Contains(strings.ReplaceAll(text, " || ", ""), "|"):
		return "|| needs a space on both sides"
	}
	for _, word := range strings.Fields(text) {
		if _, rest := splitOperator(word); len(rest) > 1 && (rest[0] == 'v' || rest[0] == 'V') {
			return "versions are written without a leading v"
		}
	}
	reason := err.Error()
	if i := strings.LastIndex(reason, ": "); i >= 0 {
		reason = strings.TrimSpace(reason[i+2:])
	}
	return "the range cannot be read: " + strings.ToLower(reason[:1]) + strings.Join(strings.Fields(reason[1:]), " ") + "; write parts like >=1.2.0 or 1.x, joined by spaces or by ||"
}

// splitOperator splits a word of a range into its operator and its version: `>=` and `1.2` of `>=1.2`.
func splitOperator(word string) (operator, rest string) {
	rest = strings.TrimLeft(word, "<>=!^~")
	return word[:len(word)-len(rest)], rest
}

// separate returns a function that puts one space between the parts of a range, and none
// within them.
var separate = sync.OnceValue(func() func(text string) string {
	or, hyphen, operator := regexp.MustCompile(`[|\s]*\|[|\s]*`), regexp.MustCompile(`(\S+)\s+-\s+(\S+)`), regexp.MustCompile(`([<>=!^~])\s+`)
	return func(text string) string {
		text = or.ReplaceAllString(strings.ReplaceAll(text, ",", " "), " || ")
		return operator.ReplaceAllString(hyphen.ReplaceAllString(text, ">=$1 <=$2"), "$1")
	}
})

// respell returns a range as it is probably meant, or "" if that cannot be read.
func respell(text string) string {
	words := strings.Fields(separate()(text))
	for i, word := range words {
		if word != "||" {
			words[i] = respellPart(word)
		}
	}
	proposed := strings.Join(words, " ")
	if _, err := semver.ParseRange(proposed); err != nil || slices.Contains(words, "") || misread(proposed) != "" {
		return ""
	}
	return proposed
}

// full adds the numbers that a version lacks.
func full(text string) string {
	core, rest, _ := strings.Cut(text, "-")
	core += strings.Repeat(".0", max(0, 2-strings.Count(core, ".")))
	if rest != "" {
		rest = "-" + rest
	}
	return core + rest
}

// respellPart writes one comparison as the library reads it, or "" if that is not known.
func respellPart(word string) string {
	operator, rest := splitOperator(word)
	rest = strings.NewReplacer("*", "x", "X", "x").Replace(strings.TrimLeft(rest, "vV"))
	if operator == "" && rest == "x" {
		return AnyVersion
	}
	numbers, _, isWild := strings.Cut(rest, ".x")
	v, err := semver.Parse(full(numbers))
	if err != nil {
		return ""
	}
	given := min(3, 1+strings.Count(numbers, "."))
	next := func(level int) string {
		return []string{
			fmt.Sprintf("%d.0.0", v.Major+1), fmt.Sprintf("%d.%d.0", v.Major, v.Minor+1), fmt.Sprintf("%d.%d.%d", v.Major, v.Minor, v.Patch+1),
		}[level-1]
	}
	isPartial := isWild || given < 3
	switch operator {
	case "^":
		level := 1
		if v.Major == 0 && given > 1 {
			level = 2
			if v.Minor == 0 && given > 2 {
				level = 3
			}
		}
		return ">=" + full(numbers) + " <" + next(level)
	case "~", "~>":
		return ">=" + full(numbers) + " <" + next(min(given, 2))
	case "!", "!=":
		if isPartial {
			return "<" + full(numbers) + " || >=" + next(given)
		}
	case "", "=", "==":
		if isPartial {
			return numbers + ".x"
		}
	case "=>":
		operator = ">="
	case "=<":
		operator = "<="
	}
	if isWild {
		return operator + numbers + ".x"
	}
	return operator + full(numbers)
}

// bounds returns the versions at or directly after which Accepts may change.
func (r Range) bounds() []semver.Version {
	var all []semver.Version
	for word := range strings.FieldsSeq(r.text) {
		_, rest := splitOperator(word)
		numbers, isWild := strings.CutSuffix(rest, ".x")
		v, err := semver.Parse(full(numbers))
		if err != nil {
			continue
		}
		all = append(all, v)
		switch {
		case !isWild:
		case strings.Contains(numbers, "."):
			all = append(all, semver.Version{Major: v.Major, Minor: v.Minor + 1})
		default:
			all = append(all, semver.Version{Major: v.Major + 1})
		}
	}
	return all
}

// From returns a version in the range that is not below another one, and whether there is one. OLM
// compares versions so when it looks for the bundles that an update skips.
func (r Range) From(lowest semver.Version) (semver.Version, bool) {
	for _, b := range append([]semver.Version{lowest}, r.bounds()...) {
		for _, v := range []semver.Version{b, {Major: b.Major, Minor: b.Minor, Patch: b.Patch + 1}} {
			if v.GE(lowest) && r.accepts(v) {
				return v, true
			}
		}
	}
	return semver.Version{}, false
}

// thresholds returns the lowest releases at which Accepts may change.
func (r Range) thresholds() []version.Version {
	var all []version.Version
	for _, b := range r.bounds() {
		for _, patch := range []uint64{b.Patch, b.Patch + 1} {
			if v, err := version.Parse(fmt.Sprintf("%d.%d.%d", b.Major, b.Minor, patch)); err == nil {
				all = append(all, v)
			}
		}
	}
	return all
}
