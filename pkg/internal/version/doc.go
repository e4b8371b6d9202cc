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
//
//	1.27          is 1.27.0
//	v26.04.4      is 26.4.4
//	1.33.2-rc.1   is older than 1.33.2
//	1.31.2-eks-7f is 1.31.2, because eks is a distribution
package version
