package constraint

import (
	"slices"
	"sort"
)

// provider is a candidate that provides a version of a package.
type provider struct {
	// candidate is the index of the candidate.
	candidate int
	*providedPackage
}

// versions are the providers of a package whose versions can be compared, the releases
// and the prereleases, each in the order of their versions.
type versions struct{ releases, prereleases []provider }

// versionsOf returns the versions of a package. They are sorted once.
func (j *evaluator) versionsOf(name string) *versions {
	known := j.sorted[name]
	if known == nil {
		known = &versions{}
		for _, p := range j.byPackage[name] {
			switch {
			case !p.isVersion:
			case p.isPrerelease:
				known.prereleases = append(known.prereleases, p)
			default:
				known.releases = append(known.releases, p)
			}
		}
		for _, all := range [][]provider{known.releases, known.prereleases} {
			slices.SortStableFunc(all, func(a, b provider) int { return a.semver.Compare(b.semver) })
		}
		j.sorted[name] = known
	}
	return known
}

// matching returns a provider of a package that satisfies a constraint, one of a release if
// there is one.
func (j *evaluator) matching(c *Constraint) (provider, bool) {
	known := j.versionsOf(c.Package)
	if p, ok := within(known.releases, c.Range); ok {
		return p, true
	}
	return within(known.prereleases, c.Range)
}

// within returns a provider in a range, from some in the order of their versions. A range
// changes only at its bounds, so only the versions next to these are compared.
func within(all []provider, r Range) (provider, bool) {
	if len(all) == 0 {
		return provider{}, false
	}
	try := func(i int) bool { return i < len(all) && r.accepts(all[i].semver) }
	for _, b := range r.bounds() {
		at := sort.Search(len(all), func(i int) bool { return all[i].semver.GE(b) })
		after := sort.Search(len(all), func(i int) bool { return all[i].semver.GT(b) })
		for _, i := range []int{after, at} {
			if try(i) {
				return all[i], true
			}
		}
	}
	return all[0], try(0)
}
