// Package decode reads YAML strictly into Go structs, and says what is wrong with it
// and where.
//
// It reads every document that a user writes for the suite: functionConfigs, the
// content kinds, and the kinds of others (PackageVariants and their sets, Capact's
// manifests), whose unknown fields it can let pass. Everything that is right is
// filled, also if other fields have faults, so that one run finds all of them.
package decode
