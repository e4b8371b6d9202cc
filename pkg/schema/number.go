package schema

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// numberPattern is the numbers of the language: a sign, digits with a point, an
// exponent. As in YAML, `.5` and `5.` are numbers; hexadecimal, `1_000`, `.inf`
// and `.nan` are not.
var numberPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?`)
})

// numberPrefix returns the longest number that text starts with, or "" if there is none.
func numberPrefix(text string) string { return numberPattern().FindString(text) }

// isNumber reports whether the whole text is a number.
func isNumber(text string) bool { return text != "" && numberPrefix(text) == text }

// decimal is one number: 0.DIGITS × 10^point, with a sign. The digits neither
// start nor end with a zero; the number zero has none.
type decimal struct {
	sign int // -1, 0 or 1
	// digits are the significant digits: "12345" for 123.45, whose point is 3.
	digits string
	point  int64
	text   string // as the author wrote it
}

// maxPower limits exponents. No value is long enough for its digits to make up
// for so large an exponent, so a larger one compares the same.
const maxPower = 1 << 48

// maxBoundPower limits the exponents of an author's range.
const maxBoundPower = 1_000_000

// parseDecimal parses text, which must be a number.
func parseDecimal(text string) decimal {
	mantissa, exponent := text, "0"
	if at := strings.IndexAny(text, "eE"); at >= 0 {
		mantissa, exponent = text[:at], text[at+1:]
	}
	whole, fraction, _ := strings.Cut(strings.TrimLeft(mantissa, "+-"), ".")
	significant := strings.TrimLeft(whole+fraction, "0")
	power, _ := strconv.ParseInt(exponent, 10, 64) // the nearest int64 if it is out of range
	d := decimal{
		sign:   1,
		digits: strings.TrimRight(significant, "0"),
		point:  int64(len(significant)-len(fraction)) + min(max(power, -maxPower), maxPower),
		text:   text,
	}
	if text[0] == '-' {
		d.sign = -1
	}
	if d.digits == "" {
		d.sign = 0
	}
	return d
}

// compare returns -1, 0 or 1: whether d is below, equal to or above other. The
// digits are compared as text, so no rounding occurs and no exponent is too
// large.
func (d decimal) compare(other decimal) int {
	if d.sign != other.sign || d.sign == 0 {
		return cmp.Compare(d.sign, other.sign)
	}
	return d.sign * cmp.Or(cmp.Compare(d.point, other.point), strings.Compare(d.digits, other.digits))
}

// numberRange is the constraint [low-high]. It includes both ends.
type numberRange struct {
	// low and high are the bounds.
	low, high decimal
}

// contains reports whether text is a number of the range.
func (n *numberRange) contains(text string) bool {
	if !isNumber(text) {
		return false
	}
	d := parseDecimal(text)
	return n.low.compare(d) <= 0 && d.compare(n.high) <= 0
}
