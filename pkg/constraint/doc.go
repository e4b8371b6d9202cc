// Package constraint checks what OLM's bundles, and packs as such, require of
// each other and of a cluster: properties, dependencies and olm.constraint, as
// the generic constraints document of OpenShift describes them, and the cluster
// constraints and properties of the enhancement proposal of that name.
//
//	red := &constraint.Bundle{Name: "red.v1.0.0", Properties: entries}
//	findings := constraint.Check([]*constraint.Bundle{red, blue}, nil, constraint.Options{})
//
// [Read] and [Set.Check] do the same in two steps, for those who need what the
// bundles demand before they are judged.
//
// A bundle provides packages, APIs and labels, and requires some. Every
// requirement is judged over the whole set of bundles: one of them, or the
// virtual operator that stands for the cluster, has to satisfy it. OLM's own
// resolver wants one single bundle to satisfy all of a constraint; where that
// makes a difference, a warning says so.
//
// Everything that is wrong is a [Finding] with the place where it is. A fault in
// one constraint does not keep the others from being checked.
package constraint
