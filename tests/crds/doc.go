// Package crds checks the CustomResourceDefinitions in build/crds as an API server does,
// and the resources of the examples by them. It is a module of its own, so that the
// functions do not depend on the API server for custom resources.
package crds
