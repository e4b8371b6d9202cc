package schema

import (
	"fmt"
	"math"
	"net/netip"
	"slices"
	"unicode/utf8"

	"github.com/Masterminds/semver/v3"

	"github.com/krm-packs/functions/pkg/nearest"
)

// Scalar is a value as a format sees it.
type Scalar struct {
	// Text is the decoded text of a quoted or block scalar, and the source text
	// of a plain one.
	Text string
	// IsString reports that YAML reads the value as a string, quoted or plain.
	IsString bool
}

// Mismatch is why a value does not have a format. It holds the value only if
// Shown is set, because values may be secrets.
type Mismatch struct {
	// Want is what the format accepts, the text of Format.String.
	Want string
	// Got is what was found: a description such as "text of 12 characters", or
	// the value itself if Shown is set.
	Got string
	// Shown reports that Got is the value: the format is one number, ipv4 or
	// version placeholder, and the value has nothing but digits, dots, signs
	// and the e of an exponent.
	Shown bool
	// Nearest is the option of a list that was probably meant, "" if none is
	// near.
	Nearest string
	// Fix is what to do ("put it in quotes") if that is certain, else "".
	Fix string
	// Proposed is the text to write instead, if Fix leaves no choice and the
	// text is not a secret: an option, true or false, or what may be Shown.
	Proposed string
}

// maxSteps limits the work of the regexes in one match, in bytes of text times
// instructions of the regex, to about two seconds.
const maxSteps = 1 << 28

// Match returns nil if v has the format. The empty text has every format:
// `required` decides whether a value may be empty.
//
// A format of one placeholder judges the whole value. A composite splits the
// value, with nothing left over, into its literal texts and one segment for each
// placeholder. A segment is not empty, and the placeholder accepts it by itself:
// its regex sees nothing but the segment. Segments begin and end between
// characters; a byte that is not UTF-8 counts as one. A number with a range has
// at most MaxRangedNumber characters in a composite.
//
// A composite judges values of at most MaxCompositeBytes. A value that is longer,
// or too long for the regexes, does not match, and Got says so.
func (f *Format) Match(v Scalar) *Mismatch {
	if v.Text == "" {
		return nil
	}
	if limit := f.maxBytes(); len(v.Text) > limit {
		return &Mismatch{
			Want: f.String(), Got: fmt.Sprintf("%s, too long to be judged (limit %d bytes)", f.describe(v), limit),
			Fix: fmt.Sprintf("shorten the value to %d bytes", limit),
		}
	}
	if p := f.single(); p != nil {
		if p.holds(v) {
			return nil
		}
		return f.mismatch(v)
	}
	s := splitter{text: v.Text}
	switch splits := s.split(f.parts); {
	case s.steps > maxCompositeSteps:
		return &Mismatch{
			Want: f.String(), Got: f.describe(v) + ", too long to be judged by this format",
			Fix: "shorten the value, or simplify the format",
		}
	case splits:
		return nil
	}
	return f.mismatch(v)
}

// maxBytes returns the length up to which the format judges values.
func (f *Format) maxBytes() int {
	p := f.single()
	switch {
	case p == nil:
		return MaxCompositeBytes
	case p.kind == kindVersion:
		return semver.MaxVersionLen
	case p.regex != nil:
		return maxSteps / p.regex.instructions
	}
	return math.MaxInt
}

// hasKind reports whether v is a string, if the type wants one.
func (p *part) hasKind(v Scalar) bool {
	return v.IsString || (p.kind != kindString && p.kind != kindPassword)
}

// holds reports whether the placeholder accepts the whole value.
func (p *part) holds(v Scalar) bool {
	return p.hasKind(v) && p.hasType(v.Text) && p.matches(v.Text)
}

// hasType reports whether the type of the placeholder accepts text.
func (p *part) hasType(text string) bool {
	switch {
	case len(p.texts) > 0:
		return slices.Contains(p.texts, text)
	case p.bounds != nil:
		return p.bounds.contains(text)
	}
	switch p.kind {
	case kindNumber:
		return isNumber(text)
	case kindIPv4:
		addr, err := netip.ParseAddr(text)
		return err == nil && addr.Is4()
	case kindVersion:
		_, err := semver.StrictNewVersion(text)
		return err == nil
	}
	return true
}

// matches reports whether the regex matches somewhere in text, if there is one.
func (p *part) matches(text string) bool { return p.regex == nil || p.regex.MatchString(text) }

// maxNearest limits the values that are compared with the options of a list to
// find the nearest one, in bytes.
const maxNearest = 128

func (f *Format) mismatch(v Scalar) *Mismatch {
	m := &Mismatch{Want: f.String(), Got: f.describe(v)}
	p := f.single()
	if p == nil {
		return m
	}
	if p.mayShow(v.Text) {
		m.Got, m.Shown = v.Text, true
	}
	m.Fix, m.Proposed = p.fix(v)
	if p.kind == kindList && len(v.Text) <= maxNearest && utf8.ValidString(v.Text) {
		m.Nearest = nearest.Name(v.Text, p.texts)
	}
	return m
}
