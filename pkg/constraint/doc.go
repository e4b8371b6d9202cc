// Package constraint checks what OLM's bundles, and packs as bundles, require of each other and of a
// cluster. It reads properties, dependencies and olm.constraint, as the generic constraints document
// of OpenShift describes them, and the cluster constraints and properties of the enhancement proposal
// of that name.
//
// [Check] returns the findings of a set of bundles and a cluster. Callers that need the demands of
// the bundles call [ReadEach] and [Set.Demands]. To find out what a change of a version
// would break, call [Checker.Obstacle].
//
// A bundle provides packages, APIs and labels, and requires others. Each requirement must be satisfied
// by one of the bundles, or by the virtual operator of the cluster. OLM's own resolver requires that a
// single bundle satisfies all of a constraint. If that makes a difference, a warning says so.
//
// Every fault is a [diag.Finding] with its place. A fault in one constraint does not prevent the
// others from being checked.
package constraint
