// Package decode reads YAML strictly into Go structs, and reports each fault with its position.
//
// It reads every document that a user writes for the suite: functionConfigs, the content kinds, and
// the kinds of other projects (PackageVariants and their sets, Capact's manifests), whose unknown
// fields it can ignore. A valid field is filled even if other fields have faults, so that one run
// finds all of them.
//
// # The tags
//
// A field of a struct has the name in its json tag. Other tags declare what is checked:
//
//	required:"true"               the field must be there
//	enum:"a,b"                    the accepted texts
//	single:"true"                 a mapping without a list around it is a list with one element
//	flat:"-"                      the field is no option of the plain form, a ConfigMap
//	_ struct{} `unknown:"slips"`  only misspelt fields are errors, as other programs have more fields
//	_ struct{} `unknown:"warning"`  an unknown field is a warning; without the tag, it is an error
//
// A type that reads itself implements [Decoder].
package decode
