// Package lint is a place for the linter that `make lint` runs, which the tool directive in go.mod pins.
package lint
