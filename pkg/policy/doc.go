// Package policy selects Implementations for Interfaces by layered policies, by the
// rules of Capact's policy overview.
//
// Package [github.com/krm-packs/functions/pkg/policy/manifest] reads manifests,
// TypeInstances and policies. A [Hub] holds them, and policies say which
// Implementations are allowed and what is injected into them:
//
//	index, findings := policy.NewIndex(hub, assumed)
//	merged := policy.Merge(index, policy.Layers(policies, order, nil)...)
//	selection := index.Select(merged, index.Interface(manifest.RefMatch{Path: "cap.interface.database.postgresql.install"}))
//
// [Merge] merges the policies into one, from the highest priority down. Select finds
// one rule for the Interface, the most specific one, and takes the first element of
// its oneOf list that some Implementation satisfies. The [Selection] says what was
// selected, what is injected and where outputs are stored, and why every other
// Implementation was rejected.
//
// # Errors
//
// A selection may rest on a part of the input that has an error. [Doubts] collects the
// places of errors, and reports whether a selection depends on one:
//
//	doubts := policy.Doubts{}
//	doubts.Note(findings...) // those of reading, of the index, of its checks and of Merge
//	if len(selection.Findings) == 0 && !doubts.Touch(selection.Rests) { … }
//
// # Where the engine and the document differ
//
// The document rules. One rule is taken from the engine: a requirement with an alias
// counts as satisfied only when a policy injects a TypeInstance for it. The document
// says so of storage backends only.
package policy
