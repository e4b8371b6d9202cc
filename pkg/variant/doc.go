// Package variant applies a PackageVariant to a package, without a cluster: it edits the
// package context, the pipeline, the injection points and the Kptfile in their text.
//
// The rules are those of the package variant controller's design document. Sets of
// PackageVariants, which need CEL, are in the package set below it.
package variant
