// Package constraint checks what OLM's bundles, and packs as bundles, require of each other and of a
// cluster. It reads properties, dependencies and olm.constraint, as the generic constraints document
// of OpenShift describes them, and the cluster constraints and properties of the enhancement proposal
// of that name.
//
// [ReadEach] reads a set of bundles and a cluster, and [Checker.Check] returns its findings. [Set.Demands] returns
// what the bundles demand. To find out what a change of a version would break, call [Checker.Obstacle].
//
// A bundle provides packages, APIs and labels, and requires others. Each requirement must be satisfied
// by one of the bundles, or by the virtual operator of the cluster. OLM's own resolver requires that a
// single bundle satisfies all of a constraint. If that makes a difference, a warning says so.
//
// Every fault is a [diag.Finding] with its place. A fault in one constraint does not prevent the
// others from being checked.
//
// # The data
//
// A bundle has properties, which it provides, and dependencies, which it requires. Both are lists of a
// type and a value:
//
//	properties:
//	- type: olm.package
//	  value: {packageName: red, version: 1.2.0}
//	- type: olm.gvk
//	  value: {group: example.com, version: v1, kind: Red}
//	dependencies:
//	- type: olm.package
//	  value: {packageName: blue, version: '>=1.0.0 <2.0.0'}
//	- type: olm.constraint
//	  value:
//	    failureMessage: needs a database
//	    any: {constraints: [{package: …}, {cel: {rule: 'properties.exists(p, …)'}}]}
//
// # The way of the data
//
// A reader makes a candidate of each bundle: what it provides, and its requirements as parsed
// constraints (property.go, requirement.go, parse.go). The evaluator indexes the candidates by
// package, API and label, and evaluates each distinct constraint once (evaluate.go, providers.go,
// verdict.go). The Checker goes over the requirements of each candidate (check.go), and for each that
// does not hold the explainer words why (explain.go, explain_rule.go) and asks the caller what to do
// about it.
package constraint
