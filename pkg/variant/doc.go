// Package variant applies a PackageVariant to a package, without a cluster. It edits the package
// context, the pipeline, the injection points and the Kptfile in their text, as the design document of
// Porch's package variant controller describes it. All other bytes stay.
//
// To make PackageVariants from a PackageVariantSet, use package set below it, which links CEL.
//
// # The data
//
// A PackageVariant has four parts that change the package:
//
//	spec:
//	  packageContext: {data: {region: eu-west}}
//	  pipeline: {mutators: [{image: example.com/set-region:v1}]}
//	  injectors: [{kind: ClusterContext, name: edge-1}]
//
// An injection point is a resource of the package with the annotation kpt.dev/config-injection:
// required or optional. It takes the spec of the in-cluster object that an injector names, or the data
// if it is a ConfigMap.
//
// # The way of the data
//
// [Read] decodes the PackageVariant and validates it (read.go, validate.go). Then the package context
// (context.go), the pipeline (pipeline.go), each injection point (inject.go), and the conditions and
// gates in the Kptfile (kptfile.go) are edited one after the other. Each edit is a list of changes at
// paths, which package values makes in the text. As a function, inject-config sorts the items of the
// list by what they are (krm.go, krm_inject.go). krm_porch.go makes the result equal to Porch's where
// Porch departs from its document.
package variant
