// Package policy selects Implementations for Interfaces by layered policies, as
// Capact's policy overview has them.
//
// A [Hub] holds the manifests, Interfaces, Implementations and Types, and the
// TypeInstances that exist. Policies say, in rules for Interfaces, which
// Implementations are allowed and what is injected into them:
//
//	index, findings := policy.NewIndex(hub, assumed)
//	merged := policy.Merge(index, policy.Layers(policies, order, nil)...)
//	selection := index.Select(merged, index.Interface(policy.RefMatch{Path: "cap.interface.database.postgresql.install"}))
//
// [Merge] folds the policies into one, from the highest priority down. Select
// finds one rule for the Interface, the most specific one, and takes the first
// element of its oneOf list that some Implementation satisfies. The [Selection]
// says what was selected, what is injected and where outputs are stored, and of
// every Implementation that was not selected all reasons why.
//
// # Where the engine and the document differ
//
// The document rules. One thing is taken from the engine: a requirement with an
// alias counts as satisfied only when a policy injects a TypeInstance for it. The
// document says so of storage backends only.
package policy
