// Package manifest reads Capact's manifests, TypeInstances and policies, as resources
// of the group [GroupVersion].
//
//	i, findings := manifest.ReadInterface(resource, node)
//
// A reader fills everything that is right, also next to faults, and returns all
// faults of the resource. It checks one resource at a time: references between
// resources are the business of package policy. Fields that Capact has and that
// selections do not need are ignored; a misspelt name of one that they need is not.
package manifest
