package schema

import (
	"encoding/base64"
	"fmt"
	"math"
	"net/netip"
	"slices"
	"unicode/utf8"

	"github.com/Masterminds/semver/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/meter"
	"github.com/krm-packs/functions/pkg/internal/nearest"
)

// Scalar is a value as a format sees it.
type Scalar struct {
	// Text is the decoded text of a quoted or block scalar, and the source text
	// of a plain one.
	Text string
	// IsString reports that YAML reads the value as a string, quoted or plain.
	IsString bool
}

// maxSteps limits the work of the regexes in one match, in bytes of text times
// instructions of the regex, to about two seconds.
const maxSteps = 1 << 28

// freeSteps is what each match has of its own, in the unit of maxSteps, so that usual formats are
// always checked: 64 bytes under a regex of 64 instructions. The rest is taken from the meter of
// the run: each regex could stay just below the limit of one match, and take hours for a list of
// values.
const freeSteps = 1 << 12

// Match returns nil if v has the format, else a finding without rule and place.
// The empty text has every format: `required` decides whether a value may be empty.
//
// Values may be secrets. What was found is a description such as "text of 12
// characters", which has the value for whom the class allows that a caller sets, see
// [diag.Finding.OfClass]. Only under a single number, ipv4 or version it is the value itself,
// if that has nothing but digits, dots, signs and the e of an exponent; then the
// value is the current one too. A value is proposed if it is certain and may be
// shown.
//
// A format of one placeholder checks the whole value. A composite splits the
// value, with nothing left over, into its literal texts and one segment for each
// placeholder. A segment is not empty, and the placeholder accepts it by itself:
// its regex sees nothing but the segment. Segments begin and end between
// characters; a byte that is not UTF-8 counts as one. A number with a range has
// at most MaxRangedNumber characters in a composite.
//
// A composite checks values of at most MaxCompositeBytes. A value that is longer,
// or too long for the regexes, does not match, and the finding says so.
func (f *Format) Match(v Scalar) *diag.Finding { return f.match(v, new(meter.Meter)) }

// match is Match in a run.
func (f *Format) match(v Scalar, m *meter.Meter) *diag.Finding {
	if v.Text == "" {
		return nil
	}
	if limit := f.maxBytes(); len(v.Text) > limit {
		return f.unchecked(v, "too long to be checked", fmt.Sprintf("shorten the value to %d bytes", limit))
	}
	if p := f.single(); p != nil {
		if p.regex != nil {
			steps := len(v.Text) * p.regex.instructions
			if steps > freeSteps+m.Left() {
				return f.tooExpensive(v)
			}
			m.Spend(steps - freeSteps)
		}
		if p.holds(v) {
			return nil
		}
		return f.mismatch(v)
	}
	s := splitter{text: v.Text, most: min(maxCompositeSteps, freeSteps+m.Left())}
	splits := s.split(f.parts)
	m.Spend(s.steps - freeSteps)
	switch {
	case s.steps > s.most && s.most < maxCompositeSteps:
		return f.tooExpensive(v)
	case s.steps > s.most:
		return f.unchecked(v, "too long to be checked", "shorten the value, or simplify the format")
	case splits:
		return nil
	}
	return f.mismatch(v)
}

// unchecked returns the finding of a value that is not checked.
func (f *Format) unchecked(v Scalar, why, action string) *diag.Finding {
	found := diag.GotValue(v.Text, f.describe(v), f.String()).Do(action)
	found.Found += ", which is " + why
	return &found
}

// tooExpensive returns the finding of a value that is not checked, because the formats of
// the values before it have cost too much.
func (f *Format) tooExpensive(v Scalar) *diag.Finding {
	return f.unchecked(v, "not checked: the formats of all values take too many steps", "simplify the regexes of the schema, or shorten the values")
}

// maxBytes returns the length up to which the format checks values.
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
	case kindIPv6:
		addr, err := netip.ParseAddr(text)
		return err == nil && addr.Is6() && addr.Zone() == ""
	case kindIPv4CIDR:
		prefix, err := netip.ParsePrefix(text)
		return err == nil && prefix.Addr().Is4()
	case kindBase64:
		_, err := base64.StdEncoding.DecodeString(text)
		return err == nil
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

// mismatch returns the finding about a value that does not have the format. It shows the value only if
// the format allows that.
func (f *Format) mismatch(v Scalar) *diag.Finding {
	found := diag.GotValue(v.Text, f.describe(v), f.String())
	p := f.single()
	if p == nil {
		return &found
	}
	if p.mayShow(v.Text) {
		found.Found, found.Current = v.Text, v.Text
		found.Value = diag.Value{Text: v.Text}
	}
	if !p.hasKind(v) {
		found = found.Quote(v.Text)
	} else if action, proposed := p.fix(v); action != "" {
		if found.Action = action; proposed != "" {
			found.Proposed = proposed
			found = found.Correct(v.Text, proposed)
		}
	}
	if p.kind == kindList && len(v.Text) <= maxNearest && utf8.ValidString(v.Text) {
		found = found.Meant(v.Text, nearest.Name(v.Text, p.texts), p.texts)
	}
	return &found
}
