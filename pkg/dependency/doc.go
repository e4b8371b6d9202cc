// Package dependency checks what packs require of each other: the entries of
// `constraints.dependencies` in pack.json, as the pack constraints document
// describes them.
//
//	stack := &dependency.Pack{Name: "elastic-stack", Version: "0.19.0"}
//	stack.Dependencies, faults = dependency.Read(packJSON)
//	findings := dependency.Check(packs, dependency.Context{Packs: packs})
//
// Versions are compared by precedence and read leniently, see package version. If a pack is
// missing or out of range, an [Advisor] says which version of a catalog satisfies all
// packs that require it, or which requirements conflict.
//
// The function check-dependencies also checks the requirements of OLM's bundles, with
// package constraint; see krm.go.
package dependency
