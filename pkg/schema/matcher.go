package schema

import (
	"net/netip"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/mod/semver"

	"github.com/krm-packs/functions/pkg/nearest"
)

// Scalar is a value as a format sees it.
type Scalar struct {
	// Text is the decoded text of a quoted or block scalar, the source text of
	// a plain one.
	Text string
	// IsString says that YAML reads the value as a string, quoted or plain.
	IsString bool
}

// Mismatch says why a value does not have a format. It never holds the value,
// except where Shown says so: values may be secrets.
type Mismatch struct {
	// Want is what the format accepts, the text of Format.String.
	Want string
	// Got is what was found: a description such as "text of 12 characters", or
	// the value itself when Shown.
	Got string
	// Shown says that Got is the value: the format is one number, ipv4 or
	// version placeholder, and the value has nothing but digits, dots, signs
	// and the e of an exponent.
	Shown bool
	// Nearest is the option of a list that was probably meant, "" when none is
	// near.
	Nearest string
	// Mend says how to mend the value when that is plain to see ("put it in
	// quotes"), else "".
	Mend string
	// Proposed is the text to write instead, where Mend leaves no choice and
	// the text is no secret: an option, true or false, or what may be Shown.
	Proposed string
}

// maxSteps bounds the work of one match to about two seconds. A value of 1 MB
// may cost 128 steps for each byte, which formats made in good faith do not
// come near; a value that would cost more is refused as too long to be judged.
const maxSteps = 1 << 27

// Match judges v and returns nil when it has the format. The empty text has
// every format: whether a value may be empty is for required to say.
//
// A format of one placeholder judges the whole value. A composite has to split
// the value, with nothing left over, into its literal texts and a segment for
// each placeholder that is not empty and that the placeholder accepts by
// itself: its regex sees nothing but the segment. Segments begin and end
// between characters; a byte that is not UTF-8 counts as one. A number with a
// range has at most MaxRangedNumber characters there. A value that takes more
// than a bounded number of steps is refused, and Got says so.
func (f *Format) Match(v Scalar) *Mismatch {
	if v.Text == "" {
		return nil
	}
	p := f.single()
	if p != nil && p.cheap(len(v.Text)) {
		if p.holds(v) {
			return nil
		}
		return f.mismatch(v, false)
	}
	if p != nil && !p.typed(v) {
		return f.mismatch(v, false)
	}
	s := splitter{text: v.Text, budget: maxSteps}
	if s.split(f.parts) {
		return nil
	}
	return f.mismatch(v, s.exhausted())
}

// cheap says whether the placeholder can judge a whole value of n bytes within
// the bound on work: the regexp package promises linear time, but its factor is
// the size of the regex.
func (p *part) cheap(n int) bool {
	return p.regex == nil || n*p.search.size() <= maxSteps/4
}

// typed says whether v is a string where the type asks for one.
func (p *part) typed(v Scalar) bool {
	return v.IsString || (p.kind != kindString && p.kind != kindPassword)
}

// holds says whether the placeholder accepts the whole value.
func (p *part) holds(v Scalar) bool {
	switch p.kind {
	case kindString, kindPassword:
		if !v.IsString {
			return false
		}
	case kindNumber:
		if p.bounds != nil {
			return p.bounds.contains(v.Text)
		}
		if !isNumber(v.Text) {
			return false
		}
	case kindBoolean:
		return slices.Contains(p.texts, v.Text)
	case kindList:
		if p.options != nil {
			return slices.Contains(p.texts, v.Text)
		}
	case kindIPv4:
		if !isIPv4(v.Text) {
			return false
		}
	case kindVersion:
		if !isVersion(v.Text) {
			return false
		}
	}
	return p.regex == nil || p.regex.MatchString(v.Text)
}

const (
	minIPv4 = len("0.0.0.0")
	maxIPv4 = len("255.255.255.255")
)

func isIPv4(text string) bool {
	if len(text) < minIPv4 || len(text) > maxIPv4 {
		return false
	}
	addr, err := netip.ParseAddr(text)
	return err == nil && addr.Is4()
}

// isVersion says whether text is a semantic version, no part left out. The
// package of the Go project knows versions by a leading v, and v1.2 as short for
// v1.2.0; unlike others it costs nothing at start-up.
func isVersion(text string) bool {
	if text == "" || text[0] < '0' || text[0] > '9' {
		return false
	}
	v := "v" + text
	core, _, _ := strings.Cut(strings.TrimSuffix(v, semver.Build(v)), "-")
	return strings.Count(core, ".") == 2 && semver.IsValid(v)
}

// maxNearest is the length up to which a value is compared with the options of
// a list to find the nearest one.
const maxNearest = 128

func (f *Format) mismatch(v Scalar, exhausted bool) *Mismatch {
	m := &Mismatch{Want: f.String()}
	p := f.single()
	switch {
	case exhausted:
		m.Got = f.describe(v) + ", too long to be judged by this format"
		return m
	case p != nil && p.shows(v.Text):
		m.Got, m.Shown = v.Text, true
	default:
		m.Got = f.describe(v)
	}
	if p == nil {
		return m
	}
	m.Mend, m.Proposed = p.mend(v)
	if p.kind == kindList && len(v.Text) <= maxNearest && utf8.ValidString(v.Text) {
		m.Nearest = nearest.Name(v.Text, p.options)
	}
	return m
}
