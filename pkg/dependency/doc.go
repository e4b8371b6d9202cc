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
//
// # The data
//
// An entry of pack.json names another pack and a range of its versions:
//
//	"constraints": {"dependencies": [
//	  {"packName": "vault", "layer": "addon", "minVersion": "0.6.0", "maxVersion": "0.9.0", "type": "optional"}
//	]}
//
// Both bounds are included, and may be absent. type is required, optional, notSupported or upgrade.
//
// # The way of the data
//
// The function reads packs and bundles in one pass (krm.go, krm_bundle.go, krm_csv.go). [Check]
// compares the dependencies of packs, and package constraint the requirements of bundles. Packs take
// part there as bundles that provide a package of their name. What could be chosen instead comes from
// the catalog of the configuration and from packfn (krm_catalog.go, krm_candidates.go). The advisor
// knows all of these offers and all demands, and tries an offer before it suggests it (advise.go,
// obstacle.go).
package dependency
