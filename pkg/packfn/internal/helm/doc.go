// Package helm renders Helm charts in a process of its own, which can be ended.
//
// A template cannot be stopped from within: it can run for hours, or ask for all memory.
// The process is the same program with the argument [Command]. It has Helm's engine, in
// package engine, which this package does not link.
package helm
