// Package tools is a place for the programs that the tests run and that the functions must not depend on: `kpt fn` in
// the folder kpt, and kustomize, which the tool directive in go.mod pins.
package tools
