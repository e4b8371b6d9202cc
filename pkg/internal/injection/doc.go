// Package injection finds the resources of a package that wait for the content that a
// PackageVariant injects into them.
//
// Porch renders a package before it injects anything. Until then, the content of the resource is a
// placeholder, and an absent field is not missing, because it comes with the injection.
//
// The design of the package variant controller defines the terms.
//
// An author marks the resource, and the PackageVariant names what fills it:
//
//	kind: ConfigMap
//	metadata:
//	  name: cluster
//	  annotations: {kpt.dev/config-injection: required}
package injection
