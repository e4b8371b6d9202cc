// Package version reads the versions that packs and clusters bear, more
// leniently than semver.org, and compares them by precedence.
//
//	v, err := version.Parse("v1.31.2-eks-7f9249a") // Kubernetes of a distribution
//	r, err := version.ParseRange("1.27", "1.31", version.Parse)
//	r.Place(v)                                     // Within, as every 1.31.x
//
// Real packs write two parts (1.27), leading zeros (26.04.4) and a leading v,
// and clusters tell the name of their distribution. A constraint string of a
// semver library refuses all of these, and prereleases too, so nothing here
// goes through one.
//
// Suggestions are made from a [Catalog], the versions there are of one thing:
// the newest that several demands accept, and where there is none, the smallest
// set of demands that exclude each other.
package version
