// Package apiserver compares what packfn says of updates with the API server of Kubernetes: its defaults, its
// strategies and its validation, from the release that go.mod requires. It is a module of its own, so that the functions do
// not depend on the API server.
package apiserver
