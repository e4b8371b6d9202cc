// Package goreleaser is a place for GoReleaser, which the tool directive in go.mod pins.
package goreleaser
