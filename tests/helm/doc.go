// Package helm compares what pkg/packfn/internal/chart says of values with Helm itself: a key that is
// reported as inert changes no output, and values are refused where Helm refuses them.
//
// It is a module of its own, so that the functions do not depend on Helm.
package helm
