// Package set makes PackageVariants from PackageVariantSets, as the design document of Porch's package
// variant controller describes it: one for each target, with fields that are CEL expressions over the
// target, its repository and the upstream package.
//
// [Read] reads a set, and [New] compiles its expressions. [Expander.Expand] returns the variants for an
// [Inventory] of repositories, objects and revisions. [Printer.Print] returns the text of a variant. The
// examples show them.
//
// The package is separate from package variant, so that programs which only change packages do not link
// CEL.
//
// # What things cost
//
// An expression is compiled once for a set, whatever the number of its targets. Resources are looked up
// in maps, and variants are written as text, not printed from trees. So the cost follows the number of
// variants.
//
// # Our choices
//
// If a Repository or a PackageRevision does not exist, the document requires an error. This package
// reports it only if the inventory contains any object of that kind, because a package in git
// seldom does. Otherwise a warning states that nothing was verified.
//
// # The way of the data
//
// A set has an upstream and targets:
//
//	kind: PackageVariantSet
//	spec:
//	  upstream: {repo: blueprints, package: platform, revision: v3}
//	  targets:
//	  - repositorySelector: {matchLabels: {env: prod}}
//	    template:
//	      labelExprs: [{key: region, valueExpr: "repository.labels['region']"}]
//
// Read decodes it, New validates it and compiles the expressions of each template into a maker. Expand
// finds the objects of each target, which are its candidates (candidate.go). It renders a Variant from
// each of them (render.go), and gives it the name that Porch gives (name.go). As a function, the
// writer compares the variants with the PackageVariants that are in the package, and adds, updates or
// removes some of them (krm_write.go).
package set
