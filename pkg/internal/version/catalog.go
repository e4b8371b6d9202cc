package version

import (
	"iter"
	"slices"
)

// Catalog is the versions of one package. The zero Catalog is empty.
type Catalog struct {
	// versions are the newest first, prereleases after all releases, and each
	// once.
	versions []Version
}

// NewCatalog returns the catalog of versions in any order.
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

// Versions returns the versions in the order of preference: the newest first, and
// prereleases after all releases.
func (c *Catalog) Versions() []Version { return c.versions }

// Demand reports whether a version is accepted.
type Demand func(Version) bool

// Accepted yields the versions that all demands accept, in the order of preference.
func (c *Catalog) Accepted(demands ...Demand) iter.Seq[Version] {
	return func(yield func(Version) bool) {
		for _, v := range c.versions {
			if !slices.ContainsFunc(demands, func(accepts Demand) bool { return !accepts(v) }) && !yield(v) {
				return
			}
		}
	}
}
