// Package variant does to a package what Porch's package variant controller
// would do to it: it reads PackageVariants, and edits package context, pipeline,
// injection points and Kptfile in their text, without a cluster.
//
// The rules are those of the package variant controller's design document. What
// needs CEL is in the package set below, so that programs which do not expand
// sets do not link it.
package variant
