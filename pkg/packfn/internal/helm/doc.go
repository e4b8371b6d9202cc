// Package helm renders Helm charts in a child process, see package child.
//
// The process is the same program with the argument [Command]. It has Helm's engine, in
// package engine, which this package does not link.
package helm
