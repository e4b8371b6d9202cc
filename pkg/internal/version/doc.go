// Package version reads the versions of packs and clusters, more leniently than
// semver.org, and compares them by precedence.
//
// Real packs have versions of two parts (1.27), with leading zeros (26.04.4) and with a
// leading v. Clusters add the name of their distribution. The constraint strings of
// semver libraries reject all of these, and prereleases too, so this package does not
// use them.
//
// Suggestions are made from a [Catalog], the versions of one package: the newest that
// satisfies several demands. If there is none, demands that conflict.
package version
