// Package helm renders Helm charts in a process of its own, which can be ended.
//
//	r := helm.Renderer{}
//	defer r.Close()
//	result := r.Render(&helm.Job{Archive: text, Values: values, Release: "web", …})
//
// A template cannot be stopped from within: it can run for hours, or ask for all memory.
// The process is the same program with the argument [Command]. It has Helm's engine, in
// package engine, which this package does not link.
package helm
