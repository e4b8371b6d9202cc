package macro

import "github.com/Masterminds/semver/v3"

// Version is the result of the function `semver`. It prints as the version, and macros can read its
// fields: `(semver .spectro.system.kubernetes.version).Minor`. The type that sprig returns is a
// pointer, which may print as an address.
type Version struct {
	// Major, Minor and Patch are the three numbers.
	Major, Minor, Patch int64
	// Prerelease is the part after `-`, Metadata the part after `+`, and Original the text that was
	// parsed.
	Prerelease, Metadata, Original string

	text string
}

// String returns the version in its full form: 1.2 is 1.2.0.
func (v Version) String() string { return v.text }

// MarshalText returns the text of the version in JSON.
func (v Version) MarshalText() ([]byte, error) { return []byte(v.text), nil }

// maxVersion bounds versions and constraints: large regular expressions parse them.
const maxVersion = 1024

// parseVersion parses a version as sprig does: 1.2 and v1.2.3 are accepted.
func parseVersion(text string) (Version, error) {
	v, err := semver.NewVersion(text)
	if err != nil {
		return Version{}, err
	}
	return Version{
		Major: int64(v.Major()), Minor: int64(v.Minor()), Patch: int64(v.Patch()),
		Prerelease: v.Prerelease(), Metadata: v.Metadata(), Original: v.Original(),
		text: v.String(),
	}, nil
}
