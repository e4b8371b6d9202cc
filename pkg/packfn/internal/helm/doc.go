// Package helm renders Helm charts in a child process, see package child.
//
// The process is the same program with the argument [Command]. It has Helm's engine, in
// package engine, which this package does not link.
//
// The way of a chart: a [Job] has the files and the values, the child renders it, and a [Result] has
// the manifests, or a [Failure] if Helm rejects the chart or a limit is exceeded. A pack has several
// charts, which share a limit of time, see [Renderer.Pack]. apis.go lists the API versions of a
// Kubernetes, which templates can ask for.
package helm
