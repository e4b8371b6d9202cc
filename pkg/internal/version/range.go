package version

import (
	"fmt"
	"strings"
)

// Bound is one end of a range. The zero Bound is open.
type Bound struct {
	version Version
}

// ParseBound reads a bound with [Parse] or [ParseKubernetes]. "" is an open bound.
func ParseBound(text string, parse func(string) (Version, error)) (Bound, error) {
	if text == "" {
		return Bound{}, nil
	}
	v, err := parse(text)
	return Bound{v}, err
}

// IsOpen reports whether there is no bound.
func (b Bound) IsOpen() bool { return b.version.IsZero() }

// String returns the bound as it was written.
func (b Bound) String() string { return b.version.text }

// Version returns the bound as a version: 1.27 is 1.27.0.
func (b Bound) Version() Version { return b.version }

// covers reports whether v is not above b as an upper bound. Of a bound of two
// parts, and no prerelease, only these parts are compared: 1.21 covers every
// 1.21.x.
func (b Bound) covers(v Version) bool {
	if b.version.IsPrerelease() {
		return v.Compare(b.version) <= 0
	}
	if b.version.parts < len(b.version.core) {
		return v.compareCore(b.version, b.version.parts) <= 0
	}
	return v.Compare(b.version) <= 0
}

// After returns the lowest release above everything that b covers as an upper bound:
// 1.22.0 for 1.21, 1.21.11 for 1.21.10, and 1.21.0 for 1.21-rc.1. For an open bound it
// returns the zero Version.
func (b Bound) After() Version {
	v := b.version
	if b.IsOpen() {
		return Version{}
	}
	if !v.IsPrerelease() {
		v.core[v.parts-1] = increment(v.core[v.parts-1])
	}
	v.prerelease, v.rest, v.parts = "", "", len(v.core)
	v.text = v.core[0] + "." + v.core[1] + "." + v.core[2]
	return v
}

// increment adds one to digits of any length.
func increment(digits string) string {
	next := []byte(digits)
	for i := len(next) - 1; i >= 0; i-- {
		if next[i]++; next[i] <= '9' {
			return string(next)
		}
		next[i] = '0'
	}
	return "1" + string(next)
}

// Place is the place of a version relative to a range.
type Place int

// The places.
const (
	Below Place = iota - 1
	Within
	Above
)

// Range is the versions from Min to Max, both included.
// Min and Max are open if they are zero.
type Range struct{ Min, Max Bound }

// ParseRange reads both bounds of a range; see ParseBound.
//
//	ParseRange("1.27", "1.31", Parse)  // 1.27 to 1.31, with 1.31.9
//	ParseRange("1.27", "", Parse)      // 1.27 or newer
func ParseRange(min, max string, parse func(string) (Version, error)) (Range, error) {
	low, err := ParseBound(min, parse)
	if err != nil {
		return Range{}, fmt.Errorf("%q %w", min, err)
	}
	high, err := ParseBound(max, parse)
	if err != nil {
		return Range{}, fmt.Errorf("%q %w", max, err)
	}
	return Range{low, high}, nil
}

// IsOpen reports whether the range has no bound, so that every version is in
// it.
func (r Range) IsOpen() bool { return r.Min.IsOpen() && r.Max.IsOpen() }

// IsEmpty reports whether the range has its lower bound above its upper one.
func (r Range) IsEmpty() bool {
	return !r.Min.IsOpen() && !r.Max.IsOpen() && !r.Max.covers(r.Min.version)
}

// Place returns the place of v. It is never Within an empty range.
func (r Range) Place(v Version) Place {
	switch {
	case !r.Min.IsOpen() && v.Compare(r.Min.version) < 0:
		return Below
	case !r.Max.IsOpen() && !r.Max.covers(v):
		return Above
	}
	return Within
}

// String returns the range for messages: `1.27 to 1.31`, `1.27 or newer`, and for the bounds
// 1.27.3 and 1.27 `1.27.3 or newer 1.27.x`.
func (r Range) String() string {
	switch {
	case r.IsOpen():
		return "any version"
	case r.Min.IsOpen():
		return r.Max.String() + " or older"
	case r.Max.IsOpen():
		return r.Min.String() + " or newer"
	case r.Min.String() == r.Max.String():
		return r.Min.String()
	}
	if low, high := r.Min.version, r.Max.version; high.parts < low.parts && !high.IsPrerelease() && low.compareCore(high, high.parts) == 0 {
		return fmt.Sprintf("%s or newer %s.x", low, strings.Join(high.core[:high.parts], "."))
	}
	return r.Min.String() + " to " + r.Max.String()
}
