package version

import "slices"

// Catalog is the versions that there are of one thing. The zero Catalog is
// empty.
type Catalog struct {
	// versions are the newest first, prereleases after all releases, and each
	// once.
	versions []Version
}

// NewCatalog makes the catalog of versions in any order.
func NewCatalog(versions []Version) *Catalog {
	sorted := slices.Clone(versions)
	slices.SortFunc(sorted, func(v, w Version) int {
		if v.IsPrerelease() != w.IsPrerelease() {
			if w.IsPrerelease() {
				return -1
			}
			return 1
		}
		return w.Order(v)
	})
	return &Catalog{slices.CompactFunc(sorted, func(v, w Version) bool { return v.text == w.text })}
}

// Versions returns the versions in the order in which they are preferred: the
// newest first, and prereleases after all releases.
func (c *Catalog) Versions() []Version { return c.versions }

// Demand is what somebody asks of a version.
type Demand func(Version) bool

// Newest returns the newest version that all demands accept: a release where
// one does. It reports false when there is none.
func (c *Catalog) Newest(demands ...Demand) (Version, bool) {
	for _, v := range c.versions {
		if !slices.ContainsFunc(demands, func(accepts Demand) bool { return !accepts(v) }) {
			return v, true
		}
	}
	return Version{}, false
}
