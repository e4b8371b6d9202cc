// Package variant applies a PackageVariant to a package, without a cluster. It edits the package
// context, the pipeline, the injection points and the Kptfile in their text, as the design document of
// Porch's package variant controller describes it. All other bytes stay.
//
// To make PackageVariants from a PackageVariantSet, use package set below it, which links CEL.
package variant
