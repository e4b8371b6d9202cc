// Package set makes PackageVariants of PackageVariantSets, as the design document
// of Porch's package variant controller has them: one for each target, with
// fields that are CEL expressions over the target, its repository and the
// upstream package.
//
//	s := set.Read(root)                              // a parsed resource, or an API object
//	expander, invalid := set.New(s, set.NewEnvironment())
//	expansion, found := expander.Expand(inventory, 0)
//	spec := expansion.Variants[0].Spec               // a variant.Spec
//	text := (&set.Printer{}).Print(s, &expansion.Variants[0], nil)
//
// It is a package of its own, so that programs which only change packages do not link CEL.
//
// # What things cost
//
// An expression is compiled once for a set, whatever the number of its targets.
// Resources are looked up by maps, and variants are written as text, not printed
// from trees. So the cost follows the number of variants.
//
// # Our choices
//
// Where the document fails for a Repository or a PackageRevision that is not
// there, so does this package if it is given any of that kind. A package in git
// seldom has them: then a warning says that nothing was verified.
package set
