// Package gotestsum is a place for the program that reports what tests do, which the tool directive in go.mod pins.
// run.sh runs it.
package gotestsum
