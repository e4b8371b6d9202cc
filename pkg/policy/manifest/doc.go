// Package manifest reads Capact's manifests, TypeInstances and policies, as resources
// of the group [GroupVersion].
//
//	i, findings := manifest.ReadInterface(resource, node)
//
// A reader fills everything that is right, also next to faults, and returns all
// faults of the resource. It checks one resource at a time: references between
// resources are the business of package policy. Fields that Capact has and that
// selections do not need are ignored; a misspelt name of one that they need is not.
//
// A manifest as a resource has the content of Capact's own file below spec:
//
//	apiVersion: ocf.capact.io/v1alpha1
//	kind: Implementation
//	metadata: {name: aws-rds}
//	spec:
//	  path: cap.implementation.aws.rds.install
//	  revision: 0.1.0
//	  implements: [{path: cap.interface.database.postgresql.install, revision: 0.1.0}]
//	  requires:
//	    cap.type.aws.auth:
//	      allOf: [{name: credentials, revision: 0.1.0, alias: aws}]
package manifest
