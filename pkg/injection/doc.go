// Package injection tells which resources of a package wait for the content that a
// PackageVariant injects into them.
//
// Porch renders a package before it injects anything. What a resource lacks then is not
// missing: it comes with the injection.
//
//	status := injection.Of(run, item)
//	if status.Waits { … } // do not judge what the resource lacks
//
// The terms are those of the design of the package variant controller.
package injection
