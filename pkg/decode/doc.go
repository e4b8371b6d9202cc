// Package decode reads YAML strictly into Go structs, and reports each fault with its position.
//
// It reads every document that a user writes for the suite: functionConfigs, the content kinds, and
// the kinds of other projects (PackageVariants and their sets, Capact's manifests), whose unknown
// fields it can ignore. A valid field is filled even if other fields have faults, so that one run
// finds all of them.
package decode
