// Package policy selects Implementations for Interfaces by layered policies, as Capact's policy
// overview describes it.
//
// Package [github.com/krm-packs/functions/pkg/policy/manifest] reads manifests, TypeInstances and
// policies. [NewIndex] indexes a [Hub] of manifests once for many selections. [Layers] and [Merge] turn
// policies into one, from the highest priority down. [Index.Select] then finds the most specific rule
// for an Interface, and uses the first element of its oneOf list that some Implementation satisfies.
// The [Selection] that it returns contains the selected Implementation, the
// injected TypeInstances and parameters, the storage of outputs, and the reason why
// every other Implementation was rejected. The example shows all steps.
//
// # Errors
//
// A selection may depend on a part of the input that has an error. [Doubts.Note] collects the
// places of errors: errors of reading, of the index, of its checks and of Merge. Do not use a
// selection if it has [Selection.Findings], or if [Doubts.Touch] reports that one of its
// [Selection.Rests] is in doubt.
//
// # Where the engine and the document differ
//
// The document takes precedence. One rule is taken from the engine: a requirement with an alias is
// satisfied only if a policy injects a TypeInstance for it. The document states this only for
// storage backends.
//
// # The way of a selection
//
//	Policy 1 ─┐
//	Policy 2 ─┼─ Layers, Merge ─→ Merged ─┐
//	Policy 3 ─┘                           ├─ Select ─→ Selection ─ spec ─→ ImplementationSelection
//	manifests ─────── NewIndex ─→ Index ──┘
//
// Merge joins the rules for the same Interface, and in them the elements with the same constraints
// (merge.go). Select finds the rule, tries its elements in their order, and among the Implementations
// that satisfy one takes the first (select.go, reason.go). Then it finds what is injected (inject.go,
// parameter.go) and where outputs are stored (backend.go). lint.go looks for parts of policies without
// an effect.
package policy
