// Package transfer brings pack directories into packages, and packs of packages back
// into directories.
//
// A pack becomes one resource in one file, a ConfigMap or a Pack, laid out as kpt lays
// it out, so that the first render changes nothing. An annotation records what was
// read; by that record a second import knows whether the directory has changed.
package transfer
