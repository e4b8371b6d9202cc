// Package constraint checks what OLM's bundles, and packs as such, require of
// each other and of a cluster: properties, dependencies and olm.constraint, as
// the generic constraints document of OpenShift describes them, and the cluster
// constraints and properties of the enhancement proposal of that name.
//
//	red := &constraint.Bundle{Name: "red.v1.0.0", Properties: entries}
//	findings := constraint.Check([]*constraint.Bundle{red, blue}, nil, constraint.Options{})
//
// [Read] and [Set.Check] do the same in two steps, for callers that need the demands of the
// bundles first.
//
// A bundle provides packages, APIs and labels, and requires some. Every
// requirement is checked over the whole set of bundles: one of them, or the virtual
// operator of the cluster, must satisfy it. OLM's own resolver requires a single bundle to
// satisfy all of a constraint. A warning says where that makes a difference.
//
// Everything that is wrong is a [diag.Finding] with its place. A fault in one constraint
// does not prevent the others from being checked.
//
// [Checker.Obstacle] says what a change of a version would break, for suggestions.
package constraint
