// Package dependency checks what packs require of each other: the entries of
// `constraints.dependencies` in pack.json, as the pack constraints document
// describes them.
//
//	stack := &dependency.Pack{Name: "elastic-stack", Version: "0.19.0", Where: "stack.yaml"}
//	stack.Dependencies, problems = dependency.Read(packJSON)
//	findings := dependency.Check(packs, dependency.Context{Packs: packs})
//
// Versions are compared by precedence and read leniently, see [version]. Where
// something is missing or out of range, an [Advisor] says which version of a
// catalog suits all who need it, or who excludes whom.
//
// The function check-dependencies also asks pkg/constraint what OLM's bundles
// require; that door is krm.go.
package dependency
