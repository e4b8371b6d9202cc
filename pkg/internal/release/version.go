package release

import (
	"cmp"
	"strings"

	"github.com/Masterminds/semver/v3"
)

// Newest returns the charts of the newest version that a version or a range allows; "" allows all. A chart
// whose version is equal as text is preferred.
func Newest[T any](all []T, wanted string, versionOf func(T) string) (found []T) {
	for _, one := range all {
		if trimmed(versionOf(one)) == trimmed(wanted) {
			found = append(found, one)
		}
	}
	if len(found) > 0 {
		return found
	}
	allowed, err := semver.NewConstraint(cmp.Or(wanted, "*"))
	if err != nil {
		return nil
	}
	var best *semver.Version
	for _, one := range all {
		v, err := semver.NewVersion(versionOf(one))
		if err != nil || !allowed.Check(v) || best != nil && v.LessThan(best) {
			continue
		}
		if best == nil || v.GreaterThan(best) {
			best, found = v, nil
		}
		found = append(found, one)
	}
	return found
}

// trimmed returns a version without a leading v, and with the plus sign that a tag cannot have.
func trimmed(version string) string {
	return strings.ReplaceAll(strings.TrimPrefix(version, "v"), "_", "+")
}
