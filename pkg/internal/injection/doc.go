// Package injection tells which resources of a package wait for the content that a
// PackageVariant injects into them.
//
// Porch renders a package before it injects anything. What a resource has then is a
// placeholder, and what it lacks is not missing: its content comes with the injection.
//
// The terms are those of the design of the package variant controller.
package injection
