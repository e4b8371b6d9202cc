// Package transfer imports pack directories into packages, and exports packs of packages to
// directories.
//
// A pack becomes a single resource in its own file, a ConfigMap or a Pack. It is written in the
// layout of kpt, so that the first render changes nothing. An annotation records the files that
// were imported, so that a second import can tell whether the directory has changed.
package transfer
