// Package contract holds every function to what kpt, kustomize and Porch need of
// it: it starts the built programs and looks at nothing but their standard
// streams and exit codes.
package contract
