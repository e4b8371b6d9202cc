// Package dependency checks what packs require of each other: the entries of
// `constraints.dependencies` in pack.json, as the pack constraints document describes them.
//
// [Read] returns the dependencies of a pack, and [Check] the requirements that a set of packs does not
// satisfy. Versions are compared by precedence and read leniently, see package version. If a pack is
// missing or out of range, an [advisor] returns the version of a catalog that satisfies all packs
// that require it, or the requirements that conflict.
//
// The function check-dependencies also checks the requirements of OLM's bundles, with package
// constraint; see krm.go.
package dependency
