package macro

import (
	"errors"

	"github.com/Masterminds/semver/v3"
)

// Version is what the function `semver` returns: it prints as the version, and
// its fields can be read, as in `(semver .spectro.system.kubernetes.version).Minor`.
// sprig's own is a pointer, which prints as an address in places.
type Version struct {
	Major, Minor, Patch            int64
	Prerelease, Metadata, Original string

	text string
}

// String returns the version in its full form: 1.2 is 1.2.0.
func (v Version) String() string { return v.text }

// MarshalText makes the version a text in JSON.
func (v Version) MarshalText() ([]byte, error) { return []byte(v.text), nil }

// maxVersion bounds versions and constraints, which are parsed by large regular
// expressions.
const maxVersion = 1024

func parseVersion(text string) (Version, error) {
	v, err := semver.NewVersion(text)
	if err != nil {
		return Version{}, errors.New("got no semantic version")
	}
	return Version{
		Major: int64(v.Major()), Minor: int64(v.Minor()), Patch: int64(v.Patch()),
		Prerelease: v.Prerelease(), Metadata: v.Metadata(), Original: v.Original(),
		text: v.String(),
	}, nil
}

// field reads a field of a version by its name, which sprig has as methods.
func (v Version) field(name string) (any, bool) {
	switch name {
	case "Major":
		return v.Major, true
	case "Minor":
		return v.Minor, true
	case "Patch":
		return v.Patch, true
	case "Prerelease":
		return v.Prerelease, true
	case "Metadata":
		return v.Metadata, true
	case "Original":
		return v.Original, true
	}
	return nil, false
}
